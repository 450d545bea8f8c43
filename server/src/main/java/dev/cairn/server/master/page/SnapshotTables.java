package dev.cairn.server.master.page;

import dev.cairn.server.page.Kind;
import dev.cairn.server.page.PageException;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import dev.cairn.server.snapshot.SnapshotDirectory;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;

/** The table of snapshots. Stateless. */
final class SnapshotTables {
  private SnapshotTables() {}

  /** Reads the descriptions of all snapshots, which are small files. */
  static Table<SnapshotDescription> of(SnapshotDirectory directory) throws PageException {
    try {
      return Table.of("snapshots", "Snapshots", directory.list())
          .column("name", "Snapshot", Kind.NAME, one -> Value.name(one.getName()))
          .column(
              "table",
              "Table",
              Kind.NAME,
              one ->
                  new Value.Link(
                      Value.name(one.getTable()), "table", Map.of("name", one.getTable())))
          .time("createdMillis", "Created", SnapshotDescription::getCreationTime)
          .text("type", "Type", one -> one.getType().name())
          .text("owner", "Owner", SnapshotDescription::getOwner)
          .column(
              "ttlMillis",
              "Kept for",
              Kind.MILLIS,
              one -> one.getTtl() <= 0 ? Value.NONE : Value.millis(one.getTtl() * 1000))
          .sortedBy("-createdMillis")
          .whenEmpty("There are no snapshots.")
          .build();
    } catch (IOException e) {
      throw PageException.unavailable("The snapshots cannot be read: " + e.getMessage());
    }
  }
}
