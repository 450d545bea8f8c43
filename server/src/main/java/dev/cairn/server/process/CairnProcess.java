package dev.cairn.server.process;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.coordination.ConnectWait;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.coordination.ZooKeeperCoordination;
import dev.cairn.server.health.HealthMonitor;
import dev.cairn.server.health.HealthReport;
import dev.cairn.server.master.store.RootDirectory;
import dev.cairn.server.process.RestartReport.EarlierLife;
import dev.cairn.server.process.event.EventWatch;
import dev.cairn.server.process.health.DiskHealth;
import dev.cairn.server.process.health.SettingsHealth;
import dev.cairn.server.process.keys.ProcessKeys;
import dev.cairn.server.process.keys.ProcessSettings;
import dev.cairn.server.process.keys.SettingWarnings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A master, a region server, or both in one process, with a ZooKeeper of their own unless the
 * configuration names one elsewhere. Servers find and call each other in the same way within a
 * process and between processes. Thread-safe.
 */
public final class CairnProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CairnProcess.class);

  /** The health report of a backup master. */
  public static final String STANDBY = "The server is a backup master.";

  private final Set<ServerRole> roles;

  /** The servers that ran before this process restarted; empty if it has not. */
  private final Optional<EarlierLife> earlier;

  private final Host host;
  private final HostedServers servers = new HostedServers();
  private final ServerSessions sessions;
  private final ProcessMetrics metrics;
  private final SettingWarnings warnings;
  private final Termination termination;

  /** Completes when all servers work with each other. */
  private final CompletableFuture<Void> serving = new CompletableFuture<>();

  /** Tells whether the process is a backup master. */
  private volatile BooleanSupplier standby = () -> false;

  private volatile Endpoints endpoints;

  /** Tells the master of earlier lives; empty before the servers have started. */
  private volatile Optional<RestartReport> restarts = Optional.empty();

  private CairnProcess(
      LiveConfig config,
      Storage storage,
      Clock clock,
      List<String> settingWarnings,
      Set<ServerRole> roles,
      Optional<EarlierLife> earlier) {
    this.roles = EnumSet.copyOf(roles);
    this.earlier = earlier;
    HealthMonitor health = new HealthMonitor();
    health.add(new ServingHealth(this::isServing, this::isStandby));
    this.host = Host.of(config, storage, clock, health, () -> endpoints.zooKeeper());
    this.sessions = new ServerSessions(host);
    this.metrics = new ProcessMetrics(host, this.roles, servers, sessions);
    this.warnings = new SettingWarnings(settingWarnings, servers::regions);
    this.termination = new Termination(host, servers);
    health.add(new SettingsHealth(warnings::all));
  }

  private boolean isServing() {
    return serving.isDone() && !termination.hasBegun();
  }

  private boolean isStandby() {
    return standby.getAsBoolean() && !termination.hasBegun();
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
    EarlierLife earlier =
        new EarlierLife(
            ended.servers.names(),
            ended.failure().orElse("It ended by itself"),
            ended.restarts.map(RestartReport::untold).orElse(List.of()));
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
      throw process.termination.reason(e);
    } finally {
      if (!started) {
        process.termination.abandonStart();
      }
    }
  }

  /**
   * Returns a warning for each setting of the site, and for each attribute of the tables with
   * regions here, that does not work as users expect.
   */
  public List<String> warnings() {
    return warnings.all();
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
      CompletableFuture.anyOf(serving, termination.stopped(), host.failed())
          .get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
    return serving.isDone();
  }

  /** Returns why the process ended by itself, in one line; empty if it has not. */
  public Optional<String> failure() {
    return termination.failure();
  }

  /**
   * Tells, once the process has ended, whether it did so because others believed one of its servers
   * dead or had replaced it: ZooKeeper has ended its session, somebody has deleted its znode, the
   * master has given it up, or another master leads. Then nothing is wrong with the process, and it
   * may {@linkplain #startAgain restart}.
   */
  public boolean mayStartAgain() {
    return termination.mayStartAgain();
  }

  /** Runs all health checks. */
  public HealthReport health() {
    return host.health().report();
  }

  /**
   * Waits until the process has stopped.
   *
   * @return whether it was asked to, by {@link #close} or by an administrator's shutdown; false if
   *     it could not go on
   */
  public boolean awaitStopped() throws InterruptedException {
    return termination.awaitStopped();
  }

  /**
   * Stops in order: running changes of tables are completed, unless that takes long; regions are
   * flushed and closed. If the process is ending already, waits until it has ended.
   */
  @Override
  public void close() throws IOException {
    termination.stop();
  }

  /** Ends without flushing anything, as a kill would; also while it is being stopped in order. */
  public void abort(String reason) {
    termination.abort(reason);
  }

  private void startParts(Optional<Path> zooKeeperFolder, Consumer<String> notice)
      throws IOException {
    host.threads().background().execute(ZooKeeperCoordination::load);
    // First the steps that may be refused, then those that write.
    DiskHealth.checkRoom(host.storage());
    RootDirectory.check(host.storage());
    host.hooks().checkSite();
    List<HostedServer> bound = new ArrayList<>();
    for (ServerRole role : roles) { // the master first, whose start takes longer
      bound.add(bind(role));
    }
    servers.bound(bound);
    Map<ServerRole, InetSocketAddress> web =
        new WebServer(host, servers, sessions, metrics.registry(), warnings).start();
    String zooKeeper = sessions.openZooKeeper(zooKeeperFolder, termination::zooKeeperFailed);
    endpoints = new Endpoints(servers.names(), zooKeeper, web);
    startServers(notice);
    if (isWhole()) {
      awaitServing(notice);
    }
    sessions.startPurging();
    metrics.startBeans();
    termination.followServers();
  }

  /** Tells whether the process runs both the master and the region server of its cluster. */
  private boolean isWhole() {
    return roles.size() == ServerRole.values().length;
  }

  private HostedServer bind(ServerRole role) throws IOException {
    return switch (role) {
      case MASTER -> HostedMaster.bind(host, termination.lifecycle());
      case REGION_SERVER -> HostedRegionServer.bind(host);
    };
  }

  private void startServers(Consumer<String> notice) throws IOException {
    List<HostedServer> all = servers.all();
    List<CompletableFuture<Coordination>> connecting =
        sessions.connect(
            all.size(), earlier.isPresent() ? ConnectWait::endless : ConnectWait::telling, notice);
    List<CompletableFuture<Void>> ready = new ArrayList<>();
    Supplier<Optional<ServerName>> activeMaster = Optional::empty;
    for (int i = 0; i < all.size(); i++) {
      BoundServer bound = all.get(i).bound();
      Coordination session = sessions.await(bound.name(), connecting.get(i));
      if (i == 0) {
        session.listen(new EventWatch(host.engine().ring()));
        activeMaster = () -> session.state().activeMaster();
      }
      if (!isWhole()) {
        follow(session, bound.name()); // first: a shutdown may come at once
      }
      int infoPort = endpoints.web(bound.role()).map(InetSocketAddress::getPort).orElse(0);
      ready.add(all.get(i).start(session, infoPort));
    }
    host.health().add(new TablesHealth(all));
    host.health().add(new LoadHealth(all));
    host.health().add(new CoprocessorsHealth(host.hooks().absent()));
    CompletableFuture.allOf(ready.toArray(CompletableFuture<?>[]::new))
        .thenRun(() -> serving.complete(null));
    if (earlier.isPresent()) {
      reportRestart(earlier.get(), activeMaster);
    }
  }

  /** Tells the active master that the servers restarted. */
  private void reportRestart(EarlierLife before, Supplier<Optional<ServerName>> activeMaster) {
    RestartReport report =
        new RestartReport(host.client(), activeMaster, before.restarts(servers.names()));
    restarts = Optional.of(report);
    report.start(host.threads(), termination::hasBegun);
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
            termination::stopInBackground));
  }

  private void awaitServing(Consumer<String> notice) throws IOException {
    StartNotices obstacles = new StartNotices(servers.all(), notice);
    try {
      obstacles.await(
          CompletableFuture.anyOf(serving, host.failed()),
          Duration.ofMillis(host.config().get(ProcessKeys.START_MILLIS)));
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
              + host.health().report().problems(),
          e);
    }
    if (!serving.isDone()) {
      throw new IOException("The region server ended while starting; the log says why");
    }
  }
}
