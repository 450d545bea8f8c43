package dev.cairn.coprocessor.master;

import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.master.hook.MasterHooks.Body;
import dev.cairn.server.master.hook.MasterView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.MasterCoprocessorHost;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableDescriptorsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableDescriptorsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableNamesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableNamesResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableDescriptorsByNamespaceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableDescriptorsByNamespaceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableDescriptorsByStateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableDescriptorsByStateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableNamesByNamespaceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableNamesByNamespaceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableNamesByStateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListTableNamesByStateResponse;

/**
 * The hooks around the methods that list tables. The answer has the lists as the hooks leave them.
 */
record ListCalls(MasterCoprocessorHost host, MasterView view) {
  private static final String[] DESCRIPTORS = {"preGetTableDescriptors", "postGetTableDescriptors"};
  private static final String[] NAMES = {"preGetTableNames", "postGetTableNames"};

  void register(MasterCalls calls) {
    calls.on("GetTableDescriptors", GetTableDescriptorsRequest.class, this::some, DESCRIPTORS);
    calls.<ListTableDescriptorsByNamespaceRequest, ListTableDescriptorsByNamespaceResponse>on(
        "ListTableDescriptorsByNamespace",
        ListTableDescriptorsByNamespaceRequest.class,
        (r, body) ->
            ListTableDescriptorsByNamespaceResponse.newBuilder()
                .addAllTableSchema(descriptors(() -> body.run(r).getTableSchemaList()))
                .build(),
        DESCRIPTORS);
    calls.<ListTableDescriptorsByStateRequest, ListTableDescriptorsByStateResponse>on(
        "ListTableDescriptorsByState",
        ListTableDescriptorsByStateRequest.class,
        (r, body) ->
            ListTableDescriptorsByStateResponse.newBuilder()
                .addAllTableSchema(descriptors(() -> body.run(r).getTableSchemaList()))
                .build(),
        DESCRIPTORS);
    calls.<GetTableNamesRequest, GetTableNamesResponse>on(
        "GetTableNames",
        GetTableNamesRequest.class,
        (r, body) ->
            GetTableNamesResponse.newBuilder()
                .addAllTableNames(
                    names(
                        r.hasRegex() ? r.getRegex() : null, () -> body.run(r).getTableNamesList()))
                .build(),
        NAMES);
    calls.<ListTableNamesByNamespaceRequest, ListTableNamesByNamespaceResponse>on(
        "ListTableNamesByNamespace",
        ListTableNamesByNamespaceRequest.class,
        (r, body) ->
            ListTableNamesByNamespaceResponse.newBuilder()
                .addAllTableName(names(null, () -> body.run(r).getTableNameList()))
                .build(),
        NAMES);
    calls.<ListTableNamesByStateRequest, ListTableNamesByStateResponse>on(
        "ListTableNamesByState",
        ListTableNamesByStateRequest.class,
        (r, body) ->
            ListTableNamesByStateResponse.newBuilder()
                .addAllTableNames(names(null, () -> body.run(r).getTableNamesList()))
                .build(),
        NAMES);
  }

  /** Returns a list. */
  @FunctionalInterface
  private interface Listing<T> {
    List<T> list() throws IOException;
  }

  private GetTableDescriptorsResponse some(
      GetTableDescriptorsRequest request,
      Body<GetTableDescriptorsRequest, GetTableDescriptorsResponse> body)
      throws IOException {
    List<TableName> asked = null; // as HBase shows that no names are given
    if (request.getTableNamesCount() > 0) {
      asked = new ArrayList<>();
      for (HBaseProtos.TableName name : request.getTableNamesList()) {
        asked.add(ProtobufUtil.toTableName(name));
      }
    }
    String pattern = request.hasRegex() ? request.getRegex() : null;
    List<TableDescriptor> tables = new ArrayList<>();
    host.preGetTableDescriptors(asked, tables, pattern);
    GetTableDescriptorsRequest.Builder changed = request.toBuilder().clearTableNames();
    if (asked != null) {
      asked.forEach(name -> changed.addTableNames(ProtobufUtil.toProtoTableName(name)));
    }
    add(tables, body.run(changed.build()).getTableSchemaList());
    host.postGetTableDescriptors(asked, tables, pattern);
    return GetTableDescriptorsResponse.newBuilder().addAllTableSchema(schemas(tables)).build();
  }

  private List<HBaseProtos.TableSchema> descriptors(Listing<HBaseProtos.TableSchema> listing)
      throws IOException {
    List<TableDescriptor> tables = new ArrayList<>();
    host.preGetTableDescriptors(null, tables, null);
    add(tables, listing.list());
    host.postGetTableDescriptors(null, tables, null);
    return schemas(tables);
  }

  private List<HBaseProtos.TableName> names(String pattern, Listing<HBaseProtos.TableName> listing)
      throws IOException {
    List<TableDescriptor> tables = new ArrayList<>();
    host.preGetTableNames(tables, pattern);
    List<HBaseProtos.TableName> names = listing.list();
    Map<String, TableSchema> known = new HashMap<>();
    for (TableSchema schema : view.tables()) {
      known.put(schema.name().toString(), schema);
    }
    for (HBaseProtos.TableName name : names) {
      TableSchema schema = known.get(ProtobufUtil.toTableName(name).getNameAsString());
      if (schema != null) { // otherwise deleted meanwhile
        tables.add(ProtobufUtil.toTableDescriptor(schema.message()));
      }
    }
    host.postGetTableNames(tables, pattern);
    return tables.stream()
        .map(table -> ProtobufUtil.toProtoTableName(table.getTableName()))
        .toList();
  }

  private static void add(List<TableDescriptor> tables, List<HBaseProtos.TableSchema> found)
      throws IOException {
    for (HBaseProtos.TableSchema schema : found) {
      tables.add(ProtobufUtil.toTableDescriptor(schema));
    }
  }

  private static List<HBaseProtos.TableSchema> schemas(List<TableDescriptor> tables) {
    return tables.stream().map(ProtobufUtil::toTableSchema).toList();
  }
}
