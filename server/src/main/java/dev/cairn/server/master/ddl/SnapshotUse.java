package dev.cairn.server.master.ddl;

import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.procedure.ProcedureRecord;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.CloneSnapshotStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.RestoreSnapshotStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SnapshotProcedureStateData;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Finds out which procedures take, restore or clone a snapshot. */
public final class SnapshotUse {
  private SnapshotUse() {}

  /** The kinds of procedures that take, restore or clone snapshots. */
  public static final Set<ProcedureKind> KINDS =
      EnumSet.of(
          ProcedureKind.SNAPSHOT, ProcedureKind.CLONE_SNAPSHOT, ProcedureKind.RESTORE_SNAPSHOT);

  /** Returns the id of a procedure that uses the snapshot of a name; empty if there is none. */
  public static Optional<Long> of(Collection<ProcedureRecord> unfinished, String name) {
    return unfinished.stream()
        .filter(record -> snapshot(record.data()).filter(name::equals).isPresent())
        .map(ProcedureRecord::id)
        .findFirst();
  }

  /**
   * Tells whether one of the procedures takes, restores or clones the snapshot of a name.
   *
   * @param data the data of the procedures
   */
  public static boolean isUsed(Stream<Message> data, String name) {
    return data.anyMatch(one -> snapshot(one).filter(name::equals).isPresent());
  }

  /** Tells whether a procedure takes or took the snapshot of a name. */
  public static boolean takes(ProcedureRecord record, String name) {
    return record.data() instanceof SnapshotProcedureStateData data
        && data.getSnapshot().getName().equals(name);
  }

  private static Optional<String> snapshot(Message data) {
    if (data instanceof SnapshotProcedureStateData snapshot) {
      return Optional.of(snapshot.getSnapshot().getName());
    } else if (data instanceof CloneSnapshotStateData clone) {
      return Optional.of(clone.getSnapshot().getName());
    } else if (data instanceof RestoreSnapshotStateData restore) {
      return Optional.of(restore.getSnapshot().getName());
    }
    return Optional.empty();
  }
}
