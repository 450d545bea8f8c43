package dev.cairn.engine.tracking;

/**
 * A file of a store.
 *
 * @param name its name within the store's directory
 * @param length its length in bytes; for a reference, an estimate
 */
public record TrackedFile(String name, long length) {}
