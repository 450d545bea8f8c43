package dev.cairn.server.process;

import dev.cairn.engine.region.RegionEnvironment;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Wal;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.catalog.TableSupport;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.coordination.RegistryService;
import dev.cairn.server.filter.FilterKeys;
import dev.cairn.server.regionserver.HostedRegion;
import dev.cairn.server.regionserver.LoadReports;
import dev.cairn.server.regionserver.RegionServer;
import dev.cairn.server.regionserver.RpcMasterLink;
import dev.cairn.server.rpc.RpcService;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The region server of a process. */
final class HostedRegionServer implements HostedServer {
  private static final Logger LOG = LoggerFactory.getLogger(HostedRegionServer.class);
  private static final long BALANCE_MILLIS = 500;
  private static final Duration MASTER_TIMEOUT = Duration.ofSeconds(30);

  private final Host host;
  private final BoundServer bound;
  private volatile Optional<RegionServer> server = Optional.empty();

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
    RegionServer created = create(coordination, infoPort);
    server = Optional.of(created);
    host.shutdown().then("region server", () -> abortUnlessStopped(created));
    List<RpcService> services = new ArrayList<>(created.services());
    services.add(RegistryService.clientMeta(coordination::state));
    services.add(RegistryService.bootstrapNodes(coordination::state));
    bound.rpc().start(services);
    coordination.registerRegionServer(bound.name(), infoPort);
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

  /** Flushes and closes its regions. */
  @Override
  public void stop() throws IOException {
    if (server.isPresent()) {
      server.get().stop();
    }
  }

  @Override
  public void abort(String reason) {
    server.ifPresent(running -> running.abort(reason));
  }

  @Override
  public Collection<HostedRegion> regions() {
    return server.map(running -> running.regions().open()).orElse(List.of());
  }

  @Override
  public List<String> refusedTables() {
    return regions().stream().flatMap(region -> region.upkeep().refusal().stream()).toList();
  }

  @Override
  public List<String> loadNotices() {
    return server.map(RegionServer::loadNotices).orElse(List.of());
  }

  private static void abortUnlessStopped(RegionServer server) {
    if (!server.stopped().isDone()) {
      server.abort("its process ends");
    }
  }

  /** Creates the server, with its log begun. */
  private RegionServer create(Coordination coordination, int infoPort) throws IOException {
    SiteConfig config = host.config();
    Storage storage = host.storage();
    Clock clock = host.clock();
    ServerThreads threads = host.threads();
    EngineParts engine = host.engine();
    ServerName name = bound.name();
    CompletableFuture<RegionServer> created = new CompletableFuture<>();
    // A failed log cannot acknowledge any write.
    Wal log =
        engine.openLog(
            name,
            new WalLog(
                failure ->
                    created.thenAcceptAsync(
                        server -> server.abort(failure.getMessage()),
                        ServerThreads.detached("cairn-abort"))));
    host.health().add(new LogHealth(log));
    RegionEnvironment environment = engine.regions(log);
    TableSupport support =
        new TableSupport(ProcessKeys.runsCoprocessors(config), EngineParts::checkFiles);
    TableFiles files = new TableFiles(storage);
    Runtime runtime = Runtime.getRuntime();
    RegionServer server =
        new RegionServer(
            name,
            host.live(),
            clock,
            new RegionServer.Surroundings(
                log,
                room ->
                    new EngineRegions(
                        environment.within(room), support, config.get(EngineKeys.ORDER_BY_WRITE)),
                files::requireDescriptor,
                new RpcMasterLink(
                    host.client(),
                    () -> coordination.state().activeMaster().map(ServerName::address),
                    MASTER_TIMEOUT),
                new LoadReports.Heap(
                    runtime.maxMemory(), () -> runtime.totalMemory() - runtime.freeMemory()),
                engine.memory(),
                () -> engine.memoryUsage().cache().capacityBytes(),
                bound.rpc().slowLog(),
                FilterKeys.classes(config, RegionServer.class.getClassLoader(), storage),
                infoPort,
                clock.currentTimeMillis() << 20,
                () -> unregister(coordination)),
            new RegionServer.Workers(
                threads.regions(),
                threads.splits(),
                threads.flushes(),
                threads.compactions(),
                threads.timer()));
    engine.paces().flushes().watch(server::memStorePressure);
    threads
        .timer()
        .scheduleWithFixedDelay(
            engine.balance(server::memStoreBytes),
            BALANCE_MILLIS,
            BALANCE_MILLIS,
            TimeUnit.MILLISECONDS);
    coordination.listen(new AbortOnLoss(server));
    created.complete(server);
    return server;
  }

  private void unregister(Coordination coordination) {
    try {
      coordination.unregisterRegionServer(bound.name());
    } catch (IOException e) {
      LOG.warn("Could not unregister {}; its session ends soon: {}", bound.name(), e.getMessage());
    }
  }

  /** Stops a server that others believe dead, because it must not write. */
  private record AbortOnLoss(RegionServer server) implements Coordination.Listener {
    @Override
    public void changed(ClusterState state) {}

    @Override
    public void sessionLost(String reason) {
      ServerThreads.detached("cairn-abort").execute(() -> server.abort(reason));
    }
  }
}
