package dev.cairn.server.regionserver.assignment;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.OpeningProblem;
import dev.cairn.server.regionserver.membership.MasterLink;
import dev.cairn.server.regionserver.membership.ServerState;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports transitions of regions to the master, and retries until a master has answered or the
 * server ends: the master alone decides a region's state. Thread-safe.
 */
public final class TransitionReporter {
  private static final Logger LOG = LoggerFactory.getLogger(TransitionReporter.class);
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;

  /**
   * On whose behalf the master asked.
   *
   * @param procedure the id of the master's procedure; -1 if there is none
   * @param masterActiveTime when that master became active, milliseconds since 1970; -1 if unknown
   */
  public record Cause(long procedure, long masterActiveTime) {
    /** Returns which of two orders is the later one. */
    static Cause later(Cause one, Cause other) {
      boolean first =
          one.masterActiveTime() != other.masterActiveTime()
              ? one.masterActiveTime() > other.masterActiveTime()
              : one.procedure() > other.procedure();
      return first ? one : other;
    }

    /** Returns the token that orders the owners of a region; empty if the master sent none. */
    Optional<FencingToken> token() {
      return procedure >= 0 && masterActiveTime >= 0
          ? Optional.of(new FencingToken(masterActiveTime, procedure))
          : Optional.empty();
    }
  }

  private final ServerState state;
  private final MasterLink master;
  private final Executor executor;
  private final ScheduledExecutorService timer;

  public TransitionReporter(
      ServerState state, MasterLink master, Executor executor, ScheduledExecutorService timer) {
    this.state = state;
    this.master = master;
    this.executor = executor;
    this.timer = timer;
  }

  /** Returns a reporter whose later attempts run on {@code other}. */
  public TransitionReporter on(Executor other) {
    return new TransitionReporter(state, master, other, timer);
  }

  /** Reports a transition without a problem, as the other method. */
  public void report(
      TransitionCode code,
      RegionInfo region,
      long openSequence,
      Cause cause,
      Runnable accepted,
      Runnable refused) {
    report(code, region, openSequence, Optional.empty(), cause, accepted, refused);
  }

  /**
   * Reports a transition, and runs either {@code accepted} or {@code refused} once that is decided;
   * on the calling thread or on one of the executor.
   *
   * @param openSequence with {@code OPENED}, the sequence number at which the region was opened
   * @param problem why the region is not served, although the master ordered its opening
   */
  public void report(
      TransitionCode code,
      RegionInfo region,
      long openSequence,
      Optional<OpeningProblem> problem,
      Cause cause,
      Runnable accepted,
      Runnable refused) {
    RegionStateTransition.Builder transition =
        RegionStateTransition.newBuilder()
            .setTransitionCode(code)
            .addRegionInfo(Messages.message(region))
            .addProcId(cause.procedure())
            .setInitiatingMasterActiveTime(cause.masterActiveTime());
    if (code == TransitionCode.OPENED) {
      transition.setOpenSeqNum(openSequence);
    }
    problem.ifPresent(one -> one.write(transition));
    ReportRegionStateTransitionRequest request =
        ReportRegionStateTransitionRequest.newBuilder()
            .setServer(state.serverName().message())
            .addTransition(transition)
            .build();
    attempt(request, FIRST_PAUSE_MILLIS, accepted, refused);
  }

  private void attempt(
      ReportRegionStateTransitionRequest request,
      long pauseMillis,
      Runnable accepted,
      Runnable refused) {
    try {
      master.transition(request);
    } catch (DoNotRetryIOException e) {
      RegionStateTransition refusal = request.getTransition(0);
      LOG.info(
          "The master does not accept that {} is {}: {}",
          Messages.regionInfo(refusal.getRegionInfo(0)),
          refusal.getTransitionCode(),
          e.getMessage());
      refused.run();
      return;
    } catch (IOException e) {
      LOG.info("Cannot reach the master, trying again in {} ms: {}", pauseMillis, e.getMessage());
      later(request, pauseMillis, accepted, refused);
      return;
    }
    accepted.run();
  }

  private void later(
      ReportRegionStateTransitionRequest request,
      long pauseMillis,
      Runnable accepted,
      Runnable refused) {
    if (state.isAborted()) {
      refused.run();
      return;
    }
    long longer = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    try {
      timer.schedule(
          () -> executor.execute(() -> attempt(request, longer, accepted, refused)),
          pauseMillis,
          TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      refused.run();
    }
  }
}
