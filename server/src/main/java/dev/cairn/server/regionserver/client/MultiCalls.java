package dev.cairn.server.regionserver.client;

import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.server.regionserver.hosted.EngineErrors;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.Operation;
import dev.cairn.server.regionserver.hosted.RegionWrites;
import dev.cairn.server.request.AssociatedCells;
import dev.cairn.server.request.ConditionDecoder;
import dev.cairn.server.request.MultiMessage;
import dev.cairn.server.request.MutationDecoder;
import dev.cairn.server.request.RegionActions;
import dev.cairn.server.request.RegionActions.Action;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.MultiActionResultTooLarge;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers {@code Multi}: actions on rows of several regions, each region's separately. A failed
 * action has its error in its own result and does not affect the others. A group that is atomic or
 * has a condition succeeds or fails as a whole. Any number of threads.
 */
// Clients before 2.4 look for the outcome of a condition in a deprecated field.
@SuppressWarnings("deprecation")
final class MultiCalls {
  private static final Logger LOG = LoggerFactory.getLogger(MultiCalls.class);

  /** A batch that is ended stops at its next get; nothing interrupts a get or a write. */
  private static final Runnable NOTHING_TO_STOP = () -> {};

  private final OnlineRegions regions;
  private final GetCalls gets;
  private final CoprocessorCalls services;
  private final MutationDecoder mutations;
  private final PutGroups puts = new PutGroups();
  private final ConditionDecoder conditions;
  private final NonceManager nonces;
  private final CallTimes times;
  private final Supplier<CallLimits> limits;

  MultiCalls(
      OnlineRegions regions,
      GetCalls gets,
      CoprocessorCalls services,
      MutationDecoder mutations,
      ConditionDecoder conditions,
      NonceManager nonces,
      CallTimes times,
      Supplier<CallLimits> limits) {
    this.regions = regions;
    this.gets = gets;
    this.services = services;
    this.mutations = mutations;
    this.conditions = conditions;
    this.nonces = nonces;
    this.times = times;
    this.limits = limits;
  }

  /** Answers one call. */
  MultiResponse multi(RpcCall call, MultiMessage request) throws IOException {
    if (call.budget().mayWait()) {
      call.onAbandoned(NOTHING_TO_STOP);
    }
    checkRows(call, request.groups().stream().mapToLong(RegionActions::size).sum());
    AssociatedCells in = new AssociatedCells(call.requestCells());
    ResponseCells out = new ResponseCells(call);
    MultiResponse.Builder response = MultiResponse.newBuilder();
    for (RegionActions group : request.groups()) {
      RegionActionResult.Builder result = RegionActionResult.newBuilder();
      HostedRegion region;
      try {
        region = regions.find(group, call.deadlineNanos());
      } catch (IOException e) {
        response.addRegionActionResult(
            result.setException(EngineErrors.inMessage(skipCells(group, in, e))));
        continue;
      }
      Optional<ClientProtos.Condition> condition = group.condition().or(request::condition);
      OperationTimer timer = new OperationTimer(times.clock(), region.times());
      if (group.isAtomic() || condition.isPresent()) {
        together(call, request.nonceGroup(), group, condition, region, in, out, result);
        timer.ended(condition.isPresent() ? Operation.CHECK_AND_OTHER : Operation.PUT_BATCH);
      } else if (group.puts().isPresent() && puts.apply(group.puts().get(), region, in, result)) {
        timer.ended(Operation.PUT_BATCH);
      } else {
        oneByOne(call, request.nonceGroup(), group, region, in, out, result, timer);
      }
      if (request.condition().isPresent()) {
        // Where clients before 2.4 look for the answer.
        response.setProcessed(result.getProcessed());
      }
      response.addRegionActionResult(result);
    }
    out.send();
    return response.build();
  }

  private void oneByOne(
      RpcCall call,
      long nonceGroup,
      RegionActions group,
      HostedRegion region,
      AssociatedCells in,
      ResponseCells out,
      RegionActionResult.Builder result,
      OperationTimer timer) {
    MutationBatch batch = new MutationBatch(region, nonces, times.waitMillis(call), out, result);
    for (Action action : group.actions()) {
      int index = action.index();
      try {
        if (action instanceof Action.Read read) {
          batch.apply();
          if (out.byteSize() > limits.get().maxResultBytes()
              && call.clientVersion().isAtLeast(1, 2)) {
            throw new MultiActionResultTooLarge(
                "The results of this call reached "
                    + limits.get().maxResultBytes()
                    + " bytes (hbase.server.scanner.max.result.size) before this get");
          }
          if (call.isAbandoned()) {
            throw new DoNotRetryIOException(
                "The call was ended by an operator of the server before this get");
          }
          timer.batchEnded();
          ClientProtos.Result got = gets.read(region, read.get(), out);
          timer.ended(Operation.GET);
          result.addResultOrException(
              ResultOrException.newBuilder().setIndex(index).setResult(got));
        } else if (action instanceof Action.Write write) {
          Mutation mutation =
              mutations.decode(
                  write.mutation(), nonceGroup, in, region.schema(), call::borrowForRequest);
          mutations.check(mutation, region.schema());
          timer.mutates(mutation.kind());
          batch.add(index, mutation);
        } else if (action instanceof Action.Service service) {
          batch.apply();
          NameBytesPair answer = services.onRegion(call, region, service.call());
          result.addResultOrException(
              ResultOrException.newBuilder()
                  .setIndex(index)
                  .setServiceResult(CoprocessorServiceResult.newBuilder().setValue(answer)));
        }
      } catch (MemoryShortageException e) {
        batch.apply();
        result.addResultOrException(
            ResultOrException.newBuilder()
                .setIndex(index)
                .setException(EngineErrors.inMessage(shortage(e, out))));
      } catch (IOException | RuntimeException e) {
        batch.apply();
        result.addResultOrException(
            ResultOrException.newBuilder().setIndex(index).setException(EngineErrors.inMessage(e)));
      }
    }
    batch.apply();
    timer.batchEnded();
  }

