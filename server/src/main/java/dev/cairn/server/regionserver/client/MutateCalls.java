package dev.cairn.server.regionserver.client;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.compile.CompiledApart;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.region.state.WrongRowException;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteListener;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.regionserver.hosted.EngineErrors;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.Operation;
import dev.cairn.server.regionserver.hosted.RegionWrites;
import dev.cairn.server.regionserver.hosted.TableTimes.Event;
import dev.cairn.server.request.AssociatedCells;
import dev.cairn.server.request.ConditionDecoder;
import dev.cairn.server.request.MutateMessage;
import dev.cairn.server.request.MutationDecoder;
import dev.cairn.server.rpc.service.CallBudget;
import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;

/** Answers {@code Mutate}: one mutation of one row, perhaps under a condition. Thread-safe. */
final class MutateCalls {
  private static final MutateResponse PROCESSED =
      MutateResponse.newBuilder().setProcessed(true).build();

  private final OnlineRegions regions;
  private final MutationDecoder mutations;
  private final ConditionDecoder conditions;
  private final NonceGuard changes;
  private final CallTimes times;

  MutateCalls(
      OnlineRegions regions,
      MutationDecoder mutations,
      ConditionDecoder conditions,
      NonceGuard changes,
      CallTimes times) {
    this.regions = regions;
    this.mutations = mutations;
    this.conditions = conditions;
    this.changes = changes;
    this.times = times;
  }

  /**
   * Answers a call on a handler. On a network thread, begins a mutation that need not wait; who
   * writes the log answers it. So such a call costs one hand-over to the log's thread and one back,
   * where a handler costs two more of its own; all calls that come in together share them.
   */
  @CompiledApart("does a mutation")
  CallOutcome<MutateResponse> mutate(RpcCall call, MutateMessage message) throws IOException {
    CallBudget budget = call.budget();
    Optional<HostedRegion> found = regions.find(message, call);
    boolean isLong = message.condition().isPresent() || message.mutation().isExpanding();
    if (found.isEmpty() || !budget.mayWait() && isLong) {
      return CallOutcome.declined();
    }
    HostedRegion region = found.get();
    Mutation mutation =
        mutations.decode(
            message.mutation(),
            message.nonceGroup(),
            cells(call, message),
            region.schema(),
            call::borrowForRequest);
    region.times().time(call, operation(message, mutation));
    if (!budget.mayWait()) {
      return begin(call, region, mutation);
    }
    mutations.check(mutation, region.schema());
    return new CallOutcome.Answered<>(answer(call, message, region, mutation));
  }

  private static Operation operation(MutateMessage message, Mutation mutation) {
    return message.condition().isPresent()
        ? Operation.conditional(mutation.kind())
        : Operation.of(mutation.kind());
  }

  private MutateResponse answer(
      RpcCall call, MutateMessage message, HostedRegion region, Mutation mutation)
      throws IOException {
    NonceGuard.Change change;
    if (message.condition().isPresent()) {
      Condition condition = conditions.decode(message.condition().get(), mutation.row());
      WriteRequest request = new WriteRequest.Atomic(List.of(condition), List.of(mutation));
      change = () -> write(region.writes(1), request);
    } else {
      change = () -> plainly(region.writes(1), mutation);
    }
    NonceManager.Remembered outcome =
        changes.run(
            mutation.nonce().group(),
            mutation.nonce().number(),
            times.waitMillis(call),
            change,
            () -> now(region, List.of(mutation)));
    if (message.condition().isPresent()) {
      countCondition(region, outcome.processed());
    }
    return answer(call, mutation, outcome);
  }

  /** Counts a condition as met or not met. */
  static void countCondition(HostedRegion region, boolean met) {
    region.times().count(met ? Event.CONDITION_MET : Event.CONDITION_NOT_MET);
  }

  /** Returns the response to a change that was made, and waits for its memory if need be. */
  private static MutateResponse answer(
      RpcCall call, Mutation mutation, NonceManager.Remembered outcome) throws IOException {
    while (true) {
      try {
        return response(call, mutation, outcome.processed(), outcome.cells());
      } catch (MemoryShortageException e) {
        IOException told = EngineErrors.ofResult(e, mutation.nonce().isPresent());
        call.releaseRequest();
        try {
          call.memory().await(e);
        } catch (IOException late) {
          throw told;
        }
      }
    }
  }

  private static AssociatedCells cells(RpcCall call, MutateMessage message) {
    return message.mutation().cellsBeside().isPresent()
        ? new AssociatedCells(call.requestCells())
        : AssociatedCells.NONE;
  }

