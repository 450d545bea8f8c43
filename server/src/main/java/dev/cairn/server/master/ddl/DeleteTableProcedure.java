package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.TableResource;
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
public final class DeleteTableProcedure implements Procedure {
  private final ProcedureContext environment;
  private final String owner;
  private final TableName table;
  private List<RegionInfo> regions;

  /** Creates the procedure; {@code owner} is the requesting user. */
  public DeleteTableProcedure(ProcedureContext environment, String owner, TableName table) {
    this.environment = environment;
    this.owner = owner;
    this.table = table;
    this.regions = List.of();
  }

  DeleteTableProcedure(ProcedureContext environment, DeleteTableStateData data) {
    this(
        environment,
        data.getUserInfo().getEffectiveUser(),
        Messages.tableName(data.getTableName()));
    this.regions = data.getRegionInfoList().stream().map(Messages::regionInfo).toList();
  }

  @Override
  public ProcedureKind kind() {
    return ProcedureKind.DELETE_TABLE;
  }

  @Override
  public Message data() {
    return DeleteTableStateData.newBuilder()
        .setUserInfo(TableResource.user(owner))
        .setTableName(Messages.message(table))
        .addAllRegionInfo(regions.stream().map(Messages::message).toList())
        .build();
  }

  @Override
  public String resource() {
    return TableResource.of(table);
  }

  @Override
  public void prepare() throws IOException {
    environment.tables().requireDisabled(table);
    regions = new ArrayList<>(environment.assignments().regionsOf(table));
    regions.addAll(environment.tables().splitParents(table));
  }

  @Override
  public List<Step> steps() {
    return List.of(
        new Step("DELETE_TABLE_PRE_OPERATION", this::hideFiles),
        new Step("DELETE_TABLE_REMOVE_FROM_META", this::removeFromCatalog),
        new Step("DELETE_TABLE_CLEAR_FS_LAYOUT", this::removeFiles),
        new Step("DELETE_TABLE_POST_OPERATION", this::removeQuotas));
  }

  private void hideFiles(Completion completion) {
    environment.loop().perform(Lane.FILES, () -> environment.files().hide(table), completion);
  }

  private void removeFromCatalog(Completion completion) {
    List<CatalogChange> changes = new ArrayList<>();
    regions.forEach(region -> changes.add(new CatalogChange.RemoveRegion(region)));
    changes.add(new CatalogChange.RemoveTable(table));
    environment
        .catalog()
        .write(
            changes,
            completion.then(
                () -> {
                  regions.forEach(environment.assignments()::remove);
                  environment.tables().remove(table);
                  completion.done();
                }));
  }

  private void removeQuotas(Completion completion) {
    environment.quotas().forget(QuotaTarget.table(table), completion);
  }

  private void removeFiles(Completion completion) {
    environment.loop().perform(Lane.FILES, () -> environment.files().sweep(table), completion);
  }
}
