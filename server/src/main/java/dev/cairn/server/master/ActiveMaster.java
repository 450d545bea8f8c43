package dev.cairn.server.master;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Catalog;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.GroupTable;
import dev.cairn.server.catalog.MetaFormat;
import dev.cairn.server.catalog.NamespaceTable;
import dev.cairn.server.catalog.QuotaTable;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.SystemTable;
import dev.cairn.server.master.balancer.RegionBalancer;
import dev.cairn.server.master.chore.CatalogJanitor;
import dev.cairn.server.master.chore.MobCompactions;
import dev.cairn.server.master.chore.SnapshotCleanup;
import dev.cairn.server.master.chore.Switches;
import dev.cairn.server.master.ddl.ProcedureContext;
import dev.cairn.server.master.ddl.RegionIds;
import dev.cairn.server.master.ddl.ShapeRequests;
import dev.cairn.server.master.ddl.ShapeSwitches;
import dev.cairn.server.master.ddl.SnapshotUse;
import dev.cairn.server.master.ddl.TableStateProcedure;
import dev.cairn.server.master.draining.DrainingServers;
import dev.cairn.server.master.draining.RegionOffload;
import dev.cairn.server.master.group.GroupAdmin;
import dev.cairn.server.master.group.GroupRule;
import dev.cairn.server.master.healing.CatalogHealer;
import dev.cairn.server.master.healing.CatalogRecovery;
import dev.cairn.server.master.healing.HealingReport;
import dev.cairn.server.master.healing.OverlapMerges;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.members.ServerList;
import dev.cairn.server.master.members.ServerManager;
import dev.cairn.server.master.meta.RegionStateStore;
import dev.cairn.server.master.meta.TableStateMirror;
import dev.cairn.server.master.namespace.Namespaces;
import dev.cairn.server.master.normalizer.RegionNormalizer;
import dev.cairn.server.master.placement.PlacementRule;
import dev.cairn.server.master.placement.ReplicasApart;
import dev.cairn.server.master.placement.RulePlacement;
import dev.cairn.server.master.procedure.HBaseProcedures;
import dev.cairn.server.master.procedure.ProcedureExecutor;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.procedure.ProcedureRecord;
import dev.cairn.server.master.procedure.UnstoredProcedures;
import dev.cairn.server.master.quota.NamespaceQuota;
import dev.cairn.server.master.quota.QuotaSettings;
import dev.cairn.server.master.quota.SpaceMeasure;
import dev.cairn.server.master.quota.SpaceObserver;
import dev.cairn.server.master.recovery.LogRecoveries;
import dev.cairn.server.master.remote.LiveServerCalls;
import dev.cairn.server.master.remote.OnlineServers;
import dev.cairn.server.master.remote.RegionServerCalls;
import dev.cairn.server.master.remote.RpcRegionServerCalls;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.quota.QuotaTarget;
import dev.cairn.server.snapshot.SnapshotDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The active master: wires the parts that keep the cluster up. {@link MasterStartup} brings the
 * cluster up, {@link ServerManager} handles servers that go. Owned by the loop.
 */
public final class ActiveMaster {
  private static final Logger LOG = LoggerFactory.getLogger(ActiveMaster.class);

  /** The owner of procedures that no client asked for. */
  private static final String SYSTEM = "hbase";

  private final MasterLoop loop;
  private final MasterContext context;
  private final MasterStore store;
  private final OnlineServers servers = new OnlineServers();
  private final LiveServerCalls serverCalls;
  private final Assignments assignments;
  private final Tables tables;
  private final Namespaces namespaces;
  private final Switches switches;
  private final ProcedureExecutor procedures;
  private final UnstoredProcedures unstored = new UnstoredProcedures();
  private final HealingReport report;
  private final CatalogHealer healer;
  private final CatalogJanitor janitor;
  private final MobCompactions mobCompactions;
  private final SnapshotCleanup snapshotCleanup;
  private final ServerList serverList;
  private final DrainingServers draining;
  private final RegionOffload offload;
  private final QuotaSettings quotas;
  private final GroupAdmin groups;
  private final SpaceObserver space;
  private final ProcedureContext procedureContext;
  private final ShapeRequests shapes;
  private final RegionNormalizer normalizer;
  private final LogRecoveries recoveries;
  private final ServerManager members;
  private final MasterStartup startup;
  private final RegionBalancer balancer;
  private final long activeMillis;

