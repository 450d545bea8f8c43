package dev.cairn.coprocessor.write;

import dev.cairn.coprocessor.convert.ShownMutation;
import dev.cairn.coprocessor.environment.OwnThread;
import dev.cairn.coprocessor.facade.OperationHooks.Running;
import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.state.RegionGate;
import dev.cairn.engine.region.state.WrongRowException;
import dev.cairn.engine.region.write.ExplicitRowLocks.Held;
import dev.cairn.engine.region.write.ExplicitRowLocks.Mode;
import dev.cairn.engine.wal.file.Nonce;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.regionserver.RowProcessor;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.wal.WALEdit;

/**
 * Runs one row processor: it reads rows that are locked, and decides on mutations, which are
 * written together. The hooks of mutations are not called, as in HBase. Used once, by one thread.
 *
 * @param region where the mutations are written
 * @param shown the region as the processor sees it
 */
@SuppressWarnings("deprecation") // HBase has no successor for endpoints that have a processor
record RowProcessing(HookedRegionWrites region, HRegion shown, RowProcessor<?, ?> processor) {
  /**
   * Runs the processor.
   *
   * @param limitMillis the time that {@code process} may take; it is unlimited below zero
   * @throws IOException if the processor or the region fails, or its time limit passes; then its
   *     mutations are not written. The processor is interrupted at the limit, but may continue, and
   *     write by other means
   */
  void run(long limitMillis, Nonce nonce) throws IOException {
    for (byte[] row : processor.getRowsToLock()) {
      if (!region.info().contains(row)) {
        throw new WrongRowException(
            "Row "
                + Bytes.toStringBinary(row)
                + " is not in the region "
                + region.info().regionNameAsString());
      }
    }
    try (RegionGate.Visit visit = region.steps().enter();
        Running operation = region.hooks().begin(Operation.ANY)) {
      WALEdit edit = new WALEdit();
      processor.preProcess(shown, edit);
      boolean success = false;
      try {
        if (processor.readOnly()) {
          process(limitMillis, null, null);
        } else {
          write(limitMillis, nonce, edit);
        }
        success = true;
      } finally {
        processor.postProcess(shown, edit, success);
      }
    }
  }

  private void write(long limitMillis, Nonce nonce, WALEdit edit) throws IOException {
    try (Held held =
        region.steps().locks().lockAll(List.copyOf(processor.getRowsToLock()), Mode.EXCLUSIVE)) {
      List<Mutation> mutations = new ArrayList<>();
      process(limitMillis, mutations, edit);
      if (!mutations.isEmpty()) {
        processor.preBatchMutate(shown, edit);
        batch(mutations, nonce, edit).run();
        processor.postBatchMutate(shown);
      }
    }
  }

  /**
   * Calls the processor; if its time is limited, on a new thread, so that a processor that does not
   * end holds up no other work.
   */
  private void process(long limitMillis, List<Mutation> mutations, WALEdit edit)
      throws IOException {
    if (limitMillis < 0) {
      processor.process(EnvironmentEdgeManager.currentTime(), shown, mutations, edit);
      return;
    }
    try {
      OwnThread.call(
          "row processor of " + shown,
          limitMillis,
          () -> {
            processor.process(EnvironmentEdgeManager.currentTime(), shown, mutations, edit);
            return null;
          });
    } catch (TimeoutException e) {
      throw new IOException(
          "The processor " + processor + " has not ended after " + limitMillis + " ms", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException own ? own : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the processor " + processor + " ran", e);
    }
  }

  private HookedBatch batch(List<Mutation> mutations, Nonce nonce, WALEdit edit)
      throws IOException {
    mutations.get(0).setClusterIds(processor.getClusterIds());
    List<ShownMutation> converted = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      mutation.setDurability(processor.useDurability());
      converted.add(
          ShownMutation.of(mutation, converted.isEmpty() ? nonce : Nonce.NONE, region.schema()));
    }
    return new HookedBatch(region.withoutHooks(), converted, true, 0)
        .logging(unwritten(edit, mutations));
  }

  /**
   * Returns the cells of the processor's log entry that no mutation writes. Markers are left out: a
   * recovery would ignore them.
   */
  private static WALEdit unwritten(WALEdit edit, List<Mutation> mutations) {
    Set<Cell> written = new TreeSet<>(CellComparator.getInstance());
    for (Mutation mutation : mutations) {
      mutation.getFamilyCellMap().values().forEach(written::addAll);
    }
    WALEdit others = new WALEdit();
    for (Cell cell : edit.getCells()) {
      if (!WALEdit.isMetaEditFamily(cell) && !written.contains(cell)) {
        others.add(cell);
      }
    }
    return others;
  }
}
