package dev.cairn.engine.region.read;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.index.IndexEntry;
import dev.cairn.engine.index.ValueBounds;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.memstore.SegmentIndexes;
import dev.cairn.engine.probe.IndexMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.scan.IndexReport;
import dev.cairn.engine.scan.IndexReport.Use;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.condition.RowCondition;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreView;
import dev.cairn.engine.store.ViewCursors;
import dev.cairn.engine.store.index.DamagedIndexException;
import dev.cairn.engine.store.index.FileIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The index of a column in all memstores and files of a view in which a scan may find a wanted
 * value. For one search; not thread-safe.
 */
final class ColumnSearch {
  private final RowCondition.Column column;
  private final ScanRequest request;
  private final List<ValueBounds> ranges;
  private final List<Source> sources = new ArrayList<>();
  private double entriesInRange;
  private boolean isPart;

  private ColumnSearch(RowCondition.Column column, ScanRequest request) {
    this.column = column;
    this.request = request;
    this.ranges =
        column.values().ranges().stream()
            .map(range -> ValueBounds.of(range.low(), true, range.high(), false))
            .toList();
  }

  /** The column has no index that a scan can use. */
  static final class NoIndexException extends Exception {
    private static final long serialVersionUID = 1L;

    NoIndexException(String reason) {
      super(reason, null, false, false);
    }
  }

  /**
   * Finds the indexes of a column. Reads the roots of those that are used for the first time.
   *
   * @param figures counts these reads
   * @throws NoIndexException if a memstore or file has none, but may have wanted values
   * @throws DamagedIndexException if one is damaged
   */
  static ColumnSearch open(
      RowCondition.Column column,
      Store store,
      StoreView view,
      ScanRequest request,
      ReadMetrics figures)
      throws IOException, NoIndexException {
    ColumnSearch search = new ColumnSearch(column, request);
    for (MemStoreSegment segment : view.segments()) {
      search.add(segment, store);
    }
    for (StoreFile file : view.files()) {
      search.add(file, store, figures);
    }
    return search;
  }

  private void add(MemStoreSegment segment, Store store) throws NoIndexException {
    if (segment.isEmpty()) {
      return;
    }
    InMemory source = new InMemory();
    sources.add(source);
    if (!ViewCursors.mayHoldTimes(segment, store.family(), request)) {
      source.skip(Use.OUTSIDE_TIMES);
      return;
    }
    Optional<SegmentIndexes> indexes = segment.indexes();
    source.column = indexes.isPresent() ? indexes.get().columns().find(column.qualifier()) : -1;
    if (source.column < 0) {
      throw new NoIndexException("the column has no index");
    }
    source.indexes = indexes.get();
    source.ranges = ranges;
    entriesInRange += source.indexes.entries(source.column);
  }

  private void add(StoreFile file, Store store, ReadMetrics figures)
      throws IOException, NoIndexException {
    InFile source = new InFile(file);
    sources.add(source);
    boolean reversed = request.reversed();
    byte[] low = reversed ? request.stopRow() : request.startRow();
    byte[] high = reversed ? request.startRow() : request.stopRow();
    if (!file.mayContainRows(low, high)) {
      source.skip(Use.OUTSIDE_ROWS);
      isPart = true;
      return;
    }
    if (!ViewCursors.mayHoldTimes(file, store.family(), request)) {
      source.skip(Use.OUTSIDE_TIMES);
      return;
    }
    source.index =
        source
            .open(column.qualifier(), figures)
            .orElseThrow(
                () ->
                    new NoIndexException(
                        "the store file " + file.name() + " has no index of the column yet"));
    double share = file.reader().shareOfRows(low, high);
    entriesInRange += source.index.entries() * share;
    isPart |= share < 1;
    source.ranges = source.index.withinBounds(ranges);
    if (source.ranges.isEmpty()) {
      source.skip(Use.OUTSIDE_VALUES);
    }
  }

  /** Returns about how many entries have rows of the scan. */
  double entriesInRange() {
    return entriesInRange;
  }

  /** Tells whether the scan has a part of the region's rows only. */
  boolean isPart() {
    return isPart;
  }

  /** Skips the files whose Bloom filters exclude all wanted values. */
  void askBloomFilters(SearchBudget budget, ReadMetrics figures) throws IOException {
    for (Source source : sources) {
      if (source instanceof InFile file && !file.isSkipped()) {
        file.askBloomFilter(budget, figures);
      }
    }
  }

  /** Tells whether no memstore and no file can have a wanted value. */
  boolean isExcluded() {
    return sources.stream().allMatch(Source::isSkipped);
  }

  /** Tells whether no file can have a wanted value, and no memstore has one. */
  boolean hasNoEntry(ReadMetrics figures, FoundRows rows) throws IOException {
    for (Source source : sources) {
      boolean has =
          !source.isSkipped() && (source instanceof InFile || !source.search(figures, rows));
      if (has) {
        return false;
      }
    }
    return true;
  }

