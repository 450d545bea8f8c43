package dev.cairn.server.master;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.Catalog;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.MetaFormat;
import dev.cairn.server.catalog.NamespaceTable;
import dev.cairn.server.catalog.QuotaTable;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.SystemTable;
import dev.cairn.server.master.chore.CatalogJanitor;
import dev.cairn.server.master.chore.MobCompactions;
import dev.cairn.server.master.chore.Switches;
import dev.cairn.server.master.ddl.ProcedureContext;
import dev.cairn.server.master.ddl.ShapeRequests;
import dev.cairn.server.master.ddl.ShapeSwitches;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.loop.MasterLoop.Lane;
import dev.cairn.server.master.members.ServerList;
import dev.cairn.server.master.members.ServerManager;
import dev.cairn.server.master.meta.RegionStateStore;
import dev.cairn.server.master.meta.TableStateMirror;
import dev.cairn.server.master.namespace.Namespaces;
import dev.cairn.server.master.normalizer.RegionNormalizer;
import dev.cairn.server.master.procedure.HBaseProcedures;
import dev.cairn.server.master.procedure.ProcedureExecutor;
import dev.cairn.server.master.procedure.ProcedureRecord;
import dev.cairn.server.master.quota.NamespaceQuota;
import dev.cairn.server.master.quota.QuotaSettings;
import dev.cairn.server.master.remote.OnlineServers;
import dev.cairn.server.master.remote.RegionServerCalls;
import dev.cairn.server.master.remote.RpcRegionServerCalls;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.quota.QuotaTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The master that leads: wires the parts that keep the cluster up. {@link MasterStartup} says how
 * it comes up, {@link ServerManager} what becomes of servers that go. Owned by the loop.
 */
public final class ActiveMaster {
  private final MasterLoop loop;
  private final MasterContext world;
  private final MasterStore store;
  private final OnlineServers servers = new OnlineServers();
  private final Assignments assignments;
  private final Tables tables;
  private final Namespaces namespaces;
  private final Switches switches;
  private final ProcedureExecutor procedures;
  private final CatalogJanitor janitor;
  private final MobCompactions mobCompactions;
  private final ServerList serverList;
  private final QuotaSettings quotas;
  private final ProcedureContext environment;
  private final ShapeRequests shapes;
  private final RegionNormalizer normalizer;
  private final ServerManager members;
  private final MasterStartup startup;

  private volatile Optional<ServerName> metaLocation = Optional.empty();

