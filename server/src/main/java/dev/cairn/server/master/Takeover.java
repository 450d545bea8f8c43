package dev.cairn.server.master;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Catalog;
import dev.cairn.server.catalog.CatalogContents;
import dev.cairn.server.catalog.RegionRow;
import dev.cairn.server.catalog.TableFiles;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over the tables and regions that {@code hbase:meta} and the files have when a master begins
 * to lead, and removes what nobody will finish. Owned by the loop but for {@link #read}.
 */
final class Takeover {
  private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);

  private final TableFiles files;
  private final Catalog catalog;
  private final TableStateMirror tableStates;
  private final ForeignProcedures foreign;
  private final Tables tables;
  private final Assignments assignments;
  private final ClusterMembers members;

  Takeover(
      TableFiles files,
      Catalog catalog,
      TableStateMirror tableStates,
      ForeignProcedures foreign,
      Tables tables,
      Assignments assignments,
      ClusterMembers members) {
    this.files = files;
    this.catalog = catalog;
    this.tableStates = tableStates;
    this.foreign = foreign;
    this.tables = tables;
    this.assignments = assignments;
    this.members = members;
  }

  /** What the catalog has, and what the files say of its tables. */
  record Found(CatalogContents contents, Map<TableName, TableSchema> schemas) {}

  /**
   * Reads what there is; removes what procedures that have ended left in the temporary directory.
   * Waits for files and the network.
   *
   * @param busy what unfinished procedures work on, as {@link Procedure#resource} names it
   */
  Found read(Set<String> busy) throws IOException {
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

  /** Hands what was found to those who keep it. */
  void enter(Found found, Set<String> busy) {
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
        enter(row, state == TableState.State.ENABLED || state == TableState.State.ENABLING);
      }
    }
  }

  private void enter(RegionRow row, boolean wantOpen) {
    boolean mayBeThere =
        row.server().isPresent()
            && (row.state() == State.OPEN
                || row.state() == State.OPENING
                || row.state() == State.CLOSING);
    State state;
    if (mayBeThere && members.live().isLive(row.server().get())) {
      state = row.state();
    } else if (mayBeThere && members.isRecovering(row.server().get())) {
      state = State.ABNORMALLY_CLOSED;
    } else {
      state = row.state() == State.CLOSED ? State.CLOSED : State.OFFLINE;
    }
    RegionNode node = assignments.load(row.region(), state, row.server(), row.openSequence());
    node.wantOpen = wantOpen;
    assignments.resume(node);
  }
}
