package dev.cairn.server.master;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.server.catalog.Catalog;
import dev.cairn.server.catalog.CatalogContents;
import dev.cairn.server.catalog.DataDamage;
import dev.cairn.server.catalog.GroupTable;
import dev.cairn.server.catalog.NamespaceTable;
import dev.cairn.server.catalog.RegionRow;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.healing.CatalogRecovery;
import dev.cairn.server.master.healing.Finding;
import dev.cairn.server.master.members.ServerManager;
import dev.cairn.server.master.meta.TableStateMirror;
import dev.cairn.server.master.procedure.HBaseProcedures;
import dev.cairn.server.master.store.RootDirectory;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.quota.QuotaTarget;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over the tables and regions of {@code hbase:meta} and the files when a master begins to
 * lead, and removes unfinished parts. Owned by the loop except {@link #read}.
 */
final class Takeover {
  private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);

  /** The server's own tables except {@code hbase:meta}, with their default descriptors. */
  private static final Map<TableName, TableSchema> OWN_TABLES =
      Map.of(
          NamespaceTable.NAME,
          NamespaceTable.schema(),
          QuotaTarget.TABLE,
          QuotaTarget.schema(),
          GroupTable.NAME,
          GroupTable.schema());

  /** The number of failed reads of descriptors after which a table is considered damaged. */
  private static final int FAILED_READS_MAX = 20;

  private final TableFiles files;
  private final FencedStorage fenced;
  private final Catalog catalog;
  private final CatalogRecovery recovery;
  private final TableStateMirror tableStates;
  private final HBaseProcedures foreign;
  private final Tables tables;
  private final Assignments assignments;
  private final ServerManager members;
  private final Coordination coordination;
  private int failedReads;

  Takeover(
      TableFiles files,
      FencedStorage fenced,
      Catalog catalog,
      CatalogRecovery recovery,
      TableStateMirror tableStates,
      HBaseProcedures foreign,
      Tables tables,
      Assignments assignments,
      ServerManager members,
      Coordination coordination) {
    this.files = files;
    this.fenced = fenced;
    this.catalog = catalog;
    this.recovery = recovery;
    this.tableStates = tableStates;
    this.foreign = foreign;
    this.tables = tables;
    this.assignments = assignments;
    this.members = members;
    this.coordination = coordination;
  }

  /**
   * The content of the catalog, with the tables' descriptors.
   *
   * @param meta the descriptor of {@code hbase:meta}
   * @param damaged the tables with an unreadable descriptor, each with its error message
   * @param findings the rows that the catalog had lost and has again
   */
  record Found(
      CatalogContents contents,
      Map<TableName, TableSchema> schemas,
      TableSchema meta,
      Map<TableName, String> damaged,
      List<Finding> findings) {}

  /**
   * Reads the state of the cluster, restores what the catalog has lost of it, and removes what
   * completed procedures left in the temporary directory. Waits for files and the network. After an
   * error that is no damage, the caller may read again.
   *
   * @param busy the resources of unfinished procedures, as {@link
   *     dev.cairn.server.master.procedure.Procedure#resource} names them
   * @param changing those of them whose files are being created, emptied or removed
   * @param isRecovered whether the logs of all dead servers are recovered
   */
  Found read(Set<String> busy, Set<String> changing, boolean isRecovered) throws IOException {
    files.sweepAbandoned(fenced);
    files.sweepMobFiles();
    for (TableName table : files.leftovers()) {
      if (!busy.contains(TableResource.of(table))) {
        files.sweep(table);
      }
    }
    CatalogContents before = catalog.read();
    for (RegionInfo region : foreign.halfMade()) {
      if (before.regions().stream()
          .noneMatch(row -> row.region().encodedName().equals(region.encodedName()))) {
        LOG.info("Removing {}, which Apache HBase had not finished making", region);
        files.deleteRegion(region);
      }
    }
    CatalogRecovery.Recovered recovered = recovery.recover(before, busy, isRecovered);
    CatalogContents contents = recovered.contents();
    tableStates.reset(contents.tables());
    Map<TableName, TableSchema> schemas = new HashMap<>();
    Map<TableName, String> damaged = new HashMap<>();
    for (TableName table : contents.tables().keySet()) {
      boolean changes = changing.contains(TableResource.of(table));
      try {
        TableSchema known = OWN_TABLES.get(table);
        if (known != null && !changes) {
          RootDirectory.repairDescriptor(files, known);
        }
        schemas.put(table, files.descriptors().require(table));
      } catch (IOException e) {
        if (changes) {
          continue;
        }
        if (!DataDamage.isPermanent(e) && ++failedReads < FAILED_READS_MAX) {
          throw e;
        }
        damaged.put(table, DataDamage.message("The table " + table + " cannot be served", e));
      }
    }
    TableSchema meta = files.descriptors().require(TableName.META);
    return new Found(contents, schemas, meta, damaged, recovered.findings());
  }

  /** Passes the results to the objects that keep them. */
  void enter(Found found) {
    tables.load(found.meta(), TableState.State.ENABLED);
    assignments.openMetaReplicas(coordination.state().metaReplicas());
    found
        .contents()
        .tables()
        .forEach(
            (table, state) -> {
              if (found.schemas().containsKey(table)) {
                tables.load(found.schemas().get(table), state);
              } else if (found.damaged().containsKey(table)) {
                String reason = found.damaged().get(table);
                LOG.error("{}. All other tables are served", reason);
                tables.loadDamaged(table, new Tables.Damaged(state, reason));
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
        enter(row, state == TableState.State.ENABLED || state == TableState.State.ENABLING);
      }
    }
  }

  private void enter(RegionRow row, boolean wantOpen) {
    boolean mayBeThere =
        row.state() == State.OPEN || row.state() == State.OPENING || row.state() == State.CLOSING;
    Optional<ServerName> server = row.server().filter(named -> row.state() != State.CLOSED);
    State state;
    if (mayBeThere && server.filter(members.live()::isLive).isPresent()) {
      state = row.state();
    } else if (server.filter(named -> members.isRecovering(named, row.region())).isPresent()) {
      // In any state: HBase also writes SPLITTING and others for a region that is open.
      state = State.ABNORMALLY_CLOSED;
    } else {
      state = row.state() == State.CLOSED ? State.CLOSED : State.OFFLINE;
    }
    RegionStateNode node = assignments.load(row.region(), state, row.server(), row.openSequence());
    for (RegionRow.Replica replica : row.replicas()) {
      enter(row.region(), replica);
    }
    assignments.resume(node, wantOpen);
  }

  /**
   * Takes a replica: open where it is if that server lives, and otherwise free to open anywhere.
   */
  private void enter(RegionInfo region, RegionRow.Replica replica) {
    boolean mayBeThere =
        replica.state() == State.OPEN
            || replica.state() == State.OPENING
            || replica.state() == State.CLOSING;
    boolean isThere = mayBeThere && replica.server().filter(members.live()::isLive).isPresent();
    State state =
        isThere ? replica.state() : replica.state() == State.CLOSED ? State.CLOSED : State.OFFLINE;
    assignments.load(region.replica(replica.id()), state, replica.server(), replica.openSequence());
  }
}
