package dev.cairn.server.process;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.SchemaReview;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.AdvertisedHost;
import dev.cairn.server.config.AdvertisedHost.Role;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.FolderKeys;
import dev.cairn.server.config.HostKeys;
import dev.cairn.server.config.HostNames;
import dev.cairn.server.config.SecurityRules;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.config.SiteReview;
import dev.cairn.server.coordination.ConnectWait;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.coordination.RegistryService;
import dev.cairn.server.coordination.ZooKeeperCoordination;
import dev.cairn.server.filter.FilterKeys;
import dev.cairn.server.health.HealthMonitor;
import dev.cairn.server.health.HealthReport;
import dev.cairn.server.http.ServerStatus;
import dev.cairn.server.http.StatusServer;
import dev.cairn.server.http.WebLimits;
import dev.cairn.server.master.CatalogJanitor;
import dev.cairn.server.master.HFileCleaner;
import dev.cairn.server.master.LogCleaner;
import dev.cairn.server.master.Master;
import dev.cairn.server.master.MasterWorld;
import dev.cairn.server.master.MobCleaner;
import dev.cairn.server.master.MobCompactions;
import dev.cairn.server.master.RootDirectory;
import dev.cairn.server.master.SchemaRules;
import dev.cairn.server.quota.QuotaKeys;
import dev.cairn.server.regionserver.CallLimits;
import dev.cairn.server.regionserver.RegionServer;
import dev.cairn.server.regionserver.UpkeepSettings;
import dev.cairn.server.rpc.RpcClient;
import dev.cairn.server.rpc.RpcKeys;
import dev.cairn.server.rpc.RpcServer;
import dev.cairn.server.rpc.RpcServerOptions;
import dev.cairn.server.rpc.RpcService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A master and a region server in one process, with a ZooKeeper of their own unless the
 * configuration names one elsewhere. They find and call each other as they would in several
 * processes. Thread-safe.
 */
