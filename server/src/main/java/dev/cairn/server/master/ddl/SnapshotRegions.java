package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.DescriptorDefaults;
import dev.cairn.server.snapshot.SnapshotTable;
import dev.cairn.server.snapshot.StoredSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;

/** The steps that the procedures share that make tables of snapshots. */
final class SnapshotRegions {
  private static final String MAX_FILE_SIZE = "MAX_FILESIZE";

  private SnapshotRegions() {}

  /** Returns the completed descriptor of a table that is made of a snapshot. */
  static TableSchema schema(
      ProcedureContext context,
      StoredSnapshot snapshot,
      TableName table,
      Optional<String> tracker) {
    TableSchema schema = snapshot.schema().named(table);
    if (tracker.isPresent()) {
      schema = schema.with(StoreFileTracking.KEY, tracker.get());
    }
    long maxFileSize = snapshot.description().getMaxFileSize();
    if (maxFileSize > 0) {
      schema = schema.with(MAX_FILE_SIZE, Long.toString(maxFileSize));
    }
    return DescriptorDefaults.complete(
        DescriptorDefaults.complete(schema)
            .withDefault(StoreFileTracking.KEY, context.schemas().tracker().name()));
  }

  /**
   * Returns the regions of a table that is created from a snapshot, with names that neither a
   * present region nor one of the snapshot nor a deleted one has.
   */
  static List<RegionInfo> plan(
      ProcedureContext context,
      StoredSnapshot snapshot,
      TableName table,
      List<RegionInfo> present) {
    List<RegionInfo> old = SnapshotTable.plan(snapshot, table, 0);
    LongSummaryStatistics ids = old.stream().mapToLong(RegionInfo::regionId).summaryStatistics();
    if (ids.getCount() == 0) {
      return old;
    }
    long known = present.stream().mapToLong(RegionInfo::regionId).reduce(ids.getMax(), Math::max);
    long first = context.regionIds().next(known, ids.getMax() - ids.getMin());
    return SnapshotTable.plan(snapshot, table, first - ids.getMin());
  }

  /**
   * Reads the snapshot, and returns the table to create from it. May wait.
   *
   * @throws IOException also if the snapshot is gone
   */
  static SnapshotTable table(
      ProcedureContext context,
      SnapshotDescription snapshot,
      TableSchema schema,
      List<RegionInfo> regions)
      throws IOException {
    StoredSnapshot stored =
        context
            .snapshots()
            .read(snapshot.getName())
            .orElseThrow(
                () ->
                    new SnapshotDoesNotExistException(
                        "Snapshot '" + snapshot.getName() + "' doesn't exist on the filesystem"));
    if (!stored.description().equals(snapshot)) {
      throw new SnapshotDoesNotExistException(
          "Snapshot '" + snapshot.getName() + "' is another one than when the request came");
    }
    return context.snapshots().table(stored, schema, regions);
  }
}
