package dev.cairn.server.regionserver;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.region.RecoveredNonces;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.WalFailedException;
import dev.cairn.server.bulkload.SourceFiles;
import dev.cairn.server.bulkload.StagingDirectory;
import dev.cairn.server.catalog.LogWait;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.loadsplit.LoadSplitSettings;
import dev.cairn.server.metrics.MetricKeys;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.quota.QuotaKeys;
import dev.cairn.server.quota.Throttles;
import dev.cairn.server.quota.Throttles.ThrottleInForce;
import dev.cairn.server.regionserver.admin.AdminCalls;
import dev.cairn.server.regionserver.admin.AdminRegionCalls;
import dev.cairn.server.regionserver.admin.AdminServerCalls;
import dev.cairn.server.regionserver.admin.AssignmentCalls;
import dev.cairn.server.regionserver.admin.FileCalls;
import dev.cairn.server.regionserver.admin.SlowLogCalls;
import dev.cairn.server.regionserver.admin.SnapshotCalls;
import dev.cairn.server.regionserver.assignment.LostRegions;
import dev.cairn.server.regionserver.assignment.Openings;
import dev.cairn.server.regionserver.assignment.RegionCloser;
import dev.cairn.server.regionserver.assignment.RegionOpener;
import dev.cairn.server.regionserver.assignment.TransitionReporter;
import dev.cairn.server.regionserver.client.BulkLoadCalls;
import dev.cairn.server.regionserver.client.CallLimits;
import dev.cairn.server.regionserver.client.CallTimes;
import dev.cairn.server.regionserver.client.ClientCalls;
import dev.cairn.server.regionserver.client.NonceManager;
import dev.cairn.server.regionserver.client.OpenScanners;
import dev.cairn.server.regionserver.client.TimedEvaluations;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.PreparedRegion;
import dev.cairn.server.regionserver.hosted.RegionFactory;
import dev.cairn.server.regionserver.hosted.RegionLayer;
import dev.cairn.server.regionserver.hosted.SpaceLimitedWrites;
import dev.cairn.server.regionserver.hosted.SpaceLimits;
import dev.cairn.server.regionserver.hosted.TableDescriptors;
import dev.cairn.server.regionserver.hosted.WatchedWrites;
import dev.cairn.server.regionserver.logs.ServerLogs;
import dev.cairn.server.regionserver.logs.WalMaintenance;
import dev.cairn.server.regionserver.logs.WalSplits;
import dev.cairn.server.regionserver.logs.WalSplits.WalSplitter;
import dev.cairn.server.regionserver.maintenance.BlockingStoreFiles;
import dev.cairn.server.regionserver.maintenance.Compactions;
import dev.cairn.server.regionserver.maintenance.Flushes;
import dev.cairn.server.regionserver.maintenance.LoadSplits;
import dev.cairn.server.regionserver.maintenance.LoadSplits.LoadMeter;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import dev.cairn.server.regionserver.maintenance.MemStorePressure;
import dev.cairn.server.regionserver.maintenance.Splits;
import dev.cairn.server.regionserver.maintenance.StorageRetries;
import dev.cairn.server.regionserver.membership.Chore;
import dev.cairn.server.regionserver.membership.MasterEpochs;
import dev.cairn.server.regionserver.membership.MasterLink;
import dev.cairn.server.regionserver.membership.MasterWriteFence;
import dev.cairn.server.regionserver.membership.ProcedureReporter;
import dev.cairn.server.regionserver.membership.ServerState;
import dev.cairn.server.regionserver.membership.ServingCheck;
import dev.cairn.server.regionserver.membership.ServingLease;
import dev.cairn.server.regionserver.quota.CountedCallers;
import dev.cairn.server.regionserver.quota.SpaceReports;
import dev.cairn.server.regionserver.quota.ThrottleRefresh;
import dev.cairn.server.regionserver.quota.ThrottleRefresh.QuotaSource;
import dev.cairn.server.regionserver.quota.ThrottledCalls;
import dev.cairn.server.regionserver.report.LoadReports;
import dev.cairn.server.regionserver.report.Localities;
import dev.cairn.server.regionserver.report.MasterReports;
import dev.cairn.server.regionserver.report.OperationTimes;
import dev.cairn.server.regionserver.report.RegionServerMetrics;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.service.SettingsReload;
import dev.cairn.server.slowlog.SlowLog;
import dev.cairn.server.split.SplitPolicy;
import dev.cairn.server.split.SplitSettings;
import dev.cairn.server.traffic.Traffic;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
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
  private static final long SCANNER_CHECK_MILLIS = 1_000;
  private static final long MEMSTORE_CHECK_MILLIS = 250;
  private static final long LOG_CHECK_MILLIS = 1_000;
  private static final long LOG_WAIT_MILLIS = 250;
  private static final long COMPACTION_CHECK_MILLIS = 10_000;
  private static final long TRAFFIC_CHECK_MILLIS = 5_000;
  private static final long LOCALITY_CHECK_MILLIS = 10_000;
  private static final int NONCE_HEAP_SHARE = 16;

  /**
   * The threads of the server. Each executor has one purpose, so tasks that hang hold up only tasks
   * of their own kind. All outlive the server.
   *
   * @param openings opens regions and reports that they are open
   * @param closings closes regions and reports that they are closed
   * @param reports reports lost regions and split logs to the master
   * @param chores runs periodic tasks, each of them once at a time; always has a free thread
   * @param splits decides on splits for load and asks the master for splits; one thread is enough
   * @param flushes flushes memstores
   * @param smallCompactions runs small compactions
   * @param largeCompactions runs large compactions
   * @param walSplits splits logs of dead servers; its number of threads limits how many at a time
   * @param ending stops and aborts the server, each on a new thread
   * @param timer starts periodic tasks; never blocked
   */
  public record Workers(
      Openings openings,
      Executor closings,
      Executor reports,
      Executor chores,
      Executor splits,
      Executor flushes,
      Executor smallCompactions,
      Executor largeCompactions,
      Executor walSplits,
      Executor ending,
      ScheduledExecutorService timer) {}

  /**
   * The world around the server.
   *
   * @param logs the logs that the regions write; closed with the server
   * @param walSplitter splits logs of dead servers for the master
   * @param factories opens regions whose memstores share the given room
   * @param descriptors knows the tables
   * @param master the way to the active master
   * @param quotas the way to {@code hbase:quota} on another server
   * @param heap the memory of the process
   * @param memory the account from which calls and scanners borrow
   * @param blockCacheBytes returns the memory that cached blocks may take
   * @param slowLog the record of the slow and large calls of the server's port
   * @param filterClasses finds the classes of filters and comparators
   * @param infoPort the port of the web page, 0 if there is none
   * @param firstScannerId where scanner ids begin, different for each start
   * @param lease tells whether the server's regions may be elsewhere
   * @param staging holds files during a bulk load
   * @param sourceFiles moves users' files into {@code staging}
   * @param traffic records where the calls go
   * @param load measures the load of calls
   * @param interceptors stand before all methods of all services of the process
   * @param registration the server's registration with the cluster, which the server ends last when
   *     it stops, and first when it aborts
   */
  public record Surroundings(
      ServerLogs logs,
      WalSplitter walSplitter,
      Function<MemStoreRoom, RegionFactory> factories,
      TableDescriptors descriptors,
      MasterLink master,
      QuotaSource quotas,
      LoadReports.Heap heap,
      MemoryAccount memory,
      LongSupplier blockCacheBytes,
      SlowLog slowLog,
      ClassLoader filterClasses,
      int infoPort,
      long firstScannerId,
      Lease lease,
      StagingDirectory staging,
      SourceFiles sourceFiles,
      Traffic traffic,
      LoadMeter load,
      List<CallInterceptor> interceptors,
      Registration registration) {}

  /** The server's registration with the cluster. */
  @FunctionalInterface
  public interface Registration {
    /**
     * Ends the registration, if it has not ended. Blocks for a few seconds at most.
     *
     * @return false if others may already have declared the server dead: its registration or its
     *     lease was over
     */
    boolean end();
  }

  /**
   * Tells how long the server may answer clients.
   *
   * @param isOver tells whether the server's session may be over, so that its regions may be
   *     elsewhere; called for each answer
   * @param endsIfOver tells the same for the master. If the lease is over, no earlier request to
   *     ZooKeeper renews it
   */
  public record Lease(BooleanSupplier isOver, BooleanSupplier endsIfOver) {}

  private final ServerState state;
  private final Clock clock;
  private final Surroundings around;
  private final Workers workers;
  private final MaintenanceSettings settings;
  private final OnlineRegions regions;
  private final OpenScanners scanners;
  private final Throttles throttles;
  private final NonceManager nonces;
  private final Splits splits;
  private final LoadSplits loadSplits;
  private final Flushes flushes;
  private final Compactions compactions;
  private final MemStorePressure pressure;
  private final WalMaintenance log;
  private final Localities localities;
  private final MasterReports reports;
  private final LostRegions lostRegions;
  private final RegionCloser closer;
  private final ThrottleRefresh throttling;
  private final long throttleMillis;
  private final SpaceLimits space = new SpaceLimits();
  private final SpaceReports spaceReports;
  private final long spaceReportMillis;
  private final OperationTimes times;
  private final RegionServerMetrics metrics;
  private final List<RpcService> services;
  private final List<ScheduledFuture<?>> duties = new ArrayList<>();
  private final CompletableFuture<Void> registered = new CompletableFuture<>();
  private final AtomicBoolean finished = new AtomicBoolean();
  private final CompletableFuture<Void> aborted = new CompletableFuture<>();
  private volatile Optional<String> abortReason = Optional.empty();
  private volatile boolean replaced;
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();

  /** Creates a server that is not started. */
  public RegionServer(
      ServerName name, LiveConfig live, Clock clock, Surroundings around, Workers workers) {
    SiteConfig config = live.current();
    this.state = new ServerState(name);
    this.clock = clock;
    this.around = around;
    this.workers = workers;
    this.settings = MaintenanceSettings.of(config, around.heap().maxBytes());
    Supplier<CallLimits> limits = live.derive(read -> CallLimits.of(read, around.memory()));
    this.regions = new OnlineRegions(name, clock);
    this.scanners =
        new OpenScanners(
            clock, limits.get().scannerLeaseMillis(), around.firstScannerId(), around.memory());
    this.times = new OperationTimes(MetricKeys.timesTables(config));
    this.nonces =
        new NonceManager(
            clock, settings.nonceMillis(), around.heap().maxBytes() / NONCE_HEAP_SHARE);
    this.splits =
        new Splits(
            state,
            regions,
            around.master(),
            SplitSettings.of(config, settings.regionFlushBytes()),
            clock,
            workers.splits());
    this.loadSplits =
        new LoadSplits(
            regions, LoadSplitSettings.of(config), splits, around.traffic(), clock, around.load());
    this.compactions =
        new Compactions(
            workers.smallCompactions(),
            workers.largeCompactions(),
            clock,
            settings.compacts(),
            splits::requestIfDue);
    StorageRetries retries = new StorageRetries(clock);
    this.flushes =
        new Flushes(
            workers.flushes(),
            splits::requestIfDue,
            compactions,
            new BlockingStoreFiles(clock, settings.blockingWaitMillis(), compactions),
            retries,
            this::fatal);
    this.pressure = new MemStorePressure(regions, flushes, settings, clock);
    this.log = new WalMaintenance(around.logs(), regions, flushes, clock, settings.logRollMillis());
    this.localities = new Localities(name.host(), clock);
    this.metrics =
        new RegionServerMetrics(
            name,
            regions,
            scanners,
            splits,
            compactions,
            flushes,
            pressure,
            localities,
            times,
            clock,
            config.get(MetricKeys.SLOW_MILLIS));
    LoadReports loads =
        new LoadReports(regions, compactions, localities, clock, around.heap(), around.infoPort());
    this.reports =
        new MasterReports(
            state,
            around.master(),
            loads,
            around.logs()::longestWait,
            clock,
            this::serve,
            new MasterReports.Ends(this::giveWay, this::abort));
    TransitionReporter transitions =
        new TransitionReporter(state, around.master(), workers.reports(), workers.timer());
    this.lostRegions = new LostRegions(state, regions, transitions, workers.reports());
    this.closer =
        new RegionCloser(
            state,
            regions,
            scanners,
            transitions.on(workers.closings()),
            workers.closings(),
            workers.timer(),
            retries,
            config.get(MaintenanceSettings.PRE_FLUSH_BYTES),
            times::closed,
            this::fatal);
    this.throttles = new Throttles(clock);
    this.throttling =
        new ThrottleRefresh(
            regions, throttles, space, around.quotas(), config.get(QuotaKeys.ENABLED));
    this.throttleMillis =
        Math.min(config.get(QuotaKeys.REFRESH_MILLIS), config.get(QuotaKeys.POLICY_MILLIS));
    this.spaceReports = new SpaceReports(regions, around.master(), config.get(QuotaKeys.ENABLED));
    this.spaceReportMillis = config.get(QuotaKeys.REPORT_MILLIS);
    RegionOpener opener =
        new RegionOpener(
            state,
            regions,
            this::prepare,
            around.descriptors(),
            nonces::recovered,
            transitions,
            workers.openings(),
            workers.timer(),
            retries,
            compactions::opened,
            this::fatal);
    WalSplits walSplits =
        new WalSplits(
            state,
            around.walSplitter(),
            around.master(),
            new ProcedureReporter(state, around.master(), workers.reports(), workers.timer()),
            workers.walSplits());
    MasterEpochs epochs = new MasterEpochs(clock);
    CallTimes callTimes = new CallTimes(clock, limits.get().rpcTimeoutMillis());
    EvaluationGuard evaluations = new EvaluationGuard(clock, workers.timer());
    List<CallInterceptor> before = new ArrayList<>(around.interceptors());
    before.add(new ServingCheck(state));
    before.add(new MasterWriteFence(epochs));
    before.add(new TimedEvaluations(evaluations, callTimes));
    before.add(new ThrottledCalls(regions, scanners, throttles));
    before.add(new CountedCallers(around.traffic(), around.load().random()));
    this.services =
        List.of(
            ClientCalls.service(
                regions,
                scanners,
                nonces,
                around.filterClasses(),
                evaluations,
                callTimes,
                limits,
                new BulkLoadCalls(
                    regions,
                    around.staging(),
                    around.sourceFiles(),
                    config.get(MaintenanceSettings.VERIFY_BULK_LOADS)
                        ? BulkLoadRequest.Check.ALL
                        : BulkLoadRequest.Check.ENDS),
                before,
                new ServingLease(state, around.lease().isOver())),
            AdminCalls.service(
                new AdminRegionCalls(regions, splits, compactions, loads),
                new AdminServerCalls(
                    state, around.lease().endsIfOver(), log, loads, space, this::stopSoon),
                new AssignmentCalls(state, epochs, regions, opener, closer, walSplits),
                new FileCalls(
                    regions, around.factories(), around.descriptors(), around.blockCacheBytes()),
                new SlowLogCalls(around.slowLog()),
                new SettingsReload(live),
                before),
            new SnapshotCalls(regions).service(before));
  }

  private PreparedRegion prepare(RegionInfo info, TableSchema schema, RecoveredNonces recovered)
      throws IOException {
    // Writes to the catalog are never refused: without them, no region can be opened or closed.
    MemStoreRoom room = info.table().isMeta() ? MemStoreRoom.UNLIMITED : pressure;
    RegionFactory factory = around.factories().apply(room);
    SplitPolicy policy = splits.policy(info, schema); // refuses a policy that is not known
    return factory
        .prepare(info, schema, recovered)
        .hostedBy(
            region -> {
              HostedRegion layered = region.under(layers(policy));
              throttling.opened(layered);
              return layered;
            });
  }

  /** Returns the layers over a region, the lowest first. */
  private List<RegionLayer> layers(SplitPolicy policy) {
    return List.of(
        (info, schema, below) -> below.splitBy(policy),
        SpaceLimitedWrites.layer(space),
        loadSplits::over,
        (info, schema, below) -> below.timedBy(times.opened(info.table())),
        WatchedWrites.layer(this::fatal));
  }

  /** Returns the server's name. */
  public ServerName serverName() {
    return state.serverName();
  }

  /** Returns the services on the server's port: ClientService, AdminService, SnapshotService. */
  public List<RpcService> services() {
    return services;
  }

  /** Returns the present sources of the metrics of the regions, tables and operations. */
  public List<MetricSource> metrics() {
    return metrics.sources();
  }

  /** Returns the scanners that clients may come back to. */
  public OpenScanners scanners() {
    return scanners;
  }

  /** Returns the limits on requests that are in force here. */
  public List<ThrottleInForce> throttles() {
    return throttles.inForce();
  }

  /** Describes the compactions that wait or run. */
  public List<ServerTask> compactions() {
    return compactions.tasks();
  }

  /** Returns the regions that are open. */
  public OnlineRegions regions() {
    return regions;
  }

  /**
   * Starts. Its services must be reachable before.
   *
   * @return done when the master has taken note of the server, which then serves
   */
  public CompletableFuture<Void> start() {
    // From now on: the master may order the first region before its answer has come.
    state.advance(ServerState.Stage.SERVING);
    every(REGISTER_MILLIS, "Registering with the master", reports::tryToRegister)
        .ifPresent(trying -> registered.thenRun(() -> trying.cancel(false)));
    every(settings.reportMillis(), "Reporting to the master", reports::check);
    every(
        LOG_WAIT_MILLIS,
        new Chore(
            "Reporting that the log waits",
            workers.chores(),
            reports::hasLogWait,
            reports::tellLogWait));
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
    return loadSplits.notices();
  }

  /**
   * Returns how near all memstores together are to where the largest regions are flushed: 1 there.
   * Any number of threads.
   */
  public double memStorePressure() {
    return pressure.pressure();
  }

  /** Returns the bytes that all memstores hold. Thread-safe. */
  public long memStoreBytes() {
    return pressure.heldBytes();
  }

  /**
   * Asks the master to close a region, because a read has met a lost block of one of its files.
   * Does not block. Any number of threads.
   */
  public void regionLost(String encodedName) {
    lostRegions.report(encodedName);
  }

  /** Flushes and closes all regions, closes the log, and ends the registration. */
  public void stop() throws IOException {
    if (!state.advance(ServerState.Stage.STOPPING)) {
      return;
    }
    LOG.info("Server {} is stopping", serverName());
    IOException problem = null;
    try {
      endDuties();
      scanners.endAll(Optional.empty());
      closeRegions();
    } catch (IOException e) {
      problem = e;
    }
    try {
      if (!state.isAborted()) {
        around.logs().close();
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
    return CompletableFuture.runAsync(() -> giveUp(reason), workers.ending())
        .exceptionally(
            error -> {
              LOG.error("Server {} cannot give up orderly", serverName(), error);
              return null;
            });
  }

  private void giveUp(String reason) {
    aborted.complete(null);
    endDuties();
    // First: the next steps wait for a master, or for a disk, that may not answer.
    if (!around.registration().end()) {
      replaced = true; // The next owner may have caused the failure.
    }
    reports.fatal(reason);
    scanners.endAll(Optional.empty());
    for (HostedRegion region : regions.open()) {
      try {
        region.close(true);
      } catch (IOException | RuntimeException e) {
        LOG.warn("Cannot close {}: {}", region, e.getMessage());
      }
    }
    try {
      around.logs().close();
    } catch (IOException e) {
      LOG.info("The log was not ended in order: {}", e.getMessage());
    }
    finish();
  }

  /** Aborts because others believe the server dead. Does not block. */
  public void giveWay(String reason) {
    replaced = true;
    Duration wait = around.logs().longestWait();
    abort(
        wait.compareTo(LogWait.NOTABLE) < 0
            ? reason
            : reason + "; its log had written nothing for " + wait.toMillis() + " ms");
  }

  private void serve() {
    every(
        SCANNER_CHECK_MILLIS,
        new Chore("Ending scanners and nonces", workers.chores(), this::mayExpire, this::expire));
    every(
        MEMSTORE_CHECK_MILLIS,
        new Chore("Looking at memstores", workers.chores(), pressure::isDue, pressure::check));
    every(
        LOG_CHECK_MILLIS,
        new Chore("Looking at the log", workers.chores(), log::isDue, log::check));
    every(
        COMPACTION_CHECK_MILLIS,
        "Looking for compactions",
        () -> regions.open().forEach(compactions::check));
    every(
        LOCALITY_CHECK_MILLIS,
        new Chore(
            "Looking for the locations of blocks",
            workers.chores(),
            () -> localities.check(regions.open().stream().map(HostedRegion::files).toList())));
    every(throttleMillis, "Looking at quotas", throttling::check);
    every(spaceReportMillis, "Reporting the sizes of regions", spaceReports::check);
    every(
        LoadSplits.CHECK_MILLIS,
        new Chore(
            "Looking at the load of regions",
            workers.splits(),
            loadSplits::isDue,
            loadSplits::check));
    every(
        TRAFFIC_CHECK_MILLIS,
        new Chore(
            "Saving the heat maps",
            workers.chores(),
            around.traffic()::isDue,
            around.traffic()::save));
    LOG.info("Server {} is serving", serverName());
    registered.complete(null);
  }

  private Optional<ScheduledFuture<?>> every(long millis, String name, Chore.Work work) {
    return every(millis, new Chore(name, workers.chores(), work));
  }

  private synchronized Optional<ScheduledFuture<?>> every(long millis, Chore chore) {
    if (state.isGoingDown()) {
      return Optional.empty();
    }
    ScheduledFuture<?> duty = chore.every(millis, workers.timer());
    duties.add(duty);
    return Optional.of(duty);
  }

  private boolean mayExpire() {
    return !scanners.isEmpty() || nonces.isExpiryDue();
  }

  private void expire() {
    scanners.expire();
    nonces.expire();
  }

  private synchronized void endDuties() {
    duties.forEach(duty -> duty.cancel(false));
    duties.clear();
  }

  /**
   * Closes the open regions, as many at a time as there are threads for closings, and waits for
   * them.
   */
  private void closeRegions() throws IOException {
    List<CompletableFuture<Boolean>> closing = new ArrayList<>();
    for (HostedRegion region : regions.open()) {
      if (regions.beginClosing(region.encodedName()) == OnlineRegions.Begun.YES) {
        closing.add(
            CompletableFuture.supplyAsync(() -> closer.closeNow(region), workers.closings()));
      }
    }
    boolean all = true;
    for (CompletableFuture<Boolean> one : closing) {
      all &= clock.join(one);
    }
    if (!all) {
      throw new IOException(
          "Some regions could not be flushed; the log keeps their unflushed writes");
    }
  }

  private void finish() {
    if (!finished.compareAndSet(false, true)) {
      return;
    }
    registered.cancel(false);
    around.registration().end();
    LOG.info("Server {} has stopped", serverName());
    stopped.complete(null);
  }

  private void stopSoon(String reason) {
    workers
        .timer()
        .schedule(
            () ->
                workers
                    .ending()
                    .execute(
                        () -> {
                          try {
                            stop();
                          } catch (IOException e) {
                            LOG.warn("Server {} did not stop cleanly", serverName(), e);
                          }
                        }),
            100,
            TimeUnit.MILLISECONDS);
  }

  /** Aborts the server because of an error that it cannot survive. Does not block. */
  void fatal(Throwable cause) {
    if (cause instanceof WalFailedException || !state.isGoingDown()) {
      abort(String.valueOf(cause.getMessage()));
    }
  }
}
