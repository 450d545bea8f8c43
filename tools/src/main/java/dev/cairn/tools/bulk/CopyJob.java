package dev.cairn.tools.bulk;

import dev.cairn.tools.bulk.format.CellMutations;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * Copies the rows of a table into another, with their timestamps. So writing a row twice does no
 * harm.
 */
public final class CopyJob {
  /** The time between two journal entries of a range. */
  private static final long ENTRY_NANOS = 1_000_000_000;

  private final TableSource source;
  private final TableSource target;
  private final String cluster;
  private final Selection selection;
  private final FamilyRenames renames;
  private final JournalPlace place;
  private final int threads;
  private final Meter meter;

  /**
   * Creates a job.
   *
   * @param cluster names the target's cluster in the journal; empty for the source's
   * @param renames the names of families in the target, if they differ
   */
  public CopyJob(
      TableSource source,
      TableSource target,
      String cluster,
      Selection selection,
      FamilyRenames renames,
      JournalPlace place,
      int threads,
      Meter meter) {
    this.source = source;
    this.target = target;
    this.cluster = cluster;
    this.selection = selection;
    this.renames = renames;
    this.place = place;
    this.threads = threads;
    this.meter = meter;
  }

  /**
   * The result of a copy.
   *
   * @param rows of all runs; a row at which a run was stopped may count twice
   * @param resumed whether an earlier run was stopped
   */
  public record Copied(long rows, boolean resumed) {}

  /** Copies the rows that are not copied yet. */
  public Copied run() throws IOException {
    source.require();
    target.require();
    String job =
        "copy of table "
            + source.name()
            + " to "
            + target.name()
            + (cluster.isEmpty() ? "" : " at " + cluster)
            + ", "
            + selection.description()
            + renames.description();
    Journal journal = place.open("copy", target.name().getNameAsString(), job);
    RangeJournal ranges = RangeJournal.of(journal, source, selection.rows());
    boolean resumed = ranges.total().rows() > 0;
    List<Integer> open = ranges.open();
    meter.begin(
        "copy",
        ranges.ranges().size() * RangeProgress.UNITS,
        (ranges.ranges().size() - open.size()) * RangeProgress.UNITS);
    List<Workers.Part> parts = new ArrayList<>();
    for (int range : open) {
      parts.add(() -> copy(ranges, range));
    }
    Workers.run(threads, parts);
    long rows = ranges.total().rows();
    ranges.delete();
    return new Copied(rows, resumed);
  }

  private void copy(RangeJournal ranges, int number) throws IOException {
    RangeState state = ranges.state(number);
    RowRange range = ranges.ranges().get(number).from(state.next().orElseThrow());
    long rows = state.rows();
    RangeState sent = state;
    RangeState entered = state;
    long enteredNanos = System.nanoTime();
    try (Table from = source.connection().getTable(source.name());
        Table to = target.connection().getTable(target.name());
        RangeScan scan = new RangeScan(from, selection.scan(range), range, meter)) {
      MutationBatch batch = new MutationBatch(to);
      for (Optional<Result> row = scan.next(); row.isPresent(); row = scan.next()) {
        CellMutations.of(renamed(row.get()), batch::add);
        rows++;
        if (batch.isFull()) {
          batch.send();
          sent = new RangeState(0, rows, Optional.of(RowRange.after(row.get().getRow())));
          if (System.nanoTime() - enteredNanos >= ENTRY_NANOS) {
            ranges.put(number, sent);
            entered = sent;
            enteredNanos = System.nanoTime();
          }
        }
      }
      batch.send();
    } catch (IOException | RuntimeException e) {
      if (sent != entered) {
        enterAfter(e, ranges, number, sent);
      }
      throw e;
    }
    ranges.put(number, new RangeState(0, rows, Optional.empty()));
  }

  private List<Cell> renamed(Result row) {
    return renames.isEmpty()
        ? row.listCells()
        : row.listCells().stream().map(renames::rename).toList();
  }

  /** Records the rows sent before a failure. */
  private static void enterAfter(
      Exception failure, RangeJournal ranges, int number, RangeState sent) {
    try {
      ranges.put(number, sent);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }
}
