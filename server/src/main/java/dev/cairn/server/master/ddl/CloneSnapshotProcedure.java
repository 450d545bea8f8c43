package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.snapshot.StoredSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.CloneSnapshotStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Makes a table of a snapshot: its files are links, and no cell is copied. */
public final class CloneSnapshotProcedure implements Procedure {
  private final ProcedureContext environment;
  private final String owner;
  private final SnapshotDescription snapshot;
  private final TableSchema schema;
  private final NewTable table;

  /** The regions in the snapshot's order, also those that were split. */
  private final List<RegionInfo> regions;

  /** Whether {@code hbase:meta} may have the table. */
  private boolean entered;

  /** Whether an earlier master may have begun to undo it, so that files are missing. */
  private boolean resumed;

  private CloneSnapshotProcedure(
      ProcedureContext environment,
      String owner,
      SnapshotDescription snapshot,
      TableSchema schema,
      List<RegionInfo> regions) {
    this.environment = environment;
    this.owner = owner;
    this.snapshot = snapshot;
    this.schema = schema;
    this.table = new NewTable(environment, schema);
    this.regions = regions;
  }

  /**
   * Creates the procedure.
   *
   * @param tracker the store file tracker of the new table; empty for the snapshot's
   */
  public static CloneSnapshotProcedure of(
      ProcedureContext environment,
      String owner,
      StoredSnapshot snapshot,
      TableName table,
      Optional<String> tracker) {
    TableSchema schema = SnapshotRegions.schema(environment, snapshot, table, tracker);
    return new CloneSnapshotProcedure(
        environment,
        owner,
        snapshot.description(),
        schema,
        SnapshotRegions.plan(environment, snapshot, table, List.of()));
  }

  CloneSnapshotProcedure(ProcedureContext environment, CloneSnapshotStateData data) {
    this(
        environment,
        data.getUserInfo().getEffectiveUser(),
        data.getSnapshot(),
        new TableSchema(data.getTableSchema()),
        data.getRegionInfoList().stream().map(Messages::regionInfo).toList());
    this.resumed = true;
    environment.namespaceQuota().creating(schema.name(), SnapshotRegions.serving(regions).size());
  }

  @Override
  public ProcedureKind kind() {
    return ProcedureKind.CLONE_SNAPSHOT;
  }

  @Override
  public Message data() {
    return CloneSnapshotStateData.newBuilder()
        .setUserInfo(TableResource.user(owner))
        .setSnapshot(snapshot)
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
    table.reserve(SnapshotRegions.serving(regions).size());
  }

  @Override
  public List<Step> steps() {
    return List.of(
        new Step("CLONE_SNAPSHOT_WRITE_FS_LAYOUT", this::writeFiles),
        new Step("CLONE_SNAPSHOT_ADD_TO_META", this::addToCatalog),
        new Step("CLONE_SNAPSHOT_ASSIGN_REGIONS", table::assign),
        new Step("CLONE_SNAPSHOT_UPDATE_DESC_CACHE", table::enable));
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
        .perform(
            Lane.FILES,
            () ->
                environment
                    .files()
                    .createWith(
                        schema,
                        regions,
                        directory ->
                            SnapshotRegions.table(environment, snapshot, schema, regions)
                                .write(environment.shapes(), directory)),
            completion);
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
    SnapshotRegions.enter(
        environment, List.of(), regions, completion.then(() -> table.enter(completion)));
  }
}
