package dev.cairn.server.process;

import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.bulkload.CopiedSourceFiles;
import dev.cairn.server.bulkload.LocalSourceFiles;
import dev.cairn.server.bulkload.SourceFiles;
import dev.cairn.server.bulkload.StagingDirectory;
import dev.cairn.server.catalog.ClusterLevel;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.catalog.TableSupport;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.coordination.RegistryService;
import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.filter.FilterKeys;
import dev.cairn.server.filter.FilterParser;
import dev.cairn.server.hadoop.HadoopSettings;
import dev.cairn.server.hadoop.HadoopSourceFiles;
import dev.cairn.server.hook.LogHooks;
import dev.cairn.server.hook.RegionHost;
import dev.cairn.server.hook.RegionServerHooks;
import dev.cairn.server.hook.ReportedNames;
import dev.cairn.server.master.cleaner.HFileCleaner;
import dev.cairn.server.master.recovery.WalDirectories;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.metrics.RecordName;
import dev.cairn.server.metrics.Scope.Label;
import dev.cairn.server.page.Section;
import dev.cairn.server.page.WebParts;
import dev.cairn.server.process.health.LogHealth;
import dev.cairn.server.process.keys.BindAddresses;
import dev.cairn.server.process.keys.EngineKeys;
import dev.cairn.server.process.keys.ProcessKeys;
import dev.cairn.server.process.metrics.WalMetrics;
import dev.cairn.server.process.page.CachePage;
import dev.cairn.server.process.page.LogsPage;
import dev.cairn.server.process.page.MemoryPage;
import dev.cairn.server.quota.Throttles.ThrottleInForce;
import dev.cairn.server.regionserver.RegionServer;
import dev.cairn.server.regionserver.RegionServerContext;
import dev.cairn.server.regionserver.client.OpenScanners;
import dev.cairn.server.regionserver.hooked.HookMetrics;
import dev.cairn.server.regionserver.hooked.HookTimes;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.logs.LogWatch;
import dev.cairn.server.regionserver.logs.ServerLogs;
import dev.cairn.server.regionserver.maintenance.LoadSplits.LoadMeter;
import dev.cairn.server.regionserver.membership.RpcMasterLink;
import dev.cairn.server.regionserver.page.CoprocessorsPage;
import dev.cairn.server.regionserver.page.RegionServerPages;
import dev.cairn.server.regionserver.page.ServerActivity;
import dev.cairn.server.regionserver.quota.RpcQuotaSource;
import dev.cairn.server.regionserver.reference.RpcReferencedRows;
import dev.cairn.server.regionserver.replica.FollowKeys;
import dev.cairn.server.regionserver.replica.RpcReplicaLink;
import dev.cairn.server.regionserver.report.LoadReports;
import dev.cairn.server.rpc.QueueState;
import dev.cairn.server.rpc.RunningCall;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.slowlog.SlowLog.KeptCall;
import dev.cairn.server.traffic.Traffic;
import dev.cairn.server.traffic.TrafficKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The region server of a process. */
final class HostedRegionServer implements HostedServer {
  private static final Logger LOG = LoggerFactory.getLogger(HostedRegionServer.class);
  private static final long BALANCE_MILLIS = 500;
  private static final long LOG_CHECK_MILLIS = 1_000;
  private static final Duration MASTER_TIMEOUT = Duration.ofSeconds(30);

  private static final String KIND = "RegionServer";

  private final Host host;
  private final WalMetrics walMetrics = new WalMetrics();
  private final RegionServerPages pages = new RegionServerPages(this::regions, new Activity());
  private volatile BoundServer bound;
  private volatile Optional<RegionServer> server = Optional.empty();
  private volatile Optional<ServerLogs> logs = Optional.empty();
  private volatile Optional<Traffic> traffic = Optional.empty();
  private volatile Optional<RegistrationWatch> registration = Optional.empty();

  private HostedRegionServer(Host host, BoundServer bound) {
    this.host = host;
    this.bound = bound;
  }

