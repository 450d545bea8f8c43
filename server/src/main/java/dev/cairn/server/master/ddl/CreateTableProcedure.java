package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.DescriptorDefaults;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.TableDescriptorChecker;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.CreateTableStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Creates a table with empty regions. */
public final class CreateTableProcedure extends NewTableProcedure {
  private final List<byte[]> splitKeys;

  /** Creates the procedure. As in HBase, the table's descriptor names the store file tracker. */
  public CreateTableProcedure(
      ProcedureContext context, String owner, TableSchema schema, List<byte[]> splitKeys) {
    super(
        context,
        ProcedureKind.CREATE_TABLE,
        owner,
        DescriptorDefaults.complete(
            schema.withDefault(StoreFileTracking.KEY, context.schemas().tracker().name())),
        List.of());
    this.splitKeys = splitKeys;
  }

  CreateTableProcedure(ProcedureContext context, CreateTableStateData data) {
    this(
        context,
        data.getUserInfo().getEffectiveUser(),
        new TableSchema(data.getTableSchema()),
        List.of());
    resume(regions(data.getRegionInfoList()));
  }

  @Override
  public Message data() {
    return CreateTableStateData.newBuilder()
        .setUserInfo(user())
        .setTableSchema(schema.message())
        .addAllRegionInfo(messages(regions))
        .build();
  }

  @Override
  public void prepare() throws IOException {
    check();
    List<RegionInfo> cut =
        TableDescriptorChecker.regions(table, splitKeys, context.regionIds().next(0));
    reserve(cut);
    regions = cut;
  }

  @Override
  void writeFiles() throws IOException {
    context.files().create(schema, regions);
  }
}
