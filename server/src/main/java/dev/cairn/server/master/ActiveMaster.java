package dev.cairn.server.master;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Catalog;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.CatalogContents;
import dev.cairn.server.catalog.MetaFormat;
import dev.cairn.server.catalog.NamespaceTable;
import dev.cairn.server.catalog.QuotaTable;
import dev.cairn.server.catalog.RegionRow;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.master.MasterLoop.Completion;
import dev.cairn.server.master.MasterLoop.Lane;
import dev.cairn.server.quota.QuotaTarget;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The master that leads: brings the cluster up, and holds the parts that keep it up.
 *
 * <pre>
 *   WAITING_FOR_SERVERS   until a region server has registered
 *   RECOVERING            the logs of servers that are not there any more
 *   OPENING_META
 *   READING_META          and the descriptors of all tables
 *   READING_NAMESPACES    regions are assigned, procedures go on, hbase:namespace among them
 *   INITIALIZED           clients are answered
 * </pre>
 *
 * Owned by the loop.
 */
final class ActiveMaster {
  private static final Logger LOG = LoggerFactory.getLogger(ActiveMaster.class);
  private static final Duration RETRY = Duration.ofMillis(500);
  private static final Duration NAMESPACE_PAUSE_MIN = Duration.ofMillis(2);
  private static final Duration NAMESPACE_PAUSE_MAX = Duration.ofSeconds(4);
  private static final String SYSTEM_USER = "cairn";

  private enum Phase {
    WAITING_FOR_SERVERS,
    LISTING_LOGS,
    RECOVERING,
    OPENING_META,
    READING_META,
    READING_NAMESPACES,
    INITIALIZED
  }

  private final MasterLoop loop;
  private final MasterWorld world;
  private final Catalog catalog;
  private final TableStateMirror tableStates;
  private final TableFiles files;
  private final LiveServers servers = new LiveServers();
  private final Assignments assignments;
  private final Tables tables;
  private final Namespaces namespaces;
  private final Switches switches;
  private final Procedures procedures;
  private final ForeignProcedures foreign;
  private final List<ProcedureRecord> repeated;
  private final CatalogJanitor janitor;
  private final MobCompactions mobCompactions;
  private final ServerList serverList;
  private final MasterStore store;
  private final QuotaSettings quotas;
  private final Environment environment;

  /** Servers that have reported for duty here, registered or not yet. */
  private final Set<ServerName> expected = new HashSet<>();

  /** Dead servers whose logs are not recovered yet. */
  private final Set<ServerName> recovering = new HashSet<>();

  private final long activeSinceMillis;

  private Duration metaPause = Duration.ofMillis(2);
  private Duration namespacePause = NAMESPACE_PAUSE_MIN;
  private boolean readingNamespaces;
  private boolean hasNamespaces;

  /** Whether the region of {@code hbase:namespace} tells once it is open. */
  private boolean awaitingNamespaces;

  private volatile Phase phase = Phase.WAITING_FOR_SERVERS;
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

  /** What the files say of the tables that the catalog has. */
  private record Found(CatalogContents contents, Map<TableName, TableSchema> schemas) {}

  private final Runnable whenAnswering;
  private final Runnable whenComplete;

