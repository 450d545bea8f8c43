package dev.cairn.server.process;

import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.hook.HookModule;
import dev.cairn.server.http.WebReport;
import dev.cairn.server.master.Master;
import dev.cairn.server.master.MasterContext;
import dev.cairn.server.master.balancer.BalancerSettings;
import dev.cairn.server.master.chore.CatalogJanitor;
import dev.cairn.server.master.group.GroupSettings;
import dev.cairn.server.master.healing.ReportEntry;
import dev.cairn.server.master.members.MemberSettings;
import dev.cairn.server.master.normalizer.NormalizerSettings;
import dev.cairn.server.master.page.MasterPages;
import dev.cairn.server.master.placement.PlacementRules;
import dev.cairn.server.master.procedure.ClientLocks;
import dev.cairn.server.master.recovery.WalDirectories;
import dev.cairn.server.master.service.MasterMetrics;
import dev.cairn.server.master.service.MasterServices;
import dev.cairn.server.master.table.CoprocessorVerdicts;
import dev.cairn.server.master.table.MetaReplicas;
import dev.cairn.server.master.table.SchemaRules;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.metrics.Scope.Label;
import dev.cairn.server.page.PageException;
import dev.cairn.server.page.Section;
import dev.cairn.server.page.Timeline;
import dev.cairn.server.page.WebParts;
import dev.cairn.server.process.health.RegionsHealth;
import dev.cairn.server.process.keys.BindAddresses;
import dev.cairn.server.process.keys.EngineKeys;
import dev.cairn.server.process.keys.ProcessKeys;
import dev.cairn.server.process.keys.ProcessSettings;
import dev.cairn.server.quota.QuotaSchedule;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import dev.cairn.server.rpc.RpcKeys;
import dev.cairn.server.snapshot.SnapshotSettings;
import dev.cairn.server.split.SplitPolicies;
import dev.cairn.server.split.SplitSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
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
  private static final Duration PROCEDURE_PATIENCE = Duration.ofSeconds(30);

  /** The time in which backup masters must end, after the time in which dead ones disappear. */
  private static final Duration BACKUP_PATIENCE = Duration.ofSeconds(30);

  private final Host host;
  private final BoundServer bound;
  private final MasterContext.Lifecycle lifecycle;
  private volatile Optional<Master> master = Optional.empty();
  private volatile Optional<Coordination> session = Optional.empty();
  private final MasterPages pages = new MasterPages(() -> master);

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
    session = Optional.of(coordination);
    FencedStorage fenced = TableFiles.fence(host.storage());
    Master created =
        Master.create(
            bound.name(),
            infoPort,
            context(coordination, fenced),
            ServerThreads.named("cairn-master"));
    master = Optional.of(created);
    host.shutdown().then("master", created::close);
    host.health().add(new RegionsHealth(created));
    created.start(); // first: the work that it starts takes longer than the services
    Cleaning cleaning = new Cleaning(host.config(), fenced, host.clock(), host.threads(), created);
    bound
        .rpc()
        .start(
            MasterServices.of(created, host.live(), cleaning::cleanArchives, host.interceptors()));
    cleaning.start();
    return created.initialized();
  }

  /**
   * Waits a short time for unfinished changes of tables. If the cluster is shut down, waits for the
   * backup masters to end, too, because one of them would take over otherwise.
   */
  @Override
  public void stop() {
    master.ifPresent(running -> running.endProcedures(PROCEDURE_PATIENCE));
    session.ifPresent(this::awaitBackups);
  }

  private void awaitBackups(Coordination coordination) {
    Duration patience = coordination.lease().timeout().plus(BACKUP_PATIENCE);
    if (!new BackupMasters(coordination::state, bound.name(), host.clock()).awaitEnd(patience)) {
      LOG.warn(
          "Backup masters have not ended {} s after the shutdown of the cluster: {}. One of them"
              + " leads now. Shut the cluster down again, or end them",
          patience.toSeconds(),
          coordination.state().backupMasters());
    }
  }

  /** Does nothing: unfinished changes continue at the next start. */
  @Override
  public void abort(String reason) {}

  @Override
  public boolean isReplaced() {
    return master.map(Master::isReplaced).orElse(false);
  }

  @Override
  public Collection<HostedRegion> regions() {
    return List.of();
  }

  @Override
  public List<String> refusedTables() throws IOException {
    return master.isPresent() ? master.get().damagedTables() : List.of();
  }

  @Override
  public List<String> obstacles() throws IOException {
    return master.isEmpty()
        ? List.of()
        : master.get().regionsNotOpen().stream()
            .filter(missed -> missed.region().isMeta())
            .flatMap(missed -> missed.reason().stream())
            .map(reason -> "hbase:meta cannot be opened, and is tried again: " + reason)
            .toList();
  }

  @Override
  public Optional<WebReport> report() {
    return Optional.of(
        new WebReport() {
          @Override
          public String text() throws IOException {
            return ReportEntry.text(entries());
          }

          @Override
          public String json() throws IOException {
            return ReportEntry.json(entries());
          }
        });
  }

  @Override
  public WebParts web() {
    return WebParts.of(pages.pages());
  }

  @Override
  public List<Section> overview(boolean alone) throws PageException {
    return pages.overview();
  }

  @Override
  public List<Timeline.Event> events() {
    return pages.events();
  }

  @Override
  public List<MetricSource> metrics() {
    List<MetricSource> metrics = new ArrayList<>();
    metrics.add(
        bound.rpc().metrics("Master", List.of(new Label("server", bound.name().hostAndPort()))));
    master.ifPresent(running -> metrics.addAll(new MasterMetrics(running).sources()));
    return metrics;
  }

  private List<ReportEntry> entries() throws IOException {
    return master.isPresent() ? master.get().report() : List.of();
  }

  private MasterContext context(Coordination coordination, FencedStorage fenced) {
    EngineParts engine = host.engine();
    Storage storage = host.storage();
    return new MasterContext(
        host.clock(),
        storage,
        fenced,
        engine.shapes(fenced),
        coordination,
        new OwnServerCalls(host.client()),
        new WalDirectories(storage, fenced, engine.splitter("")),
        members(),
        PlacementRules.OWN,
        engine.masterStore(bound.name()),
        new SchemaRules(
            EngineParts::checkFiles,
            host.config().get(SchemaRules.SANITY_CHECKS),
            new SplitPolicies(
                SplitSettings.of(
                    host.config(), host.config().get(MaintenanceSettings.REGION_FLUSH_BYTES))),
            ProcessSettings.schemaReview(),
            host.config().get(EngineKeys.FILE_TRACKER),
            MetaReplicas.of(host.config()),
            new CoprocessorVerdicts(
                host.hooks()::refusalOfChange,
                HookModule::concerns,
                task -> {
                  Thread thread = new Thread(task, "examines coprocessors");
                  thread.setDaemon(true); // its file system may not answer
                  thread.start();
                })),
        QuotaSchedule.of(host.config()),
        handlers(),
        Duration.ofMillis(host.config().get(CatalogJanitor.INTERVAL_MILLIS)),
        NormalizerSettings.of(host.config()),
        GroupSettings.of(host.live(), ProcessKeys.hasGroups(host.config())),
        BalancerSettings.of(host.config()),
        SnapshotSettings.of(host.config()),
        Duration.ofMillis(host.config().get(ClientLocks.TIMEOUT_MILLIS)),
        UUID::randomUUID,
        host.hooks().master(),
        lifecycle);
  }

  /**
   * Returns the settings for region servers; without a cluster the only one is this process's own.
   */
  private MemberSettings members() {
    Duration reports = Duration.ofMillis(host.config().get(MaintenanceSettings.REPORT_MILLIS));
    return host.config().get(ProcessKeys.DISTRIBUTED)
        ? MemberSettings.of(host.config(), reports)
        : MemberSettings.oneServer(reports);
  }

  /** Returns the smaller of the numbers of threads for ordinary calls and for calls of servers. */
  private int handlers() {
    return (int)
        Math.min(
            host.config().get(RpcKeys.HANDLER_COUNT),
            host.config().get(RpcKeys.PRIORITY_HANDLER_COUNT));
  }
}
