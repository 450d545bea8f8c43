package dev.cairn.server.master;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.GroupTable;
import dev.cairn.server.catalog.MetaFormat;
import dev.cairn.server.catalog.NamespaceTable;
import dev.cairn.server.catalog.QuotaTable;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.balancer.RegionBalancer;
import dev.cairn.server.master.chore.CatalogJanitor;
import dev.cairn.server.master.chore.MobCompactions;
import dev.cairn.server.master.chore.SnapshotCleanup;
import dev.cairn.server.master.chore.Switches;
import dev.cairn.server.master.ddl.ProcedureContext;
import dev.cairn.server.master.ddl.ShapeRequests;
import dev.cairn.server.master.ddl.ShapeSwitches;
import dev.cairn.server.master.draining.DrainingServers;
import dev.cairn.server.master.draining.RegionOffload;
import dev.cairn.server.master.group.GroupAdmin;
import dev.cairn.server.master.healing.CatalogHealer;
import dev.cairn.server.master.healing.CatalogRecovery;
import dev.cairn.server.master.healing.HealingReport;
import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.members.ServerManager;
import dev.cairn.server.master.namespace.Namespaces;
import dev.cairn.server.master.normalizer.RegionNormalizer;
import dev.cairn.server.master.procedure.HBaseProcedures;
import dev.cairn.server.master.procedure.ProcedureExecutor;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.procedure.ProcedureRecord;
import dev.cairn.server.master.procedure.UnstoredProcedures;
import dev.cairn.server.master.quota.NamespaceQuota;
import dev.cairn.server.master.quota.QuotaSettings;
import dev.cairn.server.master.quota.SpaceObserver;
import dev.cairn.server.master.recovery.LogRecoveries;
import dev.cairn.server.master.remote.OnlineServers;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.quota.QuotaTarget;
import dev.cairn.server.snapshot.SnapshotDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;

/**
 * The active master: wires the parts that keep the cluster up. {@link MasterStartup} brings the
 * cluster up, {@link ServerManager} handles servers that go. Owned by the loop.
 */
public final class ActiveMaster {
  private final MasterCore core;
  private final Namespaces namespaces;
  private final QuotaSettings quotas;
  private final GroupAdmin groups;
  private final ProcedureContext procedureContext;
  private final ShapeRequests shapes;
  private final HealingReport report;
  private final MasterChores chores;
  private final LogRecoveries recoveries;
  private final ServerManager members;
  private final MasterStartup startup;
  private final long activeMillis;