  /** Binds a region server's port. */
  static HostedRegionServer bind(Host host) throws IOException {
    return new HostedRegionServer(
        host,
        BoundServer.bind(
            host,
            ServerRole.REGION_SERVER,
            BindAddresses.of(host.config()).regionServer(),
            BindAddresses.REGION_SERVER,
            ProcessKeys.REGION_SERVER_PORT));
  }

  @Override
  public BoundServer bound() {
    return bound;
  }

  @Override
  public CompletableFuture<Void> start(Coordination coordination, int infoPort) throws IOException {
    bound = bound.startedAfter(earlierLives(coordination));
    RegionServer created = create(coordination, infoPort);
    server = Optional.of(created);
    host.shutdown().then("region server", () -> abortUnlessStopped(created));
    List<RpcService> services = new ArrayList<>(created.services());
    services.add(RegistryService.clientMeta(coordination::state, host.interceptors()));
    services.add(RegistryService.bootstrapNodes(coordination::state, host.interceptors()));
    bound.rpc().start(services);
    // Clients that wait for the log turn to the next owner at once. Stopping may take long.
    created.aborted().thenRun(bound.rpc()::hangUp);
    created
        .stopped()
        .thenRun(
            () ->
                created
                    .abortReason()
                    .ifPresentOrElse(
                        reason -> host.failed().completeExceptionally(new IOException(reason)),
                        () -> host.failed().complete(null)));
    return created.start();
  }

  /**
   * Returns the servers that are registered or have logs, among them this server's earlier lives.
   */
  private List<ServerName> earlierLives(Coordination coordination) throws IOException {
    List<ServerName> known = new ArrayList<>(coordination.readRegionServers());
    known.addAll(WalDirectories.servers(host.storage()));
    return known;
  }

  /** Flushes and closes its regions. */
  @Override
  public void stop() throws IOException {
    if (server.isPresent()) {
      server.get().stop();
    }
  }

  @Override
  public void abort(String reason) {
    server.ifPresent(running -> running.abort(reason).join());
  }

  @Override
  public Collection<HostedRegion> regions() {
    return server.map(running -> running.regions().open()).orElse(List.of());
  }

  @Override
  public List<String> refusedTables() {
    List<String> refusals = new ArrayList<>();
    regions().forEach(region -> region.refusal().ifPresent(refusals::add));
    return refusals;
  }

  @Override
  public List<String> loadNotices() {
    return server.map(RegionServer::loadNotices).orElse(List.of());
  }

  @Override
  public Optional<Traffic> traffic() {
    return traffic;
  }

  @Override
  public WebParts web() {
    return WebParts.of(pages.pages())
        .with(pages.actions())
        .and(
            WebParts.of(
                List.of(
                    MemoryPage.source(host.engine()::memoryUsage),
                    LogsPage.source(walMetrics),
                    new CoprocessorsPage(
                            this::regions,
                            host.hooks().times(),
                            host.hooks().absent(),
                            host.clock())
                        .source(),
                    new CachePage(host.engine()::cache, this::regions).source())));
  }

  @Override
  public List<Section> overview(boolean alone) {
    return pages.overview(alone);
  }

  @Override
  public List<MetricSource> metrics() {
    List<Label> labels = List.of(new Label("server", bound.name().hostAndPort()));
    List<MetricSource> metrics = new ArrayList<>();
    metrics.add(bound.rpc().metrics(KIND, labels));
    metrics.add(
        MetricSource.of(RecordName.of(KIND, "WAL", "wal").with(labels), walMetrics::collect));
    metrics.add(
        MetricSource.of(
            RecordName.of(KIND, "Server", "regionserver").with(labels),
            record -> {
              ServerTotals.collect(bound.rpc(), host.storage().bytesRead(), record);
              host.engine().collect(record);
              walMetrics.collectFiles(logs.map(known -> known.all().size()).orElse(0), record);
            }));
    metrics.add(
        MetricSource.of(
            RecordName.of(KIND, "Memory", "memory").with(labels),
            record -> host.engine().memoryUsage().collect(record)));
    HookTimes hooks = host.hooks().times();
    if (!hooks.totals().isEmpty()) {
      metrics.add(
          MetricSource.of(
              RecordName.of(KIND, "Coprocessors", "coprocessor").with(labels),
              record -> HookMetrics.collect(hooks, record)));
    }
    server.ifPresent(running -> metrics.addAll(running.metrics()));
    return metrics;
  }

