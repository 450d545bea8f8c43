package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.quota.QuotaTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.DeleteTableStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Removes a disabled table: one rename takes its directory away, then the catalog forgets it, then
 * its store files go to the archive, since snapshots and clones may need them.
 */
public final class DeleteTableProcedure extends TableProcedure {
  private List<RegionInfo> regions = List.of();

  /** Creates the procedure; {@code owner} is the requesting user. */
  public DeleteTableProcedure(ProcedureContext context, String owner, TableName table) {
    super(context, ProcedureKind.DELETE_TABLE, owner, table);
  }

  DeleteTableProcedure(ProcedureContext context, DeleteTableStateData data) {
    this(context, data.getUserInfo().getEffectiveUser(), Messages.tableName(data.getTableName()));
    this.regions = regions(data.getRegionInfoList());
  }

  @Override
  public Message data() {
    return DeleteTableStateData.newBuilder()
        .setUserInfo(user())
        .setTableName(Messages.message(table))
        .addAllRegionInfo(messages(regions))
        .build();
  }

  @Override
  public void prepare() throws IOException {
    context.tables().requireDisabled(table);
    regions = present();
  }

  @Override
  public List<Step> steps() {
    return List.of(
        files("DELETE_TABLE_PRE_OPERATION", () -> context.files().hide(table)),
        new Step("DELETE_TABLE_REMOVE_FROM_META", this::removeFromCatalog),
        files("DELETE_TABLE_CLEAR_FS_LAYOUT", () -> context.files().sweep(table)),
        new Step("DELETE_TABLE_POST_OPERATION", this::removeSettings));
  }

  private void removeFromCatalog(Completion completion) {
    List<CatalogChange> changes = new ArrayList<>();
    regions.forEach(region -> changes.add(new CatalogChange.RemoveRegion(region)));
    changes.add(new CatalogChange.RemoveTable(table));
    context
        .catalog()
        .write(
            changes,
            completion.then(
                () -> {
                  regions.forEach(context.assignments()::remove);
                  context.tables().remove(table);
                  completion.done();
                }));
  }

  private void removeSettings(Completion completion) {
    context
        .quotas()
        .forget(
            QuotaTarget.table(table),
            completion.then(() -> context.groups().leave(table, completion)));
  }
}
