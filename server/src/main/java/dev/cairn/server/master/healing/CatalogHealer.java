package dev.cairn.server.master.healing;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Catalog;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.ddl.RegionIds;
import dev.cairn.server.master.healing.Finding.Kind;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.meta.RegionStateStore;
import dev.cairn.server.master.procedure.ProcedureExecutor;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.master.table.Tables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the state of the active master with {@code hbase:meta} and the directories. Writes lost
 * rows of {@code hbase:meta} again from the master's memory. Turns unknown directories into regions
 * and fills holes with new ones, while a lock keeps procedures off the table. {@link OverlapMerges}
 * unites overlapping regions. Owned by the loop.
 */
public final class CatalogHealer {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogHealer.class);

  private final MasterLoop loop;
  private final TableFiles files;
  private final Catalog catalog;
  private final RegionStateStore writer;
  private final Tables tables;
  private final Assignments assignments;
  private final ProcedureExecutor procedures;
  private final OverlapMerges merges;
  private final RegionIds regionIds;
  private final HealingReport report;
  private final LostRows lostRows;
  private boolean looking;

  /** Creates it; it looks when {@link #look} is called. */
  public CatalogHealer(
      MasterLoop loop,
      TableFiles files,
      Catalog catalog,
      RegionStateStore writer,
      Tables tables,
      Assignments assignments,
      ProcedureExecutor procedures,
      OverlapMerges merges,
      RegionIds regionIds,
      HealingReport report) {
    this.loop = loop;
    this.files = files;
    this.catalog = catalog;
    this.writer = writer;
    this.tables = tables;
    this.assignments = assignments;
    this.procedures = procedures;
    this.merges = merges;
    this.regionIds = regionIds;
    this.report = report;
    this.lostRows = new LostRows(tables, assignments, this::isBusy);
  }

  /** Tells whether a check or repair is running. */
  public boolean isLooking() {
    return looking;
  }

  /** Checks once, repairs its findings, and then runs {@code ended}. */
  public void look(Runnable ended) {
    if (looking) {
      ended.run();
      return;
    }
    looking = true;
    LostRows.Known known = lostRows.known();
    Map<TableName, Set<String>> regions = knownDirectories();
    Set<String> busy = procedures.busy();
    Runnable last =
        () -> {
          looking = false;
          ended.run();
        };
    Consumer<IOException> failed =
        cause -> {
          LOG.warn("The catalog could not be checked: {}", cause.toString());
          last.run();
        };
    Runnable list =
        () ->
            loop.perform(
                Lane.FILES,
                this::directories,
                seen -> repair(suspects(seen, regions, busy), last),
                failed);
    loop.perform(
        Lane.CATALOG,
        catalog::read,
        contents -> {
          LostRows.Restored restored = lostRows.restore(known, contents);
          report.add(restored.findings());
          if (restored.changes().isEmpty()) {
            list.run();
          } else {
            writer.write(restored.changes(), Completion.of(list, failed));
          }
        },
        failed);
  }

  private Map<TableName, Set<String>> directories() throws IOException {
    Map<TableName, Set<String>> directories = new HashMap<>();
    for (TableName table : files.tables()) {
      if (!table.isMeta()) {
        directories.put(table, files.regionDirectories(table));
      }
    }
    return directories;
  }

  /** Returns the directories of the regions that the master knows, by table. */
  private Map<TableName, Set<String>> knownDirectories() {
    Map<TableName, Set<String>> known = new HashMap<>();
    assignments.all().forEach(node -> add(node.region(), known));
    for (TableName table : tables.states().keySet()) {
      replaced(table).forEach(region -> add(region, known));
    }
    return known;
  }

  private static void add(RegionInfo region, Map<TableName, Set<String>> known) {
    known.computeIfAbsent(region.table(), table -> new HashSet<>()).add(region.encodedName());
  }

  /** Returns the regions of a table that were split or merged and are still needed. */
  private List<RegionInfo> replaced(TableName table) {
    List<RegionInfo> replaced = new ArrayList<>(tables.splitParents(table));
    tables
        .merges()
        .forEach(
            (merged, parents) -> {
              if (merged.table().equals(table)) {
                replaced.addAll(parents);
              }
            });
    return replaced;
  }

  private boolean isBusy(TableName table) {
    return procedures.isBusy(TableResource.of(table));
  }

  /**
   * Returns the tables whose regions and directories differ, and that no procedure changes. Damaged
   * tables are left to the next start, as their procedures are.
   */
  private List<TableName> suspects(
      Map<TableName, Set<String>> seen,
      Map<TableName, Set<String>> before,
      Set<String> busyBefore) {
    List<TableName> suspects = new ArrayList<>();
    seen.forEach(
        (table, directories) -> {
          if (isBusy(table)
              || busyBefore.contains(TableResource.of(table))
              || tables.isDamaged(table)) {
            return;
          }
          boolean isKnown = tables.find(table).isPresent();
          Set<String> unknown = new HashSet<>(directories);
          unknown.removeAll(before.getOrDefault(table, Set.of()));
          if (!unknown.isEmpty()
              || isKnown
                  && RegionCensus.isNeeded(
                      assignments.regionsOf(table), replaced(table), Set.of())) {
            suspects.add(table);
          }
        });
    return suspects;
  }

  private void repair(List<TableName> suspects, Runnable ended) {
    if (suspects.isEmpty()) {
      merges.request();
      ended.run();
      return;
    }
    List<TableName> rest = suspects.subList(1, suspects.size());
    TableLock.request(
        loop,
        procedures.clientLocks(),
        suspects.get(0),
        lock ->
            repair(
                suspects.get(0),
                lock,
                () -> {
                  lock.release();
                  repair(rest, ended);
                }));
  }

  private void repair(TableName table, TableLock lock, Runnable ended) {
    List<RegionInfo> listed = assignments.regionsOf(table);
    List<RegionInfo> replaced = replaced(table);
    loop.perform(
        Lane.FILES,
        () -> plan(table, listed, replaced),
        planned -> {
          if (planned.isEmpty() || !lock.isHeld()) {
            ended.run();
            return;
          }
          TableRepair repair = planned.get();
          List<Finding> findings = new ArrayList<>(repair.findings());
          if (repair.plan().isEmpty()) {
            report.add(findings);
            ended.run();
          } else {
            enter(repair, findings, ended);
          }
        },
        cause -> {
          LOG.warn("The regions of {} could not be repaired: {}", table, cause.toString());
          ended.run();
        });
  }

  private Optional<TableRepair> plan(
      TableName table, List<RegionInfo> listed, List<RegionInfo> replaced) throws IOException {
    Optional<TableSchema> schema = files.descriptors().read(table);
    if (schema.isEmpty()) {
      return Optional.empty();
    }
    TableRepair repair = TableRepair.plan(files, schema.get(), listed, replaced, regionIds::next);
    repair.createDirectories();
    return Optional.of(repair);
  }

  private void enter(TableRepair repair, List<Finding> findings, Runnable ended) {
    TableName table = repair.schema().name();
    Consumer<IOException> failed =
        cause -> {
          LOG.warn("The regions of {} could not be repaired: {}", table, cause.toString());
          ended.run();
        };
    Runnable written =
        () -> {
          if (tables.find(table).isPresent()) {
            takeOver(repair, findings, ended);
            return;
          }
          findings.add(
              new Finding(
                  Kind.LOST_TABLE_STATE,
                  table.toString(),
                  "The table has a directory, but hbase:meta did not list it",
                  "Set the state to ENABLED, since nothing says otherwise"));
          tables.set(
              repair.schema(),
              TableState.State.ENABLED,
              Completion.of(() -> takeOver(repair, findings, ended), failed));
        };
    writer.write(repair.changes(Map.of()), Completion.of(written, failed));
  }

  private void takeOver(TableRepair repair, List<Finding> findings, Runnable ended) {
    TableName table = repair.schema().name();
    boolean wantOpen =
        tables
            .find(table)
            .filter(known -> known.state() != TableState.State.DISABLED)
            .filter(known -> known.state() != TableState.State.DISABLING)
            .isPresent();
    RegionCensus.Plan plan = repair.plan();
    tables.splitParents(table).stream()
        .filter(parent -> plan.revived().contains(parent.asServing()))
        .forEach(tables::removeSplitParent);
    plan.parents().forEach(parent -> tables.loadSplitParent(parent.region().asSplit()));
    for (RegionInfo region : plan.added()) {
      assignments.want(
          assignments.load(region, State.CLOSED, Optional.empty(), -1),
          wantOpen,
          Completion.UNHEARD);
    }
    report.add(findings);
    loop.perform(
        Lane.FILES,
        repair::discardDirectories,
        Completion.of(
            ended,
            cause -> {
              LOG.warn("Directories of {} stay for now: {}", table, cause.toString());
              ended.run();
            }));
  }
}