  /** Begins a mutation, unless it would have to wait. */
  private CallOutcome<MutateResponse> begin(RpcCall call, HostedRegion region, Mutation mutation)
      throws IOException {
    Optional<NonceManager.Admission.First> admitted = Optional.empty();
    if (mutation.nonce().isPresent()) {
      admitted = changes.tryAdmit(mutation.nonce());
      if (admitted.isEmpty()) {
        return CallOutcome.declined();
      }
    }
    boolean begun = false;
    try {
      PendingWrite pending = region.writes(0).write(mutation, WriteBudget.AT_ONCE);
      begun = pending.isBegun();
      if (!begun) {
        return CallOutcome.declined();
      }
      region.writes(1);
      Answer answer = new Answer(call, mutation, admitted);
      pending.whenDone(answer);
      call.afterReading(pending.requestSync());
      return new CallOutcome.Deferred<>(answer.response);
    } catch (InvalidMutationException e) {
      return CallOutcome.declined(); // a handler reports the error in HBase's words
    } catch (IOException e) {
      region.writes(1);
      throw EngineErrors.ofWrite(e);
    } finally {
      if (!begun) {
        admitted.ifPresent(NonceManager.Admission.First::failed);
      }
    }
  }

  /** The response of a call whose write was begun. */
  private static final class Answer implements WriteListener {
    private final RpcCall call;
    private final Mutation mutation;
    private final Optional<NonceManager.Admission.First> admitted;
    private final CompletableFuture<MutateResponse> response = new CompletableFuture<>();

    Answer(RpcCall call, Mutation mutation, Optional<NonceManager.Admission.First> admitted) {
      this.call = call;
      this.mutation = mutation;
      this.admitted = admitted;
    }

    @Override
    public void done(List<MutationOutcome> outcomes) {
      MutationOutcome outcome = outcomes.get(0);
      try {
        admitted.ifPresent(first -> first.ended(outcome));
        response.complete(response(call, mutation, true, outcome.cells()));
      } catch (MemoryShortageException e) {
        response.completeExceptionally(EngineErrors.ofResult(e, admitted.isPresent()));
      } catch (IOException | RuntimeException | Error e) {
        fail(e);
      }
    }

    @Override
    public void failed(Throwable cause) {
      admitted.ifPresent(NonceManager.Admission.First::failed);
      fail(cause);
    }

    private void fail(Throwable cause) {
      response.completeExceptionally(
          cause instanceof Error ? cause : EngineErrors.forClient(cause));
    }
  }

  /**
   * Returns the present cells of the columns that {@code mutations} change, if they want cells
   * back: the answer to a change that was made before a crash, and comes again.
   */
  static NonceManager.Remembered now(HostedRegion region, List<Mutation> mutations)
      throws IOException {
    CellBuffer found = new CellBuffer();
    for (Mutation mutation : mutations) {
      int columns = mutation.returnResult() ? mutation.cells().size() : 0;
      for (int i = 0; i < columns; i++) {
        Cell cell = mutation.cells().get(i);
        ScanRequest column =
            ScanRequest.row(mutation.row())
                .family(cell.family(), FamilySelection.of(cell.qualifier()))
                .build();
        region.reads(1).row(column, found, ReadBudget.WHOLE_ROWS);
      }
    }
    return new NonceManager.Remembered(true, found);
  }

  /** Applies a change with a single outcome, and returns the outcome. */
  static NonceManager.Remembered write(RegionWrites writes, WriteRequest request)
      throws IOException {
    return NonceManager.Remembered.of(writes.write(request, WriteBudget.UNLIMITED).outcome());
  }

  private static NonceManager.Remembered plainly(RegionWrites writes, Mutation mutation)
      throws IOException {
    try {
      return write(writes, mutation);
    } catch (WrongRowException e) {
      throw EngineErrors.ofWrite(e);
    }
  }

  private static MutateResponse response(
      RpcCall call, Mutation mutation, boolean processed, CellBuffer found) {
    if (!processed) {
      return MutateResponse.newBuilder().setProcessed(false).build();
    }
    if (!mutation.kind().isComputed() && found.isEmpty()) { // hooks may give a put a result
      return PROCESSED;
    }
    ResponseCells cells = new ResponseCells(call);
    cells.buffer().addAll(found);
    ClientProtos.Result result = cells.since(0);
    cells.send();
    return MutateResponse.newBuilder().setProcessed(true).setResult(result).build();
  }
}
