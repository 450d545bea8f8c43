package dev.cairn.server.process;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.wal.LogSplitter;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.master.Master;
import dev.cairn.server.master.MasterContext;
import dev.cairn.server.master.chore.CatalogJanitor;
import dev.cairn.server.master.members.WalDirectories;
import dev.cairn.server.master.normalizer.NormalizerSettings;
import dev.cairn.server.master.procedure.LockKeys;
import dev.cairn.server.master.service.MasterServices;
import dev.cairn.server.master.table.SchemaRules;
import dev.cairn.server.quota.QuotaKeys;
import dev.cairn.server.regionserver.HostedRegion;
import dev.cairn.server.regionserver.MaintenanceSettings;
import dev.cairn.server.rpc.RpcKeys;
import dev.cairn.server.split.SplitPolicies;
import dev.cairn.server.split.SplitSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The master of a process. */
final class HostedMaster implements HostedServer {
  private static final Logger LOG = LoggerFactory.getLogger(HostedMaster.class);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration PROCEDURE_PATIENCE = Duration.ofSeconds(30);

  private final Host host;
  private final BoundServer bound;
  private final MasterContext.Lifecycle lifecycle;
  private volatile Optional<Master> master = Optional.empty();

  private HostedMaster(Host host, BoundServer bound, MasterContext.Lifecycle lifecycle) {
    this.host = host;
    this.bound = bound;
    this.lifecycle = lifecycle;
  }

  /**
   * Binds a master's port.
   *
   * @param lifecycle the orders that the master may give the process
   */
  static HostedMaster bind(Host host, MasterContext.Lifecycle lifecycle) throws IOException {
    return new HostedMaster(
        host,
        BoundServer.bind(
            host,
            ServerRole.MASTER,
            BindAddresses.of(host.config()).master(),
            BindAddresses.MASTER,
            ProcessKeys.MASTER_PORT),
        lifecycle);
  }

  @Override
  public BoundServer bound() {
    return bound;
  }

  @Override
  public CompletableFuture<Void> start(Coordination coordination, int infoPort) throws IOException {
    Master created =
        Master.create(
            bound.name(), infoPort, world(coordination), ServerThreads.named("cairn-master"));
    master = Optional.of(created);
    host.shutdown().then("master", created::close);
    host.health().add(new RegionsHealth(created));
    created.start(); // first: what it begins by itself takes longer than the services
    Cleaning cleaning =
        new Cleaning(host.config(), host.storage(), host.clock(), host.threads(), created);
    bound.rpc().start(MasterServices.of(created, host.live(), cleaning::cleanArchives));
    cleaning.start();
    return created.initialized();
  }

  /** Waits a short time for unfinished changes of tables. */
  @Override
  public void stop() {
    master.ifPresent(running -> running.endProcedures(PROCEDURE_PATIENCE));
  }

  /** Does nothing: unfinished changes continue at the next start. */
  @Override
  public void abort(String reason) {}

  @Override
  public Collection<HostedRegion> regions() {
    return List.of();
  }

  @Override
  public List<String> refusedTables() throws IOException {
    return master.isPresent() ? master.get().damagedTables() : List.of();
  }

  private MasterContext world(Coordination coordination) {
    EngineParts engine = host.engine();
    Storage storage = host.storage();
    LogSplitter splitter = engine.splitter("");
    return new MasterContext(
        host.clock(),
        storage,
        engine.shapes(),
        coordination,
        new OwnServerCalls(host.client(), CALL_TIMEOUT),
        new WalDirectories(storage, directory -> LOG.info("{}", splitter.split(directory))),
        () -> engine.openMasterStore(bound.name()),
        new SchemaRules(
            EngineParts::checkFiles,
            host.config().get(SchemaRules.SANITY_CHECKS),
            new SplitPolicies(
                SplitSettings.of(
                    host.config(), host.config().get(MaintenanceSettings.REGION_FLUSH_BYTES))),
            ProcessSettings.schemaReview(),
            host.config().get(EngineKeys.FILE_TRACKER)),
        host.config().get(QuotaKeys.ENABLED),
        handlers(),
        Duration.ofMillis(host.config().get(CatalogJanitor.INTERVAL_MILLIS)),
        NormalizerSettings.of(host.config()),
        Duration.ofMillis(host.config().get(LockKeys.TIMEOUT_MILLIS)),
        UUID::randomUUID,
        lifecycle);
  }

  /** Returns the smaller of the numbers of threads for ordinary calls and for calls of servers. */
  private int handlers() {
    return (int)
        Math.min(
            host.config().get(RpcKeys.HANDLER_COUNT),
            host.config().get(RpcKeys.PRIORITY_HANDLER_COUNT));
  }
}
