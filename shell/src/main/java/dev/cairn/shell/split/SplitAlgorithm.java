package dev.cairn.shell.split;

import java.util.List;

/**
 * Chooses the rows at which a table is divided into regions of about equal size, for one kind of
 * rows. The algorithms have HBase's names and choose the same rows.
 */
public sealed interface SplitAlgorithm permits NumberStringSplit, UniformSplit {
  /**
   * Returns the first rows of all regions but the first.
   *
   * @param regions the number of regions, at least 2
   * @throws IllegalArgumentException if there are not enough rows
   */
  List<byte[]> split(int regions);

  /**
   * Returns the row in the middle of a region.
   *
   * @param start the region's first row, empty for the table's first region
   * @param end the row after its last, empty for the table's last region
   * @throws IllegalArgumentException if a row is not valid for the algorithm, or there is no row
   *     between them
   */
  byte[] middle(byte[] start, byte[] end);

  /**
   * Returns the algorithm with this name.
   *
   * @param name {@code HexStringSplit}, {@code DecimalStringSplit} or {@code UniformSplit}
   * @param firstRow the first row of the table, as text; empty for the algorithm's own
   * @param lastRow the last row of the table, as text; empty for the algorithm's own
   * @throws IllegalArgumentException if there is none, or a row is not valid for it
   */
  static SplitAlgorithm of(String name, String firstRow, String lastRow) {
    return switch (name) {
      case "HexStringSplit" -> NumberStringSplit.of(16, "00000000", "FFFFFFFF", firstRow, lastRow);
      case "DecimalStringSplit" ->
          NumberStringSplit.of(10, "00000000", "99999999", firstRow, lastRow);
      case "UniformSplit" -> UniformSplit.of(firstRow, lastRow);
      default ->
          throw new IllegalArgumentException(
              name
                  + " is no split algorithm: HexStringSplit, DecimalStringSplit or UniformSplit."
                  + " Classes of your own run with HBase's org.apache.hadoop.hbase.util"
                  + ".RegionSplitter, which works with Cairn");
    };
  }
}
