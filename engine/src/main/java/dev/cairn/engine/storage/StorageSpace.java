package dev.cairn.engine.storage;

/**
 * The space on the disk of a storage.
 *
 * @param usableBytes the bytes that can still be written
 * @param totalBytes the size of the disk, used and free
 */
public record StorageSpace(long usableBytes, long totalBytes) {}
