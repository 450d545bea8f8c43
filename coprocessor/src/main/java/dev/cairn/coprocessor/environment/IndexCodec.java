package dev.cairn.coprocessor.environment;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.wal.WALCellCodec;

/**
 * Phoenix's codec of log entries. Its coprocessors tell its clients whether the server's settings
 * name this codec; without it, clients refuse to create indexes on tables with mutable rows.
 * Cairn's log needs no codec for them, so a site need not set the key.
 */
final class IndexCodec {
  private static final String CODEC =
      "org.apache.hadoop.hbase.regionserver.wal.IndexedWALEditCodec";

  private IndexCodec() {}

  /**
   * Names the codec in the settings of coprocessors, if they name none and it is on the class path.
   */
  static void setDefault(Configuration settings, ClassLoader classPath) {
    if (settings.get(WALCellCodec.WAL_CELL_CODEC_CLASS_KEY, "").isBlank()
        && classPath.getResource(CODEC.replace('.', '/') + ".class") != null) {
      settings.set(WALCellCodec.WAL_CELL_CODEC_CLASS_KEY, CODEC);
    }
  }
}
