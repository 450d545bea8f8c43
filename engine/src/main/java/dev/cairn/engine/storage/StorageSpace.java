package dev.cairn.engine.storage;

/**
 * The room on the disk of a storage.
 *
 * @param usableBytes what can still be written
 * @param totalBytes what the disk holds, used or not
 */
public record StorageSpace(long usableBytes, long totalBytes) {}
