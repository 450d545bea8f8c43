package dev.cairn.tools.bulk;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.ParseFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Selects the cells of a table that a job processes.
 *
 * @param rows the range of rows
 * @param startTime the lowest timestamp, in milliseconds
 * @param endTime the timestamp after the highest one
 * @param versions how many versions of a column at most, 1 or more
 * @param raw whether deleted cells and markers are included
 * @param columns families, or families and qualifiers; none for all
 * @param filter a condition, beside its text
 */
public record Selection(
    RowRange rows,
    long startTime,
    long endTime,
    int versions,
    boolean raw,
    List<Column> columns,
    Optional<NamedFilter> filter) {

  /**
   * A family or one of its columns.
   *
   * @param qualifier empty for the whole family
   */
  public record Column(byte[] family, Optional<byte[]> qualifier) {
    /** Tells whether it contains a cell. A delete marker of a family is in no single column. */
    private boolean contains(Cell cell) {
      return CellUtil.matchingFamily(cell, family)
          && (qualifier.isEmpty() || CellUtil.matchingQualifier(cell, qualifier.get()));
    }

    private String text() {
      return Bytes.toStringBinary(family)
          + qualifier.map(bytes -> ":" + Bytes.toStringBinary(bytes)).orElse("");
    }
  }

  /** A filter and the text that it was parsed from. */
  public record NamedFilter(String text, Filter filter) {
    /**
     * Parses a filter.
     *
     * @param text in HBase's filter language
     * @throws IllegalArgumentException if it is not valid
     */
    public static NamedFilter parse(String text) throws CharacterCodingException {
      return new NamedFilter(
          text, new ParseFilter().parseFilterString(text.getBytes(StandardCharsets.UTF_8)));
    }
  }

  /** Copies the columns. */
  public Selection {
    columns = List.copyOf(columns);
  }

  /** Tells whether all cells are selected, regardless of the number of versions. */
  boolean isEverything() {
    return rows.start().length == 0
        && rows.stop().length == 0
        && startTime == 0
        && endTime == Long.MAX_VALUE
        && columns.isEmpty()
        && filter.isEmpty();
  }

  /** Tells whether a cell is selected by its row, timestamp and column. */
  boolean contains(Cell cell) {
    return rows.contains(cell)
        && cell.getTimestamp() >= startTime
        && cell.getTimestamp() < endTime
        && (columns.isEmpty() || columns.stream().anyMatch(column -> column.contains(cell)));
  }

  /** Returns the same selection, for one column only. */
  public Selection only(Column column) {
    return new Selection(rows, startTime, endTime, versions, raw, List.of(column), filter);
  }

  /** Returns a scan of the selected cells in {@code range} that keeps the servers' caches as is. */
  Scan scan(RowRange range) throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(range.start())
            .withStopRow(range.stop())
            .setTimeRange(startTime, endTime)
            .readVersions(versions)
            .setRaw(raw)
            .setCacheBlocks(false);
    for (Column column : columns) {
      if (column.qualifier().isPresent()) {
        scan.addColumn(column.family(), column.qualifier().get());
      } else {
        scan.addFamily(column.family());
      }
    }
    filter.ifPresent(named -> scan.setFilter(named.filter()));
    return scan;
  }

  /** Returns one line that tells this selection from others. */
  String description() {
    StringBuilder text = new StringBuilder("rows ").append(rows.text().replace("\t", " to "));
    text.append(", time ").append(startTime).append(" to ").append(endTime);
    text.append(", versions ").append(versions).append(raw ? ", raw" : "");
    columns.forEach(column -> text.append(", ").append(column.text()));
    filter.ifPresent(named -> text.append(", filter ").append(named.text()));
    return text.toString();
  }
}
