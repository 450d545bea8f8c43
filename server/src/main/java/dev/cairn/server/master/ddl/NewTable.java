package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.FailedProcedureException;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.master.table.TrackerRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;

/**
 * The steps that all procedures share that make a table. Owned by the loop.
 *
 * @param schema the table's descriptor
 */
record NewTable(ProcedureContext environment, TableSchema schema) {
  /**
   * Checks that the table can be made.
   *
   * @throws TableExistsException if it exists
   * @throws FailedProcedureException if its store file tracker is unknown
   */
  void check() throws IOException {
    TableName name = schema.name();
    environment.tables().checkWhole(name);
    if (environment.tables().find(name).isPresent()) {
      throw new TableExistsException(name.toString());
    }
    environment.namespaces().require(name.namespace());
    TrackerScope.checkKnown(schema, environment.schemas());
    TableDescriptorChecker.check(schema, environment.schemas());
    TrackerRules.checkNew(schema, environment.schemas());
  }

  /** Checks the namespace's limits, and counts the table from now on. */
  void reserve(int regions) throws IOException {
    environment.namespaceQuota().checkCreate(schema.name(), regions);
    environment.schemas().warn(schema, Optional.empty());
  }

  /**
   * Removes what {@code hbase:meta} has of the table, and then the table's files. Ignores the rows
   * that {@code hbase:meta} refuses to delete, since it has refused to write them, too.
   */
  void leave(List<RegionInfo> regions, Completion completion) {
    List<CatalogChange> changes = new ArrayList<>();
    regions.forEach(region -> changes.add(new CatalogChange.RemoveRegion(region)));
    changes.add(new CatalogChange.RemoveTable(schema.name()));
    int[] left = {changes.size()};
    Runnable deleted =
        () -> {
          if (--left[0] == 0) {
            regions.forEach(environment.assignments()::remove);
            environment.tables().remove(schema.name());
            removeFiles(regions, completion);
          }
        };
    for (CatalogChange change : changes) {
      environment
          .catalog()
          .write(List.of(change), Completion.of(deleted, refused -> deleted.run()));
    }
  }

  /** Removes the table's files. */
  void removeFiles(List<RegionInfo> regions, Completion completion) {
    environment
        .loop()
        .perform(
            Lane.FILES, () -> environment.files().undoCreate(schema.name(), regions), completion);
  }

  /** Makes the table known, before its regions are open. */
  void enter(Completion completion) {
    environment.tables().set(schema, TableState.State.ENABLING, completion);
  }

  /** Opens the table's regions. */
  void assign(Completion completion) {
    environment.assignments().want(schema.name(), true, completion);
  }

  /** Enables the table. */
  void enable(Completion completion) {
    environment.tables().set(schema, TableState.State.ENABLED, completion);
  }
}
