/**
 * Blocks. In a file: header, compressed body, checksums ({@link
 * dev.cairn.engine.hfile.block.BlockWriter}, {@link dev.cairn.engine.hfile.block.BlockReader}). In
 * memory: the searchable forms of data, index and Bloom filter blocks, and the memory that they lie
 * in.
 *
 * <p>Imports {@code codec} and {@code format}. Knows nothing of the cache or of whole files.
 */
package dev.cairn.engine.hfile.block;
