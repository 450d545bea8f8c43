package dev.cairn.engine.tracking;

/**
 * A file that counts.
 *
 * @param name its name within the store's directory
 * @param length its length in bytes; of a reference, an estimate
 */
public record TrackedFile(String name, long length) {}
