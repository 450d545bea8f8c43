package dev.cairn.tools.bulk;

import dev.cairn.server.digest.DigestOptions;
import dev.cairn.server.digest.RangeDigest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Compares two tables. The servers hash parts of each range; only parts with different hashes are
 * read and compared row by row. If a cluster's servers give no hashes, all rows are read.
 */
public final class CompareJob {
  /** The number of rows that are hashed together. */
  private static final DigestOptions PART = new DigestOptions(2000, true, false);

  private final TableSource first;
  private final TableSource second;
  private final Selection selection;
  private final long maxDifferences;
  private final int threads;
  private final Meter meter;
  private final Consumer<Difference> told;
  private final AtomicLong onlyFirst = new AtomicLong();
  private final AtomicLong onlySecond = new AtomicLong();
  private final AtomicLong different = new AtomicLong();
  private final AtomicLong differences = new AtomicLong();

  /** The kinds of differences between rows. */
  public enum Kind {
    ONLY_FIRST,
    ONLY_SECOND,
    DIFFERENT
  }

  /**
   * A row that differs.
   *
   * @param cell the first cell that differs, as text; empty unless both tables have the row
   */
  public record Difference(Kind kind, byte[] row, Optional<String> cell) {}

  /**
   * Creates a job.
   *
   * @param maxDifferences the job ends after this many rows that differ; at least 1
   * @param told receives each row that differs, one at a time; the order of regions is not defined
   */
  public CompareJob(
      TableSource first,
      TableSource second,
      Selection selection,
      long maxDifferences,
      int threads,
      Meter meter,
      Consumer<Difference> told) {
    this.first = first;
    this.second = second;
    this.selection = selection;
    this.maxDifferences = maxDifferences;
    this.threads = threads;
    this.meter = meter;
    this.told = told;
  }

  /**
   * The result of a comparison.
   *
   * @param complete whether all rows were compared
   */
  public record Compared(
      long rows, long onlyFirst, long onlySecond, long different, boolean complete) {
    /** Tells whether no row differs. */
    public boolean isEqual() {
      return onlyFirst + onlySecond + different == 0;
    }
  }

  /** Compares. */
  public Compared run() throws IOException {
    first.require();
    second.require();
    boolean hashes = DigestScan.isPossible(first) && DigestScan.isPossible(second);
    List<RowRange> ranges = first.ranges(selection.rows());
    meter.begin("compare", ranges.size() * RangeProgress.UNITS, 0);
    List<Workers.Part> parts = new ArrayList<>();
    for (RowRange range : ranges) {
      parts.add(() -> compare(range, hashes));
    }
    Workers.run(threads, parts);
    return new Compared(
        meter.rows(),
        onlyFirst.get(),
        onlySecond.get(),
        different.get(),
        differences.get() <= maxDifferences);
  }

  private boolean isEnough() {
    return differences.get() > maxDifferences;
  }

  private void compare(RowRange range, boolean hashes) throws IOException {
    if (isEnough()) {
      return;
    }
    try (Table one = first.connection().getTable(first.name());
        Table other = second.connection().getTable(second.name())) {
      if (hashes) {
        compareHashes(one, other, range);
      } else {
        compareRows(one, other, range, meter);
      }
    }
  }

  private void compareHashes(Table one, Table other, RowRange range) throws IOException {
    RangeProgress progress = new RangeProgress(one, range, meter);
    RowRange left = range;
    try (DigestScan digests = new DigestScan(one, selection.scan(range), PART)) {
      for (Optional<DigestScan.Part> part = digests.next();
          part.isPresent() && !isEnough();
          part = digests.next()) {
        byte[] next = RowRange.after(part.get().last());
        compare(one, other, new RowRange(left.start(), next), part.get().digest());
        left = left.from(next);
        progress.add(part.get().digest().rows(), part.get().last());
      }
    }
    if (!isEnough() && !left.isEmpty()) {
      compare(one, other, left, RangeDigest.NONE);
    }
    progress.end(0);
  }

  private void compare(Table one, Table other, RowRange part, RangeDigest digest)
      throws IOException {
    boolean same;
    try (DigestScan digests = new DigestScan(other, selection.scan(part), PART)) {
      same = digests.rest().equals(digest);
    }
    if (!same) {
      compareRows(one, other, part, new Meter(Optional.empty()));
    }
  }

  private void compareRows(Table one, Table other, RowRange range, Meter counted)
      throws IOException {
    try (RangeScan left = new RangeScan(one, selection.scan(range), range, counted);
        RangeScan right =
            new RangeScan(other, selection.scan(range), range, new Meter(Optional.empty()))) {
      Optional<Result> a = left.next();
      Optional<Result> b = right.next();
      while ((a.isPresent() || b.isPresent()) && !isEnough()) {
        int order = order(a, b);
        if (order < 0) {
          tell(Kind.ONLY_FIRST, a.orElseThrow().getRow(), Optional.empty());
        } else if (order > 0) {
          tell(Kind.ONLY_SECOND, b.orElseThrow().getRow(), Optional.empty());
        } else {
          compare(a.orElseThrow(), b.orElseThrow());
        }
        a = order <= 0 ? left.next() : a;
        b = order >= 0 ? right.next() : b;
      }
    }
  }

  private static int order(Optional<Result> a, Optional<Result> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.isEmpty() ? 1 : -1;
    }
    return Bytes.compareTo(a.get().getRow(), b.get().getRow());
  }

  private void compare(Result a, Result b) {
    Cell[] left = a.rawCells();
    Cell[] right = b.rawCells();
    for (int i = 0; i < Math.max(left.length, right.length); i++) {
      if (i < left.length && i < right.length && isEqual(left[i], right[i])) {
        continue;
      }
      boolean ofLeft =
          i >= right.length
              || (i < left.length && CellComparator.getInstance().compare(left[i], right[i]) <= 0);
      tell(Kind.DIFFERENT, a.getRow(), Optional.of(text(ofLeft ? left[i] : right[i])));
      return;
    }
  }

  private static boolean isEqual(Cell a, Cell b) {
    return a.getTimestamp() == b.getTimestamp()
        && a.getType() == b.getType()
        && CellUtil.matchingQualifier(a, b)
        && CellUtil.matchingValue(a, b)
        && CellUtil.matchingFamily(a, b);
  }

  private static String text(Cell cell) {
    return Bytes.toStringBinary(CellUtil.cloneFamily(cell))
        + ":"
        + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
        + " of "
        + cell.getTimestamp();
  }

  private synchronized void tell(Kind kind, byte[] row, Optional<String> cell) {
    if (differences.incrementAndGet() > maxDifferences) {
      return;
    }
    (switch (kind) {
          case ONLY_FIRST -> onlyFirst;
          case ONLY_SECOND -> onlySecond;
          case DIFFERENT -> different;
        })
        .incrementAndGet();
    told.accept(new Difference(kind, row, cell));
  }
}
