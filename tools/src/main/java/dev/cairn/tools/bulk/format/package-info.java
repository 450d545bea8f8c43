/**
 * Files of rows, in the formats that {@code bin/cairn export} writes and {@code bin/cairn import}
 * reads: HBase's sequence files, JSON lines and TSV. A {@link
 * dev.cairn.tools.bulk.format.RowFormat} creates writers, which take a client's results, and
 * readers, which give mutations. Nothing here knows tables or connections.
 */
package dev.cairn.tools.bulk.format;
