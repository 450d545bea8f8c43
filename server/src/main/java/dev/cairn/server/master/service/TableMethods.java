package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.ddl.CreateTableProcedure;
import dev.cairn.server.master.ddl.DeleteTableProcedure;
import dev.cairn.server.master.ddl.FlushTableProcedure;
import dev.cairn.server.master.ddl.ModifyStoreFileTrackerProcedure;
import dev.cairn.server.master.ddl.ModifyTableProcedure;
import dev.cairn.server.master.ddl.ModifyTableProcedure.Change;
import dev.cairn.server.master.ddl.TableStateProcedure;
import dev.cairn.server.master.ddl.TruncateTableProcedure;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.rpc.service.RpcMethod.BlockingHandler;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.ConcurrentTableModificationException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AddColumnRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AddColumnResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteColumnRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteColumnResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DisableTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DisableTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.EnableTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.EnableTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.FlushTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.FlushTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyColumnRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyColumnResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyColumnStoreFileTrackerRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyColumnStoreFileTrackerResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableStoreFileTrackerRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableStoreFileTrackerResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.TruncateTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.TruncateTableResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** The methods of {@code MasterService} that change tables; each submits a procedure. */
final class TableMethods {
  private TableMethods() {}

  static void register(MethodGroup rpc) {
    rpc.table(
            "CreateTable",
            CreateTableRequest.getDefaultInstance(),
            r -> r.getTableSchema().getTableName())
        .nonce(r -> Nonce.of(r.getNonceGroup(), r.getNonce()))
        .describing(CreateTableRequest::getTableSchema)
        .submit(
            (master, user, r) ->
                new CreateTableProcedure(
                    master.procedureContext(),
                    user,
                    TableDescriptorChecker.parse(r.getTableSchema()),
                    bytes(r.getSplitKeysList())),
            id -> CreateTableResponse.newBuilder().setProcId(id).build());
    rpc.table("DeleteTable", DeleteTableRequest.getDefaultInstance(), r -> r.getTableName())
        .nonce(r -> Nonce.of(r.getNonceGroup(), r.getNonce()))
        .submit(
            (master, user, r) ->
                new DeleteTableProcedure(master.procedureContext(), user, name(r.getTableName())),
            id -> DeleteTableResponse.newBuilder().setProcId(id).build());
    rpc.table("truncateTable", TruncateTableRequest.getDefaultInstance(), r -> r.getTableName())
        .nonce(r -> Nonce.of(r.getNonceGroup(), r.getNonce()))
        .submitToEnd(
            (master, user, r) ->
                new TruncateTableProcedure(
                    master.procedureContext(), user, name(r.getTableName()), r.getPreserveSplits()),
            id -> TruncateTableResponse.newBuilder().setProcId(id).build());
    rpc.table("EnableTable", EnableTableRequest.getDefaultInstance(), r -> r.getTableName())
        .nonce(r -> Nonce.of(r.getNonceGroup(), r.getNonce()))
        .submit(
            (master, user, r) -> {
              master.space().checkEnable(name(r.getTableName()));
              return new TableStateProcedure(
                  master.procedureContext(), user, name(r.getTableName()), true);
            },
            id -> EnableTableResponse.newBuilder().setProcId(id).build());
    rpc.table("DisableTable", DisableTableRequest.getDefaultInstance(), r -> r.getTableName())
        .nonce(r -> Nonce.of(r.getNonceGroup(), r.getNonce()))
        .submit(
            (master, user, r) ->
                new TableStateProcedure(
                    master.procedureContext(), user, name(r.getTableName()), false),
            id -> DisableTableResponse.newBuilder().setProcId(id).build());
    rpc.table("FlushTable", FlushTableRequest.getDefaultInstance(), r -> r.getTableName())
        .nonce(r -> Nonce.of(r.getNonceGroup(), r.getNonce()))
        .submit(
            (master, user, r) ->
                new FlushTableProcedure(
                    master.procedureContext(),
                    name(r.getTableName()),
                    bytes(r.getColumnFamilyList())),
            id -> FlushTableResponse.newBuilder().setProcId(id).build());
    registerSchemaChanges(rpc);
  }