  /**
   * Creates it.
   *
   * @param whenAnswering run once, when clients are answered
   * @param whenComplete run once, later, when the system's own tables are there
   */
  ActiveMaster(
      MasterLoop loop,
      MasterWorld world,
      MasterStore store,
      Stored stored,
      Runnable whenAnswering,
      Runnable whenComplete)
      throws IOException {
    this.whenAnswering = whenAnswering;
    this.whenComplete = whenComplete;
    this.loop = loop;
    this.world = world;
    this.files = new TableFiles(world.storage());
    this.catalog = new Catalog(new MetaCalls(), world.clock());
    this.tableStates = new TableStateMirror(world.coordination());
    CatalogWriter writer = new CatalogWriter(loop, catalog, tableStates);
    RegionServerCalls calls = new RpcRegionServerCalls(world.calls());
    this.tables = new Tables(writer);
    this.store = store;
    this.foreign = ForeignProcedures.read(stored.foreign());
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
              loop.post(() -> writeMetaLocation(server));
            },
            table -> tables.find(table).map(known -> known.schema().regionReplication()).orElse(1));
    this.namespaces =
        new Namespaces(
            loop,
            world.calls(),
            new NamespaceTable(world.clock()),
            () -> assignments.of(NamespaceTable.NAME).stream().findFirst());
    this.procedures = new Procedures(loop, world.clock(), store, this::storeFailed);
    this.janitor =
        new CatalogJanitor(loop, files, tables, assignments, writer, switches, procedures::isBusy);
    this.quotas =
        new QuotaSettings(
            world.quotas(),
            loop,
            world.calls(),
            new QuotaTable(world.clock()),
            () -> assignments.of(QuotaTarget.TABLE).stream().findFirst());
    this.mobCompactions = new MobCompactions(loop, tables, assignments, calls);
    this.environment =
        new Environment(
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
            world.schemaCheck());
    this.activeSinceMillis = world.clock().currentTimeMillis();
    tables.load(MetaFormat.schema(), TableState.State.ENABLED);
    for (MasterStore.Entry entry : stored.state()) {
      switches.load(entry);
    }
    List<ProcedureRecord> records = new ArrayList<>();
    for (MasterStore.Entry entry : stored.procedures()) {
      records.add(ProcedureRecord.parse(entry.value()));
    }
    long lastId = records.stream().mapToLong(ProcedureRecord::id).max().orElse(0);
    this.repeated = foreign.repeated(lastId, activeSinceMillis);
    records.addAll(repeated);
    procedures.load(records);
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

  MasterWorld world() {
    return world;
  }

  LiveServers servers() {
    return servers;
  }

  Assignments assignments() {
    return assignments;
  }

  Tables tables() {
    return tables;
  }

  Namespaces namespaces() {
    return namespaces;
  }

  Switches switches() {
    return switches;
  }

  QuotaSettings quotas() {
    return quotas;
  }

  Procedures procedures() {
    return procedures;
  }

  MobCompactions mobCompactions() {
    return mobCompactions;
  }

  Environment environment() {
    return environment;
  }

  long activeSinceMillis() {
    return activeSinceMillis;
  }

  boolean isInitialized() {
    return phase == Phase.INITIALIZED;
  }

  /** Returns this master, if clients may be answered. Called by the loop's owner. */
  ActiveMaster requireInitialized() throws PleaseHoldException {
    if (!isInitialized()) {
      throw new PleaseHoldException("Master is initializing");
    }
    return this;
  }

  /** Checks that the master knows all regions. Called by the loop's owner. */
  void requireAssigning() throws PleaseHoldException {
    if (phase.compareTo(Phase.READING_NAMESPACES) < 0) {
      throw new PleaseHoldException("Master is initializing");
    }
  }

  /** The members of the cluster have changed. */
  void membersChanged(ClusterState state) {
    LiveServers.Difference difference = servers.update(state.regionServers());
    for (ServerName server : difference.went()) {
      LOG.info("The region server {} is gone", server);
      gone(server);
    }
    if (!difference.came().isEmpty()) {
      LOG.info("Region servers came: {}", difference.came());
      serverList.enter(difference.came(), stored());
      forgetServers();
      advance();
      assignments.driveAll();
    }
  }

  /** A server reports for duty; it registers next. */
  void reportedForDuty(ServerName server) {
    expected.add(server);
    for (ServerName earlier : servers.earlierLives(server)) {
      LOG.info("The region server {} was restarted as {}", earlier, server);
      servers.bury(earlier);
      gone(earlier);
      loop.perform(
          Lane.WORK,
          () -> world.coordination().unregisterRegionServer(earlier),
          Completion.of(
              () -> {},
              cause -> LOG.warn("{} stays registered for now: {}", earlier, cause.toString())));
    }
  }

  private void gone(ServerName server) {
    expected.remove(server);
    assignments.serverGone(server);
    recover(server);
  }

  private void recover(ServerName dead) {
    if (recovering.add(dead)) {
      tryRecover(dead);
    }
  }

  private void tryRecover(ServerName dead) {
    loop.perform(
        Lane.WORK,
        () -> world.logs().recover(dead),
        Completion.of(
            () -> {
              recovering.remove(dead);
              forgetServers();
              assignments.serverRecovered(dead);
              advance();
            },
            cause -> {
              LOG.error("The log of {} could not be recovered; trying again", dead, cause);
              loop.after(RETRY, () -> tryRecover(dead));
            }));
  }

  /**
   * Strikes off servers that have neither regions nor logs any more. The last one stays while there
   * is none to take over its regions.
   */
  private void forgetServers() {
    if (phase.compareTo(Phase.RECOVERING) >= 0 && !servers.all().isEmpty()) {
      serverList.removeIf(
          server ->
              !servers.isLive(server) && !expected.contains(server) && !recovering.contains(server),
          stored());
    }
  }

  private void writeMetaLocation(ServerName server) {
    assignments
        .find(RegionInfo.META.encodedName())
        .ifPresent(
            node ->
                serverList.metaOpened(
                    new CatalogChange.RegionOpened(node.region, server, node.openSequence, 1),
                    stored()));
  }

  private Completion stored() {
    return Completion.of(() -> {}, this::storeFailed);
  }

  /** Begins; the coordination says who is there. */
  void start(ClusterState state) {
    membersChanged(state);
    advance();
  }

  private void advance() {
    switch (phase) {
      case WAITING_FOR_SERVERS -> {
        if (!servers.all().isEmpty()) {
          phase = Phase.LISTING_LOGS;
          listLogs();
        }
      }
      case RECOVERING -> {
        if (recovering.isEmpty() && !servers.all().isEmpty()) {
          phase = Phase.OPENING_META;
          assignments.openMeta(
              world.coordination().state().metaLocation(),
              Completion.of(this::readMeta, cause -> {}));
        }
      }
      default -> {}
    }
  }

  private void listLogs() {
    loop.perform(
        Lane.WORK,
        world.logs()::servers,
        found -> {
          phase = Phase.RECOVERING;
          for (ServerName server : found) {
            if (!servers.isLive(server) && !expected.contains(server)) {
              recover(server);
            }
          }
          advance();
        },
        cause -> {
          LOG.error("The logs of dead servers could not be listed; trying again", cause);
          loop.after(RETRY, this::listLogs);
        });
  }

  private void readMeta() {
    if (phase.compareTo(Phase.READING_META) > 0) {
      return;
    }
    phase = Phase.READING_META;
    Set<String> busy = new HashSet<>();
    for (ProcedureRecord record : procedures.unfinished()) {
      busy.add(ProcedureFactory.restore(environment, record).resource());
    }
    loop.perform(
        Lane.CATALOG,
        () -> find(busy),
        found -> takeOver(() -> initialize(found, busy)),
        cause -> {
          // Its server begins to serve it only once it has heard that the master agrees.
          LOG.info(
              "hbase:meta cannot be read yet, trying again in {} ms: {}",
              metaPause.toMillis(),
              cause.toString());
          loop.after(metaPause, this::readMeta);
          metaPause = metaPause.compareTo(RETRY) < 0 ? metaPause.multipliedBy(2) : RETRY;
        });
  }

  /**
   * Reads what there is; removes what procedures that have ended left in the temporary directory.
   */
  private Found find(Set<String> busy) throws IOException {
    files.sweepMobFiles();
    for (TableName table : files.leftovers()) {
      if (!busy.contains(TableResource.of(table))) {
        files.sweep(table);
      }
    }
    CatalogContents contents = catalog.read();
    for (RegionInfo region : foreign.halfMade()) {
      if (contents.regions().stream()
          .noneMatch(row -> row.region().encodedName().equals(region.encodedName()))) {
        LOG.info("Removing {}, which Apache HBase had not finished making", region);
        files.deleteRegion(region);
      }
    }
    tableStates.reset(contents.tables());
    Map<TableName, TableSchema> schemas = new HashMap<>();
    for (TableName table : contents.tables().keySet()) {
      Optional<TableSchema> schema = files.readDescriptor(table);
      schema.ifPresent(present -> schemas.put(table, present));
    }
    return new Found(contents, schemas);
  }

  /** Puts this server's procedures in the place of those that HBase's master left. */
  private void takeOver(Runnable next) {
    if (foreign.isEmpty()) {
      next.run();
      return;
    }
    loop.perform(
        Lane.STORE,
        () -> store.apply(foreign.changes(repeated)),
        Completion.of(next, this::storeFailed));
  }

  private void initialize(Found found, Set<String> busy) {
    found
        .contents()
        .tables()
        .forEach(
            (table, state) -> {
              TableSchema schema = found.schemas().get(table);
              if (schema != null) {
                tables.load(schema, state);
              } else if (!busy.contains(TableResource.of(table))) {
                LOG.error("The table {} has no descriptor, and is left out", table);
              }
            });
    for (RegionRow row : found.contents().regions()) {
      if (!row.mergeParents().isEmpty()) {
        tables.loadMerge(row.region(), row.mergeParents());
      }
      if (row.region().split()) {
        tables.loadSplitParent(row.region());
      } else if (!row.region().table().isMeta()) {
        TableState.State state = found.contents().tables().get(row.region().table());
        load(row, state == TableState.State.ENABLED || state == TableState.State.ENABLING);
      }
    }
    phase = Phase.READING_NAMESPACES;
    procedures.resume(record -> ProcedureFactory.restore(environment, record));
    finishTableStates(busy);
    assignments.driveAll();
    boolean first =
        tables.find(NamespaceTable.NAME).isEmpty()
            && !busy.contains(TableResource.of(NamespaceTable.NAME));
    if (first) {
      submit(
          new CreateTableProcedure(environment, SYSTEM_USER, NamespaceTable.schema(), List.of()));
    }
    if (quotas.isEnabled()
        && tables.find(QuotaTarget.TABLE).isEmpty()
        && !busy.contains(TableResource.of(QuotaTarget.TABLE))) {
      submit(new CreateTableProcedure(environment, SYSTEM_USER, QuotaTarget.schema(), List.of()));
    }
    if (first) {
      serve(); // There are no namespaces yet but the two that need no table.
    }
    readNamespaces();
  }

  /** A table that is being enabled or disabled, by nobody any more, goes where it was going. */
  private void finishTableStates(Set<String> busy) {
    for (Tables.Table table : List.copyOf(tables.all())) {
      boolean enabling = table.state() == TableState.State.ENABLING;
      if ((enabling || table.state() == TableState.State.DISABLING)
          && !busy.contains(TableResource.of(table.name()))) {
        LOG.info("The table {} was left {}, which goes on", table.name(), table.state());
        submit(TableStateProcedure.resumed(environment, SYSTEM_USER, table.name(), enabling));
      }
    }
  }

  private void submit(Procedure procedure) {
    CompletableFuture<Long> accepted = new CompletableFuture<>();
    procedures.submit(procedure, SYSTEM_USER, Optional.empty(), accepted);
    accepted.whenComplete(
        (id, error) -> {
          if (error != null) {
            LOG.error("A procedure of the master itself was not accepted", error);
          }
        });
  }

  private void readNamespaces() {
    if (readingNamespaces || hasNamespaces) {
      return;
    }
    readingNamespaces = true;
    namespaces.load(
        Completion.of(
            () -> {
              readingNamespaces = false;
              hasNamespaces = true;
              serve();
              whenComplete.run();
            },
            cause -> {
              readingNamespaces = false;
              if (namespacePause.compareTo(RETRY) >= 0) {
                LOG.info("Waiting for hbase:namespace: {}", cause.toString());
              }
              readNamespacesSoon();
            }));
  }

  /** Reads once the region is open, or after a pause. */
  private void readNamespacesSoon() {
    if (!awaitingNamespaces) {
      assignments.of(NamespaceTable.NAME).stream()
          .filter(node -> !node.isSettled())
          .findFirst()
          .ifPresent(this::awaitNamespaces);
    }
    loop.after(namespacePause, this::readNamespaces);
    namespacePause =
        namespacePause.compareTo(NAMESPACE_PAUSE_MAX) < 0
            ? namespacePause.multipliedBy(2)
            : NAMESPACE_PAUSE_MAX;
  }

  private void awaitNamespaces(RegionNode node) {
    awaitingNamespaces = true;
    node.whenSettled(
        () -> {
          awaitingNamespaces = false;
          namespacePause = NAMESPACE_PAUSE_MIN;
          loop.post(this::readNamespaces);
        });
  }

  private void serve() {
    if (isInitialized()) {
      return;
    }
    phase = Phase.INITIALIZED;
    janitor.start();
    LOG.info(
        "The master leads {} tables with {} regions on {} servers",
        tables.all().size(),
        assignments.all().size(),
        servers.all().size());
    whenAnswering.run();
  }

  private void load(RegionRow row, boolean wantOpen) {
    boolean mayBeThere =
        row.server().isPresent()
            && (row.state() == State.OPEN
                || row.state() == State.OPENING
                || row.state() == State.CLOSING);
    State state;
    if (mayBeThere && servers.isLive(row.server().get())) {
      state = row.state();
    } else if (mayBeThere && recovering.contains(row.server().get())) {
      state = State.ABNORMALLY_CLOSED;
    } else {
      state = row.state() == State.CLOSED ? State.CLOSED : State.OFFLINE;
    }
    RegionNode node = assignments.load(row.region(), state, row.server(), row.openSequence());
    node.wantOpen = wantOpen;
    assignments.resume(node);
  }

  private void storeFailed(Throwable cause) {
    world.lifecycle().abort("The master's store cannot be written", cause);
    loop.close();
  }
}
