package dev.cairn.server.regionserver;

import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.WalFailedException;
import dev.cairn.server.catalog.LogWait;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.quota.Throttles.ThrottleInForce;
import dev.cairn.server.regionserver.client.OpenScanners;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import dev.cairn.server.regionserver.membership.ChoreService;
import dev.cairn.server.regionserver.membership.ServerState;
import dev.cairn.server.regionserver.report.MasterReports;
import dev.cairn.server.rpc.RpcKeys;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.traffic.Traffic;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A region server: wires its parts, starts and stops them. Thread-safe.
 *
 * <p>{@link #start} registers the server with the master, which then gives it regions. {@link
 * #stop} flushes and closes all regions, then the log. {@link #abort} is for when the server must
 * not write any more: it closes without flushing, and the next owners of the regions replay the
 * log.
 */
public final class RegionServer {
  private static final Logger LOG = LoggerFactory.getLogger(RegionServer.class);
  private static final long REGISTER_MILLIS = 10;
  private static final long LOG_WAIT_MILLIS = 250;
  private static final long TRAFFIC_CHECK_MILLIS = 5_000;
  private static final long STOP_DELAY_MILLIS = 100;
  private static final int WAITING_SHARE = 2;

  private final ServerState state;
  private final RegionServerContext context;
  private final RegionServerExecutors executors;
  private final ChoreService chores;
  private final SharedParts shared;
  private final ClientState clients;
  private final Maintenance maintenance;
  private final QuotaEnforcement quotas;
  private final ServerReports reports;
  private final RegionAssignment assignment;
  private final ReplicaSync replicas;
  private final MasterReports masterReports;
  private final List<RpcService> services;
  private final CompletableFuture<Void> registered = new CompletableFuture<>();
  private final AtomicBoolean finished = new AtomicBoolean();
  private final CompletableFuture<Void> aborted = new CompletableFuture<>();
  private volatile Optional<String> abortReason = Optional.empty();
  private volatile boolean replaced;

  /** True if the master refuses this server, which a restart does not change. */
  private volatile boolean refused;

  private final CompletableFuture<Void> stopped = new CompletableFuture<>();
  private final Lock stopRequests = new ReentrantLock();

  private boolean stopAccepted; // by hooks; guarded by stopRequests

  /** Creates a server that is not started. */
  public RegionServer(
      ServerName name,
      LiveConfig live,
      Clock clock,
      RegionServerContext context,
      RegionServerExecutors executors) {
    this.state = new ServerState(name);
    this.context = context;
    this.executors = executors;
    this.chores = new ChoreService(state, executors.chores(), executors.timer());
    this.shared =
        new SharedParts(
            state,
            new OnlineRegions(name, clock, waitingMax(live.current())),
            live,
            MaintenanceSettings.of(live.current(), context.memory().heap().maxBytes()),
            clock,
            context,
            executors,
            this::fatal);
    this.clients = ClientState.of(shared);
    this.maintenance = Maintenance.of(shared);
    this.quotas = new QuotaEnforcement(shared);
    this.reports = ServerReports.of(shared, clients.scanners(), maintenance);
    this.assignment = new RegionAssignment(shared, clients, maintenance, quotas, reports);
    this.replicas =
        new ReplicaSync(shared, maintenance.flushes(), maintenance.pressure(), assignment.lost());
    this.masterReports =
        new MasterReports(
            state,
            context.cluster().master(),
            reports.loads(),
            context.files().logs()::longestWait,
            clock,
            this::serve,
            new MasterReports.Ends(this::giveWay, this::refused));
    this.services =
        RegionServerServices.of(
            shared, clients, maintenance, quotas, reports, assignment, replicas, this::stopSoon);
  }

  /** Half of the handlers may wait for regions on their way in or out. */
  private static int waitingMax(SiteConfig config) {
    return Math.max(1, config.get(RpcKeys.HANDLER_COUNT).intValue() / WAITING_SHARE);
  }

  /** Returns the server's name. */
  public ServerName serverName() {
    return state.serverName();
  }

  /** Returns the services on the server's port: ClientService, AdminService, SnapshotService. */
  public List<RpcService> services() {
    return services;
  }

  /** Returns the present sources of the metrics of the regions, tables, operations and replicas. */
  public List<MetricSource> metrics() {
    List<MetricSource> sources = new ArrayList<>(reports.metrics().sources());
    sources.addAll(replicas.metrics());
    return sources;
  }

  /** Returns the scanners that clients may come back to. */
  public OpenScanners scanners() {
    return clients.scanners();
  }

  /** Returns the limits on requests that are in force here. */
  public List<ThrottleInForce> throttles() {
    return quotas.throttles().inForce();
  }

  /** Describes the compactions that wait or run. */
  public List<ServerTask> compactions() {
    return maintenance.compactions().tasks();
  }

  /** Returns the regions that are open. */
  public OnlineRegions regions() {
    return shared.regions();
  }

  /**
   * Starts. Its services must be reachable before.
   *
   * @return done when the master has taken note of the server, which then serves
   */
  public CompletableFuture<Void> start() {
    // From now on: the master may order the first region before its answer has come.
    state.advance(ServerState.Stage.SERVING);
    chores
        .every(REGISTER_MILLIS, "Registering with the master", masterReports::tryToRegister)
        .ifPresent(trying -> registered.thenRun(() -> trying.cancel(false)));
    chores.every(shared.settings().reportMillis(), "Reporting to the master", masterReports::check);
    chores.every(
        LOG_WAIT_MILLIS,
        "Reporting that the log waits",
        masterReports::hasLogWait,
        masterReports::tellLogWait);
    return registered;
  }

  /** Returns a future that is done when the server has stopped, for whatever reason. */
  public CompletableFuture<Void> stopped() {
    return stopped.copy();
  }

  /** Returns a future that is done when the server begins to abort and answers no more calls. */
  public CompletableFuture<Void> aborted() {
    return aborted.copy();
  }

  /** Returns why the server aborted, if it has. */
  public Optional<String> abortReason() {
    return abortReason;
  }

  /**
   * Tells whether the server aborted because others believed it dead, so that its regions are
   * elsewhere. Nothing is wrong with its process then, and the server may restart.
   */
  public boolean isReplaced() {
    return replaced;
  }

  /** Returns a sentence for each region whose load no split spreads. Any number of threads. */
  public List<String> loadNotices() {
    return maintenance.loadSplits().notices();
  }

  /**
   * Returns how near all memstores together are to where the largest regions are flushed: 1 there.
   * Any number of threads.
   */
  public double memStorePressure() {
    return maintenance.pressure().pressure();
  }

  /** Returns the bytes that all memstores hold. Thread-safe. */
  public long memStoreBytes() {
    return maintenance.pressure().heldBytes();
  }

  /**
   * Asks the master to close a region, because a read has met a lost block of one of its files.
   * Does not block. Any number of threads.
   */
  public void regionLost(String encodedName) {
    assignment.lost().report(encodedName);
    replicas.lost(encodedName);
  }

  /** Flushes and closes all regions, closes the log, and ends the registration. */
  public void stop() throws IOException {
    if (!state.isGoingDown()) {
      try {
        tellOfStop("its process ends");
      } catch (IOException e) {
        LOG.warn("Server {} stops although a hook refuses it", serverName(), e);
      }
    }
    if (!state.advance(ServerState.Stage.STOPPING)) {
      return;
    }
    LOG.info("Server {} is stopping", serverName());
    IOException problem = null;
    try {
      chores.endAll();
      clients.scanners().endAll(Optional.empty());
      assignment.closeAll();
    } catch (IOException e) {
      problem = e;
    }
    try {
      if (!state.isAborted()) {
        context.files().logs().close();
      }
    } catch (IOException e) {
      problem = problem == null ? e : problem;
    }
    finish();
    if (problem != null) {
      throw problem;
    }
  }

  /**
   * Aborts: accepts no more calls and flushes nothing. The log ends where it is, and keeps the
   * contents of the regions' memory. Does not block: a new thread does it, because the caller may
   * hold locks that closing waits for.
   *
   * @return done when the server has aborted; done already if an earlier call aborts it
   */
  public CompletableFuture<Void> abort(String reason) {
    if (!state.advance(ServerState.Stage.ABORTED)) {
      return CompletableFuture.completedFuture(null);
    }
    abortReason = Optional.of(reason);
    LOG.warn("Server {} gives up: {}", serverName(), reason);
    return CompletableFuture.runAsync(() -> giveUp(reason), executors.ending())
        .exceptionally(
            error -> {
              LOG.error("Server {} cannot give up orderly", serverName(), error);
              return null;
            });
  }

  private void giveUp(String reason) {
    aborted.complete(null);
    chores.endAll();
    // First: the next steps wait for a master, or for a disk, that may not answer.
    if (!context.cluster().registration().end() && !refused) {
      replaced = true; // The next owner may have caused the failure.
    }
    masterReports.fatal(reason);
    clients.scanners().endAll(Optional.empty());
    for (HostedRegion region : shared.regions().open()) {
      try {
        region.close(true);
      } catch (IOException | RuntimeException e) {
        LOG.warn("Cannot close {}: {}", region, e.getMessage());
      }
    }
    try {
      context.files().logs().close();
    } catch (IOException e) {
      LOG.info("The log was not ended in order: {}", e.getMessage());
    }
    finish();
  }

  /** Aborts because the master refuses this server. Does not block. */
  private void refused(String reason) {
    refused = true;
    abort(reason);
  }

  /** Aborts because others believe the server dead. Does not block. */
  public void giveWay(String reason) {
    replaced = true;
    Duration wait = context.files().logs().longestWait();
    abort(
        wait.compareTo(LogWait.NOTABLE) < 0
            ? reason
            : reason + "; its log had written nothing for " + wait.toMillis() + " ms");
  }

  private void serve() {
    clients.startChores(chores);
    maintenance.startChores(chores, shared);
    reports.startChores(chores, shared.regions());
    quotas.startChores(chores);
    replicas.startChores(chores);
    Traffic traffic = context.calls().traffic();
    chores.every(TRAFFIC_CHECK_MILLIS, "Saving the heat maps", traffic::isDue, traffic::save);
    LOG.info("Server {} is serving", serverName());
    registered.complete(null);
  }

  private void finish() {
    if (!finished.compareAndSet(false, true)) {
      return;
    }
    registered.cancel(false);
    assignment.warmRegions().close();
    context.cluster().registration().end();
    LOG.info("Server {} has stopped", serverName());
    stopped.complete(null);
  }

  /**
   * Tells hooks that the server is about to stop. They may refuse it each time, and are not asked
   * again after they have accepted it. A second request waits for the answer to the first one.
   */
  private void tellOfStop(String reason) throws IOException {
    stopRequests.lock();
    try {
      if (!stopAccepted) {
        context.calls().hooks().events().beforeStop(reason);
        stopAccepted = true;
      }
    } finally {
      stopRequests.unlock();
    }
  }

  private void stopSoon(String reason) throws IOException {
    tellOfStop(reason);
    executors
        .timer()
        .schedule(
            () ->
                executors
                    .ending()
                    .execute(
                        () -> {
                          try {
                            stop();
                          } catch (IOException e) {
                            LOG.warn("Server {} did not stop cleanly", serverName(), e);
                          }
                        }),
            STOP_DELAY_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  /** Aborts the server because of an error that it cannot survive. Does not block. */
  void fatal(Throwable cause) {
    if (cause instanceof WalFailedException || !state.isGoingDown()) {
      abort(String.valueOf(cause.getMessage()));
    }
  }
}