  /** What was read of the master's store. */
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
   * @param whenAnswering run once, when clients are answered
   * @param whenComplete run once, later, when the system's own tables are there
   */
  ActiveMaster(
      MasterLoop loop,
      MasterContext world,
      MasterStore store,
      Stored stored,
      Runnable whenAnswering,
      Runnable whenComplete)
      throws IOException {
    this.loop = loop;
    this.world = world;
    this.store = store;
    TableFiles files = new TableFiles(world.storage());
    Catalog catalog = new Catalog(new MetaCalls(), world.clock());
    TableStateMirror tableStates = new TableStateMirror(world.coordination());
    RegionStateStore writer = new RegionStateStore(loop, catalog, tableStates);
    RegionServerCalls calls = new RpcRegionServerCalls(world.calls());
    HBaseProcedures foreign = HBaseProcedures.read(stored.foreign());
    Completion written = Completion.of(() -> {}, this::storeFailed);
    this.tables = new Tables(writer);
    this.serverList =
        new ServerList(
            loop,
            store,
            stored.servers().stream()
                .map(entry -> ServerName.parse(Bytes.utf8(entry.row())))
                .toList());
    this.switches = new Switches(loop, store);
    this.assignments =
        new Assignments(
            loop,
            world.clock(),
            writer,
            servers,
            calls,
            server -> {
              world.coordination().publishMetaLocation(server);
              metaLocation = Optional.of(server);
              loop.post(() -> writeMetaLocation(server, written));
            },
            table -> tables.find(table).map(known -> known.schema().regionReplication()).orElse(1));
    this.namespaces =
        new Namespaces(
            new SystemTable(loop, Lane.WORK, world.calls(), assignments, NamespaceTable.NAME),
            new NamespaceTable(world.clock()));
    this.procedures =
        new ProcedureExecutor(loop, world.clock(), store, this::storeFailed, world.lockTimeout());
    this.janitor =
        new CatalogJanitor(
            loop,
            files,
            tables,
            assignments,
            writer,
            switches,
            procedures::isBusy,
            world.janitorInterval());
    this.quotas =
        new QuotaSettings(
            world.quotas(),
            new SystemTable(loop, Lane.CATALOG, world.calls(), assignments, QuotaTarget.TABLE),
            new QuotaTable(world.clock()));
    this.mobCompactions = new MobCompactions(loop, tables, assignments, calls);
    this.environment =
        new ProcedureContext(
            loop,
            world.clock(),
            files,
            world.shapes(),
            writer,
            tables,
            namespaces,
            new NamespaceQuota(
                world.quotas(),
                tables,
                namespaces,
                assignments,
                table -> procedures.isBusy(TableResource.of(table))),
            quotas,
            assignments,
            calls,
            world.schemas(),
            new ShapeSwitches(
                () -> switches.isOn(Switches.Switch.SPLIT),
                () -> switches.isOn(Switches.Switch.MERGE)));
    this.shapes = new ShapeRequests(environment, procedures);
    this.normalizer =
        new RegionNormalizer(
            loop,
            world.clock(),
            tables,
            assignments,
            servers,
            calls,
            switches,
            shapes,
            world.normalizer());
    this.members =
        new ServerManager(
            loop,
            world.coordination(),
            world.logs(),
            servers,
            serverList,
            assignments,
            written,
            this::membersMoved,
            world.lifecycle()::abort);
    List<ProcedureRecord> repeated = load(stored, foreign);
    this.startup =
        new MasterStartup(
            environment,
            world.coordination(),
            members,
            procedures,
            new Takeover(files, catalog, tableStates, foreign, tables, assignments, members),
            store,
            foreign.changes(repeated),
            written,
            () -> {
              janitor.start();
              normalizer.start();
              whenAnswering.run();
            },
            whenComplete,
            world.lifecycle()::abort);
  }

  /** Loads what was stored. Returns the procedures that take the place of HBase's. */
  private List<ProcedureRecord> load(Stored stored, HBaseProcedures foreign) throws IOException {
    tables.load(MetaFormat.schema(), TableState.State.ENABLED);
    for (MasterStore.Entry entry : stored.state()) {
      switches.load(entry);
    }
    List<ProcedureRecord> records = new ArrayList<>();
    for (MasterStore.Entry entry : stored.procedures()) {
      records.add(ProcedureRecord.parse(entry.value()));
    }
    long lastId = records.stream().mapToLong(ProcedureRecord::id).max().orElse(0);
    List<ProcedureRecord> repeated = foreign.repeated(lastId, world.clock().currentTimeMillis());
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
      return world.calls().call(server, "ClientService", method, request, responsePrototype);
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

  /** Returns the procedures. */
  public ProcedureExecutor procedures() {
    return procedures;
  }

  /** Returns what archives split and merged regions. */
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

  /** Returns the context of all procedures. */
  public ProcedureContext environment() {
    return environment;
  }

  /** Returns where splits and merges are requested. */
  public ShapeRequests shapes() {
    return shapes;
  }

  /** Returns what makes the regions of tables about equally large. */
  public RegionNormalizer normalizer() {
    return normalizer;
  }

  /** Returns the manager of the region servers. */
  public ServerManager members() {
    return members;
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

  /** Begins; the coordination says who is there. */
  void start(ClusterState state) {
    startup.start(state);
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
                    new CatalogChange.RegionOpened(node.region(), server, node.openSequence(), 1),
                    written));
  }

  private void storeFailed(Throwable cause) {
    world.lifecycle().abort("The master's store cannot be written", cause);
    loop.close();
  }
}
