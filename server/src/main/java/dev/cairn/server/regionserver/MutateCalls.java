package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Condition;
import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.region.MutationOutcome;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.wal.Nonce;
import dev.cairn.server.rpc.Attempt;
import dev.cairn.server.rpc.RpcCall;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;

/** Answers {@code Mutate}: one mutation of one row, perhaps under a condition. Thread-safe. */
final class MutateCalls {
  private static final MutateResponse PROCESSED =
      MutateResponse.newBuilder().setProcessed(true).build();

  private final OnlineRegions regions;
  private final MutationDecoder mutations;
  private final ConditionDecoder conditions;
  private final NumberedChanges changes;
  private final CallTimes times;

  MutateCalls(
      OnlineRegions regions,
      MutationDecoder mutations,
      ConditionDecoder conditions,
      NumberedChanges changes,
      CallTimes times) {
    this.regions = regions;
    this.mutations = mutations;
    this.conditions = conditions;
    this.changes = changes;
    this.times = times;
  }

  /** Answers one call. */
  MutateResponse mutate(RpcCall call, MutateRequest request) throws IOException {
    HostedRegion region = regions.find(request.getRegion());
    MutationProto proto = request.getMutation();
    Mutation mutation =
        mutations
            .decode(proto, new AssociatedCells(call.requestCells()), region.schema())
            .numbered(new Nonce(request.getNonceGroup(), nonce(proto)));
    NumberedChanges.Change change;
    if (request.hasCondition()) {
      Condition condition = conditions.decode(request.getCondition(), mutation.row());
      change = () -> conditionally(region.writes(1), condition, List.of(mutation));
    } else {
      change = () -> plainly(region.writes(1), mutation);
    }
    return response(
        call,
        mutation,
        changes.run(
            request.getNonceGroup(),
            nonce(proto),
            times.waitMillis(call),
            change,
            () -> now(region, List.of(mutation))));
  }

  /**
   * Begins a put or delete on the network thread; the log's thread answers it. So such a call costs
   * one hand-over to the log's thread and one back, which all calls that come together share, where
   * a handler costs two more of its own.
   */
  Attempt<MutateResponse> tryMutate(RpcCall call, MutateRequest request) throws IOException {
    MutationProto proto = request.getMutation();
    boolean plain =
        proto.getMutateType() == MutationType.PUT || proto.getMutateType() == MutationType.DELETE;
    Optional<HostedRegion> found =
        plain && !request.hasCondition() ? regions.findNow(request.getRegion()) : Optional.empty();
    if (found.isEmpty()) {
      return Attempt.declined();
    }
    HostedRegion region = found.get();
    Mutation mutation =
        mutations.decode(proto, new AssociatedCells(call.requestCells()), region.schema());
    Optional<CompletableFuture<Void>> begun = Optional.empty();
    try {
      begun = region.writes(0).tryMutate(mutation);
    } catch (IOException e) {
      region.writes(1);
      throw EngineErrors.ofWrite(e);
    }
    if (begun.isEmpty()) {
      return Attempt.declined();
    }
    region.writes(1);
    return new Attempt.Later<>(begun.get().thenApply(done -> PROCESSED));
  }

  /** Returns the number of a mutation that must not be done twice; none for the others. */
  static long nonce(MutationProto proto) {
    return switch (proto.getMutateType()) {
      case INCREMENT, APPEND -> proto.getNonce();
      case PUT, DELETE -> Nonces.NO_NONCE;
    };
  }

  /**
   * Returns what the columns that {@code mutations} change hold now, as far as they want cells
   * back: the answer to a change that was made before a crash, and comes again.
   */
  static Nonces.Remembered now(HostedRegion region, List<Mutation> mutations) throws IOException {
    CellBuffer found = new CellBuffer();
    for (Mutation mutation : mutations) {
      int columns = mutation.returnResult() ? mutation.cells().size() : 0;
      for (int i = 0; i < columns; i++) {
        Cell cell = mutation.cells().get(i);
        ScanRequest column =
            ScanRequest.row(mutation.row())
                .family(cell.family(), FamilySelection.of(cell.qualifier()))
                .build();
        region.reads(1).get(column, found);
      }
    }
    return new Nonces.Remembered(true, found);
  }

  /** Applies mutations together if the condition holds. */
  static Nonces.Remembered conditionally(
      RegionWrites writes, Condition condition, List<Mutation> together) throws IOException {
    Optional<CellBuffer> cells = writes.checkAndMutate(condition, together);
    return new Nonces.Remembered(cells.isPresent(), cells.orElseGet(CellBuffer::new));
  }

  private static Nonces.Remembered plainly(RegionWrites writes, Mutation mutation)
      throws IOException {
    MutationOutcome outcome = writes.mutate(List.of(mutation)).get(0);
    if (outcome instanceof MutationOutcome.Refused refused) {
      throw EngineErrors.ofWrite(refused.cause());
    }
    if (outcome instanceof MutationOutcome.Undecided undecided) {
      throw undecided.cause();
    }
    return new Nonces.Remembered(true, ((MutationOutcome.Done) outcome).cells());
  }

  private static MutateResponse response(
      RpcCall call, Mutation mutation, Nonces.Remembered outcome) {
    MutateResponse.Builder response = MutateResponse.newBuilder().setProcessed(outcome.processed());
    boolean returnsCells =
        mutation.kind() == Mutation.Kind.INCREMENT || mutation.kind() == Mutation.Kind.APPEND;
    if (returnsCells && outcome.processed()) {
      ResponseCells cells = new ResponseCells(call);
      cells.buffer().addAll(outcome.cells());
      ClientProtos.Result result = cells.since(0);
      cells.send();
      response.setResult(result);
    }
    return response.build();
  }
}
