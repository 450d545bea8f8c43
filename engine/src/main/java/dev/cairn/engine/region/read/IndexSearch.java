package dev.cairn.engine.region.read;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.index.IndexEntry;
import dev.cairn.engine.index.ValueBounds;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.memstore.SegmentIndexes;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.scan.RowSet;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.condition.RowCondition;
import dev.cairn.engine.scan.condition.ValueRanges;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreView;
import dev.cairn.engine.store.index.DamagedIndexException;
import dev.cairn.engine.store.index.FileIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Searches the indexes of views for the rows that may fulfil a condition. A search finds all rows
 * with a stored put that fulfils it; only the row tells whether a read sees that put.
 *
 * <p>A search ends as soon as it has found more entries than are worth it, so it needs no
 * statistics: a row that is sought costs about as much as {@value #ROWS_PER_SEEK} rows that are
 * passed in order.
 *
 * <p>For one search; not thread-safe.
 */
final class IndexSearch {
  private static final Logger LOG = LoggerFactory.getLogger(IndexSearch.class);

  /** The rows that a scan passes in the time in which it seeks one. */
  private static final int ROWS_PER_SEEK = 20;

  /** The entries that a search for a scan of all rows may find in any case. */
  private static final int ENTRIES_MIN = 1_000;

  /**
   * The entries above which a search ends in any case: it takes some milliseconds, and a scan that
   * needs few rows would not win them back.
   */
  private static final int ENTRIES_MAX = 20_000;

  /** The entries above which a search ends even with {@link IndexHint#ALWAYS}. */
  private static final int ENTRIES_ALWAYS_MAX = 1_000_000;

  /** If the range of a scan has fewer entries, reading all its rows is faster than a search. */
  private static final int SHORT_RANGE = 500;

  /** The greatest number of bytes of rows that a search keeps in memory. */
  private static final int ROW_BYTES_MAX = 4 << 20;

  /** The heap bytes of a row beside its own. */
  private static final int ROW_OVERHEAD_BYTES = 40;

  /** If a search has fewer candidates, it does not intersect them with those of other indexes. */
  private static final int FEW = 100;

  private final ReadViews views;
  private final ScanRequest request;
  private final CellComparator comparator;
  private final Set<String> reasons = new LinkedHashSet<>();

  /**
   * Creates a search.
   *
   * @param views pinned views of the stores that the read asks for
   */
  IndexSearch(ReadViews views, ScanRequest request, CellComparator comparator) {
    this.views = views;
    this.request = request;
    this.comparator = comparator;
  }

  /**
   * Searches.
   *
   * @return the candidates within the request's rows; empty if no index serves, or if there are too
   *     many
   */
  Optional<RowSet> rows(RowCondition condition) throws IOException {
    if (condition instanceof RowCondition.Column column) {
      return rowsOf(column);
    }
    if (condition instanceof RowCondition.All all) {
      return intersection(all.parts());
    }
    if (condition instanceof RowCondition.AnyOf any) {
      return union(any.parts());
    }
    return Optional.empty();
  }

  /** Returns why an index was not used, one sentence for each reason. */
  List<String> reasons() {
    return List.copyOf(reasons);
  }

  private Optional<RowSet> intersection(List<RowCondition> parts) throws IOException {
    Optional<RowSet> rows = Optional.empty();
    for (RowCondition part : parts) {
      if (rows.isPresent() && rows.get().size() < FEW) {
        return rows;
      }
      Optional<RowSet> others = rows(part);
      if (rows.isPresent() && others.isPresent()) {
        rows = Optional.of(rows.get().and(others.get()));
      } else if (others.isPresent()) {
        rows = others;
      }
    }
    return rows;
  }

  private Optional<RowSet> union(List<RowCondition> parts) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    long bytes = 0;
    for (RowCondition part : parts) {
      Optional<RowSet> some = rows(part);
      if (some.isEmpty()) {
        return some;
      }
      rows.addAll(some.get().rows());
      bytes += bytes(some.get().rows());
      if (bytes > ROW_BYTES_MAX) {
        reasons.add("too many rows may match");
        return Optional.empty();
      }
    }
    return Optional.of(RowSet.of(comparator, rows));
  }

  private static long bytes(List<byte[]> rows) {
    return rows.stream().mapToLong(row -> row.length + ROW_OVERHEAD_BYTES).sum();
  }

  private Optional<RowSet> rowsOf(RowCondition.Column column) throws IOException {
    int store = store(column.family());
    if (store < 0) {
      return refuse(column, "the scan does not read its family");
    }
    if (views.store(store).indexed().find(column.qualifier()) < 0) {
      return refuse(column, "the column has no index");
    }
    if (!views.store(store).hasOwnValues(views.get(store), request.mob())) {
      return refuse(column, "values of the family lie in MOB files");
    }
    try {
      Optional<List<Source>> sources = sources(views.get(store), column);
      return sources.isEmpty() ? Optional.empty() : search(column, sources.get());
    } catch (DamagedIndexException e) {
      LOG.warn(
          "{}. Scans do without it until a compaction has written the file anew", e.toString());
      return refuse(column, "its index in a store file is damaged");
    }
  }

  private Optional<RowSet> search(RowCondition.Column column, List<Source> sources)
      throws IOException {
    double expected = 0; // entries of rows in the scan's range
    boolean isPart = false;
    for (Source source : sources) {
      expected += source.entries() * source.share();
      isPart |= source.share() < 1;
    }
    boolean always = request.index() == IndexHint.ALWAYS;
    if (!always && isPart && expected < SHORT_RANGE) {
      return refuse(column, "the scan has few rows");
    }
    double most =
        Math.min(ENTRIES_MAX, Math.max(isPart ? 1 : ENTRIES_MIN, expected / ROWS_PER_SEEK));
    Found found = new Found(always ? ENTRIES_ALWAYS_MAX : (long) most);
    for (ValueRanges.Range range : column.values().ranges()) {
      ValueBounds bounds = ValueBounds.of(range.low(), true, range.high(), false);
      for (Source source : sources) {
        if (!source.search(bounds, found)) {
          return refuse(column, "too many rows may match");
        }
      }
    }
    return Optional.of(RowSet.of(comparator, found.rows));
  }

  private <T> Optional<T> refuse(RowCondition.Column column, String reason) {
    reasons.add(name(column) + ": " + reason);
    return Optional.empty();
  }

  private static String name(RowCondition.Column column) {
    return Bytes.toStringBinary(column.family()) + ":" + Bytes.toStringBinary(column.qualifier());
  }

  /** Returns the number of a family's store among those that are read, -1 if it is not. */
  private int store(byte[] family) {
    for (int i = 0; i < views.count(); i++) {
      if (Arrays.equals(views.store(i).family().name(), family)) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the indexes of all sources of a view; empty if one has none. */
  private Optional<List<Source>> sources(StoreView view, RowCondition.Column wanted)
      throws IOException {
    byte[] qualifier = wanted.qualifier();
    List<Source> sources = new ArrayList<>();
    for (MemStoreSegment segment : view.segments()) {
      if (segment.isEmpty()) {
        continue;
      }
      Optional<SegmentIndexes> indexes = segment.indexes();
      int column = indexes.isPresent() ? indexes.get().columns().find(qualifier) : -1;
      if (column < 0) {
        return refuse(wanted, "the column has no index");
      }
      sources.add(new InMemory(indexes.get(), column));
    }
    for (StoreFile file : view.files()) {
      Optional<FileIndex> index = index(file, qualifier);
      if (index.isEmpty()) {
        return refuse(wanted, "the store file " + file.name() + " has no index of the column yet");
      }
      sources.add(new InFile(file, index.get(), share(file)));
    }
    return Optional.of(sources);
  }

  private static Optional<FileIndex> index(StoreFile file, byte[] qualifier) throws IOException {
    try {
      return file.index(qualifier);
    } catch (DamagedIndexException e) {
      file.giveUpIndexes();
      throw e;
    }
  }

  private double share(StoreFile file) {
    boolean reversed = request.reversed();
    return file.reader()
        .shareOfRows(
            reversed ? request.stopRow() : request.startRow(),
            reversed ? request.startRow() : request.stopRow());
  }

  /** The index of a source. */
  private sealed interface Source {
    /** Returns the number of entries. */
    long entries();

    /** Returns the share of the source's rows that the scan has, about: from 0 to 1. */
    double share();

    /** Returns false if the receiver has ended the search. */
    boolean search(ValueBounds bounds, FileIndex.Rows rows) throws IOException;
  }

  private record InFile(StoreFile file, FileIndex index, double share) implements Source {
    @Override
    public long entries() {
      return index.entries();
    }

    @Override
    public boolean search(ValueBounds bounds, FileIndex.Rows rows) throws IOException {
      try {
        return index.search(bounds, rows);
      } catch (DamagedIndexException e) {
        file.giveUpIndexes();
        throw e;
      }
    }
  }

  private record InMemory(SegmentIndexes indexes, int column) implements Source {
    @Override
    public long entries() {
      return indexes.entries(column);
    }

    @Override
    public double share() {
      return 1;
    }

    @Override
    public boolean search(ValueBounds bounds, FileIndex.Rows rows) throws IOException {
      try (CellCursor entries = indexes.cursor(column)) {
        boolean on = entries.seek(IndexEntry.firstOf(bounds.low()));
        while (on) {
          Cell entry = entries.cell();
          byte[] value = entry.row();
          if (bounds.endsBefore(value)) {
            return true;
          }
          if (!bounds.beginsAfter(value) && !rows.found(entry.qualifier())) {
            return false;
          }
          on = entries.next();
        }
        return true;
      }
    }
  }

  /** Collects the rows that are within the request. */
  private final class Found implements FileIndex.Rows {
    private final List<byte[]> rows = new ArrayList<>();
    private long left;
    private long bytes;

    Found(long entriesMax) {
      this.left = entriesMax;
    }

    @Override
    public boolean found(byte[] row) {
      if (--left < 0) {
        return false;
      }
      if (isWanted(row)) {
        rows.add(row);
        bytes += row.length + ROW_OVERHEAD_BYTES;
      }
      return bytes <= ROW_BYTES_MAX;
    }
  }

  private boolean isWanted(byte[] row) {
    return isFromStart(row) && isBeforeStop(row);
  }

  private boolean isFromStart(byte[] row) {
    byte[] start = request.startRow();
    if (start.length == 0) {
      return true;
    }
    int order = comparator.compareRows(row, start);
    return order == 0 ? request.includeStart() : request.reversed() == order < 0;
  }

  private boolean isBeforeStop(byte[] row) {
    byte[] stop = request.stopRow();
    if (stop.length == 0) {
      return true;
    }
    int order = comparator.compareRows(row, stop);
    return order == 0 ? request.includeStop() : request.reversed() == order > 0;
  }
}
