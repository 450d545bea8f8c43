package dev.cairn.engine.wal;

import java.util.Optional;

/**
 * How a log file is compressed, as its header says: each part as HBase's setting of that meaning.
 *
 * @param dictionary regions, tables, rows, families and qualifiers that came before are named by
 *     two bytes ({@code hbase.regionserver.wal.enablecompression})
 * @param tags so are tags ({@code hbase.regionserver.wal.tags.enablecompression})
 * @param values how values are compressed, each by itself ({@code
 *     hbase.regionserver.wal.value.enablecompression}); empty: they are not
 */
public record WalCompression(
    boolean dictionary, boolean tags, Optional<WalValueCompression> values) {
  /** Everything as it is. */
  public static final WalCompression NONE = new WalCompression(false, false, Optional.empty());

  /** Checks that tags and values are compressed only with the rest: there is no form without. */
  public WalCompression {
    if (!dictionary && (tags || values.isPresent())) {
      throw new IllegalArgumentException(
          "Tags and values of a log are compressed only where its names are");
    }
  }
}
