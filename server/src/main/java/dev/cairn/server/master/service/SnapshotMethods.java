package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.DescriptorDefaults;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.ddl.CloneSnapshotProcedure;
import dev.cairn.server.master.ddl.RestoreSnapshotProcedure;
import dev.cairn.server.master.ddl.SnapshotProcedure;
import dev.cairn.server.master.ddl.SnapshotUse;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureRecord;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.wire.NamedException;
import dev.cairn.server.snapshot.SnapshotDescriptions;
import dev.cairn.server.snapshot.SnapshotDirectory;
import dev.cairn.server.snapshot.StoredSnapshot;
import java.io.IOException;
import java.util.Comparator;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ErrorHandlingProtos.GenericExceptionMessage;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteSnapshotRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteSnapshotResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetCompletedSnapshotsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetCompletedSnapshotsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsSnapshotDoneRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsSnapshotDoneResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RestoreSnapshotRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RestoreSnapshotResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SnapshotRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SnapshotResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.SnapshotCreationException;
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

  static void register(MethodGroup rpc) {
    SnapshotMethods methods = new SnapshotMethods(rpc.gate());
    rpc.about(
            "Snapshot",
            SnapshotRequest.getDefaultInstance(),
            (call, r) -> CallSubject.table(r.getSnapshot().getTable()))
        .handle(r -> Nonce.of(r.getNonceGroup(), r.getNonce()), methods::take);
    rpc.cluster("IsSnapshotDone", IsSnapshotDoneRequest.getDefaultInstance())
        .handle(methods::isDone);
    rpc.cluster("GetCompletedSnapshots", GetCompletedSnapshotsRequest.getDefaultInstance())
        .handle(
            (call, r) ->
                GetCompletedSnapshotsResponse.newBuilder()
                    .addAllSnapshots(methods.directory(call).list())
                    .build());
    rpc.cluster("DeleteSnapshot", DeleteSnapshotRequest.getDefaultInstance())
        .handle(methods::delete);
    rpc.about(
            "RestoreSnapshot",
            RestoreSnapshotRequest.getDefaultInstance(),
            (call, r) -> CallSubject.table(r.getSnapshot().getTable()))
        .handle(r -> Nonce.of(r.getNonceGroup(), r.getNonce()), methods::restore);
  }

  private SnapshotDirectory directory(RpcCall call) throws IOException {
    return gate.ask(call, master -> master.procedureContext().snapshots());
  }

  private void requireEnabled() throws IOException {
    if (!gate.master().context().snapshots().enabled()) {
      throw new NamedException(
          UNSUPPORTED,
          "Snapshots are off. Set hbase.snapshot.enabled to true in the master's hbase-site.xml");
    }
  }

  private SnapshotResponse take(RpcCall call, SnapshotRequest request) throws IOException {
    Optional<Nonce> nonce = Nonce.of(request.getNonceGroup(), request.getNonce());
    long id = take(call, request.getSnapshot(), nonce);
    return SnapshotResponse.newBuilder().setExpectedTimeout(expectedMillis()).setProcId(id).build();
  }

  /** Submits the procedure that takes the snapshot, and returns the procedure's id. */
  long take(RpcCall call, SnapshotDescription wanted, Optional<Nonce> nonce) throws IOException {
    requireEnabled();
    String name = SnapshotDescriptions.name(wanted);
    TableName table = SnapshotDescriptions.table(wanted);
    if (table.isMeta()) {
      throw new DoNotRetryIOException("No snapshot of " + table + " can be taken");
    }
    boolean exists = directory(call).find(name).isPresent();
    return gate.submit(call, nonce, master -> taking(master, wanted, call.user(), exists));
  }

  /** Returns how long a client should wait for a snapshot, milliseconds. */
  long expectedMillis() throws IOException {
    return gate.master().context().snapshots().patience().toMillis();
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
        master.procedureContext(),
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

  private IsSnapshotDoneResponse isDone(RpcCall call, IsSnapshotDoneRequest request)
      throws IOException {
    if (!request.hasSnapshot()) {
      throw new UnknownSnapshotException("No snapshot name passed in request!");
    }
    Optional<SnapshotDescription> present = findDone(call, request.getSnapshot());
    return IsSnapshotDoneResponse.newBuilder()
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

  private DeleteSnapshotResponse delete(RpcCall call, DeleteSnapshotRequest request)
      throws IOException {
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
      throw SnapshotDirectory.doesNotExist(name);
    }
    return DeleteSnapshotResponse.getDefaultInstance();
  }

  private RestoreSnapshotResponse restore(RpcCall call, RestoreSnapshotRequest request)
      throws IOException {
    requireEnabled();
    String name = SnapshotDescriptions.name(request.getSnapshot());
    TableName table = SnapshotDescriptions.table(request.getSnapshot());
    StoredSnapshot snapshot = directory(call).require(name);
    if (SnapshotDescriptions.isExpired(
        snapshot.description(), gate.master().context().clock().currentTimeMillis())) {
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
    gate.examine(call, DescriptorDefaults.complete(snapshot.schema()));
    MasterGate.Question<Procedure> procedure =
        master ->
            master.tables().states().containsKey(table)
                ? RestoreSnapshotProcedure.of(
                    master.procedureContext(), call.user(), snapshot, table, tracker)
                : CloneSnapshotProcedure.of(
                    master.procedureContext(), call.user(), snapshot, table, tracker);
    long id = gate.submit(call, Nonce.of(request.getNonceGroup(), request.getNonce()), procedure);
    return RestoreSnapshotResponse.newBuilder().setProcId(id).build();
  }
}
