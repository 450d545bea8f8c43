package dev.cairn.server.master.ddl;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.ProcedureKind;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.ModifyTableStateData;

/**
 * Changes the store file tracker of a table or of one family through {@code MIGRATION}. First
 * finishes a migration that has begun. Each step writes a descriptor and reopens all regions.
 */
public final class ModifyStoreFileTrackerProcedure extends DescriptorProcedure {
  private final TrackerScope scope;
  private final String wanted;

  /**
   * Creates the procedure.
   *
   * @param family the only family; empty for the table
   * @param wanted the name of the tracker
   */
  public ModifyStoreFileTrackerProcedure(
      ProcedureContext context,
      String owner,
      TableName table,
      Optional<byte[]> family,
      String wanted) {
    super(context, ProcedureKind.MODIFY_STORE_FILE_TRACKER, owner, table);
    this.scope = new TrackerScope(family);
    this.wanted = wanted;
  }

  ModifyStoreFileTrackerProcedure(ProcedureContext context, ModifyTableStateData data) {
    super(context, ProcedureKind.MODIFY_STORE_FILE_TRACKER, data);
    this.scope = TrackerScope.difference(before(), after());
    this.wanted = "";
  }

  @Override
  public void prepare() throws IOException {
    TableSchema present = requireChangeable();
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
    requireOpen();
    plan(present, scope.with(present, StoreFileTracking.of(target)));
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
    StoreFileTracking old = tracking(before());
    StoreFileTracking now = tracking(after());
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
          case FINISH_PREVIOUS -> scope.with(before(), between);
          case MIGRATE ->
              scope.with(before(), new StoreFileTracking(between.source(), now.target()));
          case FINISH -> after();
        };
    write(schema, completion.then(() -> reopenAll(completion)));
  }

  private StoreFileTracking tracking(TableSchema schema) {
    return scope.tracking(schema, context.schemas());
  }
}
