package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.ddl.CloneSnapshotProcedure;
import dev.cairn.server.master.ddl.RestoreSnapshotProcedure;
import dev.cairn.server.master.ddl.SnapshotProcedure;
import dev.cairn.server.master.ddl.SnapshotUse;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureRecord;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.wire.NamedException;
import dev.cairn.server.snapshot.SnapshotDescriptions;
import dev.cairn.server.snapshot.SnapshotDirectory;
import dev.cairn.server.snapshot.StoredSnapshot;
import java.io.IOException;
import java.util.Comparator;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ErrorHandlingProtos.GenericExceptionMessage;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.SnapshotCreationException;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;
import org.apache.hadoop.hbase.snapshot.SnapshotTTLExpiredException;
import org.apache.hadoop.hbase.snapshot.UnknownSnapshotException;

/** The methods of {@code MasterService} about snapshots. */
final class SnapshotMethods {
  private static final String UNSUPPORTED = "java.lang.UnsupportedOperationException";

  private final MasterGate gate;

  SnapshotMethods(MasterGate gate) {
    this.gate = gate;
  }

  static void register(RpcService.Builder service, MasterGate gate) {
    SnapshotMethods methods = new SnapshotMethods(gate);
    service
        .on(
            "Snapshot",
            MasterProtos.SnapshotRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getSnapshot().getTable()),
            methods::take)
        .on(
            "IsSnapshotDone",
            MasterProtos.IsSnapshotDoneRequest.getDefaultInstance(),
            CallSubject::cluster,
            methods::isDone)
        .on(
            "GetCompletedSnapshots",
            MasterProtos.GetCompletedSnapshotsRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                MasterProtos.GetCompletedSnapshotsResponse.newBuilder()
                    .addAllSnapshots(methods.directory(call).list())
                    .build())
        .on(
            "DeleteSnapshot",
            MasterProtos.DeleteSnapshotRequest.getDefaultInstance(),
            CallSubject::cluster,
            methods::delete)
        .on(
            "RestoreSnapshot",
            MasterProtos.RestoreSnapshotRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getSnapshot().getTable()),
            methods::restore);
  }

  private SnapshotDirectory directory(RpcCall call) throws IOException {
    return gate.ask(call, master -> master.environment().snapshots());
  }

  private void requireEnabled() throws IOException {
    if (!gate.master().world().snapshots().enabled()) {
      throw new NamedException(
          UNSUPPORTED,
          "Snapshots are off. Set hbase.snapshot.enabled to true in the master's hbase-site.xml");
    }
  }

  private MasterProtos.SnapshotResponse take(RpcCall call, MasterProtos.SnapshotRequest request)
      throws IOException {
    long id = take(call, request.getSnapshot(), request.getNonceGroup(), request.getNonce());
    return MasterProtos.SnapshotResponse.newBuilder()
        .setExpectedTimeout(expectedMillis())
        .setProcId(id)
        .build();
  }

  /** Submits the procedure that takes the snapshot, and returns the procedure's id. */
  long take(RpcCall call, SnapshotDescription wanted, long nonceGroup, long nonce)
      throws IOException {
    requireEnabled();
    String name = SnapshotDescriptions.name(wanted);
    TableName table = SnapshotDescriptions.table(wanted);
    if (table.isMeta()) {
      throw new DoNotRetryIOException("No snapshot of " + table + " can be taken");
    }
    boolean exists = directory(call).find(name).isPresent();
    return gate.submit(
        call, nonceGroup, nonce, master -> taking(master, wanted, call.user(), exists));
  }

  /** Returns how long a client should wait for a snapshot, milliseconds. */
  long expectedMillis() throws IOException {
    return gate.master().world().snapshots().patience().toMillis();
  }

  /**
   * Returns the procedure that takes a snapshot.
   *
   * @param exists whether there is a snapshot of the name
   */
  static SnapshotProcedure taking(
      ActiveMaster master, SnapshotDescription wanted, String user, boolean exists)
      throws IOException {
    String name = SnapshotDescriptions.name(wanted);
    return new SnapshotProcedure(
        master.environment(),
        SnapshotDescriptions.table(wanted),
        wanted,
        user,
        () -> checkNew(master, name, exists));
  }

  private static void checkNew(ActiveMaster master, String name, boolean exists)
      throws IOException {
    if (exists) {
      throw new SnapshotExistsException(
          "Snapshot '" + name + "' already stored on the filesystem.");
    }
    if (SnapshotUse.isUsed(master.procedures().submitted(SnapshotUse.KINDS), name)) {
      throw new SnapshotCreationException(
          "A procedure takes, restores or clones a snapshot of the name " + name + " already");
    }
  }

  private MasterProtos.IsSnapshotDoneResponse isDone(
      RpcCall call, MasterProtos.IsSnapshotDoneRequest request) throws IOException {
    if (!request.hasSnapshot()) {
      throw new UnknownSnapshotException("No snapshot name passed in request!");
    }
    Optional<SnapshotDescription> present = findDone(call, request.getSnapshot());
    return MasterProtos.IsSnapshotDoneResponse.newBuilder()
        .setDone(present.isPresent())
        .setSnapshot(present.orElse(request.getSnapshot()))
        .build();
  }

  /**
   * Returns the complete snapshot of a name; empty while it is being taken.
   *
   * @throws UnknownSnapshotException if there is none and none is being taken
   * @throws IOException the failure of the procedure that took it last
   */
  Optional<SnapshotDescription> findDone(RpcCall call, SnapshotDescription wanted)
      throws IOException {
    String name = SnapshotDescriptions.name(wanted);
    Optional<ProcedureRecord> last =
        gate.ask(
            call,
            master ->
                master.procedures().all().stream()
                    .filter(record -> SnapshotUse.takes(record, name))
                    .max(Comparator.comparingLong(ProcedureRecord::id)));
    boolean running = last.filter(record -> !record.isDone()).isPresent();
    Optional<SnapshotDescription> present = running ? Optional.empty() : directory(call).find(name);
    if (!running && present.isEmpty()) {
      if (last.flatMap(ProcedureRecord::failure).isPresent()) {
        GenericExceptionMessage failure = last.get().failure().orElseThrow().getGenericException();
        throw new NamedException(failure.getClassName(), failure.getMessage());
      }
      throw new UnknownSnapshotException(
          "Snapshot "
              + name
              + " is not currently running or one of the known completed snapshots.");
    }
    return present;
  }

  private MasterProtos.DeleteSnapshotResponse delete(
      RpcCall call, MasterProtos.DeleteSnapshotRequest request) throws IOException {
    requireEnabled();
    String name = SnapshotDescriptions.name(request.getSnapshot());
    boolean deleted =
        gate.<Boolean>request(
            call,
            (master, future) ->
                master
                    .snapshotCleanup()
                    .delete(name, future::complete, future::completeExceptionally));
    if (!deleted) {
      throw doesNotExist(name);
    }
    return MasterProtos.DeleteSnapshotResponse.getDefaultInstance();
  }

  private MasterProtos.RestoreSnapshotResponse restore(
      RpcCall call, MasterProtos.RestoreSnapshotRequest request) throws IOException {
    requireEnabled();
    String name = SnapshotDescriptions.name(request.getSnapshot());
    TableName table = SnapshotDescriptions.table(request.getSnapshot());
    StoredSnapshot snapshot = directory(call).read(name).orElseThrow(() -> doesNotExist(name));
    if (SnapshotDescriptions.isExpired(
        snapshot.description(), gate.master().world().clock().currentTimeMillis())) {
      throw new SnapshotTTLExpiredException(
          "The time to live of the snapshot " + name + " is over; it will be deleted");
    }
    if (request.getRestoreACL() && snapshot.description().hasUsersAndPermissions()) {
      throw new DoNotRetryIOException(
          "The snapshot "
              + name
              + " holds permissions. Access control is not supported yet: restore it without them"
              + " (RESTORE_ACL)");
    }
    Optional<String> tracker =
        request.hasCustomSFT() ? Optional.of(request.getCustomSFT()) : Optional.empty();
    MasterGate.Question<Procedure> procedure =
        master ->
            master.tables().states().containsKey(table)
                ? RestoreSnapshotProcedure.of(
                    master.environment(), call.user(), snapshot, table, tracker)
                : CloneSnapshotProcedure.of(
                    master.environment(), call.user(), snapshot, table, tracker);
    long id = gate.submit(call, request.getNonceGroup(), request.getNonce(), procedure);
    return MasterProtos.RestoreSnapshotResponse.newBuilder().setProcId(id).build();
  }

  private static SnapshotDoesNotExistException doesNotExist(String name) {
    return new SnapshotDoesNotExistException(
        "Snapshot '" + name + "' doesn't exist on the filesystem");
  }
}
