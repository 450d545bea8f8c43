package dev.cairn.server.regionserver.client;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.server.regionserver.hosted.EngineErrors;
import dev.cairn.server.regionserver.hosted.HostedRegion;
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
  private record Waiting(
      int index, Mutation mutation, Optional<NonceManager.Admission.First> numbered) {}

  private final HostedRegion region;
  private final NonceManager nonces;
  private final long waitMillis;
  private final ResponseCells out;
  private final RegionActionResult.Builder result;
  private final List<Waiting> waiting = new ArrayList<>();

  MutationBatch(
      HostedRegion region,
      NonceManager nonces,
      long waitMillis,
      ResponseCells out,
      RegionActionResult.Builder result) {
    this.region = region;
    this.nonces = nonces;
    this.waitMillis = waitMillis;
    this.out = out;
    this.result = result;
  }

  /** Adds a mutation; if it is known to have happened, its result is the one of that time. */
  void add(int index, Mutation mutation) throws IOException {
    Nonce nonce = mutation.nonce();
    if (!nonce.isPresent()) {
      waiting.add(new Waiting(index, mutation, Optional.empty()));
      return;
    }
    if (nonces.isRunning(nonce.group(), nonce.number())) {
      // Nobody may wait for others while its own numbers are waited for.
      apply();
    }
    NonceManager.Admission admission = nonces.admit(nonce.group(), nonce.number(), waitMillis);
    if (admission instanceof NonceManager.Admission.Repeated repeated) {
      apply();
      done(index, repeated.outcome().cells(), true);
    } else if (admission instanceof NonceManager.Admission.Recovered) {
      apply();
      done(index, MutateCalls.now(region, List.of(mutation)).cells(), true);
    } else {
      waiting.add(
          new Waiting(index, mutation, Optional.of((NonceManager.Admission.First) admission)));
    }
  }

  /** Applies the added mutations, and adds the outcomes to the result. */
  void apply() {
    if (waiting.isEmpty()) {
      return;
    }
    List<Waiting> batch = List.copyOf(waiting);
    waiting.clear();
    List<MutationOutcome> outcomes;
    try {
      WriteRequest request = new WriteRequest.Batch(batch.stream().map(Waiting::mutation).toList());
      outcomes = region.writes(batch.size()).write(request, WriteBudget.UNLIMITED).join();
    } catch (IOException | RuntimeException e) {
      for (Waiting one : batch) {
        one.numbered().ifPresent(NonceManager.Admission.First::failed);
        failed(one.index(), e);
      }
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      ended(batch.get(i), outcomes.get(i));
    }
  }

  private void ended(Waiting one, MutationOutcome outcome) {
    one.numbered().ifPresent(first -> first.ended(outcome));
    try {
      done(one.index(), outcome.cells(), one.numbered().isPresent());
    } catch (IOException e) {
      failed(one.index(), e);
    }
  }

  /** Adds the result of a change that was made, or an error if there is no memory for it. */
  private void done(int index, CellBuffer cells, boolean numbered) {
    int mark = out.mark();
    ResultOrException.Builder answer = ResultOrException.newBuilder().setIndex(index);
    try {
      out.buffer().addAll(cells);
      answer.setResult(out.since(mark));
    } catch (MemoryShortageException e) {
      out.buffer().truncate(mark);
      answer.setException(EngineErrors.inMessage(EngineErrors.ofResult(e, numbered)));
    }
    result.addResultOrException(answer);
  }

  private void failed(int index, Throwable cause) {
    result.addResultOrException(
        ResultOrException.newBuilder()
            .setIndex(index)
            .setException(EngineErrors.inMessage(EngineErrors.ofWrite(cause))));
  }
}
