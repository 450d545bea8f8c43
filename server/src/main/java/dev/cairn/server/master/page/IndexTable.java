package dev.cairn.server.master.page;

import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.IndexProgress;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;

/** The indexes of a table and their state, as the region servers last reported it. Stateless. */
final class IndexTable {
  private IndexTable() {}

  static Table<IndexProgress> of(
      TableSchema schema, TableState.State state, List<ClusterView.Region> regions) {
    List<Optional<RegionLoad>> loads =
        regions.stream()
            .filter(region -> region.info().replicaId() == 0)
            .map(ClusterView.Region::load)
            .toList();
    boolean mayCompact =
        state == TableState.State.ENABLED
            && schema
                .attribute("COMPACTION_ENABLED")
                .map(text -> Boolean.parseBoolean(text.trim()))
                .orElse(true);
    return Table.of("indexes", "Indexes", IndexProgress.of(schema.indexes(), loads))
        .column("index", "Index", Kind.NAME, one -> Value.name(one.name()))
        .text("columns", "Columns", one -> String.join(", ", one.columns()))
        .column("state", "State", Kind.STATE, one -> state(one.state(mayCompact)))
        .count("regions", "Regions", IndexProgress::regions)
        .count("completeRegions", "Complete regions", IndexProgress::completeRegions)
        .count("files", "Files", IndexProgress::files)
        .count("indexedFiles", "Files with the index", IndexProgress::indexedFiles)
        .text("problem", "Problem", one -> one.problem().orElse(""))
        .build();
  }

  private static Value state(IndexProgress.State state) {
    Level level =
        switch (state) {
          case READY -> Level.GOOD;
          case BUILDING -> Level.PLAIN;
          case PAUSED -> Level.WARN;
        };
    return Value.state(level, state.name());
  }
}
