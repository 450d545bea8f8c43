package dev.cairn.server.master;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.DataDamage;
import dev.cairn.server.catalog.GroupTable;
import dev.cairn.server.catalog.MetaFormat;
import dev.cairn.server.catalog.NamespaceTable;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.master.ddl.CreateTableProcedure;
import dev.cairn.server.master.ddl.ModifyTableProcedure;
import dev.cairn.server.master.ddl.ProcedureContext;
import dev.cairn.server.master.ddl.ProcedureFactory;
import dev.cairn.server.master.ddl.TableStateProcedure;
import dev.cairn.server.master.group.GroupAdmin;
import dev.cairn.server.master.healing.HealingReport;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.members.ServerManager;
import dev.cairn.server.master.namespace.NamespaceLoading;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureExecutor;
import dev.cairn.server.master.procedure.ProcedureRecord;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.quota.QuotaTarget;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the cluster up, phase by phase, until clients are answered.
 *
 * <pre>
 *   WAITING_FOR_SERVERS   until a region server has registered
 *   FINDING_LOGS          of dead servers; their recovery begins
 *   OPENING_META          if no server has it open, once its log is recovered
 *   READING_META          and the descriptors of all tables
 *   READING_NAMESPACES    regions are assigned, procedures go on, hbase:namespace among them
 *   INITIALIZED           clients are answered
 * </pre>
 *
 * Owned by the loop.
 */
final class MasterStartup {
  private static final Logger LOG = LoggerFactory.getLogger(MasterStartup.class);
  private static final Duration META_PAUSE_MIN = Duration.ofMillis(2);
  private static final Duration META_PAUSE_MAX = Duration.ofMillis(500);
  private static final String SYSTEM_USER = "cairn";

  private enum Phase {
    WAITING_FOR_SERVERS,
    FINDING_LOGS,
    OPENING_META,
    READING_META,
    READING_NAMESPACES,
    INITIALIZED
  }

  private final ProcedureContext context;
  private final MasterLoop loop;
  private final MetaSearch metaSearch;
  private final ServerManager members;
  private final ProcedureExecutor procedures;
  private final Takeover takeover;
  private final GroupAdmin groups;
  private final HealingReport report;
  private final MasterStore store;
  private final List<MasterStore.Change> foreign;
  private final Completion stored;
  private final NamespaceLoading namespaces;
  private final Runnable whenAnswering;
  private final BiConsumer<String, Throwable> abort;

  private Duration metaPause = META_PAUSE_MIN;
  private volatile Phase phase = Phase.WAITING_FOR_SERVERS;

  /**
   * Creates it; nothing happens before {@link #start}.
   *
   * @param foreign the changes of {@code store} that put this server's procedures in the place of
   *     those that HBase's master left
   * @param stored receives the results of writes to {@code store}
   * @param whenAnswering run once, when clients are answered
   * @param whenComplete run once, later, when the system's own tables are there
   * @param abort called with the reason if the cluster cannot start until somebody repairs it
   */
  MasterStartup(
      ProcedureContext context,
      Coordination coordination,
      ServerManager members,
      ProcedureExecutor procedures,
      Takeover takeover,
      GroupAdmin groups,
      HealingReport report,
      MasterStore store,
      List<MasterStore.Change> foreign,
      Completion stored,
      Runnable whenAnswering,
      Runnable whenComplete,
      BiConsumer<String, Throwable> abort) {
    this.context = context;
    this.loop = context.loop();
    this.metaSearch = new MetaSearch(loop, coordination, members, context.calls(), this::openMeta);
    this.members = members;
    this.procedures = procedures;
    this.takeover = takeover;
    this.groups = groups;
    this.report = report;
    this.store = store;
    this.foreign = foreign;
    this.stored = stored;
    this.whenAnswering = whenAnswering;
    this.abort = abort;
    this.namespaces =
        new NamespaceLoading(
            loop,
            context.namespaces(),
            context.assignments(),
            () -> {
              serve();
              whenComplete.run();
            });
  }

  /** Tells whether clients are answered; on any thread. */
  boolean isInitialized() {
    return phase == Phase.INITIALIZED;
  }

  /** Checks that clients may be answered. */
  void requireInitialized() throws PleaseHoldException {
    if (!isInitialized()) {
      throw new PleaseHoldException("Master is initializing");
    }
  }

  /** Checks that the master knows all regions. */
  void requireAssigning() throws PleaseHoldException {
    if (phase.compareTo(Phase.READING_NAMESPACES) < 0) {
      throw new PleaseHoldException("Master is initializing");
    }
  }

  /** Begins; the coordination reports the servers. */
  void start(ClusterState state) {
    members.update(state);
    advance();
  }

