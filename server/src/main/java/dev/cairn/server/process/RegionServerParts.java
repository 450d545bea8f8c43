package dev.cairn.server.process;

import dev.cairn.engine.region.RegionEnvironment;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Wal;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.catalog.TableSupport;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.filter.FilterKeys;
import dev.cairn.server.health.HealthMonitor;
import dev.cairn.server.regionserver.LoadReports;
import dev.cairn.server.regionserver.RegionServer;
import dev.cairn.server.regionserver.RpcMasterLink;
import dev.cairn.server.rpc.RpcClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a region server is made of in this process.
 *
 * @param name its name
 * @param storage the root directory
 * @param engine opens its log and its regions
 * @param coordination its own session
 * @param client calls the master
 * @param health receives the region server's health checks
 */
record RegionServerParts(
    ServerName name,
    SiteConfig config,
    Storage storage,
    Clock clock,
    ServerThreads threads,
    EngineParts engine,
    Coordination coordination,
    RpcClient client,
    HealthMonitor health) {
  private static final Logger LOG = LoggerFactory.getLogger(RegionServerParts.class);
  private static final long BALANCE_MILLIS = 500;
  private static final Duration MASTER_TIMEOUT = Duration.ofSeconds(30);

  /** Creates the server, with its log begun. */
  RegionServer create(int infoPort) throws IOException {
    CompletableFuture<RegionServer> created = new CompletableFuture<>();
    // A log that failed can promise nothing any more.
    Wal log =
        engine.openLog(
            name,
            new WalLog(
                failure ->
                    created.thenAcceptAsync(
                        server -> server.abort(failure.getMessage()),
                        ServerThreads.detached("cairn-abort"))));
    health.add(new LogHealth(log));
    RegionEnvironment environment = engine.regions(log);
    TableSupport support =
        new TableSupport(ProcessKeys.runsCoprocessors(config), EngineParts::checkFiles);
    TableFiles files = new TableFiles(storage);
    Runtime runtime = Runtime.getRuntime();
    RegionServer server =
        new RegionServer(
            name,
            config,
            clock,
            new RegionServer.Surroundings(
                log,
                room ->
                    new EngineRegions(
                        environment.within(room), support, config.get(EngineKeys.ORDER_BY_WRITE)),
                files::requireDescriptor,
                new RpcMasterLink(
                    client,
                    () -> coordination.state().activeMaster().map(ServerName::address),
                    MASTER_TIMEOUT),
                new LoadReports.Heap(
                    runtime.maxMemory(), () -> runtime.totalMemory() - runtime.freeMemory()),
                engine.memory(),
                FilterKeys.classes(config, RegionServer.class.getClassLoader(), storage),
                infoPort,
                clock.currentTimeMillis() << 20,
                this::unregister),
            new RegionServer.Workers(
                threads.regions(), threads.flushes(), threads.compactions(), threads.timer()));
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

  private void unregister() {
    try {
      coordination.unregisterRegionServer(name);
    } catch (IOException e) {
      LOG.warn("Could not unregister {}; its session ends soon: {}", name, e.getMessage());
    }
  }

  /** A server that others believe dead must not write. */
  private record AbortOnLoss(RegionServer server) implements Coordination.Listener {
    @Override
    public void changed(ClusterState state) {}

    @Override
    public void sessionLost(String reason) {
      ServerThreads.detached("cairn-abort").execute(() -> server.abort(reason));
    }
  }
}