  /** The end of the initialization, milliseconds since 1970; 0 before. */
  private volatile long completeMillis;

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
   * @param hooks the hooks of coprocessors
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
      MasterHooks hooks,
      Runnable whenAnswering,
      Runnable whenComplete)
      throws IOException {
    this.activeMillis = context.clock().currentTimeMillis();
    this.core =
        new MasterCore(
            loop, context, store, stored, epoch, hooks, () -> groups().groups(), this::members);
    this.namespaces =
        new Namespaces(
            core.systemTable(Lane.SYSTEM_TABLES, NamespaceTable.NAME),
            new NamespaceTable(context.clock(), epoch));
    this.quotas =
        new QuotaSettings(
            context.quotas().enabled(),
            core.systemTable(Lane.QUOTAS, QuotaTarget.TABLE),
            new QuotaTable(context.clock(), epoch));
    this.groups =
        new GroupAdmin(
            context.groups(),
            loop,
            core.tables,
            namespaces,
            core.servers,
            core.assignments,
            core.systemTable(Lane.GROUPS, GroupTable.NAME),
            new GroupTable(context.clock(), epoch),
            context.coordination()::publishGroups,
            groups);
    this.procedureContext =
        new ProcedureContext(
            loop,
            context.clock(),
            core.files,
            context.shapes(),
            core.states,
            core.tables,
            namespaces,
            new NamespaceQuota(
                context.quotas().enabled(),
                core.tables,
                namespaces,
                core.assignments,
                table -> core.procedures.isBusy(TableResource.of(table)),
                this::splitting),
            quotas,
            this.groups.tables(),
            core.assignments,
            core.calls,
            context.schemas(),
            new ShapeSwitches(
                () -> core.switches.isOn(Switches.Switch.SPLIT),
                () -> core.switches.isOn(Switches.Switch.MERGE)),
            new SnapshotDirectory(context.storage(), context.fenced()),
            context.snapshots(),
            epoch,
            core.regionIds,
            (parents, heirs) -> chores().balancer.replaced(parents, heirs),
            core::nextProcedure);
    this.shapes = new ShapeRequests(procedureContext, core.procedures);
    this.report = new HealingReport(loop, store, context.clock(), self.toString(), core.written);
    this.chores =
        new MasterChores(
            core, procedureContext, shapes, quotas, report, () -> !members().isRecovered());
    this.recoveries =
        new LogRecoveries(
            loop,
            context.clock(),
            context.logs(),
            core.servers,
            core.calls,
            epoch,
            core::nextProcedure,
            context.members().splits());
    this.members =
        new ServerManager(
            loop,
            context.clock(),
            context.coordination(),
            context.logs(),
            recoveries,
            context.calls(),
            core.serverCalls,
            context.members(),
            core.servers,
            core.serverList,
            core.assignments,
            this::recovery,
            core.written,
            () -> startup().advance(),
            context.lifecycle()::abort);
    HBaseProcedures foreign = HBaseProcedures.read(stored.foreign());
    List<ProcedureRecord> repeated = load(stored, foreign);
    this.startup =
        new MasterStartup(
            procedureContext,
            context.coordination(),
            members,
            core.procedures,
            new Takeover(
                core.files,
                context.fenced(),
                core.catalog,
                new CatalogRecovery(
                    core.files, core.catalog, context.coordination(), core.calls, core.regionIds),
                core.tableStates,
                foreign,
                core.tables,
                core.assignments,
                members,
                context.coordination()),
            this.groups,
            report,
            store,
            foreign.changes(repeated),
            core.written,
            () -> {
              chores.start();
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
    core.tables.load(MetaFormat.schema(), TableState.State.ENABLED);
    for (MasterStore.Entry entry : stored.state()) {
      core.switches.load(entry);
      report.load(entry);
    }
    List<ProcedureRecord> records = new ArrayList<>();
    for (MasterStore.Entry entry : stored.procedures()) {
      records.add(ProcedureRecord.parse(entry.value()));
    }
    long lastId = records.stream().mapToLong(ProcedureRecord::id).max().orElse(0);
    List<ProcedureRecord> repeated =
        foreign.repeated(lastId, core.context.clock().currentTimeMillis());
    records.addAll(repeated);
    core.procedures.load(records);
    return repeated;
  }

  /** Returns the region servers that are registered. */
  public OnlineServers servers() {
    return core.servers;
  }

  /** Returns the current and the wanted place of every region. */
  public Assignments assignments() {
    return core.assignments;
  }

  /** Returns the tables. */
  public Tables tables() {
    return core.tables;
  }

  /** Returns the namespaces. */
  public Namespaces namespaces() {
    return namespaces;
  }

  /** Returns the administrators' switches. */
  public Switches switches() {
    return core.switches;
  }

  /** Returns the settings in {@code hbase:quota}. */
  public QuotaSettings quotas() {
    return quotas;
  }

  /** Returns the groups of region servers. */
  public GroupAdmin groups() {
    return groups;
  }

  /** Returns the procedures. */
  public ProcedureExecutor procedures() {
    return core.procedures;
  }

  /** Returns the problems found in the catalog, and their repairs. */
  public HealingReport report() {
    return report;
  }

  /** Returns the healer, which restores rows that the catalog has lost. */
  public CatalogHealer healer() {
    return chores.healer;
  }

  /** Returns the janitor, which archives split and merged regions. */
  public CatalogJanitor janitor() {
    return chores.janitor;
  }

  /** Flushes the region in which the master stores its own state. */
  public void flushStore(Completion completion) {
    core.loop.perform(Lane.STORE, core.store::flush, completion);
  }

  /** Returns the compactions of MOB families. */
  public MobCompactions mobCompactions() {
    return chores.mobCompactions;
  }

  /** Returns the part that compares tables with their limits on space. */
  public SpaceObserver space() {
    return chores.space;
  }

  /** Returns the part that deletes snapshots. */
  public SnapshotCleanup snapshotCleanup() {
    return chores.snapshotCleanup;
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
    return chores.normalizer;
  }

  /** Returns the region servers that get no regions because an administrator empties them. */
  public DrainingServers draining() {
    return core.draining;
  }

  /** Returns what moves the regions of draining servers. */
  public RegionOffload offload() {
    return chores.offload;
  }

  /** Takes the present state of the cluster. */
  void update(ClusterState state) {
    core.draining.update(state);
    members.update(state);
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
    return chores.balancer;
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
    core.draining.update(state);
    startup.start(state);
  }

  /** Returns the regions that procedures are splitting. */
  private Stream<RegionInfo> splitting() {
    return core.procedures.locks().stream()
        .filter(lock -> lock.isHeld() && lock.kind() == ProcedureKind.SPLIT_REGION)
        .map(lock -> lock.regions().get(0));
  }

  /** Returns the id of a procedure that begins and is not stored. */
  public long nextProcedure() {
    return core.nextProcedure();
  }

  /** Returns the part that recovers the logs of dead servers. */
  public LogRecoveries recoveries() {
    return recoveries;
  }

  /** Returns the ids of the procedures that are not stored. */
  public UnstoredProcedures unstored() {
    return core.unstored;
  }

  private ServerManager.Recovery recovery(ServerName dead) {
    return new ServerManager.Recovery(
        dead, nextProcedure(), core.context.clock().currentTimeMillis());
  }

  private MasterChores chores() {
    return chores;
  }

  private MasterStartup startup() {
    return startup;
  }
}