  private static void abortUnlessStopped(RegionServer server) {
    if (!server.stopped().isDone()) {
      server.abort("its process ends").join();
    }
  }

  @Override
  public boolean isReplaced() {
    return server.map(RegionServer::isReplaced).orElse(false);
  }

  /** Creates the server, registered and with its log begun. */
  private RegionServer create(Coordination coordination, int infoPort) throws IOException {
    SiteConfig config = host.config();
    Storage storage = host.storage();
    Clock clock = host.clock();
    ServerThreads threads = host.threads();
    EngineParts engine = host.engine();
    ServerName name = bound.name();
    CompletableFuture<RegionServer> created = new CompletableFuture<>();
    ClassLoader filters = FilterKeys.classes(config, RegionServer.class.getClassLoader(), storage);
    RegionHost hookHost =
        new RegionHost(
            name,
            new FilterParser(filters, new EvaluationGuard(clock)),
            this::regions,
            host.live()::current,
            storage,
            EngineParts.DATA,
            references(coordination),
            bound.rpc().local(Host.USER),
            clock);
    RegionServerHooks hooks = host.hooks().regionServer(hookHost);
    host.shutdown().then("coprocessors of the region server", hooks::close);
    Optional<LogHooks> logHooks = host.hooks().log(hookHost);
    logHooks.ifPresent(some -> host.shutdown().then("coprocessors of the logs", some::close));
    ReportedNames reported = new ReportedNames(config, logHooks);
    // A failed log cannot acknowledge any write.
    ServerLogs logs =
        engine.openLogs(
            name,
            () -> coordination.registerRegionServer(name, infoPort),
            new WalLog(
                walMetrics,
                failure -> created.thenAccept(server -> server.abort(failure.getMessage())),
                logHooks));
    this.logs = Optional.of(logs);
    host.health().add(new LogHealth(logs));
    RegionContext context = engine.regions(logs.all().get(0));
    FollowKeys.Feeds feeds = FollowKeys.feeds(config, Runtime.getRuntime().maxMemory());
    TableSupport support = new TableSupport(host.hooks()::refusal, EngineParts::checkFiles);
    Traffic traffic =
        config.get(TrafficKeys.ENABLED)
            ? Traffic.recorded(name.host() + "," + name.port(), clock, storage)
            : Traffic.off(clock);
    this.traffic = Optional.of(traffic);
    WarmUpLimits warmUps =
        WarmUpLimits.of(config, () -> engine.memoryUsage().cache().capacityBytes());
    TableFiles files = new TableFiles(storage);
    Runtime runtime = Runtime.getRuntime();
    RegionServer server =
        new RegionServer(
            name,
            host.live(),
            clock,
            new RegionServerContext(
                new RegionServerContext.Files(
                    logs,
                    engine.walSplitter(),
                    room ->
                        new EngineRegions(
                            context.within(room),
                            logs,
                            feeds,
                            support,
                            host.hooks(),
                            hookHost,
                            logHooks,
                            config.get(EngineKeys.ORDER_BY_WRITE),
                            warmUps),
                    files.descriptors()::require,
                    new StagingDirectory(storage, new SecureRandom()),
                    sourceFiles(config, storage),
                    config.get(HFileCleaner.KEEP_MILLIS)),
                cluster(coordination, infoPort, ClusterLevel.of(config)),
                new RegionServerContext.Memory(
                    new LoadReports.Heap(
                        runtime.maxMemory(), () -> runtime.totalMemory() - runtime.freeMemory()),
                    engine.memory(),
                    () -> engine.memoryUsage().cache().capacityBytes(),
                    feeds.shared()),
                new RegionServerContext.Calls(
                    bound.rpc().slowLog(),
                    filters,
                    bound.firstScannerId(),
                    traffic,
                    LoadMeter.ofProcess(),
                    host.interceptors(),
                    new RegionServerContext.Hooks(
                        hooks.events(), hooks.services(), () -> reported.of(regions())))),
            threads.regionServer());
    engine.paces().flushes().watch(server::memStorePressure);
    engine.tellOfLostRegions(server::regionLost);
    threads
        .timer()
        .scheduleWithFixedDelay(
            engine.balance(server::memStoreBytes),
            BALANCE_MILLIS,
            BALANCE_MILLIS,
            TimeUnit.MILLISECONDS);
    LogWatch logWatch = new LogWatch(logs, coordination.lease().timeout(), server::abort);
    threads
        .timer()
        .scheduleWithFixedDelay(
            logWatch::check, LOG_CHECK_MILLIS, LOG_CHECK_MILLIS, TimeUnit.MILLISECONDS);
    RegistrationWatch watch = new RegistrationWatch(name, server::giveWay);
    registration = Optional.of(watch);
    coordination.listen(watch);
    created.complete(server);
    return server;
  }

