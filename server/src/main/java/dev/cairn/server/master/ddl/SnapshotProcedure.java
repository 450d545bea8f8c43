package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.snapshot.SnapshotDescriptions;
import dev.cairn.server.snapshot.SnapshotDirectory;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SnapshotProcedureStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.SnapshotCreationException;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Takes a snapshot: lists the files of all regions and publishes the list by one rename. Stores no
 * progress before that, so after a kill it begins again.
 */
public final class SnapshotProcedure extends TableProcedure {
  private final Admission admission;
  private SnapshotDescription snapshot;
  private Optional<SnapshotDirectory.Attempt> attempt = Optional.empty();
  private final RegionManifests manifests;

  /**
   * Decides whether a new snapshot may be taken, before it waits for others of the table. Not asked
   * for a repeated request.
   */
  @FunctionalInterface
  public interface Admission {
    /**
     * Returns if it may.
     *
     * @throws IOException for the client, if it may not
     */
    void check() throws IOException;
  }

  /**
   * Creates the procedure.
   *
   * @param wanted the snapshot that the client requests; its name is legal
   * @param owner the requesting user
   */
  public SnapshotProcedure(
      ProcedureContext context,
      TableName table,
      SnapshotDescription wanted,
      String owner,
      Admission admission) {
    super(context, ProcedureKind.SNAPSHOT, owner, table);
    this.admission = admission;
    this.snapshot = wanted;
    this.manifests = new RegionManifests(context);
  }

  SnapshotProcedure(ProcedureContext context, SnapshotProcedureStateData data) {
    this(
        context,
        TableName.parse(data.getSnapshot().getTable()),
        data.getSnapshot(),
        data.getSnapshot().getOwner(),
        () -> {});
  }

  @Override
  public Message data() {
    return SnapshotProcedureStateData.newBuilder().setSnapshot(snapshot).build();
  }

  @Override
  public void admit() throws IOException {
    admission.check();
  }

  @Override
  public void prepare() throws IOException {
    context.tables().checkWhole(table);
    Tables.Table present =
        context
            .tables()
            .find(table)
            .orElseThrow(
                () ->
                    new SnapshotCreationException(
                        "Table '" + table + "' doesn't exist, can't take snapshot."));
    SnapshotDescription.Type type;
    if (present.state() == State.DISABLED) {
      type = SnapshotDescription.Type.DISABLED;
    } else if (present.state() != State.ENABLED) {
      throw new SnapshotCreationException(
          "Table '" + table + "' is not entirely open or closed, but " + present.state() + ".");
    } else {
      type =
          snapshot.getType() == SnapshotDescription.Type.SKIPFLUSH
              ? SnapshotDescription.Type.SKIPFLUSH
              : SnapshotDescription.Type.FLUSH;
    }
    snapshot =
        SnapshotDescriptions.complete(
            snapshot,
            type,
            owner,
            context.clock().currentTimeMillis(),
            context.snapshotSettings().ttlSeconds());
  }

  @Override
  public List<Step> steps() {
    return List.of(
        Step.endingWithNext("SNAPSHOT_WRITE_SNAPSHOT_INFO", this::begin),
        Step.endingWithNext("SNAPSHOT_SNAPSHOT_ONLINE_REGIONS", this::collectOpen),
        Step.endingWithNext("SNAPSHOT_SNAPSHOT_CLOSED_REGIONS", this::collectClosed),
        new Step("SNAPSHOT_COMPLETE_SNAPSHOT", this::publish));
  }

  @Override
  public void hurry() {
    manifests.hurry();
  }

  @Override
  public int undoableSteps() {
    return steps().size();
  }

  @Override
  public void undo(Completion completion) {
    context.onFiles(
        () -> {
          if (attempt.isPresent()) {
            attempt.get().abandon();
          }
        },
        completion);
  }

  /** Begins, unless a master has been killed between the rename and the end of the procedure. */
  private void begin(Completion completion) {
    manifests.begin(snapshot);
    long number = context.nextNumber().getAsLong();
    context
        .loop()
        .perform(
            Lane.FILES,
            () -> {
              SnapshotDirectory snapshots = context.snapshots();
              Optional<SnapshotDescription> present = snapshots.find(snapshot.getName());
              if (present.equals(Optional.of(snapshot))) {
                return Optional.<SnapshotDirectory.Attempt>empty();
              }
              if (present.isPresent()) {
                throw exists();
              }
              return Optional.of(snapshots.begin(snapshot, context.epoch(), number));
            },
            begun -> {
              attempt = begun;
              completion.done();
            },
            completion::failed);
  }

  private void collectOpen(Completion completion) {
    if (attempt.isEmpty() || isDisabled()) {
      completion.done();
    } else {
      manifests.collectOpen(regions(), completion);
    }
  }

  private void collectClosed(Completion completion) {
    List<RegionInfo> parents = context.tables().splitParents(table);
    if (attempt.isEmpty()) {
      completion.done();
    } else if (isDisabled()) {
      manifests.collectClosed(
          regions(),
          schema(),
          completion.then(() -> manifests.collectClosed(parents, schema(), completion)));
    } else {
      manifests.collectClosed(parents, schema(), completion);
    }
  }

  private void publish(Completion completion) {
    if (attempt.isEmpty()) {
      completion.done();
      return;
    }
    TableSchema schema = schema();
    context.onFiles(
        () -> {
          try {
            attempt.get().publish(schema, manifests.all());
          } catch (FileAlreadyExistsException e) {
            if (!context.snapshots().find(snapshot.getName()).equals(Optional.of(snapshot))) {
              throw exists();
            }
            attempt.get().abandon(); // A master before this one has published it late.
          }
        },
        completion);
  }

  private SnapshotExistsException exists() {
    return new SnapshotExistsException(
        "Snapshot '" + snapshot.getName() + "' already stored on the filesystem.");
  }

  private boolean isDisabled() {
    return snapshot.getType() == SnapshotDescription.Type.DISABLED;
  }

  private List<RegionInfo> regions() {
    return context.assignments().regionsOf(table);
  }

  private TableSchema schema() {
    return context.tables().find(table).orElseThrow().schema();
  }
}