  private static void registerSchemaChanges(MethodGroup rpc) {
    MethodGroup.Submission<ModifyTableRequest> modify =
        rpc.table("ModifyTable", ModifyTableRequest.getDefaultInstance(), r -> r.getTableName())
            .nonce(r -> Nonce.of(r.getNonceGroup(), r.getNonce()))
            .describing(ModifyTableRequest::getTableSchema);
    modify.method().handle(modify.nonce(), replacing(modify, Optional.empty()));
    FamilyChanges families =
        new FamilyChanges(rpc.gate(), present -> replacing(modify, Optional.of(present)));
    families.register(
        rpc.table("AddColumn", AddColumnRequest.getDefaultInstance(), r -> r.getTableName())
            .nonce(r -> Nonce.of(r.getNonceGroup(), r.getNonce())),
        AddColumnRequest::getTableName,
        r -> ModifyTableProcedure.add(r.getColumnFamilies()),
        id -> AddColumnResponse.newBuilder().setProcId(id).build());
    families.register(
        rpc.table("ModifyColumn", ModifyColumnRequest.getDefaultInstance(), r -> r.getTableName())
            .nonce(r -> Nonce.of(r.getNonceGroup(), r.getNonce())),
        ModifyColumnRequest::getTableName,
        r -> ModifyTableProcedure.modify(r.getColumnFamilies()),
        id -> ModifyColumnResponse.newBuilder().setProcId(id).build());
    families.register(
        rpc.table("DeleteColumn", DeleteColumnRequest.getDefaultInstance(), r -> r.getTableName())
            .nonce(r -> Nonce.of(r.getNonceGroup(), r.getNonce())),
        DeleteColumnRequest::getTableName,
        r -> ModifyTableProcedure.delete(r.getColumnName().toByteArray()),
        id -> DeleteColumnResponse.newBuilder().setProcId(id).build());
    rpc.table(
            "ModifyTableStoreFileTracker",
            ModifyTableStoreFileTrackerRequest.getDefaultInstance(),
            r -> r.getTableName())
        .nonce(r -> Nonce.of(r.getNonceGroup(), r.getNonce()))
        .submit(
            (master, user, r) ->
                new ModifyStoreFileTrackerProcedure(
                    master.procedureContext(),
                    user,
                    name(r.getTableName()),
                    Optional.empty(),
                    r.getDstSft()),
            id -> ModifyTableStoreFileTrackerResponse.newBuilder().setProcId(id).build());
    rpc.table(
            "ModifyColumnStoreFileTracker",
            ModifyColumnStoreFileTrackerRequest.getDefaultInstance(),
            r -> r.getTableName())
        .nonce(r -> Nonce.of(r.getNonceGroup(), r.getNonce()))
        .submit(
            (master, user, r) ->
                new ModifyStoreFileTrackerProcedure(
                    master.procedureContext(),
                    user,
                    name(r.getTableName()),
                    Optional.of(r.getFamily().toByteArray()),
                    r.getDstSft()),
            id -> ModifyColumnStoreFileTrackerResponse.newBuilder().setProcId(id).build());
  }

  /** Returns the procedure that changes a table. */
  static ModifyTableProcedure change(
      ActiveMaster master, String user, HBaseProtos.TableName table, Change change)
      throws IOException {
    return new ModifyTableProcedure(master.procedureContext(), user, name(table), change);
  }

  private static BlockingHandler<ModifyTableRequest, ModifyTableResponse> replacing(
      MethodGroup.Submission<ModifyTableRequest> modify, Optional<TableSchema> expected) {
    return modify.toEnd(
        (master, user, r) -> replacement(master, user, r, expected),
        id -> ModifyTableResponse.newBuilder().setProcId(id).build());
  }

  private static ModifyTableProcedure replacement(
      ActiveMaster master, String user, ModifyTableRequest request, Optional<TableSchema> expected)
      throws IOException {
    TableName table = name(request.getTableName());
    TableSchema schema = TableDescriptorChecker.parse(request.getTableSchema());
    if (!schema.name().equals(table)) {
      throw new DoNotRetryIOException(
          "The descriptor is of " + schema.name() + ", the request of " + table);
    }
    if (request.hasReopenRegions() && !request.getReopenRegions()) {
      throw new DoNotRetryIOException(
          "Cairn does not support to change a table without opening its regions anew");
    }
    return change(
        master,
        user,
        request.getTableName(),
        present -> {
          if (expected.isPresent() && !expected.get().equals(present)) {
            throw new ConcurrentTableModificationException(
                "Table " + table + " was changed while coprocessors examined this change of it");
          }
          return schema;
        });
  }

  private static TableName name(HBaseProtos.TableName table) throws IOException {
    return TableDescriptorChecker.name(table);
  }

  private static List<byte[]> bytes(List<ByteString> strings) {
    return strings.stream().map(ByteString::toByteArray).toList();
  }
}
