package dev.cairn.server.regionserver.membership;

import dev.cairn.server.walsplit.SplitOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ErrorHandlingProtos.ForeignExceptionMessage;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ErrorHandlingProtos.GenericExceptionMessage;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RemoteProcedureResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportProcedureDoneRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the outcome of orders to split logs to the master, several at a time. Repeats a report
 * until a master has answered or the server goes down. Thread-safe.
 */
public final class ProcedureReporter {
  private static final Logger LOG = LoggerFactory.getLogger(ProcedureReporter.class);
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;

  private final ServerState state;
  private final MasterLink master;
  private final Executor executor;
  private final ScheduledExecutorService timer;

  // Guarded by this.
  private List<RemoteProcedureResult> waiting = new ArrayList<>();
  private boolean isSending;

  public ProcedureReporter(
      ServerState state, MasterLink master, Executor executor, ScheduledExecutorService timer) {
    this.state = state;
    this.master = master;
    this.executor = executor;
    this.timer = timer;
  }

  /**
   * Reports an order soon; returns at once.
   *
   * @param failure why it could not be carried out; empty if it was
   */
  public void report(SplitOrder order, Optional<String> failure) {
    RemoteProcedureResult result = result(order, failure);
    synchronized (this) {
      waiting.add(result);
      if (isSending) {
        return;
      }
      isSending = true;
    }
    execute(() -> send(List.of(), FIRST_PAUSE_MILLIS));
  }

  private RemoteProcedureResult result(SplitOrder order, Optional<String> failure) {
    RemoteProcedureResult.Builder result =
        RemoteProcedureResult.newBuilder()
            .setProcId(order.token().order())
            .setInitiatingMasterActiveTime(order.token().epoch())
            .setStatus(
                failure.isEmpty()
                    ? RemoteProcedureResult.Status.SUCCESS
                    : RemoteProcedureResult.Status.ERROR);
    failure.ifPresent(
        message ->
            result.setError(
                ForeignExceptionMessage.newBuilder()
                    .setSource(state.serverName().toString())
                    .setGenericException(
                        GenericExceptionMessage.newBuilder()
                            .setClassName(IOException.class.getName())
                            .setMessage(message))));
    return result.build();
  }

  /** Sends all reports; {@code failed} are those of the last attempt. */
  private void send(List<RemoteProcedureResult> failed, long pauseMillis) {
    List<RemoteProcedureResult> results = new ArrayList<>(failed);
    while (true) {
      synchronized (this) {
        results.addAll(waiting);
        waiting = new ArrayList<>();
        if (results.isEmpty() || state.isAborted()) {
          isSending = false;
          return;
        }
      }
      try {
        master.procedureDone(ReportProcedureDoneRequest.newBuilder().addAllResult(results).build());
        results.clear();
      } catch (IOException e) {
        LOG.info("Cannot reach the master, trying again in {} ms: {}", pauseMillis, e.getMessage());
        later(results, pauseMillis);
        return;
      }
    }
  }

  private void later(List<RemoteProcedureResult> results, long pauseMillis) {
    long longer = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    try {
      timer.schedule(
          () -> execute(() -> send(results, longer)), pauseMillis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.info("The master does not hear of split logs: the server is going down");
    }
  }

  private void execute(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.info("The master does not hear of split logs: the server is going down");
    }
  }
}