  /** The end of the initialization, milliseconds since 1970; 0 before. */
  private volatile long completeMillis;

  private volatile Optional<ServerName> metaLocation = Optional.empty();

  /** The contents of the master's store. */
  record Stored(
      List<MasterStore.Entry> procedures,
      List<MasterStore.Entry> foreign,
      List<MasterStore.Entry> servers,
      List<MasterStore.Entry> state) {
    static Stored read(MasterStore store) throws IOException {
      return new Stored(
          store.read(MasterStore.Section.PROCEDURE),
          store.read(MasterStore.Section.FOREIGN_PROCEDURE),
          store.read(MasterStore.Section.SERVER),
          store.read(MasterStore.Section.STATE));
    }
  }

  /**
   * Creates it.
   *
   * @param self where its RPC server listens
   * @param groups the groups that ZooKeeper has
   * @param epoch its epoch, higher than those of all masters before it
   * @param whenAnswering run once, when clients are answered
   * @param whenComplete run once, later, when the system's own tables are there
   */
  ActiveMaster(
      ServerName self,
      MasterLoop loop,
      MasterContext context,
      MasterStore store,
      Stored stored,
      List<ServerGroup> groups,
      long epoch,
      Runnable whenAnswering,
      Runnable whenComplete)
      throws IOException {
    this.loop = loop;
    this.context = context;
    this.store = store;
    this.activeMillis = context.clock().currentTimeMillis();
    TableFiles files = TableFiles.of(context.fenced());
    Catalog catalog = new Catalog(new MetaCalls(), context.clock(), epoch);
    TableStateMirror tableStates = new TableStateMirror(context.coordination());
    RegionStateStore writer = new RegionStateStore(loop, catalog, tableStates);
    this.serverCalls =
        new LiveServerCalls(context.calls(), server -> loop.post(() -> members().suspect(server)));
    RegionServerCalls calls = new RpcRegionServerCalls(serverCalls, epoch);
    HBaseProcedures foreign = HBaseProcedures.read(stored.foreign());
    Completion written = Completion.of(() -> {}, this::storeFailed);
    this.tables = new Tables(writer);
    this.serverList = new ServerList(loop, store, stored.servers(), stored.state());
    this.switches = new Switches(loop, store);
    this.draining =
        new DrainingServers(
            loop,
            store,
            context.coordination(),
            servers,
            context.members().rejectsDecommissioned(),
            stored.state());
    this.assignments =
        new Assignments(
            loop,
            context.clock(),
            writer,
            servers,
            new RulePlacement(ReplicasApart.with(rules(context)), context.balancer().retains()),
            calls,
            server -> {
              context.coordination().publishMetaLocation(server);
              metaLocation = Optional.of(server);
              loop.post(() -> writeMetaLocation(server, written));
            },
            epoch,
            table -> tables.find(table).map(known -> known.schema().regionReplication()).orElse(1),
            this::nextProcedure,
            context.members().warmUpMax());
    this.offload =
        new RegionOffload(loop, assignments, servers, draining, context.members().drainMoves());
    this.namespaces =
        new Namespaces(
            new SystemTable(
                loop, Lane.SYSTEM_TABLES, serverCalls, calls, assignments, NamespaceTable.NAME),
            new NamespaceTable(context.clock(), epoch));
    RegionIds regionIds = new RegionIds(context.clock(), epoch, stored.state());
    this.procedures =
        new ProcedureExecutor(
            loop,
            context.clock(),
            changes -> regionIds.apply(store, changes),
            this::storeFailed,
            context.lockTimeout(),
            epoch);
    this.quotas =
        new QuotaSettings(
            context.quotas().enabled(),
            new SystemTable(loop, Lane.QUOTAS, serverCalls, calls, assignments, QuotaTarget.TABLE),
            new QuotaTable(context.clock(), epoch));
    this.groups =
        new GroupAdmin(
            context.groups(),
            loop,
            tables,
            namespaces,
            servers,
            assignments,
            new SystemTable(loop, Lane.GROUPS, serverCalls, calls, assignments, GroupTable.NAME),
            new GroupTable(context.clock(), epoch),
            context.coordination()::publishGroups,
            groups);
    this.mobCompactions = new MobCompactions(loop, tables, assignments, calls);
    this.procedureContext =
        new ProcedureContext(
            loop,
            context.clock(),
            files,
            context.shapes(),
            writer,
            tables,
            namespaces,
            new NamespaceQuota(
                context.quotas().enabled(),
                tables,
                namespaces,
                assignments,
                table -> procedures.isBusy(TableResource.of(table)),
                this::splitting),
            quotas,
            this.groups.tables(),
            assignments,
            calls,
            context.schemas(),
            new ShapeSwitches(
                () -> switches.isOn(Switches.Switch.SPLIT),
                () -> switches.isOn(Switches.Switch.MERGE)),
            new SnapshotDirectory(context.storage(), context.fenced()),
            context.snapshots(),
            epoch,
            regionIds,
            this::replaced,
            this::nextProcedure);
    this.snapshotCleanup =
        new SnapshotCleanup(
            loop,
            context.clock(),
            procedureContext.snapshots(),
            procedureContext.snapshotSettings(),
            switches,
            epoch,
            name -> SnapshotUse.of(procedures.unfinished(), name));
    this.space =
        new SpaceObserver(
            loop,
            context.clock(),
            context.quotas(),
            quotas,
            tables,
            assignments,
            new SpaceMeasure(context.storage(), procedureContext.snapshots()),
            this::turn);
    this.shapes = new ShapeRequests(procedureContext, procedures);
    this.report = new HealingReport(loop, store, context.clock(), self.toString(), written);
    OverlapMerges merges =
        new OverlapMerges(loop, tables, assignments, procedures::isBusy, shapes, report);
    this.healer =
        new CatalogHealer(
            loop,
            files,
            catalog,
            writer,
            tables,
            assignments,
            procedures,
            merges,
            regionIds,
            report);
    this.janitor =
        new CatalogJanitor(
            loop,
            files,
            tables,
            assignments,
            writer,
            switches,
            procedures::isBusy,
            healer::look,
            context.janitorInterval());
    this.normalizer =
        new RegionNormalizer(
            loop,
            context.clock(),
            tables,
            assignments,
            servers,
            calls,
            switches,
            shapes,
            context.normalizer());
    this.balancer =
        new RegionBalancer(
            loop,
            context.clock(),
            assignments,
            servers,
            switches,
            () -> !members().isRecovered(),
            context.balancer());
    this.recoveries =
        new LogRecoveries(
            loop,
            context.clock(),
            context.logs(),
            servers,
            calls,
            epoch,
            this::nextProcedure,
            context.members().splits());
    this.members =
        new ServerManager(
            loop,
            context.clock(),
            context.coordination(),
            context.logs(),
            recoveries,
            context.calls(),
            serverCalls,
            context.members(),
            servers,
            serverList,
            assignments,
            this::recovery,
            written,
            this::membersMoved,
            context.lifecycle()::abort);
    List<ProcedureRecord> repeated = load(stored, foreign);
    this.startup =
        new MasterStartup(
            procedureContext,
            context.coordination(),
            members,
            procedures,
            new Takeover(
                files,
                context.fenced(),
                catalog,
                new CatalogRecovery(files, catalog, context.coordination(), calls, regionIds),
                tableStates,
                foreign,
                tables,
                assignments,
                members),
            this.groups,
            report,
            store,
            foreign.changes(repeated),
            written,
            () -> {
              janitor.start();
              merges.request();
              normalizer.start();
              balancer.start();
              snapshotCleanup.start();
              space.start();
              offload.start();
              whenAnswering.run();
            },
            () -> {
              completeMillis = context.clock().currentTimeMillis();
              whenComplete.run();
            },
            context.lifecycle()::abort);
  }

