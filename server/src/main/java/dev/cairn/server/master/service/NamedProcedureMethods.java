package dev.cairn.server.master.service;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.ddl.FlushTableProcedure;
import dev.cairn.server.master.procedure.ProcedureExecutor;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ProcedureDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.FlushTableProcedureStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ExecProcedureRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ExecProcedureResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsProcedureDoneRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsProcedureDoneResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;

/**
 * The methods of {@code MasterService} that run a procedure by its name: the flush of a table, and
 * the snapshot of a table. A request with another name or with an unknown setting is refused.
 */
final class NamedProcedureMethods {
  /** The name by which clients before 2.6 ask for a table's flush; the instance is the table. */
  private static final String FLUSH = "flush-table-proc";

  /** The name by which clients ask for a table's snapshot; the instance is the snapshot's name. */
  private static final String SNAPSHOT = "online-snapshot";

  /** The setting with the families to flush, separated by commas; without it, all. */
  private static final String FAMILIES = "family";

  /** The setting that names the table of a snapshot. */
  private static final String TABLE = "table";

  private static final long EXPECTED_FLUSH_MILLIS = 60_000;

  private final MasterGate gate;
  private final SnapshotMethods snapshots;

  private NamedProcedureMethods(MasterGate gate) {
    this.gate = gate;
    this.snapshots = new SnapshotMethods(gate);
  }

  private static CallSubject subject(ProcedureDescription procedure) {
    String table =
        procedure.getSignature().equals(FLUSH)
            ? procedure.getInstance()
            : procedure.getConfigurationList().stream()
                .filter(setting -> setting.getName().equals(TABLE))
                .map(NameStringPair::getValue)
                .findFirst()
                .orElse("");
    return CallSubject.table(table);
  }

  static void register(MethodGroup rpc) {
    MasterGate gate = rpc.gate();
    NamedProcedureMethods methods = new NamedProcedureMethods(gate);
    rpc.about(
            "ExecProcedure",
            ExecProcedureRequest.getDefaultInstance(),
            (call, r) -> subject(r.getProcedure()))
        .handle(
            (call, r) -> {
              methods.submit(call, r.getProcedure());
              return ExecProcedureResponse.newBuilder()
                  .setExpectedTimeout(methods.expectedMillis(r.getProcedure()))
                  .build();
            });
    // No procedure returns data. The caller does not ask later whether the procedure has ended, so
    // the response waits for that.
    rpc.about(
            "ExecProcedureWithRet",
            ExecProcedureRequest.getDefaultInstance(),
            (call, r) -> subject(r.getProcedure()))
        .handle(
            (call, r) -> {
              long id = methods.submit(call, r.getProcedure());
              return gate.<ExecProcedureResponse>request(
                  call,
                  (master, future) ->
                      ProcedureMethods.completeAtEnd(
                          master.procedures(),
                          id,
                          ProcedureMethods.END_PATIENCE,
                          future,
                          ExecProcedureResponse.getDefaultInstance()));
            });
    rpc.about(
            "IsProcedureDone",
            IsProcedureDoneRequest.getDefaultInstance(),
            (call, r) -> subject(r.getProcedure()))
        .handle(
            (call, r) ->
                IsProcedureDoneResponse.newBuilder()
                    .setDone(methods.isDone(call, r.getProcedure()))
                    .setSnapshot(r.getProcedure())
                    .build());
  }

  /** Submits the procedure of {@code description}, and returns its id. */
  private long submit(RpcCall call, ProcedureDescription description) throws IOException {
    if (isSnapshot(description)) {
      return snapshots.take(call, snapshot(description), Optional.empty());
    }
    TableName table = flushed(description);
    List<byte[]> families = families(description);
    return gate.submit(
        call,
        Optional.empty(),
        master -> new FlushTableProcedure(master.procedureContext(), table, families));
  }

  private long expectedMillis(ProcedureDescription description) throws IOException {
    return isSnapshot(description) ? snapshots.expectedMillis() : EXPECTED_FLUSH_MILLIS;
  }

  private boolean isDone(RpcCall call, ProcedureDescription description) throws IOException {
    if (isSnapshot(description)) {
      return snapshots.findDone(call, snapshot(description)).isPresent();
    }
    TableName table = flushed(description);
    return gate.ask(call, master -> !isFlushing(master.procedures(), table));
  }

  private static boolean isFlushing(ProcedureExecutor procedures, TableName table) {
    return procedures.unfinished().stream()
        .filter(record -> record.data() instanceof FlushTableProcedureStateData)
        .map(record -> (FlushTableProcedureStateData) record.data())
        .anyMatch(flush -> Messages.tableName(flush.getTableName()).equals(table));
  }

  /** Tells whether the request asks for a snapshot; otherwise it asks for a flush. */
  private static boolean isSnapshot(ProcedureDescription description) throws DoNotRetryIOException {
    String name = description.getSignature();
    if (!name.equals(FLUSH) && !name.equals(SNAPSHOT)) {
      throw new DoNotRetryIOException(
          "The procedure is not registered: "
              + name
              + ". There are only "
              + FLUSH
              + " and "
              + SNAPSHOT
              + ", because Cairn loads no coprocessors with procedures of their own");
    }
    return name.equals(SNAPSHOT);
  }

  private static SnapshotDescription snapshot(ProcedureDescription description)
      throws DoNotRetryIOException {
    requireKnown(description, TABLE);
    for (NameStringPair setting : description.getConfigurationList()) {
      return SnapshotDescription.newBuilder()
          .setName(description.getInstance())
          .setTable(setting.getValue())
          .build();
    }
    throw new DoNotRetryIOException(
        "Snapshot table is not defined: set "
            + TABLE
            + " for the snapshot "
            + description.getInstance());
  }

  private static TableName flushed(ProcedureDescription description) throws IOException {
    try {
      return TableName.parse(description.getInstance());
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  private static List<byte[]> families(ProcedureDescription description) throws IOException {
    requireKnown(description, FAMILIES);
    List<byte[]> families = new ArrayList<>();
    for (NameStringPair setting : description.getConfigurationList()) {
      for (String family : setting.getValue().split(",")) {
        families.add(Bytes.utf8(family));
      }
    }
    return families;
  }

  private static void requireKnown(ProcedureDescription description, String known)
      throws DoNotRetryIOException {
    for (NameStringPair setting : description.getConfigurationList()) {
      if (!setting.getName().equals(known)) {
        throw new DoNotRetryIOException(
            "Cairn does not know the setting "
                + setting.getName()
                + " of "
                + description.getSignature());
      }
    }
  }
}
