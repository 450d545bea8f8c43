/**
 * Bloom filters over rows or columns: {@link dev.cairn.engine.hfile.bloom.BloomWriter} builds one
 * while a file is written, {@link dev.cairn.engine.hfile.bloom.BloomFilter} answers from it.
 *
 * <p>Imports {@code block} and {@code format}. The reader passes in where chunks come from.
 */
package dev.cairn.engine.hfile.bloom;
