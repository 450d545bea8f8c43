package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.snapshot.StoredSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.CloneSnapshotStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Creates a table from a snapshot: its files are links, and no cell is copied. */
public final class CloneSnapshotProcedure extends NewTableProcedure {
  private final SnapshotDescription snapshot;

  private CloneSnapshotProcedure(
      ProcedureContext context,
      String owner,
      SnapshotDescription snapshot,
      TableSchema schema,
      List<RegionInfo> regions) {
    super(context, ProcedureKind.CLONE_SNAPSHOT, owner, schema, regions);
    this.snapshot = snapshot;
  }

  /**
   * Creates the procedure.
   *
   * @param tracker the store file tracker of the new table; empty for the snapshot's
   */
  public static CloneSnapshotProcedure of(
      ProcedureContext context,
      String owner,
      StoredSnapshot snapshot,
      TableName table,
      Optional<String> tracker) {
    return new CloneSnapshotProcedure(
        context,
        owner,
        snapshot.description(),
        SnapshotRegions.schema(context, snapshot, table, tracker),
        SnapshotRegions.plan(context, snapshot, table, List.of()));
  }

  CloneSnapshotProcedure(ProcedureContext context, CloneSnapshotStateData data) {
    this(
        context,
        data.getUserInfo().getEffectiveUser(),
        data.getSnapshot(),
        new TableSchema(data.getTableSchema()),
        List.of());
    resume(regions(data.getRegionInfoList()));
  }

  @Override
  public Message data() {
    return CloneSnapshotStateData.newBuilder()
        .setUserInfo(user())
        .setSnapshot(snapshot)
        .setTableSchema(schema.message())
        .addAllRegionInfo(messages(regions))
        .build();
  }

  @Override
  public void prepare() throws IOException {
    check();
    reserve(regions);
  }

  @Override
  void writeFiles() throws IOException {
    context
        .files()
        .createWith(
            schema,
            regions,
            directory ->
                SnapshotRegions.table(context, snapshot, schema, regions)
                    .write(context.shapes(), directory));
  }
}
