package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.DescriptorDefaults;
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
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.CreateTableStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Makes a table: its directory, its rows in the catalog, its regions opened. */
public final class CreateTableProcedure implements Procedure {
  private final ProcedureContext environment;
  private final String owner;
  private final TableSchema schema;
  private final NewTable table;
  private final List<byte[]> splitKeys;
  private List<RegionInfo> regions;

  /** Whether {@code hbase:meta} may have the table. */
  private boolean entered;

  /** Whether an earlier master may have begun to undo it, so that files are missing. */
  private boolean resumed;

  /** Creates the procedure. As in HBase, the table's descriptor names the store file tracker. */
  public CreateTableProcedure(
      ProcedureContext environment, String owner, TableSchema schema, List<byte[]> splitKeys) {
    this.environment = environment;
    this.owner = owner;
    this.schema =
        DescriptorDefaults.complete(
            schema.withDefault(StoreFileTracking.KEY, environment.schemas().tracker().name()));
    this.table = new NewTable(environment, this.schema);
    this.splitKeys = splitKeys;
    this.regions = List.of();
  }

  CreateTableProcedure(ProcedureContext environment, CreateTableStateData data) {
    this(
        environment,
        data.getUserInfo().getEffectiveUser(),
        new TableSchema(data.getTableSchema()),
        List.of());
    this.regions = data.getRegionInfoList().stream().map(Messages::regionInfo).toList();
    this.resumed = true;
    environment.namespaceQuota().creating(schema.name(), regions.size());
  }

  @Override
  public ProcedureKind kind() {
    return ProcedureKind.CREATE_TABLE;
  }

  @Override
  public Message data() {
    return CreateTableStateData.newBuilder()
        .setUserInfo(TableResource.user(owner))
        .setTableSchema(schema.message())
        .addAllRegionInfo(regions.stream().map(Messages::message).toList())
        .build();
  }

  @Override
  public String resource() {
    return TableResource.of(schema.name());
  }

  @Override
  public void prepare() throws IOException {
    table.check();
    List<RegionInfo> cut =
        TableDescriptorChecker.regions(schema.name(), splitKeys, environment.regionIds().next(0));
    table.reserve(cut.size());
    regions = cut;
  }

  @Override
  public List<Step> steps() {
    return List.of(
        new Step("CREATE_TABLE_WRITE_FS_LAYOUT", this::writeFiles),
        new Step("CREATE_TABLE_ADD_TO_META", this::addToCatalog),
        new Step("CREATE_TABLE_ASSIGN_REGIONS", table::assign),
        new Step("CREATE_TABLE_UPDATE_DESC_CACHE", table::enable));
  }

  @Override
  public int undoableSteps() {
    return 2;
  }

  @Override
  public void undo(Completion completion) {
    if (entered) {
      table.leave(regions, completion);
    } else {
      table.removeFiles(regions, completion);
    }
  }

  private void writeFiles(Completion completion) {
    environment
        .loop()
        .perform(Lane.FILES, () -> environment.files().create(schema, regions), completion);
  }

  private void addToCatalog(Completion completion) {
    entered = true;
    if (resumed) {
      resumed = false;
      writeFiles(completion.then(() -> addRows(completion)));
    } else {
      addRows(completion);
    }
  }

  private void addRows(Completion completion) {
    List<CatalogChange> changes = new ArrayList<>();
    regions.forEach(region -> changes.add(new CatalogChange.AddRegion(region)));
    environment
        .catalog()
        .write(
            changes,
            completion.then(
                () -> {
                  for (RegionInfo region : regions) {
                    environment
                        .assignments()
                        .load(region, RegionState.State.CLOSED, Optional.empty(), -1);
                  }
                  table.enter(completion);
                }));
  }
}
