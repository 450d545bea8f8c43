package dev.cairn.server.master.page;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;

/** Tables of tables. Stateless. */
final class TableTables {
  private TableTables() {}

  /** The sums of a table's regions. */
  record Sums(
      long regions, long open, long transitions, long reads, long writes, long disk, long memory) {
    static final Sums ZERO = new Sums(0, 0, 0, 0, 0, 0, 0);

    Sums and(ClusterView.Region region) {
      return new Sums(
          regions + 1,
          open + (region.state() == State.OPEN ? 1 : 0),
          transitions + (region.transition().isPresent() ? 1 : 0),
          reads + region.reads(),
          writes + region.writes(),
          disk + region.fileBytes(),
          memory + region.memStoreBytes());
    }
  }

  /** A table and its sums. */
  private record Row(ClusterView.Table table, Sums sums) {}

  static Table<?> of(String id, String title, ClusterView cluster) {
    Map<TableName, Sums> sums = new HashMap<>();
    for (ClusterView.Region region : cluster.regions()) {
      sums.merge(region.info().table(), Sums.ZERO.and(region), (known, one) -> known.and(region));
    }
    return Table.of(
            id,
            title,
            cluster.tables().stream()
                .map(table -> new Row(table, sums.getOrDefault(table.name(), Sums.ZERO)))
                .toList())
        .column("table", "Table", Kind.NAME, row -> link(row.table().name()))
        .column("state", "State", Kind.STATE, row -> state(row.table()))
        .count("regions", "Regions", row -> row.sums().regions())
        .count("open", "Open", row -> row.sums().open())
        .count("transitions", "In transition", row -> row.sums().transitions())
        .count("reads", "Reads", row -> row.sums().reads())
        .count("writes", "Writes", row -> row.sums().writes())
        .bytes("fileBytes", "On disk", row -> row.sums().disk())
        .bytes("memStoreBytes", "In memory", row -> row.sums().memory())
        .text(
            "families",
            "Families",
            row ->
                row.table()
                    .schema()
                    .map(TableSchema::familyNames)
                    .map(names -> String.join(", ", names))
                    .orElse("unreadable descriptor"))
        .whenEmpty("There are no tables.")
        .build();
  }

  static Value link(TableName table) {
    return Value.link(table.toString(), "table", "name", table.toString());
  }

  static Value state(ClusterView.Table table) {
    if (table.schema().isEmpty()) {
      return Value.state(Level.BAD, "damaged");
    }
    return Value.state(
        table.state() == TableState.State.ENABLED
            ? Level.GOOD
            : table.state() == TableState.State.DISABLED ? Level.PLAIN : Level.WARN,
        table.state().name());
  }
}
