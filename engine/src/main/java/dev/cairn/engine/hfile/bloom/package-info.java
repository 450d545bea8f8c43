/**
 * Bloom filters over rows or columns: {@link dev.cairn.engine.hfile.bloom.BloomWriter} builds one
 * while a file is written, {@link dev.cairn.engine.hfile.bloom.BloomFilter} answers from it.
 *
 * <p>Imports {@code block} and {@code format}. The reader supplies the source of chunks.
 */
package dev.cairn.engine.hfile.bloom;
