/**
 * HBase's store file format, HFile version 3: writing, reading, the cursor over a file, its block
 * index and Bloom filters, compression, encodings, and the cache of blocks.
 *
 * <p>Cells enter in order through {@link dev.cairn.engine.hfile.HFileWriter} and leave through
 * {@link dev.cairn.engine.hfile.HFileReader}'s cursors.
 */
package dev.cairn.engine.hfile;
