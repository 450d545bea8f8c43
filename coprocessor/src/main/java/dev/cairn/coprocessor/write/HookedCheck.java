package dev.cairn.coprocessor.write;

import dev.cairn.coprocessor.convert.ShownMutation;
import dev.cairn.coprocessor.facade.OperationHooks.Running;
import dev.cairn.engine.region.steps.SteppedWrite;
import dev.cairn.engine.region.write.ExplicitRowLocks.Held;
import dev.cairn.engine.region.write.ExplicitRowLocks.Mode;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.Region.Operation;

/**
 * Runs a check-and-mutate, and calls its hooks. Used once, by one thread.
 *
 * @param check the check as hooks see it
 * @param condition the condition in the engine's form
 * @param mutations the mutations of the check
 */
record HookedCheck(
    HookedRegionWrites region,
    CheckAndMutate check,
    Condition condition,
    List<ShownMutation> mutations) {
  /** Runs a client's check. */
  CheckAndMutateResult ofClient() throws IOException {
    Optional<CheckAndMutateResult> bypassed = region.hooks().beforeCheck(check);
    return bypassed.isPresent()
        ? bypassed.get()
        : region.hooks().afterCheck(check, ofCoprocessor());
  }

  /** Runs a coprocessor's check, which does not call the outer hooks. */
  CheckAndMutateResult ofCoprocessor() throws IOException {
    try (Running operation = region.hooks().begin(Operation.ANY);
        SteppedWrite write = region.steps().begin();
        Held held = region.steps().locks().lock(check.getRow(), Mode.EXCLUSIVE)) {
      Optional<CheckAndMutateResult> bypassed = region.hooks().afterRowLock(check);
      if (bypassed.isPresent()) {
        return bypassed.get();
      }
      OptionalLong newest = write.newestIfAllHold(List.of(condition));
      if (newest.isEmpty()) {
        return new CheckAndMutateResult(false, null);
      }
      BatchState done = new HookedBatch(region, mutations, true, newest.getAsLong()).run();
      return new CheckAndMutateResult(true, result(done));
    }
  }

  /** Returns the results of all mutations in one, in order; null if none has any. */
  static Result result(BatchState done) throws IOException {
    List<Cell> cells = new ArrayList<>();
    boolean any = false;
    for (int i = 0; i < done.size(); i++) {
      Result result = done.result(i);
      if (result != null) {
        any = true;
        if (result.rawCells() != null) {
          cells.addAll(List.of(result.rawCells()));
        }
      }
    }
    cells.sort(CellComparator.getInstance());
    return any ? Result.create(cells) : null;
  }
}