  /** Loads the stored state. Returns the procedures that replace HBase's. */
  private List<ProcedureRecord> load(Stored stored, HBaseProcedures foreign) throws IOException {
    tables.load(MetaFormat.schema(), TableState.State.ENABLED);
    for (MasterStore.Entry entry : stored.state()) {
      switches.load(entry);
      report.load(entry);
    }
    List<ProcedureRecord> records = new ArrayList<>();
    for (MasterStore.Entry entry : stored.procedures()) {
      records.add(ProcedureRecord.parse(entry.value()));
    }
    long lastId = records.stream().mapToLong(ProcedureRecord::id).max().orElse(0);
    List<ProcedureRecord> repeated = foreign.repeated(lastId, context.clock().currentTimeMillis());
    records.addAll(repeated);
    procedures.load(records);
    return repeated;
  }

  /** Calls the server that hosts {@code hbase:meta}; on any thread. */
  private final class MetaCalls implements Catalog.MetaClient {
    @Override
    public <R extends Message> R call(String method, Message request, R responsePrototype)
        throws IOException {
      ServerName server =
          metaLocation.orElseThrow(
              () -> new NotServingRegionException("hbase:meta is not open anywhere"));
      return serverCalls.call(server, "ClientService", method, request, responsePrototype);
    }
  }

