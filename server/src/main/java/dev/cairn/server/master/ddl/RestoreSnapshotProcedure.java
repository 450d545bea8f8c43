package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.rpc.wire.NamedException;
import dev.cairn.server.snapshot.SnapshotTable;
import dev.cairn.server.snapshot.StoredSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.RestoreSnapshotStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.RestoreSnapshotException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Gives a disabled table the content and the descriptor of a snapshot. The table gets new regions,
 * whose files are links to the snapshot's; its present files go to the archive. Since the regions
 * have new names, no recovery applies log entries of the present regions to them.
 */
public final class RestoreSnapshotProcedure extends TableProcedure {
  private final Optional<StoredSnapshot> requested;
  private final SnapshotDescription snapshot;
  private final TableSchema schema;
  private final Optional<String> tracker;

  /** The descriptor at the procedure's begin. */
  private TableSchema before;

  /** The new regions in the snapshot's order, also those that were split. */
  private List<RegionInfo> regions = List.of();

  private RestoreSnapshotProcedure(
      ProcedureContext context,
      String owner,
      Optional<StoredSnapshot> requested,
      SnapshotDescription snapshot,
      TableSchema schema,
      Optional<String> tracker) {
    super(context, ProcedureKind.RESTORE_SNAPSHOT, owner, schema.name());
    this.requested = requested;
    this.snapshot = snapshot;
    this.schema = schema;
    this.tracker = tracker;
    this.before = schema;
  }

  /**
   * Creates the procedure.
   *
   * @param tracker a store file tracker for the table; refused, since only a clone can have another
   *     one than the snapshot
   */
  public static RestoreSnapshotProcedure of(
      ProcedureContext context,
      String owner,
      StoredSnapshot snapshot,
      TableName table,
      Optional<String> tracker) {
    return new RestoreSnapshotProcedure(
        context,
        owner,
        Optional.of(snapshot),
        snapshot.description(),
        SnapshotRegions.schema(context, snapshot, table, Optional.empty()),
        tracker);
  }

  RestoreSnapshotProcedure(ProcedureContext context, RestoreSnapshotStateData data) {
    this(
        context,
        data.getUserInfo().getEffectiveUser(),
        Optional.empty(),
        data.getSnapshot(),
        new TableSchema(data.getModifiedTableSchema()),
        Optional.empty());
    this.before = new TableSchema(data.getOldTableSchema());
    this.regions = regions(data.getRegionInfoForAddList());
  }

  @Override
  public Message data() {
    return RestoreSnapshotStateData.newBuilder()
        .setUserInfo(user())
        .setSnapshot(snapshot)
        .setOldTableSchema(before.message())
        .setModifiedTableSchema(schema.message())
        .addAllRegionInfoForAdd(messages(regions))
        .build();
  }

  @Override
  public void prepare() throws IOException {
    if (tracker.isPresent()) {
      throw new DoNotRetryIOException(
          "The table "
              + table
              + " exists. Only a clone can get another store file tracker; change_sft changes that"
              + " of a table");
    }
    Tables.Table present = context.tables().require(table);
    if (present.state() != State.DISABLED) {
      throw new NamedException(
          "java.lang.UnsupportedOperationException",
          "Table '" + table + "' must be disabled in order to perform a restore operation.");
    }
    before = present.schema();
    TableDescriptorChecker.checkStored(schema, context.schemas());
    StoredSnapshot stored = requested.orElseThrow();
    List<RegionInfo> planned = SnapshotRegions.plan(context, stored, table, present());
    context.namespaceQuota().checkReplace(table, serving(planned).size());
    regions = planned;
    context.schemas().warn(schema, Optional.empty());
  }

  @Override
  public List<Step> steps() {
    return List.of(
        files("RESTORE_SNAPSHOT_PRE_OPERATION", this::check),
        files("RESTORE_SNAPSHOT_WRITE_FS_LAYOUT", this::replaceFiles),
        new Step("RESTORE_SNAPSHOT_UPDATE_META", this::replaceInCatalog));
  }

  @Override
  public int undoableSteps() {
    return 1; // The first step only reads.
  }

  private void check() throws IOException {
    try {
      snapshotTable().check();
    } catch (IOException e) {
      throw new RestoreSnapshotException(
          "The snapshot "
              + snapshot.getName()
              + " cannot be restored, nothing was changed: "
              + e.getMessage(),
          e);
    }
  }

  private void replaceFiles() throws IOException {
    context
        .files()
        .replaceWith(
            schema, regions, directory -> snapshotTable().write(context.shapes(), directory));
  }

  private SnapshotTable snapshotTable() throws IOException {
    return SnapshotRegions.table(context, snapshot, schema, regions);
  }

  private void replaceInCatalog(Completion completion) {
    replaceRegions(
        regions, completion.then(() -> context.tables().set(schema, State.DISABLED, completion)));
  }
}
