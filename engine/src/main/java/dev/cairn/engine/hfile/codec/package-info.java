/**
 * Compression of blocks: one {@link dev.cairn.engine.hfile.codec.Codec} per algorithm, with
 * Hadoop's framing, and HBase's names and codes ({@link dev.cairn.engine.hfile.codec.Compression}).
 *
 * <p>Imports {@code format}.
 */
package dev.cairn.engine.hfile.codec;