  private RegionServerContext.Cluster cluster(
      Coordination coordination, int infoPort, ClusterLevel level) {
    return new RegionServerContext.Cluster(
        new RpcMasterLink(
            host.client(),
            () -> coordination.state().activeMaster().map(ServerName::address),
            MASTER_TIMEOUT,
            level),
        new RpcQuotaSource(host.client(), () -> coordination.state().metaLocation()),
        references(coordination),
        new RpcReplicaLink(host.client(), coordination::state),
        new RegionServerContext.Lease(
            coordination.lease()::isOver, coordination.lease()::endIfOver),
        () -> unregister(coordination),
        infoPort);
  }

  private RpcReferencedRows references(Coordination coordination) {
    return new RpcReferencedRows(host.client(), () -> coordination.state().metaLocation());
  }

  /** Returns the component that moves users' files into the root directory. */
  private static SourceFiles sourceFiles(SiteConfig config, Storage storage) {
    String root = storage.url("");
    if (root.isEmpty()) {
      return new CopiedSourceFiles(storage);
    }
    Supplier<SourceFiles> hadoop = () -> new HadoopSourceFiles(root, HadoopSettings.of(config));
    return root.startsWith("file:")
        ? new LocalSourceFiles(Path.of(root.substring("file:".length())), hadoop)
        : hadoop.get();
  }

  /** Ends the registration. Returns false if others may have declared the server dead before. */
  private boolean unregister(Coordination coordination) {
    registration.ifPresent(RegistrationWatch::leave);
    boolean hadLease = !coordination.lease().isOver();
    try {
      return coordination.unregisterRegionServer(bound.name()) && hadLease;
    } catch (IOException e) {
      LOG.info("Could not unregister {}; its session ends soon: {}", bound.name(), e.getMessage());
      return !coordination.lease().isOver();
    }
  }

  /** Describes the server for its pages; empty before the server is created. */
  private final class Activity implements ServerActivity {
    @Override
    public List<RunningCall> calls() {
      return bound.rpc().runningCalls();
    }

    @Override
    public List<QueueState> queues() {
      return bound.rpc().queues();
    }

    @Override
    public List<OpenScanners.State> scanners() {
      return server.map(running -> running.scanners().states()).orElse(List.of());
    }

    @Override
    public boolean endScanner(long id) {
      return server.map(running -> running.scanners().stop(id)).orElse(false);
    }

    @Override
    public boolean endCall(String client, int id) {
      return bound.rpc().endCall(client, id);
    }

    @Override
    public List<KeptCall> slowCalls() {
      return bound.rpc().slowLog().kept();
    }

    @Override
    public boolean keepsSlowCalls() {
      return bound.rpc().slowLog().keeps();
    }

    @Override
    public List<ServerTask> compactions() {
      return server.map(RegionServer::compactions).orElse(List.of());
    }

    @Override
    public List<ThrottleInForce> throttles() {
      return server.map(RegionServer::throttles).orElse(List.of());
    }

    @Override
    public long nowMillis() {
      return host.clock().currentTimeMillis();
    }
  }
}
