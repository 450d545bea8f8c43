package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.TableResource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;

/** A procedure that changes a table or regions of it. Owned by the loop. */
abstract class TableProcedure implements Procedure {
  final ProcedureContext context;
  final String owner;
  final TableName table;
  private final ProcedureKind kind;

  /**
   * Creates the procedure.
   *
   * @param owner the requesting user
   */
  TableProcedure(ProcedureContext context, ProcedureKind kind, String owner, TableName table) {
    this.context = context;
    this.kind = kind;
    this.owner = owner;
    this.table = table;
  }

  @Override
  public final ProcedureKind kind() {
    return kind;
  }

  @Override
  public final String resource() {
    return TableResource.of(table);
  }

  /** Returns the stored form of the owner. */
  final UserInformation user() {
    return TableResource.user(owner);
  }

  /** Returns the stored form of regions. */
  static List<HBaseProtos.RegionInfo> messages(List<RegionInfo> regions) {
    return regions.stream().map(Messages::message).toList();
  }

  /** Returns the regions of a stored form. */
  static List<RegionInfo> regions(List<HBaseProtos.RegionInfo> messages) {
    return messages.stream().map(Messages::regionInfo).toList();
  }

  /** Returns the regions to open: all but those that were split. */
  static List<RegionInfo> serving(List<RegionInfo> regions) {
    return regions.stream().filter(region -> !region.split()).toList();
  }

  /** Returns all regions of the table in {@code hbase:meta}, also those that were split. */
  final List<RegionInfo> present() {
    List<RegionInfo> all = new ArrayList<>(context.assignments().regionsOf(table));
    all.addAll(context.tables().splitParents(table));
    return all;
  }

  /**
   * Returns the failure that reports that a region of the table is not served after a change; empty
   * if all regions are served, or if the master does not know the reason.
   *
   * @param done what has happened to the table, such as "created"
   */
  final Optional<IOException> unserved(String done) {
    return context
        .assignments()
        .unserved(table)
        .map(
            missed ->
                new DoNotRetryIOException(
                    "Table "
                        + table
                        + " is "
                        + done
                        + ", but "
                        + missed.region().regionNameAsString()
                        + " is not served: "
                        + missed.reason().orElseThrow()));
  }

  /** Returns a step that checks something in memory. */
  static Step check(String name, MasterLoop.Work check) {
    return new Step(
        name,
        completion -> {
          try {
            check.run();
            completion.done();
          } catch (IOException e) {
            completion.failed(e);
          }
        });
  }

  /** Returns a step that changes files. */
  final Step files(String name, MasterLoop.Work work) {
    return new Step(name, completion -> context.onFiles(work, completion));
  }

  /** Replaces all regions of the table by new ones. */
  final void replaceRegions(List<RegionInfo> regions, Completion completion) {
    Set<RegionInfo> kept = Set.copyOf(regions);
    changeRegions(
        present().stream().filter(region -> !kept.contains(region)).toList(), regions, completion);
  }

  /**
   * Removes and adds regions of the table, in {@code hbase:meta} and in the master's memory.
   *
   * @param added all regions of the table afterwards, also those that were split
   */
  final void changeRegions(
      List<RegionInfo> removed, List<RegionInfo> added, Completion completion) {
    List<RegionInfo> serving = serving(added);
    List<CatalogChange> changes = new ArrayList<>();
    removed.forEach(region -> changes.add(new CatalogChange.RemoveRegion(region)));
    serving.forEach(region -> changes.add(new CatalogChange.AddRegion(region)));
    List<RegionInfo> parents = new ArrayList<>();
    for (RegionInfo parent : added.stream().filter(RegionInfo::split).toList()) {
      List<RegionInfo> heirs = serving.stream().filter(parent::overlaps).toList();
      if (!heirs.isEmpty()) {
        parents.add(parent);
        changes.add(new CatalogChange.AddParent(parent.asServing(), heirs));
      }
    }
    context
        .catalog()
        .write(
            changes,
            completion.then(
                () -> {
                  removed.forEach(context.assignments()::remove);
                  context.tables().removeSplitParents(table);
                  parents.forEach(context.tables()::loadSplitParent);
                  for (RegionInfo region : serving) {
                    context.assignments().load(region, State.CLOSED, Optional.empty(), -1);
                  }
                  completion.done();
                }));
  }
}
