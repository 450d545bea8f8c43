package dev.cairn.server.master.service;

import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.procedure.ProcedureExecutor;
import dev.cairn.server.master.procedure.ProcedureRecord;
import dev.cairn.server.rpc.service.ClientVersion;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.wire.NamedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ErrorHandlingProtos.GenericExceptionMessage;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AbortProcedureRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AbortProcedureResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetLocksRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetLocksResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProceduresRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProceduresResponse;

/** The methods of {@code MasterService} about procedures and the locks that they hold. */
final class ProcedureMethods {
  /**
   * Less than the timeout of any call, so that the caller learns which procedures are still
   * running.
   */
  static final Duration END_PATIENCE = MasterGate.PATIENCE_MAX.minusSeconds(5);

  private ProcedureMethods() {}

  static void register(MethodGroup rpc) {
    MasterGate gate = rpc.gate();
    rpc.cluster("getProcedureResult", GetProcedureResultRequest.getDefaultInstance())
        .handle(
            (call, r) ->
                gate.answerPatiently(
                    call, patience -> result(gate, call, r.getProcId(), patience)));
    rpc.cluster("GetProcedures", GetProceduresRequest.getDefaultInstance())
        .handle((call, r) -> gate.ask(call, master -> all(master, call.clientVersion())));
    rpc.cluster("GetLocks", GetLocksRequest.getDefaultInstance())
        .handle(
            (call, r) ->
                gate.ask(
                    call,
                    master ->
                        GetLocksResponse.newBuilder()
                            .addAllLock(HeldLocks.all(master, call.clientVersion()))
                            .build()));
    rpc.cluster("AbortProcedure", AbortProcedureRequest.getDefaultInstance())
        .handle(
            (call, r) ->
                AbortProcedureResponse.newBuilder()
                    .setIsProcedureAborted(
                        r.getMayInterruptIfRunning() && abort(gate, call, r.getProcId()))
                    .build());
  }

  private static GetProceduresResponse all(ActiveMaster master, ClientVersion client) {
    return GetProceduresResponse.newBuilder()
        .addAllProcedure(
            master.procedures().all().stream().map(record -> record.message(client)).toList())
        .addAllProcedure(AssignmentProcedures.all(master, client))
        .build();
  }

  private static boolean abort(MasterGate gate, RpcCall call, long id) throws IOException {
    return gate.<Boolean>request(
        call, (master, future) -> abort(master.procedures(), id, END_PATIENCE, future));
  }

  /**
   * Completes {@code future} with whether a procedure is undone on request: once that is stored, as
   * the next master does not know of the request; or with an error after {@code patience}.
   */
  static void abort(
      ProcedureExecutor procedures, long id, Duration patience, CompletableFuture<Boolean> future) {
    if (!procedures.abort(id)) {
      future.complete(false);
      return;
    }
    procedures.whenDone(
        id,
        patience,
        () -> {
          if (procedures.find(id).map(ProcedureRecord::isDone).orElse(true)) {
            future.complete(true);
          } else {
            future.completeExceptionally(isRunning(id, patience));
          }
        });
  }

  /**
   * Completes {@code future} with {@code success} once a procedure has succeeded, or with an error
   * if it failed or has not ended after {@code patience}.
   */
  static <T> void completeAtEnd(
      ProcedureExecutor procedures,
      long id,
      Duration patience,
      CompletableFuture<T> future,
      T success) {
    procedures.whenDone(
        id,
        patience,
        () -> {
          Optional<ProcedureRecord> record = procedures.find(id);
          if (record.filter(ProcedureRecord::isDone).isEmpty()) {
            future.completeExceptionally(isRunning(id, patience));
          } else if (record.get().failure().isPresent()) {
            GenericExceptionMessage failure = record.get().failure().get().getGenericException();
            future.completeExceptionally(
                new NamedException(failure.getClassName(), failure.getMessage()));
          } else {
            future.complete(success);
          }
        });
  }

  private static IOException isRunning(long id, Duration patience) {
    return new IOException(
        "Procedure "
            + id
            + " has not ended within "
            + patience.toMillis()
            + " ms and goes on. list_procedures of the shell shows it");
  }

  /** Returns the state of a procedure when it ends, or after {@code patience}. */
  static GetProcedureResultResponse result(
      MasterGate gate, RpcCall call, long id, Duration patience) throws IOException {
    return gate.request(
        call,
        (master, future) ->
            master
                .procedures()
                .whenDone(
                    id,
                    patience,
                    () ->
                        future.complete(
                            master
                                .procedures()
                                .find(id)
                                .map(ProcedureMethods::result)
                                .orElseGet(() -> unstoredResult(master, id)))));
  }

  /** Returns the state of a procedure that is not stored. */
  static GetProcedureResultResponse unstoredResult(ActiveMaster master, long id) {
    OptionalLong begun = master.unstored().begunMillis(id);
    if (begun.isEmpty()) {
      return GetProcedureResultResponse.newBuilder()
          .setState(GetProcedureResultResponse.State.NOT_FOUND)
          .build();
    }
    return GetProcedureResultResponse.newBuilder()
        .setState(
            AssignmentProcedures.isUnderWay(master, id)
                ? GetProcedureResultResponse.State.RUNNING
                : GetProcedureResultResponse.State.FINISHED)
        .setSubmittedTime(begun.getAsLong())
        .setLastUpdate(begun.getAsLong())
        .build();
  }

  private static GetProcedureResultResponse result(ProcedureRecord record) {
    GetProcedureResultResponse.Builder response = GetProcedureResultResponse.newBuilder();
    response
        .setState(
            record.isDone()
                ? GetProcedureResultResponse.State.FINISHED
                : GetProcedureResultResponse.State.RUNNING)
        .setSubmittedTime(record.submittedMillis())
        .setLastUpdate(record.updatedMillis());
    record.failure().ifPresent(response::setException);
    return response.build();
  }
}
