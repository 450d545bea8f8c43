package dev.cairn.torture.model;

import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A get or a scan, as {@link ScanRequest} describes it.
 *
 * @param start where it begins; empty for the first row (the last one, if reversed)
 * @param stop where it ends; empty for no end
 * @param families the selection of each family; empty for all of every family
 * @param limit how many cells of one row and family at most; -1 for all
 * @param offset how many cells of one row and family are passed over first
 * @param filter a filter; without limits of cells
 */
public record Query(
    String start,
    boolean includeStart,
    String stop,
    boolean includeStop,
    boolean reversed,
    SortedMap<String, Selection> families,
    TimeRange range,
    int maxVersions,
    boolean raw,
    int limit,
    int offset,
    Optional<ValueFilter> filter) {

  /** Creates a query without a filter. */
  public Query(
      String start,
      boolean includeStart,
      String stop,
      boolean includeStop,
      boolean reversed,
      SortedMap<String, Selection> families,
      TimeRange range,
      int maxVersions,
      boolean raw,
      int limit,
      int offset) {
    this(
        start,
        includeStart,
        stop,
        includeStop,
        reversed,
        families,
        range,
        maxVersions,
        raw,
        limit,
        offset,
        Optional.empty());
  }

  /**
   * The selection of a family's cells.
   *
   * @param qualifiers the columns; empty for all
   * @param range the family's own time range, in place of the query's
   */
  public record Selection(SortedSet<String> qualifiers, Optional<TimeRange> range) {
    /** All of it. */
    public static final Selection ALL = new Selection(new TreeSet<>(), Optional.empty());
  }

  /** Everything there is, deleted or not. */
  public static final Query EVERYTHING =
      new Query(
          "",
          true,
          "",
          false,
          false,
          new TreeMap<>(),
          TimeRange.ALL,
          Integer.MAX_VALUE,
          true,
          -1,
          0);

  /** Every version that can be seen. */
  public static final Query ALL_VERSIONS =
      new Query(
          "",
          true,
          "",
          false,
          false,
          new TreeMap<>(),
          TimeRange.ALL,
          Integer.MAX_VALUE,
          false,
          -1,
          0);

  /** The latest version of everything. */
  public static final Query LATEST = ALL_VERSIONS.with(1, -1, 0);

  /** Returns this in ascending or descending order. */
  public Query reversed(boolean descending) {
    return new Query(
        start,
        includeStart,
        stop,
        includeStop,
        descending,
        families,
        range,
        maxVersions,
        raw,
        limit,
        offset,
        filter);
  }

  /** Returns this without its limits of versions and of cells per family. */
  public Query allVersions() {
    return with(Integer.MAX_VALUE, -1, 0);
  }

  /** Returns this with another limit of versions. */
  Query versions(int most) {
    return with(most, limit, offset);
  }

  /** Returns this without its limit of cells per family, and with all of them from the first. */
  public Query withoutLimit() {
    return with(maxVersions, -1, 0);
  }

  private Query with(int versions, int cells, int passedOver) {
    return new Query(
        start,
        includeStart,
        stop,
        includeStop,
        reversed,
        families,
        range,
        versions,
        raw,
        cells,
        passedOver,
        filter);
  }

  /** Returns this without its filter. */
  Query unfiltered() {
    return filtered(Optional.empty());
  }

  /** Returns this with another filter. */
  public Query filtered(Optional<ValueFilter> other) {
    return new Query(
        start,
        includeStart,
        stop,
        includeStop,
        reversed,
        families,
        range,
        maxVersions,
        raw,
        limit,
        offset,
        other);
  }

  /** Returns the rest of this after {@code row}. */
  public Query after(String row) {
    return new Query(
        row,
        false,
        stop,
        includeStop,
        reversed,
        families,
        range,
        maxVersions,
        raw,
        limit,
        offset,
        filter);
  }

  /** Tells whether this asks for one row. */
  public boolean isOfOneRow() {
    return !start.isEmpty() && start.equals(stop);
  }

  /** Tells whether {@code row} is in the range of rows. */
  public boolean contains(String row) {
    int direction = reversed ? -1 : 1;
    int fromStart = start.isEmpty() ? 1 : direction * row.compareTo(start);
    int fromStop = stop.isEmpty() ? -1 : direction * row.compareTo(stop);
    return (fromStart > 0 || fromStart == 0 && includeStart)
        && (fromStop < 0 || fromStop == 0 && includeStop);
  }

  /** Returns a request that the engine understands, for one read. */
  public ScanRequest request() {
    ScanRequest.Builder builder =
        ScanRequest.builder()
            .start(Text.bytes(start), includeStart)
            .stop(Text.bytes(stop), includeStop)
            .reversed(reversed)
            .timeRange(range)
            .maxVersions(maxVersions)
            .raw(raw)
            .cellsPerFamily(limit, offset);
    families.forEach(
        (family, wanted) -> {
          FamilySelection selection =
              FamilySelection.of(
                  wanted.qualifiers().stream().map(Text::bytes).toArray(byte[][]::new));
          builder.family(
              Text.bytes(family), wanted.range().map(selection::within).orElse(selection));
        });
    filter.ifPresent(one -> builder.filter(one.engine(reversed)).index(one.hint()));
    return builder.build();
  }

  @Override
  public String toString() {
    return "%s %s%s%s..%s%s%s %s versions %d%s%s%s"
        .formatted(
            isOfOneRow() ? "get" : "scan",
            includeStart ? "[" : "(",
            Text.show(start),
            reversed ? " down " : "",
            Text.show(stop),
            includeStop ? "]" : ")",
            families.isEmpty() ? "" : " of " + families,
            range.equals(TimeRange.ALL) ? "" : range,
            maxVersions,
            raw ? " raw" : "",
            limit < 0 && offset == 0 ? "" : " limit " + limit + " offset " + offset,
            filter.map(one -> " with " + one).orElse(""));
  }
}
