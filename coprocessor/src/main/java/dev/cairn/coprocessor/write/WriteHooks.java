package dev.cairn.coprocessor.write;

import dev.cairn.coprocessor.facade.OperationHooks;
import dev.cairn.coprocessor.facade.OperationHooks.Running;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/**
 * Calls the hooks of a region's writes that a coprocessor overrides. Thread-safe.
 *
 * @param host calls the coprocessors in order
 * @param overridden the names of the hooks that a coprocessor overrides
 * @param compressedLog whether the log is compressed
 */
public record WriteHooks(
    RegionCoprocessorHost host, Set<String> overridden, boolean compressedLog) {
  /** Calls the hook of the start of an operation. */
  Running begin(Operation operation) throws IOException {
    return operations().begin(operation);
  }

  /** Calls the hook of the end of an operation. */
  void ended(Operation operation) throws IOException {
    operations().ended(operation);
  }

  private OperationHooks operations() {
    return OperationHooks.of(host, overridden);
  }

  /** Returns the operation that HBase names after the kind of a single mutation. */
  static Operation operation(Mutation mutation) {
    if (mutation instanceof Put) {
      return Operation.PUT;
    } else if (mutation instanceof Delete) {
      return Operation.DELETE;
    }
    return mutation instanceof Increment ? Operation.INCREMENT : Operation.APPEND;
  }

  private boolean has(String hook) {
    return overridden.contains(hook);
  }

  /**
   * Calls the hook before a mutation, without locks.
   *
   * @param edit takes cells for the log alone
   * @return the status of a mutation that a hook bypasses; empty to continue
   */
  Optional<OperationStatus> before(Mutation mutation, WALEdit edit) throws IOException {
    if (mutation instanceof Put put) {
      return bypassed(has("prePut") && host.prePut(put, edit));
    } else if (mutation instanceof Delete delete) {
      return bypassed(has("preDelete") && host.preDelete(delete, edit));
    } else if (mutation instanceof Increment increment) {
      return status(has("preIncrement") ? host.preIncrement(increment, edit) : null);
    }
    return status(has("preAppend") ? host.preAppend((Append) mutation, edit) : null);
  }

  /**
   * Calls the hook of an increment or append after its row is locked; returns as {@link #before}.
   */
  Optional<OperationStatus> afterRowLock(Mutation mutation) throws IOException {
    if (mutation instanceof Increment increment) {
      return status(
          has("preIncrementAfterRowLock") ? host.preIncrementAfterRowLock(increment) : null);
    }
    return status(
        has("preAppendAfterRowLock") ? host.preAppendAfterRowLock((Append) mutation) : null);
  }

  private static Optional<OperationStatus> bypassed(boolean bypassed) {
    return bypassed ? Optional.of(OperationStatus.SUCCESS) : Optional.empty();
  }

  private static Optional<OperationStatus> status(Result result) {
    return result == null
        ? Optional.empty()
        : Optional.of(new OperationStatus(OperationStatusCode.SUCCESS, result));
  }

  /** Tells whether {@link #computed} may change such a mutation. */
  boolean seesComputed(Mutation mutation) {
    return has("postMutationBeforeWAL")
        || mutation instanceof Increment && has("postIncrementBeforeWAL")
        || mutation instanceof Append && has("postAppendBeforeWAL");
  }

  /** Calls the hook with the old and new cells of one family. */
  List<Pair<Cell, Cell>> computed(Mutation mutation, List<Pair<Cell, Cell>> pairs)
      throws IOException {
    return mutation instanceof Increment
        ? host.postIncrementBeforeWAL(mutation, pairs)
        : host.postAppendBeforeWAL(mutation, pairs);
  }

  /** Tells whether a coprocessor has the hook of {@link #choosesVersion}. */
  boolean choosesVersions() {
    return has("prePrepareTimeStampForDeleteVersion");
  }

  /**
   * Calls the hook for a marker of the newest version; returns whether the hook has set its
   * timestamp.
   */
  @SuppressWarnings("deprecation") // coprocessors may still have it
  boolean choosesVersion(Mutation mutation, Cell marker, int count) throws IOException {
    Get get = new Get(mutation.getRow());
    get.addColumn(
        Bytes.copy(marker.getFamilyArray(), marker.getFamilyOffset(), marker.getFamilyLength()),
        Bytes.copy(
            marker.getQualifierArray(), marker.getQualifierOffset(), marker.getQualifierLength()));
    get.readVersions(count);
    return host.prePrepareTimeStampForDeleteVersion(
        mutation, marker, Bytes.toBytes(System.currentTimeMillis()), get);
  }

  void preBatchMutate(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    if (has("preBatchMutate")) {
      host.preBatchMutate(batch);
    }
  }

  /** Tells whether a coprocessor has the hook before the log. */
  boolean seesLog() {
    return has("preWALAppend");
  }

  void preWalAppend(WALKey key, WALEdit edit) throws IOException {
    host.preWALAppend(key, edit);
  }

  void postBatchMutate(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    if (has("postBatchMutate")) {
      host.postBatchMutate(batch);
    }
  }

  /** Tells whether {@link #after} calls a hook. */
  boolean hasAfter() {
    return has("postPut") || has("postDelete") || has("postIncrement") || has("postAppend");
  }

  /**
   * Calls the hook after a mutation.
   *
   * @param edit the cells of the log; null if nothing was logged
   * @return the result for the client
   */
  Result after(Mutation mutation, Result result, WALEdit edit) throws IOException {
    if (mutation instanceof Put put) {
      if (has("postPut")) {
        host.postPut(put, edit);
      }
    } else if (mutation instanceof Delete delete) {
      if (has("postDelete")) {
        host.postDelete(delete, edit);
      }
    } else if (mutation instanceof Increment increment) {
      return has("postIncrement") ? host.postIncrement(increment, result, edit) : result;
    } else {
      return has("postAppend") ? host.postAppend((Append) mutation, result, edit) : result;
    }
    return result;
  }

  void postBatchMutateIndispensably(MiniBatchOperationInProgress<Mutation> batch, boolean success)
      throws IOException {
    if (has("postBatchMutateIndispensably")) {
      host.postBatchMutateIndispensably(batch, success);
    }
  }

  /** Calls the hook before a client's check; returns the result if a hook bypasses the check. */
  Optional<CheckAndMutateResult> beforeCheck(CheckAndMutate check) throws IOException {
    return has("preCheckAndMutate") || has("preCheckAndPut") || has("preCheckAndDelete")
        ? Optional.ofNullable(host.preCheckAndMutate(check))
        : Optional.empty();
  }

  /** Calls the hook of a check after its row is locked; returns as {@link #beforeCheck}. */
  Optional<CheckAndMutateResult> afterRowLock(CheckAndMutate check) throws IOException {
    return has("preCheckAndMutateAfterRowLock")
            || has("preCheckAndPutAfterRowLock")
            || has("preCheckAndDeleteAfterRowLock")
        ? Optional.ofNullable(host.preCheckAndMutateAfterRowLock(check))
        : Optional.empty();
  }

  /** Calls the hook after a client's check; returns the result for the client. */
  CheckAndMutateResult afterCheck(CheckAndMutate check, CheckAndMutateResult result)
      throws IOException {
    return has("postCheckAndMutate") || has("postCheckAndPut") || has("postCheckAndDelete")
        ? host.postCheckAndMutate(check, result)
        : result;
  }
}
