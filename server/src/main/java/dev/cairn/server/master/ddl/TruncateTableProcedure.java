package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.master.table.TableResource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.TruncateTableStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Empties a disabled table: its regions give way to new ones, and it is enabled. */
public final class TruncateTableProcedure implements Procedure {
  private final ProcedureContext environment;
  private final String owner;
  private final TableName table;
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
      ProcedureContext environment, String owner, TableName table, boolean preserveSplits) {
    this.environment = environment;
    this.owner = owner;
    this.table = table;
    this.preserveSplits = preserveSplits;
  }

  TruncateTableProcedure(ProcedureContext environment, TruncateTableStateData data) {
    this(
        environment,
        data.getUserInfo().getEffectiveUser(),
        Messages.tableName(data.getTableSchema().getTableName()),
        data.getPreserveSplits());
    this.schema = Optional.of(new TableSchema(data.getTableSchema()));
    this.regions = data.getRegionInfoList().stream().map(Messages::regionInfo).toList();
  }

  @Override
  public ProcedureKind kind() {
    return ProcedureKind.TRUNCATE_TABLE;
  }

  @Override
  public Message data() {
    return TruncateTableStateData.newBuilder()
        .setUserInfo(TableResource.user(owner))
        .setPreserveSplits(preserveSplits)
        .setTableName(Messages.message(table))
        .setTableSchema(schema.orElseThrow().message())
        .addAllRegionInfo(regions.stream().map(Messages::message).toList())
        .build();
  }

  @Override
  public String resource() {
    return TableResource.of(table);
  }

  @Override
  public void prepare() throws IOException {
    schema = Optional.of(environment.tables().requireDisabled(table).schema());
    List<RegionInfo> old = environment.assignments().regionsOf(table);
    // A new region must not have the name of an old one.
    long regionId =
        environment.regionIds().next(old.stream().mapToLong(RegionInfo::regionId).max().orElse(0));
    List<byte[]> splitKeys = new ArrayList<>();
    if (preserveSplits) {
      old.stream().map(RegionInfo::startKey).filter(key -> key.length > 0).forEach(splitKeys::add);
    }
    regions = TableDescriptorChecker.regions(table, splitKeys, regionId);
  }

  @Override
  public List<Step> steps() {
    return List.of(
        new Step("TRUNCATE_TABLE_CLEAR_FS_LAYOUT", this::replaceFiles),
        new Step("TRUNCATE_TABLE_REMOVE_FROM_META", this::replaceInCatalog),
        new Step("TRUNCATE_TABLE_POST_OPERATION", this::removeOldFiles),
        new Step("TRUNCATE_TABLE_ASSIGN_REGIONS", this::assign),
        new Step("TRUNCATE_TABLE_ENABLE", this::enable));
  }

  private void replaceFiles(Completion completion) {
    environment
        .loop()
        .perform(
            Lane.FILES,
            () -> environment.files().replace(schema.orElseThrow(), regions),
            completion);
  }

  private void replaceInCatalog(Completion completion) {
    List<CatalogChange> changes = new ArrayList<>();
    List<RegionInfo> old =
        environment.assignments().regionsOf(table).stream()
            .filter(region -> !regions.contains(region))
            .toList();
    old.forEach(region -> changes.add(new CatalogChange.RemoveRegion(region)));
    environment
        .tables()
        .splitParents(table)
        .forEach(region -> changes.add(new CatalogChange.RemoveRegion(region)));
    regions.forEach(region -> changes.add(new CatalogChange.AddRegion(region)));
    environment
        .catalog()
        .write(
            changes,
            completion.then(
                () -> {
                  old.forEach(environment.assignments()::remove);
                  environment.tables().removeSplitParents(table);
                  for (RegionInfo region : regions) {
                    environment
                        .assignments()
                        .load(region, RegionState.State.CLOSED, Optional.empty(), -1);
                  }
                  environment
                      .tables()
                      .set(schema.orElseThrow(), TableState.State.ENABLING, completion);
                }));
  }

  private void removeOldFiles(Completion completion) {
    environment.loop().perform(Lane.FILES, () -> environment.files().sweep(table), completion);
  }

  private void assign(Completion completion) {
    environment.assignments().want(table, true, completion);
  }

  private void enable(Completion completion) {
    environment.tables().set(schema.orElseThrow(), TableState.State.ENABLED, completion);
  }
}
