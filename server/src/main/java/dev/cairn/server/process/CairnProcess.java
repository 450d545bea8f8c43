package dev.cairn.server.process;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.advise.page.AdvicePages;
import dev.cairn.server.catalog.SchemaReview;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.StartedAgain;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.coordination.ConnectWait;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.coordination.SessionLease;
import dev.cairn.server.coordination.ZooKeeperCoordination;
import dev.cairn.server.health.HealthMonitor;
import dev.cairn.server.health.HealthReport;
import dev.cairn.server.http.ServerStatus;
import dev.cairn.server.http.StatusServer;
import dev.cairn.server.http.WebLimits;
import dev.cairn.server.log.LogPages;
import dev.cairn.server.log.ServerLog;
import dev.cairn.server.master.MasterContext;
import dev.cairn.server.master.store.RootDirectory;
import dev.cairn.server.metrics.JmxBeans;
import dev.cairn.server.metrics.MetricPages;
import dev.cairn.server.metrics.MetricRegistry;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.metrics.RecordName;
import dev.cairn.server.metrics.Scope.Label;
import dev.cairn.server.page.WebParts;
import dev.cairn.server.process.event.EventWatch;
import dev.cairn.server.process.health.DiskHealth;
import dev.cairn.server.process.health.SettingsHealth;
import dev.cairn.server.process.keys.ProcessKeys;
import dev.cairn.server.process.keys.ProcessSettings;
import dev.cairn.server.process.metrics.GcPauses;
import dev.cairn.server.process.metrics.JvmMetrics;
import dev.cairn.server.process.metrics.SessionMetrics;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.traffic.HeatMaps;
import dev.cairn.server.traffic.Traffic;
import dev.cairn.server.traffic.page.TrafficPages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A master, a region server, or both in one process, with a ZooKeeper of their own unless the
 * configuration names one elsewhere. Servers find and call each other in the same way within a
 * process and between processes. Thread-safe.
 */
