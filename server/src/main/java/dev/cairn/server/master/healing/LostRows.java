package dev.cairn.server.master.healing;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.CatalogContents;
import dev.cairn.server.catalog.CatalogContents.IncompleteRow;
import dev.cairn.server.catalog.RegionRow;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.healing.Finding.Kind;
import dev.cairn.server.master.table.Tables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;

/**
 * Finds rows that {@code hbase:meta} has lost and the master knows, and the changes to restore
 * them. A region or table that changes while {@code hbase:meta} is read is left out. Owned by the
 * loop.
 */
final class LostRows {
  private final Tables tables;
  private final Assignments assignments;
  private final Predicate<TableName> isBusy;

  LostRows(Tables tables, Assignments assignments, Predicate<TableName> isBusy) {
    this.tables = tables;
    this.assignments = assignments;
    this.isBusy = isBusy;
  }

  /**
   * The master's knowledge before {@code hbase:meta} was read.
   *
   * @param regions regions at rest, each with the number of its last change
   * @param tables states of the tables that no procedure changes
   */
  record Known(Map<RegionStateNode, Long> regions, Map<TableName, TableState.State> tables) {}

  /** The changes that restore the lost rows. */
  record Restored(List<CatalogChange> changes, List<Finding> findings) {}

  Known known() {
    Map<RegionStateNode, Long> regions = new LinkedHashMap<>(); // in the same order every time
    for (RegionStateNode node : assignments.all()) {
      if (!node.region().table().isMeta() && node.isSettled()) {
        regions.put(node, node.changeNumber());
      }
    }
    return new Known(regions, states());
  }

  private Map<TableName, TableState.State> states() {
    Map<TableName, TableState.State> states = new HashMap<>(tables.states());
    states.keySet().removeIf(table -> table.isMeta() || isBusy.test(table));
    return states;
  }

  Restored restore(Known before, CatalogContents contents) {
    List<CatalogChange> changes = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    Map<String, RegionRow> rows = new HashMap<>();
    contents.regions().forEach(row -> rows.put(row.region().encodedName(), row));
    if (contents.regions().isEmpty() && !before.regions().isEmpty()) {
      findings.add(
          new Finding(
              Kind.EMPTY_CATALOG,
              "hbase:meta",
              "hbase:meta had no rows of regions",
              "Wrote the rows again"));
    }
    before
        .regions()
        .forEach(
            (node, change) -> {
              boolean isSame =
                  node.isSettled()
                      && node.changeNumber() == change
                      && assignments
                          .find(node.region().encodedName())
                          .filter(node::equals)
                          .isPresent();
              if (isSame) {
                Optional<RegionRow> row =
                    Optional.ofNullable(rows.get(node.region().encodedName()));
                lost(node, row, contents)
                    .ifPresent(
                        finding -> {
                          changes.add(row(node));
                          node.replicas().stream()
                              .filter(replica -> replica.openServer().isPresent())
                              .map(this::row)
                              .forEach(changes::add);
                          findings.add(finding);
                        });
              }
            });
    Map<TableName, TableState.State> now = states();
    before
        .tables()
        .forEach(
            (table, state) -> {
              TableState.State said = contents.tables().get(table);
              if (now.get(table) == state && said != state) {
                changes.add(new CatalogChange.SetTableState(table, state));
                findings.add(
                    new Finding(
                        Kind.LOST_TABLE_STATE,
                        table.toString(),
                        said == null
                            ? "hbase:meta had no state of the table"
                            : "hbase:meta had the state " + said + " of the table",
                        "Wrote the state " + state + " again"));
              }
            });
    return new Restored(changes, findings);
  }

  private static Optional<Finding> lost(
      RegionStateNode node, Optional<RegionRow> row, CatalogContents contents) {
    Optional<IncompleteRow> incomplete =
        contents.incomplete().stream()
            .filter(one -> Arrays.equals(one.row(), node.region().regionName()))
            .findFirst();
    String name = Bytes.toStringBinary(node.region().regionName());
    if (incomplete.isPresent()) {
      return Optional.of(
          new Finding(
              Kind.LOST_COLUMNS,
              name,
              "The row lacked " + String.join(", ", incomplete.get().columns()),
              "Wrote the row again"));
    }
    if (row.isEmpty()) {
      boolean wasWritten = node.server().isPresent();
      return wasWritten
          ? Optional.of(
              new Finding(
                  Kind.LOST_ROW,
                  name,
                  "hbase:meta had no row of the region",
                  "Wrote the row again"))
          : Optional.empty();
    }
    boolean differs =
        node.state() == State.OPEN
            && (row.get().state() != State.OPEN || !row.get().server().equals(node.server()));
    return differs
        ? Optional.of(
            new Finding(
                Kind.LOST_COLUMNS,
                name,
                "The row said %s at %s, but the region is open at %s"
                    .formatted(
                        row.get().state(),
                        row.get().server().map(Object::toString).orElse("no server"),
                        node.server().map(Object::toString).orElse("no server")),
                "Wrote the row again"))
        : Optional.empty();
  }

  private CatalogChange row(RegionStateNode node) {
    if (node.server().isEmpty()) {
      return new CatalogChange.AddRegion(node.region());
    }
    if (node.state() != State.OPEN) {
      return new CatalogChange.SetRegionState(node.region(), State.CLOSED, node.server().get());
    }
    return new CatalogChange.RegionOpened(
        node.region(), node.server().get(), Math.max(1, node.openSequence()));
  }
}
