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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
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

  static void register(MethodGroup rpc) {
    MasterGate gate = rpc.gate();
    EvaluationGuard evaluations = new EvaluationGuard(gate.master().context().clock());
    rpc.about(
            "GetTableDescriptors",
            GetTableDescriptorsRequest.getDefaultInstance(),
            (call, r) -> CallSubject.tables(r.getTableNamesList()))
        .handle(
            (call, r) -> {
              List<TableName> names = new ArrayList<>();
              for (HBaseProtos.TableName name : r.getTableNamesList()) {
                names.add(TableDescriptorChecker.name(name));
              }
              TableSelection selection =
                  new TableSelection(
                      evaluations,
                      r.hasRegex() ? Optional.of(r.getRegex()) : Optional.empty(),
                      r.hasNamespace() ? Optional.of(r.getNamespace()) : Optional.empty(),
                      r.getIncludeSysTables() || !names.isEmpty());
              List<Tables.Table> tables = gate.ask(call, master -> tables(master, names));
              return GetTableDescriptorsResponse.newBuilder()
                  .addAllTableSchema(
                      schemas(selection.of(call, tables, Tables.Table::name).stream()))
                  .build();
            });
    rpc.cluster("GetTableNames", GetTableNamesRequest.getDefaultInstance())
        .handle(
            (call, r) -> {
              TableSelection selection =
                  new TableSelection(
                      evaluations,
                      r.hasRegex() ? Optional.of(r.getRegex()) : Optional.empty(),
                      r.hasNamespace() ? Optional.of(r.getNamespace()) : Optional.empty(),
                      r.getIncludeSysTables());
              List<TableName> tables =
                  gate.ask(call, master -> List.copyOf(master.tables().states().keySet()));
              return GetTableNamesResponse.newBuilder()
                  .addAllTableNames(names(selection.of(call, tables, table -> table).stream()))
                  .build();
            });
    rpc.table("GetTableState", GetTableStateRequest.getDefaultInstance(), r -> r.getTableName())
        .ask(
            (master, r) -> {
              TableName name = TableDescriptorChecker.name(r.getTableName());
              return GetTableStateResponse.newBuilder()
                  .setTableState(
                      HBaseProtos.TableState.newBuilder()
                          .setState(master.tables().requireState(name)))
                  .build();
            });
    rpc.table(
            "GetSchemaAlterStatus",
            GetSchemaAlterStatusRequest.getDefaultInstance(),
            r -> r.getTableName())
        .ask(
            (master, r) -> {
              TableName name = TableDescriptorChecker.name(r.getTableName());
              master.tables().require(name);
              // A change that has not come to the regions yet has all of them before it.
              boolean begins = isAboutToReopen(master.procedures(), name);
              long waiting =
                  master.assignments().of(name).stream()
                      .filter(node -> node.isWantedOpen())
                      .filter(node -> begins || node.isShownInTransition())
                      .count();
              return GetSchemaAlterStatusResponse.newBuilder()
                  .setYetToUpdateRegions((int) waiting)
                  .setTotalRegions(master.assignments().of(name).size())
                  .build();
            });
    registerLists(rpc);
  }

  private static boolean isAboutToReopen(ProcedureExecutor procedures, TableName table) {
    return procedures.unfinished().stream()
        .filter(record -> record.data() instanceof ModifyTableStateData)
        .filter(record -> record.kind() != ProcedureKind.MODIFY_TABLE || record.step() == 0)
        .map(record -> ((ModifyTableStateData) record.data()).getModifiedTableSchema())
        .anyMatch(schema -> Messages.tableName(schema.getTableName()).equals(table));
  }

  private static void registerLists(MethodGroup rpc) {
    rpc.cluster("ListTableNamesByState", ListTableNamesByStateRequest.getDefaultInstance())
        .ask(
            (master, r) ->
                ListTableNamesByStateResponse.newBuilder()
                    .addAllTableNames(
                        names(
                            master.tables().states().entrySet().stream()
                                .filter(table -> isIn(table.getValue(), r.getIsEnabled()))
                                .filter(table -> !isSystem(table.getKey()))
                                .map(Map.Entry::getKey)))
                    .build());
    rpc.cluster(
            "ListTableDescriptorsByState", ListTableDescriptorsByStateRequest.getDefaultInstance())
        .ask(
            (master, r) ->
                ListTableDescriptorsByStateResponse.newBuilder()
                    .addAllTableSchema(
                        schemas(
                            master.tables().all().stream()
                                .filter(table -> isIn(table.state(), r.getIsEnabled()))
                                .filter(table -> !isSystem(table.name()))))
                    .build());
    rpc.namespace(
            "ListTableNamesByNamespace",
            ListTableNamesByNamespaceRequest.getDefaultInstance(),
            r -> r.getNamespaceName())
        .ask(
            (master, r) -> {
              master.namespaces().require(r.getNamespaceName());
              return ListTableNamesByNamespaceResponse.newBuilder()
                  .addAllTableName(
                      names(
                          master.tables().states().keySet().stream()
                              .filter(table -> table.namespace().equals(r.getNamespaceName()))))
                  .build();
            });
    rpc.namespace(
            "ListTableDescriptorsByNamespace",
            ListTableDescriptorsByNamespaceRequest.getDefaultInstance(),
            r -> r.getNamespaceName())
        .ask(
            (master, r) -> {
              master.namespaces().require(r.getNamespaceName());
              return ListTableDescriptorsByNamespaceResponse.newBuilder()
                  .addAllTableSchema(
                      schemas(
                          master.tables().all().stream()
                              .filter(
                                  table -> table.name().namespace().equals(r.getNamespaceName()))))
                  .build();
            });
  }

  private static List<HBaseProtos.TableName> names(Stream<TableName> tables) {
    return tables.map(Messages::message).toList();
  }

  private static List<HBaseProtos.TableSchema> schemas(Stream<Tables.Table> tables) {
    return tables.map(table -> table.schema().message()).toList();
  }

  /** As in HBase, lists by state omit system tables. */
  private static boolean isSystem(TableName table) {
    return table.namespace().equals(TableName.SYSTEM_NAMESPACE);
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
