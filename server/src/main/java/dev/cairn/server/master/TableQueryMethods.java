package dev.cairn.server.master;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.rpc.RpcService;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState.State;
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
    service
        .on(
            "GetTableDescriptors",
            GetTableDescriptorsRequest.getDefaultInstance(),
            (call, request) -> {
              List<TableName> names = new ArrayList<>();
              for (HBaseProtos.TableName name : request.getTableNamesList()) {
                names.add(TableChecks.name(name));
              }
              Predicate<TableName> matches =
                  matcher(
                      request.hasRegex() ? Optional.of(request.getRegex()) : Optional.empty(),
                      request.hasNamespace()
                          ? Optional.of(request.getNamespace())
                          : Optional.empty(),
                      request.getIncludeSysTables() || !names.isEmpty());
              return gate.ask(
                  call,
                  master -> {
                    GetTableDescriptorsResponse.Builder response =
                        GetTableDescriptorsResponse.newBuilder();
                    if (names.isEmpty()) {
                      master.tables().all().stream()
                          .filter(table -> matches.test(table.name()))
                          .forEach(table -> response.addTableSchema(table.schema().message()));
                    }
                    for (TableName name : names) {
                      master.tables().checkWhole(name);
                      master
                          .tables()
                          .find(name)
                          .filter(table -> matches.test(table.name()))
                          .ifPresent(table -> response.addTableSchema(table.schema().message()));
                    }
                    return response.build();
                  });
            })
        .on(
            "GetTableNames",
            GetTableNamesRequest.getDefaultInstance(),
            (call, request) -> {
              Predicate<TableName> matches =
                  matcher(
                      request.hasRegex() ? Optional.of(request.getRegex()) : Optional.empty(),
                      request.hasNamespace()
                          ? Optional.of(request.getNamespace())
                          : Optional.empty(),
                      request.getIncludeSysTables());
              return gate.ask(
                  call,
                  master -> {
                    GetTableNamesResponse.Builder response = GetTableNamesResponse.newBuilder();
                    master.tables().states().keySet().stream()
                        .filter(matches)
                        .forEach(table -> response.addTableNames(Messages.message(table)));
                    return response.build();
                  });
            })
        .on(
            "GetTableState",
            GetTableStateRequest.getDefaultInstance(),
            (call, request) -> {
              TableName name = TableChecks.name(request.getTableName());
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
            (call, request) -> {
              TableName name = TableChecks.name(request.getTableName());
              return gate.ask(
                  call,
                  master -> {
                    master.tables().require(name);
                    long waiting =
                        master.assignments().of(name).stream()
                            .filter(node -> node.wantOpen && node.isInTransition())
                            .count();
                    return GetSchemaAlterStatusResponse.newBuilder()
                        .setYetToUpdateRegions((int) waiting)
                        .setTotalRegions(master.assignments().of(name).size())
                        .build();
                  });
            });
    registerLists(service, gate);
  }

  private static void registerLists(RpcService.Builder service, MasterGate gate) {
    service
        .on(
            "ListTableNamesByState",
            ListTableNamesByStateRequest.getDefaultInstance(),
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

  /** Names of the default namespace match with it and without. */
  private static Predicate<TableName> matcher(
      Optional<String> regex, Optional<String> namespace, boolean systemTables)
      throws DoNotRetryIOException {
    Optional<Pattern> pattern;
    try {
      pattern = regex.map(Pattern::compile);
    } catch (PatternSyntaxException e) {
      throw new DoNotRetryIOException("Not a regular expression: " + e.getMessage(), e);
    }
    return name -> {
      if (!systemTables && name.namespace().equals(TableName.SYSTEM_NAMESPACE)) {
        return false;
      }
      if (namespace.filter(value -> !value.isEmpty()).isPresent()
          && !name.namespace().equals(namespace.get())) {
        return false;
      }
      return pattern.isEmpty()
          || pattern.get().matcher(name.toString()).matches()
          || pattern.get().matcher(name.namespace() + ":" + name.qualifier()).matches();
    };
  }
}
