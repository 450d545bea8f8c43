package dev.cairn.coprocessor.master;

import dev.cairn.coprocessor.convert.MasterValues;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.master.hook.MasterHooks.Body;
import dev.cairn.server.master.hook.MasterView;
import dev.cairn.server.master.hook.MasterView.Snapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.master.MasterCoprocessorHost;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ProcedureDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteSnapshotRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteSnapshotResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ExecProcedureRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetCompletedSnapshotsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetCompletedSnapshotsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RestoreSnapshotRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RestoreSnapshotResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SnapshotRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hooks around the methods about snapshots. A method whose snapshot is unknown fails without
 * hooks.
 */
record SnapshotCalls(MasterCoprocessorHost host, MasterView view) {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotCalls.class);

  /** The procedure by which clients may ask for a snapshot, and its setting with the table. */
  private static final String PROCEDURE = "online-snapshot";

  private static final String TABLE = "table";

  void register(MasterCalls calls) {
    calls.<SnapshotRequest, Message>on(
        "Snapshot",
        SnapshotRequest.class,
        (r, body) -> take(r.getSnapshot(), r, body),
        "preSnapshot",
        "postSnapshot");
    for (String method : List.of("ExecProcedure", "ExecProcedureWithRet")) {
      calls.<ExecProcedureRequest, Message>on(
          method,
          ExecProcedureRequest.class,
          (r, body) ->
              r.getProcedure().getSignature().equals(PROCEDURE)
                  ? take(snapshot(r.getProcedure()), r, body)
                  : body.run(r),
          "preSnapshot",
          "postSnapshot");
    }
    calls.on(
        "GetCompletedSnapshots",
        GetCompletedSnapshotsRequest.class,
        this::list,
        "preListSnapshot",
        "postListSnapshot");
    calls.on(
        "DeleteSnapshot",
        DeleteSnapshotRequest.class,
        this::delete,
        "preDeleteSnapshot",
        "postDeleteSnapshot");
    calls.on(
        "RestoreSnapshot",
        RestoreSnapshotRequest.class,
        this::restore,
        "preRestoreSnapshot",
        "postRestoreSnapshot",
        "preCloneSnapshot",
        "postCloneSnapshot");
  }

  private static SnapshotProtos.SnapshotDescription snapshot(ProcedureDescription procedure) {
    String table =
        procedure.getConfigurationList().stream()
            .filter(setting -> setting.getName().equals(TABLE))
            .map(NameStringPair::getValue)
            .findFirst()
            .orElse("");
    return SnapshotProtos.SnapshotDescription.newBuilder()
        .setName(procedure.getInstance())
        .setTable(table)
        .build();
  }

  private <Q extends Message> Message take(
      SnapshotProtos.SnapshotDescription wanted, Q request, Body<Q, Message> body)
      throws IOException {
    SnapshotDescription shown = ProtobufUtil.createSnapshotDesc(wanted);
    // As in HBase, null for an absent table, for which the method fails afterwards.
    TableDescriptor table = table(wanted.getTable()).map(MasterValues::table).orElse(null);
    User user = RpcServer.getRequestUser().orElse(null);
    host.preSnapshot(shown, table, user);
    Message response = body.run(request);
    host.postSnapshot(shown, table, user);
    return response;
  }

  private Optional<TableSchema> table(String name) throws IOException {
    try {
      return view.table(TableName.parse(name));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // the method refuses the name
    }
  }

  /** As in HBase, a snapshot is left out of the list if its hook before fails. */
  private GetCompletedSnapshotsResponse list(
      GetCompletedSnapshotsRequest request,
      Body<GetCompletedSnapshotsRequest, GetCompletedSnapshotsResponse> body)
      throws IOException {
    List<SnapshotProtos.SnapshotDescription> listed = new ArrayList<>();
    for (SnapshotProtos.SnapshotDescription one : body.run(request).getSnapshotsList()) {
      SnapshotDescription shown = ProtobufUtil.createSnapshotDesc(one);
      try {
        host.preListSnapshot(shown);
        listed.add(one);
        host.postListSnapshot(shown);
      } catch (IOException e) {
        LOG.warn("A coprocessor fails for snapshot {} in a list", one.getName(), e);
      }
    }
    return GetCompletedSnapshotsResponse.newBuilder().addAllSnapshots(listed).build();
  }

  private DeleteSnapshotResponse delete(
      DeleteSnapshotRequest request, Body<DeleteSnapshotRequest, DeleteSnapshotResponse> body)
      throws IOException {
    SnapshotDescription shown =
        ProtobufUtil.createSnapshotDesc(
            view.snapshot(request.getSnapshot().getName()).description());
    host.preDeleteSnapshot(shown);
    DeleteSnapshotResponse response = body.run(request);
    host.postDeleteSnapshot(shown);
    return response;
  }

  private RestoreSnapshotResponse restore(
      RestoreSnapshotRequest request, Body<RestoreSnapshotRequest, RestoreSnapshotResponse> body)
      throws IOException {
    if (request.getSnapshot().getTable().isEmpty()) {
      return body.run(request); // which refuses it
    }
    Snapshot stored = view.snapshot(request.getSnapshot().getName());
    TableDescriptor schema = MasterValues.table(stored.schema());
    SnapshotDescription shown = ProtobufUtil.createSnapshotDesc(stored.description());
    if (table(request.getSnapshot().getTable()).isPresent()) {
      host.preRestoreSnapshot(shown, schema);
      RestoreSnapshotResponse response = body.run(request);
      host.postRestoreSnapshot(shown, schema);
      return response;
    }
    TableDescriptor table =
        TableDescriptorBuilder.copy(
            org.apache.hadoop.hbase.TableName.valueOf(request.getSnapshot().getTable()), schema);
    host.preCloneSnapshot(shown, table);
    RestoreSnapshotResponse response = body.run(request);
    host.postCloneSnapshot(shown, table);
    return response;
  }
}
