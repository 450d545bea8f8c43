package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * One region, open: takes writes, answers reads. Thread-safe.
 *
 * <p>Every method that reads or writes throws {@link RegionClosedException} once closing has begun,
 * {@link WrongRowException} for a row outside the region and {@link NoSuchFamilyException} for an
 * unknown family.
 */
public final class Region {
  /** Returns which region this is. */
  public RegionInfo info() {
    throw new UnsupportedOperationException();
  }

  /** Returns the table's descriptor as of the region's opening. */
  public TableSchema schema() {
    throw new UnsupportedOperationException();
  }

  /** Opens a scan. The caller closes it. */
  public RegionScanner scan(ScanRequest request) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Reads one row, {@code request.startRow()}, and appends its cells to {@code out}. */
  public void get(ScanRequest request, CellBuffer out) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Applies mutations of any rows, each row's on its own: one may be refused and the others done.
   * Returns once all that is done is as safe as asked.
   *
   * @return one outcome per mutation, in the same order
   */
  public List<MutationOutcome> mutate(List<Mutation> batch) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Applies mutations (of one row, or of several rows of this region) all together or not at all.
   *
   * @return the new cells of increments and appends whose result is wanted, in the mutations' order
   */
  public CellBuffer mutateAtomically(List<Mutation> mutations) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Applies mutations of one row together, if {@code condition} holds at that moment.
   *
   * @return empty if it does not hold; else as {@link #mutateAtomically}
   */
  public Optional<CellBuffer> checkAndMutate(Condition condition, List<Mutation> mutations)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Writes all memstores to store files. Returns false if there was nothing to write. */
  public boolean flush() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Merges store files; all of every store, if {@code major}. Returns once done. */
  public void compact(boolean major) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Stops taking requests, waits for running ones, flushes unless {@code abort}, and closes. */
  public void close(boolean abort) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Returns sizes and counts, without reading from storage. */
  public RegionStatistics statistics() {
    throw new UnsupportedOperationException();
  }
}
