package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.DescriptorDefaults;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.TableDescriptorChecker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.CreateTableStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Creates a table with empty regions. */
public final class CreateTableProcedure extends NewTableProcedure {
  /** The number of regions from which on several threads create the directories. */
  private static final int REGIONS_APART = 64;

  private static final int PARTS = 8;

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
    TableDescriptorChecker.checkKeyFormat(schema);
    List<RegionInfo> cut =
        TableDescriptorChecker.regions(table, splitKeys, context.regionIds().next(0));
    reserve(cut);
    regions = cut;
  }

  @Override
  void writeFiles() throws IOException {
    context.files().create(schema, regions);
  }

  /**
   * Creates the directories of many regions with several threads, because the disk syncs each
   * directory.
   */
  @Override
  void writeFiles(Completion completion) {
    if (regions.size() < REGIONS_APART) {
      super.writeFiles(completion);
      return;
    }
    boolean[] isPresent = {false};
    context.onFiles(
        () -> {
          isPresent[0] = context.files().isPresent(table);
          if (!isPresent[0]) {
            context.files().beginStaging(schema);
          }
        },
        completion.then(
            () -> {
              if (isPresent[0]) {
                super.writeFiles(completion);
              } else {
                stageRegions(completion);
              }
            }));
  }

  private void stageRegions(Completion completion) {
    int[] left = {PARTS};
    List<IOException> failures = new ArrayList<>();
    Runnable ended =
        () -> {
          if (--left[0] > 0) {
            return; // also after a failure, so that nothing is made after the end
          }
          if (failures.isEmpty()) {
            context.onFiles(() -> context.files().endStaging(table), completion);
          } else {
            completion.failed(failures.get(0));
          }
        };
    for (int part = 0; part < PARTS; part++) {
      List<RegionInfo> some =
          regions.subList(regions.size() * part / PARTS, regions.size() * (part + 1) / PARTS);
      context.onFiles(
          () -> context.files().stageRegions(schema, some),
          Completion.of(
              ended,
              cause -> {
                failures.add(cause);
                ended.run();
              }));
    }
  }
}
