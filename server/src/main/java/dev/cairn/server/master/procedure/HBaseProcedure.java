package dev.cairn.server.master.procedure;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.store.MasterStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.CreateTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.DeleteNamespaceStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.DeleteTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.MergeTableRegionsStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.ModifyTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SplitTableRegionStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.ProcedureState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.StateMachineProcedureData;
import org.apache.hbase.thirdparty.com.google.protobuf.Any;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * An unfinished procedure of HBase's master, and its treatment here. HBase would continue its
 * steps; this server has steps of its own, so it does one of these:
 *
 * <ul>
 *   <li>begins a procedure of its own that does the same, which is harmless however far HBase's
 *       was, since each of its steps can be done twice;
 *   <li>nothing, since its start does it anyway: it recovers all logs and opens all regions;
 *   <li>undoes it, as HBase's own rollback does, unless {@code hbase:meta} has its outcome;
 *   <li>refuses to lead: then HBase has to finish it.
 * </ul>
 *
 * Immutable.
 *
 * @param id its number
 * @param name its class's name, without the package
 * @param state HBase's word for how far it is
 * @param fate its treatment here
 */
public record HBaseProcedure(long id, String name, ProcedureState state, Fate fate) {
  /** The treatment of a procedure. */
  public sealed interface Fate permits Repeat, ByStart, UndoRegions, GiveUp, Refuse {}

  /** A procedure of this server does the same. */
  record Repeat(ProcedureKind kind, Message data) implements Fate {}

  /** The start of this server does it. */
  record ByStart() implements Fate {}

  /**
   * Regions that were to replace others. Those that {@code hbase:meta} does not have are removed;
   * they hold only references to the files of the others.
   */
  record UndoRegions(List<RegionInfo> regions) implements Fate {}

  /** It is dropped: nothing depends on it, and its client heard of no success. */
  record GiveUp(String consequence) implements Fate {}

  /** It can be neither continued nor undone here. */
  record Refuse() implements Fate {}

  /**
   * The procedures that every start repeats, or that are useless without the servers of that time.
   */
  private static final Set<String> DONE_BY_START =
      Set.of(
          "ServerCrashProcedure",
          "HBCKServerCrashProcedure",
          "InitMetaProcedure",
          "RecoverMetaProcedure",
          "TransitRegionStateProcedure",
          "OpenRegionProcedure",
          "CloseRegionProcedure",
          "AssignProcedure",
          "UnassignProcedure",
          "MoveRegionProcedure",
          "ReopenTableRegionsProcedure",
          "CloseTableRegionsProcedure",
          "CloseExcessRegionReplicasProcedure",
          "ServerRemoteProcedure",
          "SplitWALProcedure",
          "SplitWALRemoteProcedure",
          "FlushTableProcedure",
          "FlushRegionProcedure",
          "LockProcedure",
          "ReloadQuotasProcedure");

  /**
   * The procedures that clean up unreferenced regions; the next cleanup of this server does that,
   * too.
   */
  private static final Set<String> TIDYING =
      Set.of(
          "GCRegionProcedure",
          "GCMergedRegionsProcedure",
          "GCMultipleMergedRegionsProcedure",
          "InitializeStoreFileTrackerProcedure");

  private static final Set<ProcedureKind> REPEATABLE =
      Set.of(
          ProcedureKind.CREATE_TABLE,
          ProcedureKind.DELETE_TABLE,
          ProcedureKind.MODIFY_TABLE,
          ProcedureKind.ENABLE_TABLE,
          ProcedureKind.DISABLE_TABLE,
          ProcedureKind.CREATE_NAMESPACE,
          ProcedureKind.MODIFY_NAMESPACE,
          ProcedureKind.DELETE_NAMESPACE);

  /**
   * Reads one entry of the master's store; empty if the procedure is finished, or a part of another
   * one.
   *
   * @throws IOException naming the procedure, if it cannot be read
   */
  public static Optional<HBaseProcedure> read(MasterStore.Entry entry) throws IOException {
    if (entry.value().length == 0) {
      return Optional.empty(); // HBase keeps the number of the last one that way.
    }
    ProcedureProtos.Procedure message;
    try {
      message = ProcedureProtos.Procedure.parseFrom(entry.value());
    } catch (InvalidProtocolBufferException e) {
      throw new IOException(
          "Procedure "
              + Bytes.toStringBinary(entry.row())
              + " in the master's store cannot be read: "
              + e.getMessage(),
          e);
    }
    if (message.hasParentId()
        || message.getState() == ProcedureState.SUCCESS
        || message.getState() == ProcedureState.ROLLEDBACK) {
      return Optional.empty();
    }
    String name = message.getClassName().substring(message.getClassName().lastIndexOf('.') + 1);
    try {
      return Optional.of(
          new HBaseProcedure(message.getProcId(), name, message.getState(), fate(name, message)));
    } catch (InvalidProtocolBufferException e) {
      throw new IOException(
          "Procedure "
              + message.getProcId()
              + " ("
              + name
              + ") in the master's store cannot be read: "
              + e.getMessage(),
          e);
    }
  }