  /** Returns about how many entries a search finds. */
  double estimate() {
    return sources.stream()
        .filter(source -> !source.isSkipped())
        .mapToDouble(Source::estimate)
        .sum();
  }

  /**
   * Collects the rows of all entries with a wanted value. Returns false if {@code rows} ends it.
   */
  boolean search(ReadMetrics figures, FoundRows rows) throws IOException {
    for (Source source : sources) {
      if (!source.isSkipped() && !source.search(figures, rows)) {
        return false;
      }
    }
    return true;
  }

  /** Returns what became of each memstore and file. */
  List<IndexReport.Source> report() {
    return sources.stream()
        .map(source -> new IndexReport.Source(name(), source.name(), source.use, source.entries))
        .toList();
  }

  /** Returns the column as FAMILY:QUALIFIER. */
  String name() {
    return name(column);
  }

  /** Returns the name of a column as FAMILY:QUALIFIER. */
  static String name(RowCondition.Column column) {
    return Bytes.toStringBinary(column.family()) + ":" + Bytes.toStringBinary(column.qualifier());
  }

  /** A memstore or file. */
  private abstract static class Source {
    /** The ranges of values that it may have. */
    List<ValueBounds> ranges = List.of();

    private Use use = Use.NOT_NEEDED;
    private long entries;

    /** Returns the name of the file; empty for a memstore. */
    abstract String name();

    /** Returns about how many entries a search finds. */
    abstract double estimate();

    abstract boolean searchRanges(ReadMetrics figures, FoundRows rows) throws IOException;

    final boolean search(ReadMetrics figures, FoundRows rows) throws IOException {
      use = Use.SEARCHED;
      long before = rows.entries();
      boolean done = searchRanges(figures, rows);
      entries = rows.entries() - before;
      return done;
    }

    final void skip(Use why) {
      assert Marks.hitIf(why == Use.OUTSIDE_TIMES, IndexMark.OUTSIDE_TIMES);
      assert Marks.hitIf(why == Use.OUTSIDE_VALUES, IndexMark.OUTSIDE_VALUES);
      assert Marks.hitIf(why == Use.NOT_IN_BLOOM_FILTER, IndexMark.NOT_IN_BLOOM_FILTER);
      use = why;
    }

    final boolean isSkipped() {
      return use != Use.NOT_NEEDED && use != Use.SEARCHED;
    }
  }

  private static final class InFile extends Source {
    private final StoreFile file;
    private FileIndex index;

    InFile(StoreFile file) {
      this.file = file;
    }

    @Override
    String name() {
      return file.name();
    }

    Optional<FileIndex> open(byte[] qualifier, ReadMetrics figures) throws IOException {
      try {
        return file.index(qualifier, figures);
      } catch (DamagedIndexException e) {
        file.giveUpIndexes();
        throw e;
      }
    }

    void askBloomFilter(SearchBudget budget, ReadMetrics figures) throws IOException {
      try {
        ranges = index.inBloomFilter(ranges, figures, budget::mayRead);
      } catch (DamagedIndexException e) {
        file.giveUpIndexes();
        throw e;
      }
      if (ranges.isEmpty()) {
        skip(Use.NOT_IN_BLOOM_FILTER);
      }
    }

    @Override
    double estimate() {
      return index.estimate(ranges);
    }

    @Override
    boolean searchRanges(ReadMetrics figures, FoundRows rows) throws IOException {
      try {
        return index.search(ranges, figures, rows);
      } catch (DamagedIndexException e) {
        file.giveUpIndexes();
        throw e;
      }
    }
  }

  private static final class InMemory extends Source {
    private SegmentIndexes indexes;
    private int column;

    @Override
    String name() {
      return "";
    }

    /** Guesses: to count would be to search. */
    @Override
    double estimate() {
      boolean points = ranges.stream().allMatch(range -> range.single().isPresent());
      return indexes.entries(column) * (points ? Math.min(1, ranges.size() / 100.0) : 0.5);
    }

    @Override
    boolean searchRanges(ReadMetrics figures, FoundRows rows) throws IOException {
      try (CellCursor entries = indexes.cursor(column)) {
        byte[] value = Bytes.EMPTY; // of the entry at which the cursor stands
        boolean on = false;
        for (int i = 0; i < ranges.size(); i++) {
          ValueBounds range = ranges.get(i);
          if (i == 0 || range.beginsAfter(value)) {
            if (!rows.maySeek()) {
              return false;
            }
            on = entries.seek(IndexEntry.firstOf(range.low()));
            value = on ? entries.cell().row() : value;
          }
          while (on && !range.endsBefore(value)) {
            if (!range.beginsAfter(value) && !rows.found(entries.cell().qualifier())) {
              return false;
            }
            on = entries.next();
            value = on ? entries.cell().row() : value;
          }
          if (!on) {
            return true;
          }
        }
        return true;
      }
    }
  }
}