  /**
   * Returns the error for a get without memory for its result. If earlier results of the batch take
   * memory, the client retries the rest of the batch at once; otherwise it retries later.
   */
  private static Throwable shortage(MemoryShortageException e, ResponseCells out) {
    return out.byteSize() == 0
        ? e
        : new MultiActionResultTooLarge(
            "There is no memory for this result in addition to the earlier results of the"
                + " batch: "
                + e.getMessage());
  }

  private void together(
      RpcCall call,
      long nonceGroup,
      RegionActions group,
      Optional<ClientProtos.Condition> condition,
      HostedRegion region,
      AssociatedCells in,
      ResponseCells out,
      RegionActionResult.Builder result) {
    List<Mutation> all = new ArrayList<>(group.size());
    Nonce nonce = Nonce.NONE;
    int mark = out.mark();
    try {
      IOException failure = null;
      for (Action action : group.actions()) {
        try {
          if (!(action instanceof Action.Write write)) {
            throw new DoNotRetryIOException(
                "An atomic group takes mutations only, no gets or service calls");
          }
          Mutation mutation =
              mutations.decode(
                  write.mutation(), nonceGroup, in, region.schema(), call::borrowForRequest);
          mutations.check(mutation, region.schema());
          all.add(mutation);
          nonce = nonce.isPresent() ? nonce : all.get(all.size() - 1).nonce();
        } catch (IOException | RuntimeException e) {
          // Go on, so that the cells of the other actions are taken, and tell the first failure.
          failure = failure == null ? EngineErrors.forClient(e) : failure;
        }
      }
      if (failure != null) {
        throw failure;
      }
      if (nonce.isPresent()) {
        all.set(0, all.get(0).numbered(nonce));
      }
      NonceManager.Remembered outcome =
          new NonceGuard(nonces)
              .run(
                  nonce.group(),
                  nonce.number(),
                  times.waitMillis(call),
                  change(condition, region, all),
                  () -> MutateCalls.now(region, all));
      if (condition.isPresent()) {
        MutateCalls.countCondition(region, outcome.processed());
      }
      try {
        addOutcome(outcome, all.size(), out, result);
      } catch (MemoryShortageException e) {
        throw EngineErrors.ofResult(e, nonce.isPresent());
      }
    } catch (IOException | RuntimeException e) {
      out.buffer().truncate(mark);
      result.clear().setException(EngineErrors.inMessage(e));
    }
  }

  private NonceGuard.Change change(
      Optional<ClientProtos.Condition> condition, HostedRegion region, List<Mutation> all)
      throws IOException {
    if (all.isEmpty()) {
      throw new DoNotRetryIOException("An atomic group needs at least one mutation");
    }
    RegionWrites writes = region.writes(all.size());
    if (condition.isEmpty()) {
      return () -> MutateCalls.write(writes, new WriteRequest.Atomic(all));
    }
    byte[] row = all.get(0).row();
    for (Mutation mutation : all) {
      if (!Arrays.equals(mutation.row(), row)) {
        throw new DoNotRetryIOException("Mutations under a condition must be of one row");
      }
    }
    Condition decoded = conditions.decode(condition.get(), row);
    WriteRequest write = new WriteRequest.Atomic(List.of(decoded), all);
    return () -> MutateCalls.write(writes, write);
  }

  private static void addOutcome(
      NonceManager.Remembered outcome,
      int actions,
      ResponseCells out,
      RegionActionResult.Builder result) {
    result.setProcessed(outcome.processed());
    // One answer per action even if the condition was not met: clients wait for as many.
    for (int i = 0; i < actions; i++) {
      ResultOrException.Builder one = ResultOrException.newBuilder().setIndex(i);
      if (i == 0 && !outcome.cells().isEmpty()) {
        // All cells that come back belong to one row, and are the first action's.
        int mark = out.mark();
        out.buffer().addAll(outcome.cells());
        one.setResult(out.since(mark));
      }
      result.addResultOrException(one);
    }
  }

  /**
   * Passes over the cells of a group that fails because of {@code cause}, and returns what to tell:
   * if it counts more cells than there are, that; the groups before it have their answers already.
   */
  private static IOException skipCells(RegionActions group, AssociatedCells in, IOException cause) {
    for (Action action : group.actions()) {
      if (action instanceof Action.Write write && write.mutation().cellsBeside().isPresent()) {
        try {
          in.skip(write.mutation().cellsBeside().getAsInt());
        } catch (DoNotRetryIOException e) {
          return e;
        }
      }
    }
    return cause;
  }

  /**
   * Logs or refuses a call with too many actions, depending on {@link CallLimits}.
   *
   * @throws DoNotRetryIOException if it is refused
   */
  private void checkRows(RpcCall call, long actions) throws DoNotRetryIOException {
    CallLimits now = limits.get();
    if (actions <= now.rowsWarning()) {
      return;
    }
    if (now.rejectsManyRows()) {
      throw new DoNotRetryIOException(
          "Rejecting large batch operation: "
              + actions
              + " actions in one call are more than "
              + CallLimits.ROWS_WARNING.name()
              + " ("
              + now.rowsWarning()
              + "), and "
              + CallLimits.REJECT_MANY_ROWS.name()
              + " is true. Send smaller batches");
    }
    LOG.warn(
        "{} sent {} actions in one call, more than hbase.rpc.rows.warning.threshold"
            + " ({}). Send smaller batches",
        call.remoteAddress(),
        actions,
        now.rowsWarning());
  }
}
