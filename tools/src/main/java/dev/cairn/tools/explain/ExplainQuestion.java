package dev.cairn.tools.explain;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The read or scan to explain.
 *
 * @param table the table
 * @param row the row, if one row is read and not a range
 * @param scan all else that the read or scan asks for
 * @param limit number of returned rows after which it ends; 0 to explain no row, but only the use
 *     of indexes in each region
 * @param cellsMax maximum number of reported cells of a row
 * @param filterText the filter as it was written
 */
public record ExplainQuestion(
    TableName table,
    Optional<byte[]> row,
    Scan scan,
    int limit,
    int cellsMax,
    Optional<String> filterText) {

  /** Returns the question in a line for people. */
  public String title() {
    StringBuilder text = new StringBuilder();
    if (row.isPresent()) {
      text.append("Read of row ").append(Bytes.toStringBinary(row.get()));
    } else {
      text.append(scan.isReversed() ? "Reversed scan" : "Scan");
    }
    text.append(" of table ").append(table);
    if (row.isEmpty()) {
      if (scan.getStartRow().length > 0) {
        text.append(" from ").append(Bytes.toStringBinary(scan.getStartRow()));
      }
      if (scan.getStopRow().length > 0) {
        text.append(" to before ").append(Bytes.toStringBinary(scan.getStopRow()));
      }
      if (limit > 0 && limit < Integer.MAX_VALUE) {
        text.append(", until ").append(limit).append(limit == 1 ? " row is" : " rows are");
        text.append(" found");
      }
    }
    return text.append('.').toString();
  }

  /** Returns the other parts of the request, one fact per text; empty if there are none. */
  public List<String> details() {
    List<String> facts = new ArrayList<>();
    if (scan.isRaw()) {
      facts.add("raw: with delete markers and all that they hide");
    }
    if (scan.hasFamilies()) {
      List<String> columns = new ArrayList<>();
      scan.getFamilyMap()
          .forEach(
              (family, qualifiers) -> {
                String name = Bytes.toStringBinary(family);
                if (qualifiers == null || qualifiers.isEmpty()) {
                  columns.add(name);
                } else {
                  qualifiers.forEach(
                      qualifier -> columns.add(name + ":" + Bytes.toStringBinary(qualifier)));
                }
              });
      facts.add("columns " + String.join(", ", columns));
    }
    int versions = scan.getMaxVersions();
    facts.add(
        versions == Integer.MAX_VALUE
            ? "all versions"
            : versions + (versions == 1 ? " version" : " versions") + " of each column at most");
    if (!scan.getTimeRange().isAllTime()) {
      facts.add(
          "timestamps from "
              + scan.getTimeRange().getMin()
              + (scan.getTimeRange().getMax() == Long.MAX_VALUE
                  ? " on"
                  : " to before " + scan.getTimeRange().getMax()));
    }
    if (scan.getMaxResultsPerColumnFamily() >= 0 || scan.getRowOffsetPerColumnFamily() > 0) {
      facts.add(
          "of each row and family cells "
              + (scan.getRowOffsetPerColumnFamily() + 1)
              + (scan.getMaxResultsPerColumnFamily() < 0
                  ? " and following"
                  : " to "
                      + (scan.getRowOffsetPerColumnFamily()
                          + scan.getMaxResultsPerColumnFamily())));
    }
    filterText.ifPresent(text -> facts.add("filter " + text));
    return facts;
  }

  /**
   * Returns the part of the scan that is in a region; empty if there is none.
   *
   * @throws IOException if the scan cannot be copied
   */
  Optional<Scan> within(HRegionLocation location) throws IOException {
    byte[] regionStart = location.getRegion().getStartKey();
    byte[] regionEnd = location.getRegion().getEndKey();
    if (row.isPresent()) {
      return location.getRegion().containsRow(row.get())
          ? Optional.of(new Scan(scan))
          : Optional.empty();
    }
    byte[] low = scan.isReversed() ? scan.getStopRow() : scan.getStartRow();
    byte[] high = scan.isReversed() ? scan.getStartRow() : scan.getStopRow();
    boolean clipLow = Arrays.compareUnsigned(regionStart, low) > 0;
    boolean clipHigh =
        regionEnd.length > 0 && (high.length == 0 || Arrays.compareUnsigned(regionEnd, high) <= 0);
    boolean before = regionEnd.length > 0 && Arrays.compareUnsigned(regionEnd, low) <= 0;
    boolean behind = high.length > 0 && Arrays.compareUnsigned(regionStart, high) > 0;
    if (before || behind) {
      return Optional.empty();
    }
    Scan part = new Scan(scan);
    if (clipLow && scan.isReversed()) {
      part.withStopRow(regionStart, true);
    } else if (clipLow) {
      part.withStartRow(regionStart, true);
    }
    if (clipHigh && scan.isReversed()) {
      part.withStartRow(regionEnd, false);
    } else if (clipHigh) {
      part.withStopRow(regionEnd, false);
    }
    return Optional.of(part);
  }
}
