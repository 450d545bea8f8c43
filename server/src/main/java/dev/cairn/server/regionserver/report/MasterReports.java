package dev.cairn.server.regionserver.report;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ClusterLevel.IncompatibleLevelException;
import dev.cairn.server.catalog.LogWait;
import dev.cairn.server.catalog.RefusedRegions;
import dev.cairn.server.regionserver.membership.Chore;
import dev.cairn.server.regionserver.membership.MasterLink;
import dev.cairn.server.regionserver.membership.MasterLink.DeclaredDeadException;
import dev.cairn.server.regionserver.membership.RejectedHostException;
import dev.cairn.server.regionserver.membership.ServerState;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ClockOutOfSyncException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRSFatalErrorRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the server with the master, and keeps reporting. An unanswered report is tried again; a
 * master that declares this server dead is right, since its regions are being opened elsewhere. One
 * thread at a time, except {@link #fatal} and {@link #tellLogWait}.
 */
public final class MasterReports {
  private static final Logger LOG = LoggerFactory.getLogger(MasterReports.class);

  /**
   * A master that takes longer to answer may have slept, and compares its clock with the time at
   * which the request was sent.
   */
  private static final long PROMPT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ServerState state;
  private final MasterLink master;
  private final LoadReports loads;
  private final Supplier<Duration> logWait;
  private final Clock clock;
  private final Runnable registered;
  private final Ends ends;
  private final AtomicBoolean isRegistered = new AtomicBoolean();
  private volatile String lastProblem = "";

  /** True if the last report named a waiting log. */
  private volatile boolean toldLogWait;

  /**
   * The ways in which an answer of the master ends the server. Each receives the reason.
   *
   * @param giveWay ends a server that the master has given up
   * @param abort ends a server that the master refuses
   */
  public record Ends(Consumer<String> giveWay, Consumer<String> abort) {}

  /**
   * Creates the reports.
   *
   * @param logWait returns for how long a log has written nothing; does not block
   * @param registered run once, when a master has taken note of the server
   */
  public MasterReports(
      ServerState state,
      MasterLink master,
      LoadReports loads,
      Supplier<Duration> logWait,
      Clock clock,
      Runnable registered,
      Ends ends) {
    this.state = state;
    this.master = master;
    this.loads = loads;
    this.logWait = logWait;
    this.clock = clock;
    this.registered = registered;
    this.ends = ends;
  }

  /** Tries once to make the server known to the master; nothing happens if it is. */
  public void tryToRegister() {
    if (!isRegistered.get()) {
      tell(this::register);
    }
  }

  /** Tells the master how the server does; nothing happens before it is known there. */
  public void check() {
    if (isRegistered.get()) {
      tell(this::report);
    }
  }

  /** Tells whether a log waits, or waited according to the last report. Does not block. */
  public boolean hasLogWait() {
    return isRegistered.get() && (toldLogWait || logWait.get().compareTo(LogWait.NOTABLE) >= 0);
  }

  /** Tells the master for how long a log has waited, and nothing else. */
  public void tellLogWait() {
    tell(() -> master.report(request().build()));
  }

  /** Tells the master why the server gives up, if it can be reached. */
  public void fatal(String reason) {
    try {
      master.fatal(
          ReportRSFatalErrorRequest.newBuilder()
              .setServer(state.serverName().message())
              .setErrorMessage(reason)
              .build());
    } catch (IOException e) {
      LOG.info("The master does not hear why this server gives up: {}", e.getMessage());
    }
  }

  private void tell(Chore.Work report) {
    try {
      report.run();
      lastProblem = "";
    } catch (DeclaredDeadException e) {
      ends.giveWay().accept("The master has given this server up: " + e.getMessage());
    } catch (ClockOutOfSyncException | IncompatibleLevelException | RejectedHostException e) {
      ends.abort().accept("The master refuses this server: " + e.getMessage());
    } catch (IOException e) {
      String problem = String.valueOf(e.getMessage());
      if (!problem.equals(lastProblem)) {
        LOG.info("Cannot report to the master, and go on trying: {}", problem);
      }
      lastProblem = problem;
    }
  }

  private void register() throws IOException {
    long begunNanos = clock.nanoTime();
    try {
      master.startup(
          RegionServerStartupRequest.newBuilder()
              .setPort(state.serverName().port())
              .setServerStartCode(state.serverName().startCode())
              .setServerCurrentTime(clock.currentTimeMillis())
              .setUseThisHostnameInstead(state.serverName().host())
              .build());
    } catch (ClockOutOfSyncException e) {
      if (clock.nanoTime() - begunNanos < PROMPT_NANOS) {
        throw e;
      }
      throw new IOException("The master compared clocks late: " + e.getMessage(), e);
    }
    isRegistered.set(true);
    registered.run();
  }

  private void report() throws IOException {
    RegionServerReportRequest.Builder request = request().setLoad(loads.server());
    RefusedRegions.write(request, loads.refused());
    master.report(request.build());
  }

  private RegionServerReportRequest.Builder request() {
    RegionServerReportRequest.Builder request =
        RegionServerReportRequest.newBuilder().setServer(state.serverName().message());
    Duration wait = logWait.get();
    toldLogWait = wait.compareTo(LogWait.NOTABLE) >= 0;
    LogWait.write(request, wait);
    return request;
  }
}
