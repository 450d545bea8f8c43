package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.TableDescriptorChecker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.TruncateTableStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Empties a disabled table: its regions give way to new ones, and it is enabled. */
public final class TruncateTableProcedure extends TableProcedure {
  private final boolean preserveSplits;
  private Optional<TableSchema> schema = Optional.empty();

  /** The new regions. */
  private List<RegionInfo> regions = List.of();

  /**
   * Creates the procedure.
   *
   * @param owner the requesting user
   * @param preserveSplits whether the new regions have the boundaries of the present ones;
   *     otherwise the table gets one region
   */
  public TruncateTableProcedure(
      ProcedureContext context, String owner, TableName table, boolean preserveSplits) {
    super(context, ProcedureKind.TRUNCATE_TABLE, owner, table);
    this.preserveSplits = preserveSplits;
  }

  TruncateTableProcedure(ProcedureContext context, TruncateTableStateData data) {
    this(
        context,
        data.getUserInfo().getEffectiveUser(),
        Messages.tableName(data.getTableSchema().getTableName()),
        data.getPreserveSplits());
    this.schema = Optional.of(new TableSchema(data.getTableSchema()));
    this.regions = regions(data.getRegionInfoList());
  }

  @Override
  public Message data() {
    return TruncateTableStateData.newBuilder()
        .setUserInfo(user())
        .setPreserveSplits(preserveSplits)
        .setTableName(Messages.message(table))
        .setTableSchema(schema.orElseThrow().message())
        .addAllRegionInfo(messages(regions))
        .build();
  }

  @Override
  public void prepare() throws IOException {
    schema = Optional.of(context.tables().requireDisabled(table).schema());
    List<RegionInfo> old = context.assignments().regionsOf(table);
    // A new region must not have the name of an old one.
    long regionId =
        context.regionIds().next(old.stream().mapToLong(RegionInfo::regionId).max().orElse(0));
    List<byte[]> splitKeys = new ArrayList<>();
    if (preserveSplits) {
      old.stream().map(RegionInfo::startKey).filter(key -> key.length > 0).forEach(splitKeys::add);
    }
    regions = TableDescriptorChecker.regions(table, splitKeys, regionId);
  }

  @Override
  public List<Step> steps() {
    return List.of(
        files(
            "TRUNCATE_TABLE_CLEAR_FS_LAYOUT",
            () -> context.files().replace(schema.orElseThrow(), regions)),
        new Step("TRUNCATE_TABLE_REMOVE_FROM_META", this::replaceInCatalog),
        files("TRUNCATE_TABLE_POST_OPERATION", () -> context.files().sweep(table)),
        new Step(
            "TRUNCATE_TABLE_ASSIGN_REGIONS",
            completion -> context.assignments().want(table, true, completion)),
        new Step("TRUNCATE_TABLE_ENABLE", completion -> set(State.ENABLED, completion)));
  }

  @Override
  public Optional<IOException> shortcoming() {
    return unserved("truncated");
  }

  private void replaceInCatalog(Completion completion) {
    replaceRegions(regions, completion.then(() -> set(State.ENABLING, completion)));
  }

  private void set(State state, Completion completion) {
    context.tables().set(schema.orElseThrow(), state, completion);
  }
}
