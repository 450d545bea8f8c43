package dev.cairn.tools.bulk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows at or after {@code start} and before {@code stop}.
 *
 * @param start the first row; empty for the start of the table
 * @param stop the first row that does not belong to it; empty for the end of the table
 */
public record RowRange(byte[] start, byte[] stop) {
  private static final char BETWEEN = '\t'; // escaped in the text of a row

  /** Tells whether no row can be in it. */
  boolean isEmpty() {
    return stop.length > 0 && Bytes.compareTo(start, stop) >= 0;
  }

  /** Tells whether it contains the row of a cell. */
  boolean contains(Cell cell) {
    return compare(cell, start) >= 0 && (stop.length == 0 || compare(cell, stop) < 0);
  }

  private static int compare(Cell cell, byte[] row) {
    return CellComparator.getInstance().compareRows(cell, row, 0, row.length);
  }

  /** Returns the rows that belong to both. */
  RowRange intersection(RowRange other) {
    byte[] first = Bytes.compareTo(start, other.start) >= 0 ? start : other.start;
    if (stop.length == 0) {
      return new RowRange(first, other.stop);
    }
    boolean ends = other.stop.length == 0 || Bytes.compareTo(stop, other.stop) <= 0;
    return new RowRange(first, ends ? stop : other.stop);
  }

  /** Returns the rest of it, starting at {@code row}. */
  RowRange from(byte[] row) {
    return new RowRange(row, stop);
  }

  /** Returns the row that follows {@code row} immediately. */
  static byte[] after(byte[] row) {
    byte[] next = new byte[row.length + 1];
    System.arraycopy(row, 0, next, 0, row.length);
    return next;
  }

  /** Returns the ranges of a table's regions within {@code whole}, in order. */
  static List<RowRange> ofRegions(RegionLocator locator, RowRange whole) throws IOException {
    List<RowRange> ranges = new ArrayList<>();
    for (HRegionLocation location : locator.getAllRegionLocations()) {
      RegionInfo region = location.getRegion();
      if (!RegionReplicaUtil.isDefaultReplica(region) || region.isSplit()) {
        continue;
      }
      RowRange range = new RowRange(region.getStartKey(), region.getEndKey()).intersection(whole);
      if (!range.isEmpty()) {
        ranges.add(range);
      }
    }
    return ranges;
  }

  /** Returns it as text, which {@link #parse} reads. */
  String text() {
    return Bytes.toStringBinary(start) + BETWEEN + Bytes.toStringBinary(stop);
  }

  /** Returns the range that {@link #text} described. */
  static RowRange parse(String text) {
    int between = text.indexOf(BETWEEN);
    if (between < 0) {
      throw new IllegalArgumentException("not a range of rows: " + text);
    }
    return new RowRange(
        Bytes.toBytesBinary(text.substring(0, between)),
        Bytes.toBytesBinary(text.substring(between + 1)));
  }
}
