package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.master.ddl.CreateTableProcedure;
import dev.cairn.server.master.ddl.DeleteTableProcedure;
import dev.cairn.server.master.ddl.FlushTableProcedure;
import dev.cairn.server.master.ddl.ModifyStoreFileTrackerProcedure;
import dev.cairn.server.master.ddl.ModifyTableProcedure;
import dev.cairn.server.master.ddl.TableStateProcedure;
import dev.cairn.server.master.ddl.TruncateTableProcedure;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcService;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
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
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.TruncateTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.TruncateTableResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** The methods of {@code MasterService} that change tables; each submits a procedure. */
final class TableMethods {
  private TableMethods() {}

  static void register(RpcService.Builder service, MasterGate gate) {
    service
        .on(
            "CreateTable",
            CreateTableRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getTableSchema().getTableName()),
            (call, request) -> {
              TableSchema schema = TableDescriptorChecker.parse(request.getTableSchema());
              List<byte[]> splitKeys =
                  request.getSplitKeysList().stream().map(ByteString::toByteArray).toList();
              long id =
                  gate.submit(
                      call,
                      request.getNonceGroup(),
                      request.getNonce(),
                      master ->
                          new CreateTableProcedure(
                              master.environment(), call.user(), schema, splitKeys));
              return CreateTableResponse.newBuilder().setProcId(id).build();
            })
        .on(
            "DeleteTable",
            DeleteTableRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getTableName()),
            (call, request) -> {
              TableName table = TableDescriptorChecker.name(request.getTableName());
              long id =
                  gate.submit(
                      call,
                      request.getNonceGroup(),
                      request.getNonce(),
                      master -> new DeleteTableProcedure(master.environment(), call.user(), table));
              return DeleteTableResponse.newBuilder().setProcId(id).build();
            })
        .on(
            "truncateTable",
            TruncateTableRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getTableName()),
            (call, request) -> {
              TableName table = TableDescriptorChecker.name(request.getTableName());
              long id =
                  gate.submitToEnd(
                      call,
                      request.getNonceGroup(),
                      request.getNonce(),
                      master ->
                          new TruncateTableProcedure(
                              master.environment(),
                              call.user(),
                              table,
                              request.getPreserveSplits()));
              return TruncateTableResponse.newBuilder().setProcId(id).build();
            })
        .on(
            "EnableTable",
            EnableTableRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getTableName()),
            (call, request) -> {
              TableName table = TableDescriptorChecker.name(request.getTableName());
              long id =
                  gate.submit(
                      call,
                      request.getNonceGroup(),
                      request.getNonce(),
                      master -> {
                        master.space().checkEnable(table);
                        return new TableStateProcedure(
                            master.environment(), call.user(), table, true);
                      });
              return EnableTableResponse.newBuilder().setProcId(id).build();
            })
        .on(
            "DisableTable",
            DisableTableRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getTableName()),
            (call, request) -> {
              TableName table = TableDescriptorChecker.name(request.getTableName());
              long id =
                  gate.submit(
                      call,
                      request.getNonceGroup(),
                      request.getNonce(),
                      master ->
                          new TableStateProcedure(master.environment(), call.user(), table, false));
              return DisableTableResponse.newBuilder().setProcId(id).build();
            })
        .on(
            "FlushTable",
            FlushTableRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getTableName()),
            (call, request) -> {
              TableName table = TableDescriptorChecker.name(request.getTableName());
              List<byte[]> families =
                  request.getColumnFamilyList().stream().map(ByteString::toByteArray).toList();
              long id =
                  gate.submit(
                      call,
                      request.getNonceGroup(),
                      request.getNonce(),
                      master -> new FlushTableProcedure(master.environment(), table, families));
              return FlushTableResponse.newBuilder().setProcId(id).build();
            });
    registerSchemaChanges(service, gate);
    registerTrackers(service, gate);
  }

  private static MasterGate.Question<Procedure> trackerChange(
      RpcCall call, HBaseProtos.TableName table, Optional<byte[]> family, String tracker) {
    return master ->
        new ModifyStoreFileTrackerProcedure(
            master.environment(), call.user(), TableDescriptorChecker.name(table), family, tracker);
  }

  private static void registerTrackers(RpcService.Builder service, MasterGate gate) {
    service
        .on(
            "ModifyTableStoreFileTracker",
            MasterProtos.ModifyTableStoreFileTrackerRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getTableName()),
            (call, request) ->
                MasterProtos.ModifyTableStoreFileTrackerResponse.newBuilder()
                    .setProcId(
                        gate.submit(
                            call,
                            request.getNonceGroup(),
                            request.getNonce(),
                            trackerChange(
                                call,
                                request.getTableName(),
                                Optional.empty(),
                                request.getDstSft())))
                    .build())
        .on(
            "ModifyColumnStoreFileTracker",
            MasterProtos.ModifyColumnStoreFileTrackerRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getTableName()),
            (call, request) ->
                MasterProtos.ModifyColumnStoreFileTrackerResponse.newBuilder()
                    .setProcId(
                        gate.submit(
                            call,
                            request.getNonceGroup(),
                            request.getNonce(),
                            trackerChange(
                                call,
                                request.getTableName(),
                                Optional.of(request.getFamily().toByteArray()),
                                request.getDstSft())))
                    .build());
  }

  private static void registerSchemaChanges(RpcService.Builder service, MasterGate gate) {
    service
        .on(
            "ModifyTable",
            ModifyTableRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getTableName()),
            (call, request) -> {
              TableName table = TableDescriptorChecker.name(request.getTableName());
              TableSchema schema = TableDescriptorChecker.parse(request.getTableSchema());
              if (!schema.name().equals(table)) {
                throw new DoNotRetryIOException(
                    "The descriptor is of " + schema.name() + ", the request of " + table);
              }
              if (request.hasReopenRegions() && !request.getReopenRegions()) {
                throw new DoNotRetryIOException(
                    "Cairn does not support to change a table without opening its regions anew");
              }
              long id =
                  gate.submitToEnd(
                      call,
                      request.getNonceGroup(),
                      request.getNonce(),
                      master ->
                          new ModifyTableProcedure(
                              master.environment(), call.user(), table, present -> schema));
              return ModifyTableResponse.newBuilder().setProcId(id).build();
            })
        .on(
            "AddColumn",
            AddColumnRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getTableName()),
            (call, request) -> {
              TableName table = TableDescriptorChecker.name(request.getTableName());
              long id =
                  gate.submitToEnd(
                      call,
                      request.getNonceGroup(),
                      request.getNonce(),
                      master ->
                          new ModifyTableProcedure(
                              master.environment(),
                              call.user(),
                              table,
                              ModifyTableProcedure.add(request.getColumnFamilies())));
              return AddColumnResponse.newBuilder().setProcId(id).build();
            })
        .on(
            "ModifyColumn",
            ModifyColumnRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getTableName()),
            (call, request) -> {
              TableName table = TableDescriptorChecker.name(request.getTableName());
              long id =
                  gate.submitToEnd(
                      call,
                      request.getNonceGroup(),
                      request.getNonce(),
                      master ->
                          new ModifyTableProcedure(
                              master.environment(),
                              call.user(),
                              table,
                              ModifyTableProcedure.modify(request.getColumnFamilies())));
              return ModifyColumnResponse.newBuilder().setProcId(id).build();
            })
        .on(
            "DeleteColumn",
            DeleteColumnRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getTableName()),
            (call, request) -> {
              TableName table = TableDescriptorChecker.name(request.getTableName());
              long id =
                  gate.submitToEnd(
                      call,
                      request.getNonceGroup(),
                      request.getNonce(),
                      master ->
                          new ModifyTableProcedure(
                              master.environment(),
                              call.user(),
                              table,
                              ModifyTableProcedure.delete(request.getColumnName().toByteArray())));
              return DeleteColumnResponse.newBuilder().setProcId(id).build();
            });
  }
}