public final class CairnProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CairnProcess.class);
  private static final Duration LOOKUP_PATIENCE = Duration.ofSeconds(1);
  private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(5);
  private static final Duration PROCEDURE_PATIENCE = Duration.ofSeconds(30);

  private final SiteConfig config;
  private final Storage storage;
  private final Clock clock;
  private final List<String> settingWarnings;
  private final SchemaReview schemas = schemaReview();
  private final ServerThreads threads;

  /** Done when all has ended; tells whether it was asked to. */
  private final CompletableFuture<Boolean> stopped = new CompletableFuture<>();

  /** Done when the process cannot go on, with the reason if the log does not have it yet. */
  private final CompletableFuture<Void> failed = new CompletableFuture<>();

  /** Whoever sets it ends the process; everybody else waits for {@link #stopped}. */
  private final AtomicBoolean ending = new AtomicBoolean();

  private final Shutdown shutdown = new Shutdown();
  private final EngineParts engine;
  private final HealthMonitor health = new HealthMonitor();
  private volatile Master master;
  private volatile RegionServer regionServer;
  private volatile Endpoints endpoints;
  private volatile boolean serving;

  private CairnProcess(
      SiteConfig config, Storage storage, Clock clock, List<String> settingWarnings) {
    this.config = config;
    this.storage = storage;
    this.clock = clock;
    this.settingWarnings = List.copyOf(settingWarnings);
    this.threads = new ServerThreads(config.get(EngineKeys.FLUSH_THREADS).intValue());
    DamagedFilesHealth damagedFiles = new DamagedFilesHealth(storage);
    this.engine = new EngineParts(config, storage, clock, threads, damagedFiles);
    health.add(new ServingHealth(() -> serving && !ending.get()));
    health.add(new DiskHealth(storage, config.get(DiskHealth.ROOM_MIN)));
    health.add(damagedFiles);
    health.add(new SettingsHealth(this::warnings));
    health.add(new MemoryHealth(this::memory));
  }

  /** Returns every key that a process knows. */
  public static List<ConfigKey<?>> keys() {
    List<ConfigKey<?>> keys = new ArrayList<>(ProcessKeys.all());
    keys.addAll(FolderKeys.all());
    keys.addAll(BindAddresses.keys());
    keys.addAll(HostKeys.all());
    keys.add(SecurityRules.IGNORE_UNSUPPORTED);
    keys.addAll(QuotaKeys.all());
    keys.addAll(RpcKeys.all());
    keys.addAll(CallLimits.all());
    keys.addAll(UpkeepSettings.all());
    keys.addAll(EngineKeys.all());
    keys.addAll(StoreKeys.all());
    keys.addAll(PaceKeys.all());
    keys.addAll(WalKeys.all());
    keys.addAll(FileKeys.all());
    keys.addAll(MobKeys.all());
    keys.addAll(FilterKeys.all());
    keys.addAll(LogCleaner.keys());
    keys.addAll(HFileCleaner.keys());
    keys.addAll(MobCleaner.keys());
    keys.add(MobCompactions.PERIOD_SECONDS);
    keys.add(CatalogJanitor.INTERVAL_MILLIS);
    keys.add(DiskHealth.ROOM_MIN);
    keys.add(SchemaRules.SANITY_CHECKS);
    return keys;
  }

  /** Tells whether a process with {@code config} uses a ZooKeeper outside of it. */
  public static boolean usesOtherZooKeeper(SiteConfig config) {
    return config.get(ProcessKeys.DISTRIBUTED);
  }

  /**
   * Starts a process without notices; see {@link #start(SiteConfig, Storage, Optional, Clock,
   * Consumer)}.
   */
  public static CairnProcess start(
      SiteConfig config, Storage storage, Optional<Path> zooKeeperFolder, Clock clock)
      throws IOException {
    return start(config, storage, zooKeeperFolder, clock, notice -> {});
  }

  /**
   * Starts a process and returns once clients are served.
   *
   * @param storage the root directory, which nobody else uses; stays open when the process ends
   * @param zooKeeperFolder where the embedded ZooKeeper keeps its data; empty for in memory
   * @param notice told, one line each, what a long start waits for; called on this thread
   * @throws dev.cairn.server.config.ConfigException if a setting is impossible; nothing was changed
   * @throws IOException if it can't start; the message is one line that names the cause
   */
  public static CairnProcess start(
      SiteConfig config,
      Storage storage,
      Optional<Path> zooKeeperFolder,
      Clock clock,
      Consumer<String> notice)
      throws IOException {
    List<String> warnings = review(config);
    warnings.forEach(LOG::warn);
    CairnProcess process = new CairnProcess(config, storage, clock, warnings);
    boolean started = false;
    try {
      process.startParts(zooKeeperFolder, notice);
      started = true;
      return process;
    } catch (IOException e) {
      throw process.reason(e);
    } finally {
      if (!started) {
        process.ending.set(true);
        process.shutdown.run();
        process.stopped.complete(false);
      }
    }
  }

  /**
   * Checks the settings of a site.
   *
   * @return a warning for each setting that does not work as users expect
   * @throws ConfigException if a setting is invalid, or unsupported and must not be ignored
   */
  public static List<String> review(SiteConfig config) {
    List<ConfigKey<?>> keys = keys();
    config.check(keys);
    StoreKeys.settings(config);
    List<String> warnings = new SiteReview(keys).review(config);
    ProcessKeys.checkCoprocessors(config);
    return warnings;
  }

  /**
   * Returns a warning for each setting of the site, and for each attribute of the tables with
   * regions here, that does not work as users expect.
   */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>(settingWarnings);
    if (regionServer != null) {
      Map<TableName, TableSchema> tables = new TreeMap<>(Comparator.comparing(TableName::toString));
      regionServer
          .regions()
          .open()
          .forEach(region -> tables.put(region.info().table(), region.schema()));
      tables.forEach(
          (name, schema) ->
              schemas
                  .warnings(schema)
                  .forEach(warning -> warnings.add("Table " + name + ": " + warning)));
    }
    return warnings;
  }

  /** Returns a review that finds attributes without effect. */
  static SchemaReview schemaReview() {
    return new SchemaReview(keys().stream().map(ConfigKey::name).collect(Collectors.toSet()));
  }

  /** Returns where the process can be reached. */
  public Endpoints endpoints() {
    return endpoints;
  }

  /** Runs all health checks. */
  public HealthReport health() {
    return health.report();
  }

  /**
   * Waits until the process has stopped.
   *
   * @return whether it was asked to, by {@link #close} or by an administrator's shutdown; false if
   *     it could not go on
   */
  public boolean awaitStopped() throws InterruptedException {
    try {
      return stopped.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("Only completed normally", e);
    }
  }

  /**
   * Stops in order: changes of tables that are under way are carried to their end, as far as that
   * does not take long; regions are flushed and closed. If the process is ending already, waits
   * until it has ended.
   */
  @Override
  public void close() throws IOException {
    if (!ending.compareAndSet(false, true)) {
      stopped.join();
      return;
    }
    try {
      if (!regionServer.stopped().isDone()) {
        master.endProcedures(PROCEDURE_PATIENCE);
      }
      regionServer.stop();
    } finally {
      end(true);
    }
  }

  /** Ends without flushing anything, as a kill would; also while it is being stopped in order. */
  public void abort(String reason) {
    regionServer.abort(reason);
    if (ending.compareAndSet(false, true)) {
      end(false);
    } else {
      stopped.join();
    }
  }

  private void startParts(Optional<Path> zooKeeperFolder, Consumer<String> notice)
      throws IOException {
    threads.background().execute(ZooKeeperCoordination::load);
    shutdown.then("threads", threads::close);
    shutdown.then("MOB files", engine::close);
    // First all that may be refused, then what writes.
    DiskHealth.checkRoom(storage);
    RootDirectory.check(storage);
    BindAddresses addresses = BindAddresses.of(config);
    RpcServer masterRpc = bind(BindAddresses.MASTER, addresses.master(), ProcessKeys.MASTER_PORT);
    RpcServer regionRpc =
        bind(BindAddresses.REGION_SERVER, addresses.regionServer(), ProcessKeys.REGION_SERVER_PORT);
    long startCode = clock.currentTimeMillis();
    ServerName masterName = name(Role.MASTER, masterRpc, startCode);
    ServerName regionName = name(Role.REGION_SERVER, regionRpc, startCode);
    OwnAddressCheck reachable = new OwnAddressCheck(threads.background(), CONNECT_PATIENCE);
    reachable.check(masterName);
    reachable.check(regionName);
    Optional<StatusServer> web = startWeb(regionName);
    ZooKeeperAccess zooKeeper =
        ZooKeeperAccess.open(config, zooKeeperFolder, clock, this::zooKeeperFailed);
    shutdown.then("ZooKeeper", zooKeeper::close);
    int infoPort = web.map(server -> server.address().getPort()).orElse(0);
    endpoints =
        new Endpoints(masterName, regionName, zooKeeper.quorum(), web.map(StatusServer::address));
    RpcClient client = new RpcClient(threads.loops(), System.getProperty("user.name", "cairn"));
    shutdown.then("RPC client", client::close);
    CompletableFuture<Coordination> second = connectMeanwhile(zooKeeper);
    Coordination first = zooKeeper.connect(ConnectWait.telling(notice.andThen(LOG::info)));
    master = startMaster(masterName, infoPort, masterRpc, first, client);
    CompletableFuture<Void> registered =
        startRegionServer(regionName, infoPort, regionRpc, connected(second), client);
    new Cleaning(config, storage, clock, threads, master).start();
    awaitReady(CompletableFuture.allOf(master.initialized(), registered));
    serving = true;
    threads.background().execute(zooKeeper::purge);
    failed.whenCompleteAsync((none, reason) -> endByItself(), ServerThreads.detached("cairn-end"));
  }

  private void zooKeeperFailed(IOException reason) {
    LOG.error("The process gives up: {}", reason.getMessage());
    failed.completeExceptionally(reason);
  }

  /** Returns why the process cannot go on if something has told so; else {@code symptom}. */
  private IOException reason(IOException symptom) {
    return failed
        .handle((none, cause) -> cause instanceof IOException known ? known : symptom)
        .getNow(symptom);
  }

  private RpcServer bind(ConfigKey<String> host, String address, ConfigKey<Integer> port)
      throws IOException {
    RpcServer server;
    try {
      server =
          RpcServer.bind(
              RpcServerOptions.from(config, address, config.get(port)),
              threads.loops(),
              ServerThreads.named("cairn-handler"),
              clock,
              engine.memory());
    } catch (BindException e) {
      throw new ConfigException(e.getMessage() + "; see " + host.name() + " and " + port.name(), e);
    }
    shutdown.then("RPC server", server::close);
    return server;
  }

  private ServerName name(Role role, RpcServer server, long startCode) {
    AdvertisedHost host =
        new AdvertisedHost(HostNames.system(), threads.background(), LOOKUP_PATIENCE);
    InetSocketAddress address = server.address();
    return new ServerName(
        host.find(config, role, address.getAddress()), address.getPort(), startCode);
  }

  private CompletableFuture<Coordination> connectMeanwhile(ZooKeeperAccess zooKeeper) {
    CompletableFuture<Coordination> session =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return zooKeeper.connect(ConnectWait.silent());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            threads.background());
    shutdown.then(
        "the region server's session",
        () -> session.thenAccept(Coordination::close).exceptionally(failure -> null).join());
    return session;
  }

  private static Coordination connected(CompletableFuture<Coordination> session)
      throws IOException {
    try {
      return session.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while starting", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof UncheckedIOException failed
          ? failed.getCause()
          : new IOException("Connecting to ZooKeeper failed", e.getCause());
    }
  }

  private Master startMaster(
      ServerName name, int infoPort, RpcServer rpc, Coordination coordination, RpcClient client)
      throws IOException {
    shutdown.then("the master's session", coordination::close);
    Master created =
        new MasterParts(name, config, storage, clock, engine, coordination, client, new Lifecycle())
            .create(infoPort);
    shutdown.then("master", created::close);
    health.add(new RegionsHealth(created));
    created.start(); // first: what it begins by itself takes longer than the services
    rpc.start(created.services());
    return created;
  }

  private CompletableFuture<Void> startRegionServer(
      ServerName name, int infoPort, RpcServer rpc, Coordination coordination, RpcClient client)
      throws IOException {
    RegionServerParts parts =
        new RegionServerParts(
            name, config, storage, clock, threads, engine, coordination, client, health);
    regionServer = parts.create(infoPort);
    health.add(new TablesHealth(regionServer.regions()::open, master));
    shutdown.then("region server", this::abortUnlessStopped);
    List<RpcService> services = new ArrayList<>(regionServer.services());
    services.add(RegistryService.clientMeta(coordination::state));
    services.add(RegistryService.bootstrapNodes(coordination::state));
    rpc.start(services);
    coordination.registerRegionServer(name, infoPort);
    regionServer
        .stopped()
        .thenRun(
            () ->
                regionServer
                    .abortReason()
                    .ifPresentOrElse(
                        reason -> failed.completeExceptionally(new IOException(reason)),
                        () -> failed.complete(null)));
    return regionServer.start();
  }

  private Optional<StatusServer> startWeb(ServerName name) throws IOException {
    int port = config.get(ProcessKeys.INFO_PORT);
    if (port < 0) {
      return Optional.empty();
    }
    StatusServer server =
        StatusServer.start(
            new InetSocketAddress(BindAddresses.of(config).web(), port),
            () -> status(name),
            health::report,
            threads.web(),
            WebLimits.DEFAULTS,
            ServerThreads.named("cairn-web-network"));
    shutdown.then("web page", server::close);
    return Optional.of(server);
  }

  private ServerStatus status(ServerName name) {
    Optional<RegionServer> server = Optional.ofNullable(regionServer);
    return StatusReport.of(
        name, Optional.ofNullable(endpoints), server, memory(), warnings(), clock);
  }

  private MemoryUsage memory() {
    RegionServer server = regionServer;
    return engine.memoryUsage(server == null ? 0 : server.memStoreBytes());
  }

  private void awaitReady(CompletableFuture<Void> ready) throws IOException {
    try {
      CompletableFuture.anyOf(ready, failed)
          .get(config.get(ProcessKeys.START_MILLIS), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while starting", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(
          "Not serving after "
              + config.get(ProcessKeys.START_MILLIS)
              + " ms (cairn.start.timeout); see the log for the cause. "
              + health.report().problems(),
          e);
    }
    if (!ready.isDone()) {
      throw new IOException("The region server ended while starting; the log says why");
    }
  }

  private void abortUnlessStopped() {
    if (!regionServer.stopped().isDone()) {
      regionServer.abort("its process ends");
    }
  }

  /** Master and region server are of no use alone: what is left of them goes too. */
  private void endByItself() {
    if (ending.compareAndSet(false, true)) {
      LOG.info("The process ends, since one of its servers has ended");
      end(false);
    }
  }

  private void end(boolean asked) {
    shutdown.run();
    stopped.complete(asked);
  }

  /** What the master may ask of the process. */
  private final class Lifecycle implements MasterWorld.Lifecycle {
    @Override
    public void stopMaster() {
      stopCluster();
    }

    @Override
    public void stopCluster() {
      ServerThreads.detached("cairn-stop")
          .execute(
              () -> {
                try {
                  close();
                } catch (IOException e) {
                  LOG.error("Stopping was not clean", e);
                }
              });
    }

    @Override
    public void abort(String reason, Throwable cause) {
      LOG.error("The process gives up: {}", reason, cause);
      failed.completeExceptionally(new IOException(reason, cause));
    }
  }
}
