/**
 * HBase's store file format, HFile: writing version 3, reading 2 and 3, the cursor over a file, its
 * block index and Bloom filters, compression, encodings, and the cache of blocks.
 *
 * <p>Cells enter in order through {@link dev.cairn.engine.hfile.HFileWriter} and leave through
 * {@link dev.cairn.engine.hfile.HFileReader}'s cursors.
 */
package dev.cairn.engine.hfile;