  /** Returns the region servers that are registered. */
  public OnlineServers servers() {
    return servers;
  }

  /** Returns the current and the wanted place of every region. */
  public Assignments assignments() {
    return assignments;
  }

  /** Returns the tables. */
  public Tables tables() {
    return tables;
  }

  /** Returns the namespaces. */
  public Namespaces namespaces() {
    return namespaces;
  }

  /** Returns the administrators' switches. */
  public Switches switches() {
    return switches;
  }

  /** Returns the settings in {@code hbase:quota}. */
  public QuotaSettings quotas() {
    return quotas;
  }

  /** Returns the groups of region servers. */
  public GroupAdmin groups() {
    return groups;
  }

  private List<PlacementRule> rules(MasterContext context) {
    List<PlacementRule> rules = new ArrayList<>();
    rules.add(draining);
    rules.addAll(context.placementRules());
    if (context.groups().enabled()) {
      rules.add(
          new GroupRule(() -> groups().groups(), context.groups().fallback(), context.clock()));
    }
    return rules;
  }

  /** Returns the procedures. */
  public ProcedureExecutor procedures() {
    return procedures;
  }

  /** Returns the problems found in the catalog, and their repairs. */
  public HealingReport report() {
    return report;
  }

  /** Returns the healer, which restores rows that the catalog has lost. */
  public CatalogHealer healer() {
    return healer;
  }

  /** Returns the janitor, which archives split and merged regions. */
  public CatalogJanitor janitor() {
    return janitor;
  }

  /** Flushes the region in which the master stores its own state. */
  public void flushStore(Completion completion) {
    loop.perform(Lane.STORE, store::flush, completion);
  }

  /** Returns the compactions of MOB families. */
  public MobCompactions mobCompactions() {
    return mobCompactions;
  }

  /** Returns the part that compares tables with their limits on space. */
  public SpaceObserver space() {
    return space;
  }

