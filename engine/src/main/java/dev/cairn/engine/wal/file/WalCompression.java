package dev.cairn.engine.wal.file;

import java.util.Optional;

/**
 * The compression of a log file, as its header declares it, each part with HBase's setting.
 *
 * @param dictionary true to replace repeated regions, tables, rows, families and qualifiers by two
 *     bytes ({@code hbase.regionserver.wal.enablecompression})
 * @param tags true to do the same with tags ({@code hbase.regionserver.wal.tags.enablecompression})
 * @param values compression of values, each by itself ({@code
 *     hbase.regionserver.wal.value.enablecompression}); empty for none
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
