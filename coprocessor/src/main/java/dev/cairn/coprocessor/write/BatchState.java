package dev.cairn.coprocessor.write;

import dev.cairn.coprocessor.convert.Cells;
import dev.cairn.coprocessor.convert.ShownMutation;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.region.state.NoSuchFamilyException;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.write.MutationOutcome;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.wal.WALEdit;

/** The mutations of a batch and their statuses. One thread. */
final class BatchState {
  private final List<ShownMutation> mutations;
  private final Mutation[] shown;
  private final OperationStatus[] statuses;
  private final WALEdit[] edits; // of hooks; null where there is none
  private final IOException[] refusals; // why the region refuses it; null where it does not

  BatchState(List<ShownMutation> mutations) {
    this.mutations = mutations;
    this.shown = mutations.stream().map(ShownMutation::shown).toArray(Mutation[]::new);
    this.statuses = new OperationStatus[shown.length];
    this.edits = new WALEdit[shown.length];
    this.refusals = new IOException[shown.length];
    Arrays.fill(statuses, OperationStatus.NOT_RUN);
  }

  int size() {
    return shown.length;
  }

  ShownMutation get(int i) {
    return mutations.get(i);
  }

  /** Tells whether a mutation has no status yet. */
  boolean isPending(int i) {
    return statuses[i].getOperationStatusCode() == OperationStatusCode.NOT_RUN;
  }

  /** Returns how many of a range are pending. */
  int pending(int first, int end) {
    int count = 0;
    for (int i = first; i < end; i++) {
      count += isPending(i) ? 1 : 0;
    }
    return count;
  }

  void decide(int i, OperationStatus status) {
    statuses[i] = status;
  }

  void edit(int i, WALEdit edit) {
    edits[i] = edit;
  }

  /** Returns the cells that hooks add to the log with a mutation; null if there are none. */
  WALEdit edit(int i) {
    return edits[i];
  }

  OperationStatus status(int i) {
    return statuses[i];
  }

  /** Records that the region refuses a mutation. */
  void refuse(int i, IOException cause) {
    refusals[i] = cause;
    OperationStatusCode code =
        cause instanceof NoSuchFamilyException
            ? OperationStatusCode.BAD_FAMILY
            : cause instanceof RegionBusyException
                ? OperationStatusCode.STORE_TOO_BUSY
                : OperationStatusCode.SANITY_CHECK_FAILURE;
    statuses[i] = new OperationStatus(code, cause);
  }

  /** Returns a range as hooks see and change it. */
  MiniBatchOperationInProgress<Mutation> view(int first, int end, int ready) {
    return new MiniBatchOperationInProgress<>(shown, statuses, edits, first, end, ready);
  }

  OperationStatus[] statuses() {
    return statuses;
  }

  /**
   * Returns the result of a mutation, which may be null.
   *
   * @throws IOException the reason why it was not applied
   */
  Result result(int i) throws IOException {
    OperationStatus status = statuses[i];
    if (status.getOperationStatusCode() == OperationStatusCode.SUCCESS) {
      return status.getResult();
    }
    if (refusals[i] != null) {
      throw refusals[i];
    }
    String reason = status.getExceptionMsg();
    throw switch (status.getOperationStatusCode()) {
      case BAD_FAMILY -> new NoSuchColumnFamilyException(reason);
      case SANITY_CHECK_FAILURE -> new FailedSanityCheckException(reason);
      case STORE_TOO_BUSY -> new RegionTooBusyException(reason);
      default ->
          new DoNotRetryIOException(
              reason == null || reason.isEmpty() ? "A coprocessor refused the mutation" : reason);
    };
  }

  /** Returns the outcome of a mutation. */
  MutationOutcome outcome(int i) {
    try {
      return new MutationOutcome.Done(Cells.of(result(i)));
    } catch (IOException e) {
      return new MutationOutcome.Refused(e);
    }
  }

  /**
   * Returns the results of mutations that are applied together, in order, because clients search
   * them.
   *
   * @throws IOException the reason why one was not applied
   */
  CellBuffer results() throws IOException {
    CellBuffer all = new CellBuffer(0, 0);
    for (int i = 0; i < size(); i++) {
      all.addAll(Cells.of(result(i)));
    }
    return all.sorted(CellComparator.USER);
  }
}
