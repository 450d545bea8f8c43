package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.region.MutationOutcome;
import dev.cairn.engine.wal.Nonce;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;

/**
 * The mutations of one region that follow each other in a {@code Multi}, applied in one go: the
 * region logs and syncs them together. One thread.
 */
final class MutationBatch {
  private record Waiting(int index, Mutation mutation, Optional<Nonces.Admission.First> numbered) {}

  private final HostedRegion region;
  private final Nonces nonces;
  private final long nonceGroup;
  private final long waitMillis;
  private final ResponseCells out;
  private final RegionActionResult.Builder result;
  private final List<Waiting> waiting = new ArrayList<>();

  MutationBatch(
      HostedRegion region,
      Nonces nonces,
      long nonceGroup,
      long waitMillis,
      ResponseCells out,
      RegionActionResult.Builder result) {
    this.region = region;
    this.nonces = nonces;
    this.nonceGroup = nonceGroup;
    this.waitMillis = waitMillis;
    this.out = out;
    this.result = result;
  }

  /** Adds a mutation; if it is known to have happened, its result is the one of that time. */
  void add(int index, Mutation mutation, long nonce) throws IOException {
    if (nonce == Nonces.NO_NONCE) {
      waiting.add(new Waiting(index, mutation, Optional.empty()));
      return;
    }
    if (nonces.isRunning(nonceGroup, nonce)) {
      // Nobody may wait for others while its own numbers are waited for.
      apply();
    }
    Nonces.Admission admission = nonces.admit(nonceGroup, nonce, waitMillis);
    if (admission instanceof Nonces.Admission.Repeated repeated) {
      apply();
      done(index, repeated.outcome().cells());
    } else if (admission instanceof Nonces.Admission.Recovered) {
      apply();
      done(index, MutateCalls.now(region, List.of(mutation)).cells());
    } else {
      waiting.add(
          new Waiting(
              index,
              mutation.numbered(new Nonce(nonceGroup, nonce)),
              Optional.of((Nonces.Admission.First) admission)));
    }
  }

  /** Applies what was added, and adds the outcomes to the result. */
  void apply() {
    if (waiting.isEmpty()) {
      return;
    }
    List<Waiting> batch = List.copyOf(waiting);
    waiting.clear();
    int ended = 0;
    try {
      List<MutationOutcome> outcomes =
          region.writes(batch.size()).mutate(batch.stream().map(Waiting::mutation).toList());
      for (; ended < batch.size(); ended++) {
        Waiting one = batch.get(ended);
        MutationOutcome outcome = outcomes.get(ended);
        if (outcome instanceof MutationOutcome.Done done) {
          one.numbered().ifPresent(first -> first.done(new Nonces.Remembered(true, done.cells())));
          done(one.index(), done.cells());
        } else if (outcome instanceof MutationOutcome.Undecided undecided) {
          one.numbered().ifPresent(first -> first.postponed(undecided.cause().outcome()));
          failed(one.index(), undecided.cause());
        } else {
          one.numbered().ifPresent(Nonces.Admission.First::failed);
          failed(one.index(), ((MutationOutcome.Refused) outcome).cause());
        }
      }
    } catch (IOException | RuntimeException e) {
      for (; ended < batch.size(); ended++) {
        batch.get(ended).numbered().ifPresent(Nonces.Admission.First::failed);
        failed(batch.get(ended).index(), e);
      }
    }
  }

  private void done(int index, CellBuffer cells) {
    int mark = out.mark();
    out.buffer().addAll(cells);
    result.addResultOrException(
        ResultOrException.newBuilder().setIndex(index).setResult(out.since(mark)));
  }

  private void failed(int index, Throwable cause) {
    result.addResultOrException(
        ResultOrException.newBuilder()
            .setIndex(index)
            .setException(EngineErrors.inMessage(EngineErrors.ofWrite(cause))));
  }
}
