package dev.cairn.engine.scan;

import dev.cairn.engine.scan.condition.RowCondition;
import java.util.List;
import java.util.Optional;

/**
 * The use of a region's secondary indexes by a scan.
 *
 * @param condition the condition that each row of the result fulfils
 * @param rows the number of rows that the indexes give for it; empty if the scan reads all rows
 * @param reasons why indexes were not used, by column
 * @param sources the memstores and files whose indexes were asked, in the order of the searches
 */
public record IndexReport(
    RowCondition condition,
    Optional<Integer> rows,
    List<String> reasons,
    List<IndexReport.Source> sources) {
  /** Copies the lists. */
  public IndexReport {
    reasons = List.copyOf(reasons);
    sources = List.copyOf(sources);
  }

  /**
   * A memstore or file, and an indexed column of it.
   *
   * @param column the column, as FAMILY:QUALIFIER
   * @param name the name of the file; empty for a memstore
   * @param use the use of its index
   * @param entries the number of entries that a search has found in it
   */
  public record Source(String column, String name, Use use, long entries) {}

  /** The use of the index of a memstore or file: searched, or skipped for a reason. */
  public enum Use {
    /** It was searched, perhaps in part. */
    SEARCHED,
    /** Not searched, because no index was of use, or because another one excludes all rows. */
    NOT_NEEDED,
    /** Skipped: no row of the scan is in it. */
    OUTSIDE_ROWS,
    /** Skipped: no timestamp of it is in the scan's time range. */
    OUTSIDE_TIMES,
    /** Skipped: all wanted values are less than its least one or more than its greatest one. */
    OUTSIDE_VALUES,
    /** Skipped: its Bloom filter excludes the wanted values. */
    NOT_IN_BLOOM_FILTER
  }

  /** Tells whether the indexes exclude all rows of the region, without a search of a file. */
  public boolean skipsRegion() {
    return rows.isPresent()
        && rows.get() == 0
        && sources.stream()
            .noneMatch(source -> source.use() == Use.SEARCHED && !source.name().isEmpty());
  }
}
