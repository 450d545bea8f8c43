package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.procedure.ProcedureExecutor;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.RpcService;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.ModifyTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetSchemaAlterStatusRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetSchemaAlterStatusResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableDescriptorsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableDescriptorsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableNamesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableNamesResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableStateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableStateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableDescriptorsByNamespaceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableDescriptorsByNamespaceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableDescriptorsByStateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableDescriptorsByStateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableNamesByNamespaceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableNamesByNamespaceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableNamesByStateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableNamesByStateResponse;

/** The methods of {@code MasterService} that tell about tables. */
final class TableQueryMethods {
  private TableQueryMethods() {}

  static void register(RpcService.Builder service, MasterGate gate) {
    EvaluationGuard evaluations = new EvaluationGuard(gate.master().world().clock());
    service
        .on(
            "GetTableDescriptors",
            GetTableDescriptorsRequest.getDefaultInstance(),
            (call, request) -> CallSubject.tables(request.getTableNamesList()),
            (call, request) -> {
              List<TableName> names = new ArrayList<>();
              for (HBaseProtos.TableName name : request.getTableNamesList()) {
                names.add(TableDescriptorChecker.name(name));
              }
              TableSelection selection =
                  new TableSelection(
                      evaluations,
                      request.hasRegex() ? Optional.of(request.getRegex()) : Optional.empty(),
                      request.hasNamespace()
                          ? Optional.of(request.getNamespace())
                          : Optional.empty(),
                      request.getIncludeSysTables() || !names.isEmpty());
              List<Tables.Table> tables = gate.ask(call, master -> tables(master, names));
              GetTableDescriptorsResponse.Builder response =
                  GetTableDescriptorsResponse.newBuilder();
              selection
                  .of(call, tables, Tables.Table::name)
                  .forEach(table -> response.addTableSchema(table.schema().message()));
              return response.build();
            })
        .on(
            "GetTableNames",
            GetTableNamesRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> {
              TableSelection selection =
                  new TableSelection(
                      evaluations,
                      request.hasRegex() ? Optional.of(request.getRegex()) : Optional.empty(),
                      request.hasNamespace()
                          ? Optional.of(request.getNamespace())
                          : Optional.empty(),
                      request.getIncludeSysTables());
              List<TableName> tables =
                  gate.ask(call, master -> List.copyOf(master.tables().states().keySet()));
              GetTableNamesResponse.Builder response = GetTableNamesResponse.newBuilder();
              selection
                  .of(call, tables, table -> table)
                  .forEach(table -> response.addTableNames(Messages.message(table)));
              return response.build();
            })
        .on(
            "GetTableState",
            GetTableStateRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getTableName()),
            (call, request) -> {
              TableName name = TableDescriptorChecker.name(request.getTableName());
              return gate.ask(
                  call,
                  master ->
                      GetTableStateResponse.newBuilder()
                          .setTableState(
                              HBaseProtos.TableState.newBuilder()
                                  .setState(master.tables().requireState(name)))
                          .build());
            })
        .on(
            "GetSchemaAlterStatus",
            GetSchemaAlterStatusRequest.getDefaultInstance(),
            (call, request) -> CallSubject.table(request.getTableName()),
            (call, request) -> {
              TableName name = TableDescriptorChecker.name(request.getTableName());
              return gate.ask(
                  call,
                  master -> {
                    master.tables().require(name);
                    // A change that has not come to the regions yet has all of them before it.
                    boolean begins = isAboutToReopen(master.procedures(), name);
                    long waiting =
                        master.assignments().of(name).stream()
                            .filter(node -> node.isWantedOpen())
                            .filter(node -> begins || node.isInTransition())
                            .count();
                    return GetSchemaAlterStatusResponse.newBuilder()
                        .setYetToUpdateRegions((int) waiting)
                        .setTotalRegions(master.assignments().of(name).size())
                        .build();
                  });
            });
    registerLists(service, gate);
  }

  private static boolean isAboutToReopen(ProcedureExecutor procedures, TableName table) {
    return procedures.unfinished().stream()
        .filter(record -> record.data() instanceof ModifyTableStateData)
        .filter(record -> record.kind() != ProcedureKind.MODIFY_TABLE || record.step() == 0)
        .map(record -> ((ModifyTableStateData) record.data()).getModifiedTableSchema())
        .anyMatch(schema -> Messages.tableName(schema.getTableName()).equals(table));
  }

  private static void registerLists(RpcService.Builder service, MasterGate gate) {
    service
        .on(
            "ListTableNamesByState",
            ListTableNamesByStateRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      ListTableNamesByStateResponse.Builder response =
                          ListTableNamesByStateResponse.newBuilder();
                      master
                          .tables()
                          .states()
                          .forEach(
                              (table, state) -> {
                                if (isIn(state, request.getIsEnabled())) {
                                  response.addTableNames(Messages.message(table));
                                }
                              });
                      return response.build();
                    }))
        .on(
            "ListTableDescriptorsByState",
            ListTableDescriptorsByStateRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      ListTableDescriptorsByStateResponse.Builder response =
                          ListTableDescriptorsByStateResponse.newBuilder();
                      master.tables().all().stream()
                          .filter(table -> isIn(table.state(), request.getIsEnabled()))
                          .forEach(table -> response.addTableSchema(table.schema().message()));
                      return response.build();
                    }))
        .on(
            "ListTableNamesByNamespace",
            ListTableNamesByNamespaceRequest.getDefaultInstance(),
            (call, request) -> new CallSubject.Namespace(request.getNamespaceName()),
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      master.namespaces().require(request.getNamespaceName());
                      ListTableNamesByNamespaceResponse.Builder response =
                          ListTableNamesByNamespaceResponse.newBuilder();
                      master.tables().states().keySet().stream()
                          .filter(table -> table.namespace().equals(request.getNamespaceName()))
                          .forEach(table -> response.addTableName(Messages.message(table)));
                      return response.build();
                    }))
        .on(
            "ListTableDescriptorsByNamespace",
            ListTableDescriptorsByNamespaceRequest.getDefaultInstance(),
            (call, request) -> new CallSubject.Namespace(request.getNamespaceName()),
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      master.namespaces().require(request.getNamespaceName());
                      ListTableDescriptorsByNamespaceResponse.Builder response =
                          ListTableDescriptorsByNamespaceResponse.newBuilder();
                      master.tables().all().stream()
                          .filter(
                              table -> table.name().namespace().equals(request.getNamespaceName()))
                          .forEach(table -> response.addTableSchema(table.schema().message()));
                      return response.build();
                    }));
  }

  private static boolean isIn(State state, boolean enabled) {
    return state == (enabled ? State.ENABLED : State.DISABLED);
  }

  /** Returns the tables with those names that exist; all tables if there are no names. */
  private static List<Tables.Table> tables(ActiveMaster master, List<TableName> names)
      throws DoNotRetryIOException {
    if (names.isEmpty()) {
      return List.copyOf(master.tables().all());
    }
    List<Tables.Table> tables = new ArrayList<>();
    for (TableName name : names) {
      master.tables().checkWhole(name);
      master.tables().find(name).ifPresent(tables::add);
    }
    return tables;
  }
}