  /** Enables or disables a table for the system itself. */
  private void turn(TableName table, TableState.State goal) {
    CompletableFuture<Long> submitted = new CompletableFuture<>();
    procedures.submit(
        new TableStateProcedure(procedureContext, SYSTEM, table, goal == TableState.State.ENABLED),
        SYSTEM,
        Optional.empty(),
        submitted);
    submitted.whenComplete(
        (id, refusal) -> {
          if (refusal != null) {
            LOG.warn("{} does not become {}: {}", table, goal, refusal.toString());
          }
        });
  }

  /** Returns the part that deletes snapshots. */
  public SnapshotCleanup snapshotCleanup() {
    return snapshotCleanup;
  }

  /** Returns the context of all procedures. */
  public ProcedureContext procedureContext() {
    return procedureContext;
  }

  /** Returns where splits and merges are requested. */
  public ShapeRequests shapes() {
    return shapes;
  }

  /** Returns the normalizer, which makes the regions of tables about equally large. */
  public RegionNormalizer normalizer() {
    return normalizer;
  }

  /** Returns the region servers that get no regions because an administrator empties them. */
  public DrainingServers draining() {
    return draining;
  }

  /** Returns what moves the regions of draining servers. */
  public RegionOffload offload() {
    return offload;
  }

  /** Takes the present state of the cluster. */
  void update(ClusterState state) {
    List<ServerName> before = draining.all();
    draining.update(state);
    members.update(state);
    if (!draining.all().containsAll(before)) {
      assignments.driveAll(); // replicas may leave the servers of their regions
    }
  }

  /** Returns the manager of the region servers. */
  public ServerManager members() {
    return members;
  }

  /** Returns when this master began to lead, milliseconds since 1970. */
  public long activeMillis() {
    return activeMillis;
  }

  /** Returns when its initialization was complete, milliseconds since 1970; 0 before. */
  public long completeMillis() {
    return completeMillis;
  }

  /** Returns what moves regions so that servers work equally. */
  public RegionBalancer balancer() {
    return balancer;
  }

  /** Tells whether the master answers clients. Any thread may ask. */
  boolean isInitialized() {
    return startup.isInitialized();
  }

  /** Returns this master, if clients may be answered. Called by the loop's owner. */
  public ActiveMaster requireInitialized() throws PleaseHoldException {
    startup.requireInitialized();
    return this;
  }

  /** Checks that the master knows all regions. Called by the loop's owner. */
  public void requireAssigning() throws PleaseHoldException {
    startup.requireAssigning();
  }

  /** Begins; the coordination reports the servers. */
  void start(ClusterState state) {
    draining.update(state);
    startup.start(state);
  }

  /** Returns the regions that procedures are splitting. */
  private Stream<RegionInfo> splitting() {
    return procedures.locks().stream()
        .filter(lock -> lock.isHeld() && lock.kind() == ProcedureKind.SPLIT_REGION)
        .map(lock -> lock.regions().get(0));
  }

  private void replaced(List<RegionInfo> parents, List<RegionInfo> heirs) {
    balancer.replaced(parents, heirs);
  }

  /** Returns the id of a procedure that begins and is not stored. */
  public long nextProcedure() {
    long id = procedures.nextId();
    unstored.begin(id, context.clock().currentTimeMillis());
    return id;
  }

  /** Returns the part that recovers the logs of dead servers. */
  public LogRecoveries recoveries() {
    return recoveries;
  }

  /** Returns the ids of the procedures that are not stored. */
  public UnstoredProcedures unstored() {
    return unstored;
  }

  private ServerManager.Recovery recovery(ServerName dead) {
    return new ServerManager.Recovery(dead, nextProcedure(), context.clock().currentTimeMillis());
  }

  private void membersMoved() {
    startup.advance();
  }

  private void writeMetaLocation(ServerName server, Completion written) {
    assignments
        .find(RegionInfo.META.encodedName())
        .ifPresent(
            node ->
                serverList.metaOpened(
                    new CatalogChange.RegionOpened(node.region(), server, node.openSequence()),
                    written));
  }

  private void storeFailed(Throwable cause) {
    context.lifecycle().abort("The master's store cannot be written", cause);
    loop.close();
  }
}
