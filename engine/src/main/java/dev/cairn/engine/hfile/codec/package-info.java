/**
 * Compression of blocks: one {@link dev.cairn.engine.hfile.codec.Codec} per algorithm, with the
 * framing that Hadoop puts around it, and the names and codes that HBase has for them ({@link
 * dev.cairn.engine.hfile.codec.Compression}).
 *
 * <p>Imports {@code format}.
 */
package dev.cairn.engine.hfile.codec;