  private static Fate fate(String name, ProcedureProtos.Procedure message)
      throws InvalidProtocolBufferException {
    if (DONE_BY_START.contains(name)) {
      return new ByStart();
    }
    if (TIDYING.contains(name)) {
      return new GiveUp("the files that it would have removed stay, which does no harm");
    }
    switch (name) {
      case "SplitTableRegionProcedure":
        return new UndoRegions(
            data(message, SplitTableRegionStateData.class)
                .map(SplitTableRegionStateData::getChildRegionInfoList)
                .orElse(List.of())
                .stream()
                .map(Messages::regionInfo)
                .toList());
      case "MergeTableRegionsProcedure":
        return new UndoRegions(
            data(message, MergeTableRegionsStateData.class)
                .filter(MergeTableRegionsStateData::hasMergedRegionInfo)
                .map(data -> List.of(Messages.regionInfo(data.getMergedRegionInfo())))
                .orElse(List.of()));
      case "SnapshotProcedure":
        return new GiveUp("the snapshot was not finished: take it again");
      default:
        return repeat(message);
    }
  }

  private static Fate repeat(ProcedureProtos.Procedure message)
      throws InvalidProtocolBufferException {
    Optional<ProcedureKind> kind =
        ProcedureKind.of(message.getClassName()).filter(REPEATABLE::contains);
    if (kind.isEmpty()) {
      return new Refuse();
    }
    if (message.getState() == ProcedureState.FAILED) {
      // HBase undoes these only while nothing has happened yet.
      return new GiveUp("it had failed before it changed anything");
    }
    Optional<? extends Message> data = data(message, kind.get().prototype().getClass());
    if (data.isEmpty() || !hasPassedChecks(message) || !hasBegun(data.get())) {
      return new GiveUp("it had not changed anything yet: ask for it again");
    }
    return new Repeat(kind.get(), data.get());
  }

  /**
   * Tells whether it was allowed: its first step checks that, and HBase lists the step that a
   * procedure is at behind all that are done.
   */
  private static boolean hasPassedChecks(ProcedureProtos.Procedure message)
      throws InvalidProtocolBufferException {
    return data(message, StateMachineProcedureData.class)
        .filter(steps -> steps.getStateCount() > 1)
        .isPresent();
  }

  private static boolean hasBegun(Message data) {
    if (data instanceof CreateTableStateData create) {
      return create.getRegionInfoCount() > 0;
    }
    if (data instanceof DeleteTableStateData delete) {
      return delete.getRegionInfoCount() > 0;
    }
    if (data instanceof ModifyTableStateData modify) {
      return modify.hasUnmodifiedTableSchema();
    }
    if (data instanceof DeleteNamespaceStateData delete) {
      return delete.hasNamespaceDescriptor();
    }
    return true;
  }

  private static <T extends Message> Optional<T> data(
      ProcedureProtos.Procedure message, Class<T> kind) throws InvalidProtocolBufferException {
    for (Any part : message.getStateMessageList()) {
      if (part.is(kind)) {
        return Optional.of(part.unpack(kind));
      }
    }
    return Optional.empty();
  }

  /** Tells whether only HBase can finish it. */
  public boolean isRefused() {
    return fate instanceof Refuse;
  }

  /** Returns its treatment, for people. */
  public String consequence() {
    if (fate instanceof Repeat) {
      return "this server carries it to its end";
    } else if (fate instanceof ByStart) {
      return "the start of this server does the rest of it";
    } else if (fate instanceof UndoRegions) {
      return "it is undone, unless hbase:meta has its outcome";
    } else if (fate instanceof GiveUp forget) {
      return "it is given up: " + forget.consequence();
    }
    return "only Apache HBase can finish it: start it on this folder, wait, and stop it";
  }

  /** Returns number and name, for people. */
  @Override
  public String toString() {
    return name + " " + id + " (" + state + ")";
  }
}