public final class CairnProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CairnProcess.class);

  /** The time between two updates of the tables' JMX beans. */
  private static final long BEANS_SECONDS = 10;

  /** The pause between attempts to report restarts to the master. */
  private static final long REPORT_SECONDS = 1;

  /** The health report of a backup master. */
  public static final String STANDBY = "The server is a backup master.";

  private final List<String> settingWarnings;
  private final SchemaReview schemas = ProcessSettings.schemaReview();

  /** Completes when all servers work with each other. */
  private final CompletableFuture<Void> serving = new CompletableFuture<>();

  /** Done when all has ended; tells whether it was asked to. */
  private final CompletableFuture<Boolean> stopped = new CompletableFuture<>();

  /** Whoever sets it ends the process; everybody else waits for {@link #stopped}. */
  private final AtomicBoolean ending = new AtomicBoolean();

  private final HealthMonitor health = new HealthMonitor();
  private final Host host;
  private final MetricRegistry metrics;
  private final GcPauses gcPauses = new GcPauses();
  private final Set<ServerRole> roles;

  /** In the order in which they start. */
  private volatile List<HostedServer> servers = List.of();

  private volatile Endpoints endpoints;

  /** Tells whether the process is a backup master. */
  private volatile BooleanSupplier standby = () -> false;

  /** The leases of the sessions with ZooKeeper, by server. */
  private final Map<ServerName, SessionLease> leases = new ConcurrentHashMap<>();

  /** The servers that ran before this process restarted, and why they ended. */
  private final Optional<EarlierLife> earlier;

  private volatile boolean mayStartAgain;
  private volatile boolean isZooKeeperBroken;

  /** Tells the master of earlier lives; null before the servers have started. */
  private volatile RestartReport restarts;

  /**
   * The servers that ran before this process restarted.
   *
   * @param reason why they ended
   * @param untold earlier restarts not yet reported to a master
   */
  private record EarlierLife(
      Map<ServerRole, ServerName> servers, String reason, List<StartedAgain> untold) {}

  /** Returns the cluster's id; empty before it is known. */
  private volatile Supplier<Optional<String>> clusterId = Optional::empty;

  private CairnProcess(
      LiveConfig config,
      Storage storage,
      Clock clock,
      List<String> settingWarnings,
      Set<ServerRole> roles,
      Optional<EarlierLife> earlier) {
    this.roles = EnumSet.copyOf(roles);
    this.earlier = earlier;
    this.settingWarnings = List.copyOf(settingWarnings);
    health.add(
        new ServingHealth(
            () -> serving.isDone() && !ending.get(),
            () -> standby.getAsBoolean() && !ending.get()));
    this.host = Host.of(config, storage, clock, health);
    this.metrics = new MetricRegistry(clock, this::hostName, this::metricSources);
    health.add(new SettingsHealth(this::warnings));
  }

  /**
   * Starts a process without notices, whose settings cannot be read again; see {@link
   * #start(SiteConfig, Supplier, Storage, Optional, Clock, Consumer)}.
   */
  public static CairnProcess start(
      SiteConfig config, Storage storage, Optional<Path> zooKeeperFolder, Clock clock)
      throws IOException {
    return start(config, LiveConfig::withoutFile, storage, zooKeeperFolder, clock, notice -> {});
  }

  /**
   * Starts a process with a master and a region server, and returns once clients are served.
   *
   * @param source reads the settings again, when a client requests it; throws {@link
   *     dev.cairn.server.config.ConfigException} if they cannot be read
   * @param storage the root directory, for exclusive use; stays open when the process ends
   * @param zooKeeperFolder where the embedded ZooKeeper keeps its data; empty for in memory
   * @param notice receives, one line each, the reasons for a long start; called on this thread
   * @throws dev.cairn.server.config.ConfigException if a setting is impossible; nothing was changed
   * @throws IOException if it can't start; the message is one line that names the cause
   */
  public static CairnProcess start(
      SiteConfig config,
      Supplier<SiteConfig> source,
      Storage storage,
      Optional<Path> zooKeeperFolder,
      Clock clock,
      Consumer<String> notice)
      throws IOException {
    return start(
        config, source, storage, zooKeeperFolder, clock, notice, EnumSet.allOf(ServerRole.class));
  }

  /**
   * As {@link #start(SiteConfig, Supplier, Storage, Optional, Clock, Consumer)}, with servers of
   * {@code roles} only. Unless these are all roles, returns before clients are served, since the
   * servers may have to wait for those of other processes.
   *
   * @param storage the root directory, which only the processes of this cluster use; stays open
   *     when the process ends
   * @param roles at least one
   */
  public static CairnProcess start(
      SiteConfig config,
      Supplier<SiteConfig> source,
      Storage storage,
      Optional<Path> zooKeeperFolder,
      Clock clock,
      Consumer<String> notice,
      Set<ServerRole> roles)
      throws IOException {
    return start(config, source, storage, zooKeeperFolder, clock, notice, roles, Optional.empty());
  }

  /**
   * Starts servers of the roles of {@code ended}, which has {@linkplain #mayStartAgain ended by
   * itself}. Waits for ZooKeeper without a limit. The active master reports the restart.
   */
  public static CairnProcess startAgain(
      CairnProcess ended,
      SiteConfig config,
      Supplier<SiteConfig> source,
      Storage storage,
      Optional<Path> zooKeeperFolder,
      Clock clock,
      Consumer<String> notice)
      throws IOException {
    RestartReport report = ended.restarts;
    EarlierLife earlier =
        new EarlierLife(
            ended.servers.stream()
                .map(HostedServer::bound)
                .collect(Collectors.toUnmodifiableMap(BoundServer::role, BoundServer::name)),
            ended.failure().orElse("It ended by itself"),
            report == null ? List.of() : report.untold());
    return start(
        config, source, storage, zooKeeperFolder, clock, notice, ended.roles, Optional.of(earlier));
  }

  private static CairnProcess start(
      SiteConfig config,
      Supplier<SiteConfig> source,
      Storage storage,
      Optional<Path> zooKeeperFolder,
      Clock clock,
      Consumer<String> notice,
      Set<ServerRole> roles,
      Optional<EarlierLife> earlier)
      throws IOException {
    List<String> warnings = ProcessSettings.review(config);
    warnings.forEach(LOG::warn);
    LiveConfig live =
        new LiveConfig(config, source, ProcessSettings.keys(), ProcessSettings::review);
    CairnProcess process = new CairnProcess(live, storage, clock, warnings, roles, earlier);
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
        process.end(false);
      }
    }
  }

  /**
   * Returns a warning for each setting of the site, and for each attribute of the tables with
   * regions here, that does not work as users expect.
   */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>(settingWarnings);
    Map<TableName, TableSchema> tables = new HashMap<>();
    TableSchema last = null; // most regions are of the same table as the one before
    for (HostedServer server : servers) {
      for (HostedRegion region : server.regions()) {
        if (region.schema() != last) {
          last = region.schema();
          tables.put(region.info().table(), last);
        }
      }
    }
    tables.keySet().stream()
        .sorted(Comparator.comparing(TableName::toString))
        .forEach(
            name ->
                schemas
                    .warnings(tables.get(name))
                    .forEach(warning -> warnings.add("Table " + name + ": " + warning)));
    return warnings;
  }

  /** Returns where the process can be reached. */
  public Endpoints endpoints() {
    return endpoints;
  }

  /**
   * Waits until its servers work with each other and with those of other processes.
   *
   * @return whether they do; false if the time has passed, or the process ends
   */
  public boolean awaitServing(Duration patience) throws InterruptedException {
    try {
      CompletableFuture.anyOf(serving, stopped, host.failed())
          .get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
    return serving.isDone();
  }

  /** Returns why the process ended by itself, in one line; empty if it has not. */
  public Optional<String> failure() {
    return host.failed()
        .handle((none, cause) -> Optional.ofNullable(cause).map(Throwable::getMessage))
        .getNow(Optional.empty());
  }

  /**
   * Tells, once the process has ended, whether it did so because others believed one of its servers
   * dead or had replaced it: ZooKeeper has ended its session, somebody has deleted its znode, the
   * master has given it up, or another master leads. Then nothing is wrong with the process, and it
   * may {@linkplain #startAgain restart}.
   */
  public boolean mayStartAgain() {
    return mayStartAgain;
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
   * Stops in order: running changes of tables are completed, unless that takes long; regions are
   * flushed and closed. If the process is ending already, waits until it has ended.
   */
  @Override
  public void close() throws IOException {
    if (!ending.compareAndSet(false, true)) {
      stopped.join();
      return;
    }
    try {
      if (!host.failed().isDone()) { // otherwise they would wait for each other
        for (HostedServer server : servers) {
          server.stop();
        }
      }
    } finally {
      end(true);
    }
  }

  /** Ends without flushing anything, as a kill would; also while it is being stopped in order. */
  public void abort(String reason) {
    servers.forEach(server -> server.abort(reason));
    if (ending.compareAndSet(false, true)) {
      end(false);
    } else {
      stopped.join();
    }
  }

  private void startParts(Optional<Path> zooKeeperFolder, Consumer<String> notice)
      throws IOException {
    host.threads().background().execute(ZooKeeperCoordination::load);
    // First the steps that may be refused, then those that write.
    DiskHealth.checkRoom(host.storage());
    RootDirectory.check(host.storage());
    List<HostedServer> bound = new ArrayList<>();
    for (ServerRole role : roles) { // the master first, whose start takes longer
      bound.add(bind(role));
    }
    servers = List.copyOf(bound);
    Map<ServerRole, InetSocketAddress> web = startWeb();
    ZooKeeperAccess zooKeeper =
        ZooKeeperAccess.open(host.config(), zooKeeperFolder, host.clock(), this::zooKeeperFailed);
    host.shutdown().then("ZooKeeper", zooKeeper::close);
    endpoints =
        new Endpoints(
            servers.stream()
                .map(HostedServer::bound)
                .collect(Collectors.toUnmodifiableMap(BoundServer::role, BoundServer::name)),
            zooKeeper.quorum(),
            web);
    startServers(zooKeeper, notice);
    if (isWhole()) {
      awaitServing();
    }
    host.threads()
        .timer()
        .scheduleWithFixedDelay(
            () -> host.threads().background().execute(zooKeeper::purge), 0, 1, TimeUnit.DAYS);
    startBeans();
    host.failed()
        .whenCompleteAsync(
            (none, failure) -> endByItself(Optional.ofNullable(failure)),
            ServerThreads.detached("cairn-end"));
  }

  /** Tells whether the process runs both the master and the region server of its cluster. */
  private boolean isWhole() {
    return roles.size() == ServerRole.values().length;
  }

  private HostedServer bind(ServerRole role) throws IOException {
    return switch (role) {
      case MASTER -> HostedMaster.bind(host, new Lifecycle());
      case REGION_SERVER -> HostedRegionServer.bind(host);
    };
  }

  private void startServers(ZooKeeperAccess zooKeeper, Consumer<String> notice) throws IOException {
    List<CompletableFuture<Coordination>> sessions = new ArrayList<>();
    for (int i = 1; i < servers.size(); i++) {
      sessions.add(connect(zooKeeper, connectWait(line -> {}), host.threads().background()));
    }
    // This thread opens the first session meanwhile, because it must call the notice.
    sessions.add(0, connect(zooKeeper, connectWait(notice.andThen(LOG::info)), Runnable::run));
    List<CompletableFuture<Void>> ready = new ArrayList<>();
    Supplier<Optional<ServerName>> activeMaster = Optional::empty;
    for (int i = 0; i < servers.size(); i++) {
      Coordination session = connected(sessions.get(i));
      leases.put(servers.get(i).bound().name(), session.lease());
      host.threads()
          .timer()
          .scheduleWithFixedDelay(
              session::renewLease, 0, session.lease().periodMillis(), TimeUnit.MILLISECONDS);
      clusterId = () -> session.state().clusterId();
      if (host.config().get(ProcessKeys.DISTRIBUTED)) {
        RootDirectory.checkCluster(host.storage(), session.state().clusterId(), host.clock());
      }
      if (i == 0) {
        session.listen(new EventWatch(host.engine().ring()));
        activeMaster = () -> session.state().activeMaster();
      }
      if (!isWhole()) {
        follow(session, servers.get(i).bound().name()); // first: a shutdown may come at once
      }
      int infoPort =
          endpoints.web(servers.get(i).bound().role()).map(InetSocketAddress::getPort).orElse(0);
      ready.add(servers.get(i).start(session, infoPort));
    }
    health.add(new TablesHealth(servers));
    health.add(new LoadHealth(servers));
    CompletableFuture.allOf(ready.toArray(CompletableFuture<?>[]::new))
        .thenRun(() -> serving.complete(null));
    if (earlier.isPresent()) {
      reportRestart(earlier.get(), activeMaster);
    }
  }

  private ConnectWait connectWait(Consumer<String> notice) {
    return earlier.isPresent() ? ConnectWait.endless(notice) : ConnectWait.telling(notice);
  }

  /**
   * Tells the active master that the servers restarted; repeats this until a master has answered.
   */
  private void reportRestart(EarlierLife before, Supplier<Optional<ServerName>> activeMaster) {
    List<StartedAgain> untold = new ArrayList<>(before.untold());
    for (HostedServer server : servers) {
      BoundServer now = server.bound();
      untold.add(new StartedAgain(before.servers().get(now.role()), now.name(), before.reason()));
    }
    RestartReport report = new RestartReport(host.client(), activeMaster, untold);
    restarts = report;
    tellLater(report, 0);
  }

  private void tellLater(RestartReport report, long delaySeconds) {
    host.threads()
        .timer()
        .schedule(
            () -> host.threads().background().execute(() -> tell(report)),
            delaySeconds,
            TimeUnit.SECONDS);
  }

  private void tell(RestartReport report) {
    if (!report.tell() && !ending.get()) {
      tellLater(report, REPORT_SECONDS);
    }
  }

  /** Ends a server when its cluster is shut down, and tracks whether it is a backup master. */
  private void follow(Coordination session, ServerName self) {
    standby = () -> session.state().backupMasters().contains(self);
    session.listen(
        new ClusterShutdown(
            session::state,
            self,
            check ->
                host.threads()
                    .timer()
                    .schedule(check, ClusterShutdown.DELAY_MILLIS, TimeUnit.MILLISECONDS),
            this::closeInBackground));
  }

  private void zooKeeperFailed(IOException reason) {
    LOG.warn("The process gives up: {}", reason.getMessage());
    isZooKeeperBroken = true;
    host.failed().completeExceptionally(reason);
  }

  /** Returns why the process cannot go on if something has told so; else {@code symptom}. */
  private IOException reason(IOException symptom) {
    return host.failed()
        .handle((none, cause) -> cause instanceof IOException known ? known : symptom)
        .getNow(symptom);
  }

  private CompletableFuture<Coordination> connect(
      ZooKeeperAccess zooKeeper, ConnectWait wait, Executor executor) {
    CompletableFuture<Coordination> session =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return zooKeeper.connect(wait);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            executor);
    host.shutdown()
        .then(
            "a server's session",
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

  /** Serves the pages of all servers at the port of each one; returns the addresses by server. */
  private Map<ServerRole, InetSocketAddress> startWeb() throws IOException {
    Map<ServerRole, InetSocketAddress> addresses = new EnumMap<>(ServerRole.class);
    Optional<StatusServer> web = Optional.empty();
    for (ServerRole role : roles) {
      WebAddress wanted = WebAddress.of(host.config(), role);
      if (!wanted.isOn()) {
        continue;
      }
      if (web.isPresent()) {
        addresses.put(role, web.get().listen(wanted.address(), wanted.keys()));
      } else {
        StatusServer server = startWeb(wanted);
        host.shutdown().then("web page", server::close);
        addresses.put(role, server.address());
        web = Optional.of(server);
      }
    }
    return addresses;
  }

  private StatusServer startWeb(WebAddress at) throws IOException {
    return StatusServer.start(
        at.address(),
        at.keys(),
        this::status,
        health::report,
        servers.stream().flatMap(hosted -> hosted.report().stream()).findFirst(),
        MetricPages.of(metrics, ManagementFactory::getPlatformMBeanServer),
        WebPages.of(
            host,
            () -> servers,
            this::status,
            health::report,
            new TrafficPages(
                this::traffic, new HeatMaps(host.storage(), host.clock(), this::traffic)),
            new AdvicePages(new OpenTables(host, this::openRegions, this::traffic)),
            logPages()),
        host.threads().web(),
        WebLimits.DEFAULTS,
        ServerThreads.named("cairn-web-network"));
  }

  private WebParts logPages() {
    Optional<ServerLog> log = ServerLog.open();
    log.ifPresent(open -> host.shutdown().then("log pages", open::close));
    return log.map(open -> new LogPages(open).parts()).orElse(WebParts.NONE);
  }

  private Collection<HostedRegion> openRegions() {
    return servers.stream().flatMap(server -> server.regions().stream()).toList();
  }

  private Optional<Traffic> traffic() {
    return servers.stream().flatMap(server -> server.traffic().stream()).findFirst();
  }

  private String hostName() {
    return servers.isEmpty() ? "" : servers.get(0).bound().name().host();
  }

  private Collection<MetricSource> metricSources() {
    List<MetricSource> sources = new ArrayList<>();
    servers.forEach(server -> sources.addAll(server.metrics()));
    servers.forEach(server -> sources.add(clusterMetrics(server.bound())));
    String process = roles.contains(ServerRole.MASTER) ? "Master" : "RegionServer";
    sources.add(JvmMetrics.source(process, gcPauses));
    return sources;
  }

  private MetricSource clusterMetrics(BoundServer server) {
    String kind = server.role() == ServerRole.MASTER ? "Master" : "RegionServer";
    return MetricSource.of(
        RecordName.of(kind, "Server", kind.toLowerCase(Locale.ROOT))
            .with(List.of(new Label("server", server.name().hostAndPort()))),
        to -> {
          to.tag("zookeeperQuorum", endpoints == null ? "" : endpoints.zooKeeper())
              .tag("clusterId", clusterId.get().orElse(""));
          Optional.ofNullable(leases.get(server.name()))
              .ifPresent(session -> SessionMetrics.addTo(to, session));
          if (server.role() == ServerRole.REGION_SERVER) {
            gcPauses.collect(to);
          }
        });
  }

  /** Registers JMX beans, after the start: this takes time and memory that the start needs. */
  private void startBeans() {
    JmxBeans beans = new JmxBeans(metrics, ManagementFactory::getPlatformMBeanServer);
    host.shutdown().then("JMX beans", beans::close);
    host.shutdown().then("garbage collection's listener", gcPauses::close);
    host.threads()
        .timer()
        .scheduleWithFixedDelay(
            () -> host.threads().background().execute(beans::refresh),
            BEANS_SECONDS,
            BEANS_SECONDS,
            TimeUnit.SECONDS);
  }

  private ServerStatus status() {
    return StatusReport.of(
        servers,
        Optional.ofNullable(endpoints).map(Endpoints::zooKeeper),
        host.engine().memoryUsage(),
        host.storage().bytesRead(),
        warnings(),
        leases.values().stream().map(SessionLease::timeout).findFirst(),
        host.clock());
  }

  private void awaitServing() throws IOException {
    try {
      CompletableFuture.anyOf(serving, host.failed())
          .get(host.config().get(ProcessKeys.START_MILLIS), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while starting", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(
          "Not serving after "
              + host.config().get(ProcessKeys.START_MILLIS)
              + " ms (cairn.start.timeout); see the log for the cause. "
              + health.report().problems(),
          e);
    }
    if (!serving.isDone()) {
      throw new IOException("The region server ended while starting; the log says why");
    }
  }

  /**
   * Stops the remaining servers: those of a process start and stop together.
   *
   * @param failure empty if a server ended on request
   */
  private void endByItself(Optional<Throwable> failure) {
    if (ending.compareAndSet(false, true)) {
      mayStartAgain = !isZooKeeperBroken && servers.stream().anyMatch(HostedServer::isReplaced);
      if (mayStartAgain || failure.isEmpty()) {
        LOG.info("The process ends, since one of its servers has ended");
      } else {
        LOG.error("The process ends by itself: {}", failure.get().getMessage());
      }
      end(false);
    }
  }

  private void closeInBackground() {
    ServerThreads.detached("cairn-stop")
        .execute(
            () -> {
              try {
                close();
              } catch (IOException e) {
                LOG.warn("Stopping was not clean; the log has the unflushed writes", e);
              }
            });
  }

  private void end(boolean asked) {
    host.shutdown().run();
    stopped.complete(asked);
  }

  /** The requests of the master to the process. */
  private final class Lifecycle implements MasterContext.Lifecycle {
    @Override
    public void stopMaster() {
      closeInBackground();
    }

    @Override
    public void stopCluster() {
      closeInBackground();
    }

    @Override
    public void abort(String reason, Throwable cause) {
      LOG.warn("The process gives up: {}", reason, cause);
      host.failed().completeExceptionally(new IOException(reason, cause));
    }
  }
}