  /** Continues as far as the members of the cluster allow. */
  void advance() {
    boolean hasServers = !members.live().all().isEmpty();
    switch (phase) {
      case WAITING_FOR_SERVERS -> {
        if (hasServers && members.areEnoughToStart()) {
          phase = Phase.FINDING_LOGS;
          members.recoverLogs();
        }
      }
      case FINDING_LOGS -> {
        if (members.hasFoundLogs() && hasServers) {
          phase = Phase.OPENING_META;
          metaSearch.begin();
        }
      }
      default -> {}
    }
  }

  private void openMeta(Optional<ServerName> server) {
    context.assignments().openMeta(server, Completion.of(this::readMeta, cause -> {}));
  }

  private void readMeta() {
    if (phase.compareTo(Phase.READING_META) > 0) {
      return;
    }
    phase = Phase.READING_META;
    Set<String> busy = new HashSet<>();
    Set<String> changing = new HashSet<>();
    for (ProcedureRecord record : procedures.unfinished()) {
      String resource = ProcedureFactory.restore(context, record).resource();
      busy.add(resource);
      if (record.kind().replacesFiles()) {
        changing.add(resource);
      }
    }
    boolean isRecovered = members.isRecovered();
    loop.perform(
        Lane.CATALOG,
        () -> takeover.read(busy, changing, isRecovered),
        found -> replaceForeign(() -> initialize(found, busy)),
        cause -> {
          if (cause instanceof DoNotRetryIOException || DataDamage.isPermanent(cause)) {
            abort.accept(
                DataDamage.message("hbase:meta cannot be read, so no table can be served", cause),
                cause);
            return;
          }
          // Its server begins to serve it only once it has heard that the master agrees.
          LOG.info(
              "hbase:meta cannot be read yet, trying again in {} ms: {}",
              metaPause.toMillis(),
              cause.toString());
          loop.after(metaPause, this::readMeta);
          metaPause =
              metaPause.compareTo(META_PAUSE_MAX) < 0 ? metaPause.multipliedBy(2) : META_PAUSE_MAX;
        });
  }

  private void replaceForeign(Runnable next) {
    if (foreign.isEmpty()) {
      next.run();
      return;
    }
    loop.perform(Lane.STORE, () -> store.apply(foreign), stored.then(next));
  }

  private void initialize(Takeover.Found found, Set<String> busy) {
    report.add(found.findings());
    takeover.enter(found);
    context.assignments().all().forEach(node -> context.regionIds().seen(node.region().regionId()));
    phase = Phase.READING_NAMESPACES;
    procedures.resume(
        record -> ProcedureFactory.restore(context, record),
        resource ->
            found.damaged().keySet().stream()
                .anyMatch(table -> TableResource.of(table).equals(resource)));
    finishTableStates(busy);
    context.assignments().driveAll();
    context.schemas().metaReplicas().ifPresent(this::setMetaReplicas);
    boolean first = isMissing(NamespaceTable.NAME, busy);
    if (first) {
      submit(new CreateTableProcedure(context, SYSTEM_USER, NamespaceTable.schema(), List.of()));
    }
    if (context.quotas().isEnabled() && isMissing(QuotaTarget.TABLE, busy)) {
      submit(new CreateTableProcedure(context, SYSTEM_USER, QuotaTarget.schema(), List.of()));
    }
    if (groups.groups().isEnabled() && isMissing(GroupTable.NAME, busy)) {
      submit(new CreateTableProcedure(context, SYSTEM_USER, GroupTable.schema(), List.of()));
    }
    if (first) {
      serve(); // There are no namespaces yet but the two that need no table.
    }
    namespaces.read();
    groups.start();
  }

  private void setMetaReplicas(int count) {
    int present = context.tables().find(TableName.META).orElseThrow().schema().regionReplication();
    if (present != count) {
      LOG.info("The number of copies of hbase:meta changes from {} to {}", present, count);
      submit(
          new ModifyTableProcedure(
              context, SYSTEM_USER, TableName.META, meta -> MetaFormat.withCopies(meta, count)));
    }
  }

  private boolean isMissing(TableName table, Set<String> busy) {
    return context.tables().find(table).isEmpty() && !busy.contains(TableResource.of(table));
  }

  /** Continues with tables that are being enabled or disabled without a procedure. */
  private void finishTableStates(Set<String> busy) {
    for (Tables.Table table : List.copyOf(context.tables().all())) {
      boolean enabling = table.state() == TableState.State.ENABLING;
      if ((enabling || table.state() == TableState.State.DISABLING)
          && !busy.contains(TableResource.of(table.name()))) {
        LOG.info("The table {} was left {}, which goes on", table.name(), table.state());
        submit(TableStateProcedure.resumed(context, SYSTEM_USER, table.name(), enabling));
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

  private void serve() {
    if (isInitialized()) {
      return;
    }
    phase = Phase.INITIALIZED;
    LOG.info(
        "The master leads {} tables with {} regions on {} servers",
        context.tables().all().size(),
        context.assignments().all().size(),
        members.live().all().size());
    whenAnswering.run();
  }
}
