package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.FailedProcedureException;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.master.table.TrackerRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState.State;

/**
 * A procedure that creates a table: its directory, its rows in {@code hbase:meta}, and its regions,
 * which it opens.
 */
abstract class NewTableProcedure extends TableProcedure {
  final TableSchema schema;

  /** The regions, also those that were split. */
  List<RegionInfo> regions;

  /** Whether {@code hbase:meta} may have the table. */
  private boolean entered;

  /** Whether an earlier master may have begun to undo it, so that files are missing. */
  private boolean resumed;

  NewTableProcedure(
      ProcedureContext context,
      ProcedureKind kind,
      String owner,
      TableSchema schema,
      List<RegionInfo> regions) {
    super(context, kind, owner, schema.name());
    this.schema = schema;
    this.regions = regions;
  }

  /** Creates the table's directory. May wait, and may be repeated. */
  abstract void writeFiles() throws IOException;

  /** Creates the table's directory, with several threads if that is faster. May be repeated. */
  void writeFiles(Completion completion) {
    context.onFiles(this::writeFiles, completion);
  }

  /** Continues the procedure of an earlier master. */
  final void resume(List<RegionInfo> stored) {
    regions = stored;
    resumed = true;
    context.namespaceQuota().creating(table, serving(regions).size());
  }

  /**
   * Checks that the table can be created.
   *
   * @throws TableExistsException if it exists
   * @throws FailedProcedureException if its store file tracker is unknown
   */
  final void check() throws IOException {
    context.tables().checkWhole(table);
    if (context.tables().find(table).isPresent()) {
      throw new TableExistsException(table.toString());
    }
    context.namespaces().require(table.namespace());
    context.groups().checkNew(schema);
    TrackerScope.checkKnown(schema, context.schemas());
    TableDescriptorChecker.checkStored(schema, context.schemas());
    TrackerRules.checkNew(schema, context.schemas());
  }

  /** Checks the namespace's limits, and counts the table from now on. */
  final void reserve(List<RegionInfo> planned) throws IOException {
    context.namespaceQuota().checkCreate(table, serving(planned).size());
    context.schemas().warn(schema, Optional.empty());
  }

  @Override
  public final List<Step> steps() {
    return List.of(
        new Step(kind() + "_WRITE_FS_LAYOUT", this::writeFiles),
        new Step(kind() + "_ADD_TO_META", this::enter),
        new Step(
            kind() + "_ASSIGN_REGIONS",
            completion -> context.assignments().want(table, true, completion)),
        new Step(
            kind() + "_UPDATE_DESC_CACHE",
            completion -> context.tables().set(schema, State.ENABLED, completion)));
  }

  @Override
  public final Optional<IOException> shortcoming() {
    return unserved("created");
  }

  @Override
  public final int undoableSteps() {
    return 2;
  }

  @Override
  public final void undo(Completion completion) {
    if (entered) {
      leave(completion);
    } else {
      removeFiles(completion);
    }
  }

  private void enter(Completion completion) {
    entered = true;
    Runnable next =
        () -> context.groups().enter(schema, completion.then(() -> addRegions(completion)));
    if (resumed) {
      resumed = false;
      context.onFiles(this::writeFiles, completion.then(next));
    } else {
      next.run();
    }
  }

  private void addRegions(Completion completion) {
    changeRegions(
        List.of(),
        regions,
        completion.then(() -> context.tables().set(schema, State.ENABLING, completion)));
  }

  /**
   * Removes what {@code hbase:meta} has of the table, and then the table's files. Ignores the rows
   * that {@code hbase:meta} refuses to delete, since it has refused to write them, too.
   */
  private void leave(Completion completion) {
    List<CatalogChange> changes = new ArrayList<>();
    regions.forEach(region -> changes.add(new CatalogChange.RemoveRegion(region)));
    changes.add(new CatalogChange.RemoveTable(table));
    int[] left = {changes.size()};
    Runnable deleted =
        () -> {
          if (--left[0] == 0) {
            regions.forEach(context.assignments()::remove);
            context.tables().remove(table);
            context.groups().leave(table, completion.then(() -> removeFiles(completion)));
          }
        };
    for (CatalogChange change : changes) {
      context.catalog().write(List.of(change), Completion.of(deleted, refused -> deleted.run()));
    }
  }

  private void removeFiles(Completion completion) {
    context.onFiles(() -> context.files().undoCreate(table, regions), completion);
  }
}
