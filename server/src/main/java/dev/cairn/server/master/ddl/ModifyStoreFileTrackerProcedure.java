package dev.cairn.server.master.ddl;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.TableResource;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.ModifyTableStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Changes the store file tracker of a table or of one family through {@code MIGRATION}. First
 * finishes a migration that has begun. Each step writes a descriptor and reopens all regions.
 */
public final class ModifyStoreFileTrackerProcedure implements Procedure {
  private final ProcedureContext environment;
  private final String owner;
  private final TableName table;
  private final TrackerScope scope;
  private final String wanted;
  private Optional<TableSchema> before = Optional.empty();
  private Optional<TableSchema> after = Optional.empty();

  /**
   * Creates the procedure.
   *
   * @param family the only family; empty for the table
   * @param wanted the name of the tracker
   */
  public ModifyStoreFileTrackerProcedure(
      ProcedureContext environment,
      String owner,
      TableName table,
      Optional<byte[]> family,
      String wanted) {
    this.environment = environment;
    this.owner = owner;
    this.table = table;
    this.scope = new TrackerScope(family);
    this.wanted = wanted;
  }

  ModifyStoreFileTrackerProcedure(ProcedureContext environment, ModifyTableStateData data) {
    this.environment = environment;
    this.owner = data.getUserInfo().getEffectiveUser();
    this.table = Messages.tableName(data.getModifiedTableSchema().getTableName());
    this.before = Optional.of(new TableSchema(data.getUnmodifiedTableSchema()));
    this.after = Optional.of(new TableSchema(data.getModifiedTableSchema()));
    this.scope = TrackerScope.difference(before.get(), after.get());
    this.wanted = "";
  }

  @Override
  public ProcedureKind kind() {
    return ProcedureKind.MODIFY_STORE_FILE_TRACKER;
  }

  @Override
  public Message data() {
    return ModifyTableStateData.newBuilder()
        .setUserInfo(TableResource.user(owner))
        .setUnmodifiedTableSchema(before.orElseThrow().message())
        .setModifiedTableSchema(after.orElseThrow().message())
        .setDeleteColumnFamilyInModify(false)
        .build();
  }

  @Override
  public String resource() {
    return TableResource.of(table);
  }

  @Override
  public void prepare() throws IOException {
    TableSchema present = DescriptorChange.requireChangeable(environment, table);
    if (StoreFileTracking.isMigration(wanted)) {
      throw new DoNotRetryIOException("Do not need to transfer to MIGRATION");
    }
    StoreFileTracking.Kind target =
        StoreFileTracking.Kind.of(wanted)
            .orElseThrow(
                () ->
                    new DoNotRetryIOException(
                        "The store file tracker <" + wanted + "> is neither DEFAULT nor FILE"));
    if (scope.family().filter(family -> present.family(family).isEmpty()).isPresent()) {
      throw new NoSuchColumnFamilyException(
          Bytes.utf8(scope.family().get()) + " does not exist for table " + table);
    }
    new DescriptorChange(environment).requireOpen(table);
    before = Optional.of(present);
    after = Optional.of(scope.with(present, StoreFileTracking.of(target)));
  }

  @Override
  public List<Step> steps() {
    return List.of(
        step("MODIFY_STORE_FILE_TRACKER_FINISH_PREVIOUS_MIGRATION", Stage.FINISH_PREVIOUS),
        step("MODIFY_STORE_FILE_TRACKER_START_MIGRATION", Stage.MIGRATE),
        step("MODIFY_STORE_FILE_TRACKER_FINISH_MIGRATION", Stage.FINISH));
  }

  private enum Stage {
    FINISH_PREVIOUS,
    MIGRATE,
    FINISH
  }

  private Step step(String name, Stage stage) {
    return new Step(name, completion -> apply(stage, completion));
  }

  private void apply(Stage stage, Completion completion) {
    StoreFileTracking old = tracking(before.orElseThrow());
    StoreFileTracking now = tracking(after.orElseThrow());
    StoreFileTracking between = StoreFileTracking.of(old.target());
    boolean skipped =
        switch (stage) {
          case FINISH_PREVIOUS -> !old.isMigration();
          case MIGRATE -> between.equals(now);
          case FINISH -> old.equals(now);
        };
    if (skipped) {
      completion.done();
      return;
    }
    TableSchema schema =
        switch (stage) {
          case FINISH_PREVIOUS -> scope.with(before.orElseThrow(), between);
          case MIGRATE ->
              scope.with(
                  before.orElseThrow(), new StoreFileTracking(between.source(), now.target()));
          case FINISH -> after.orElseThrow();
        };
    DescriptorChange change = new DescriptorChange(environment);
    change.write(schema, completion.then(() -> change.reopenAll(table, completion)));
  }

  private StoreFileTracking tracking(TableSchema schema) {
    return scope.tracking(schema, environment.schemas());
  }
}
