package dev.cairn.coprocessor.master;

import dev.cairn.coprocessor.convert.MasterValues;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.hook.MasterHooks.Body;
import dev.cairn.server.master.hook.MasterView;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.MasterCoprocessorHost;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DisableTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.EnableTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.FlushTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyColumnStoreFileTrackerRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableStoreFileTrackerRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.TruncateTableRequest;
import org.apache.hadoop.hbase.util.ModifyRegionUtils;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** The hooks around the methods that change tables. */
record TableCalls(MasterCoprocessorHost host, MasterView view) {
  void register(MasterCalls calls) {
    calls.on(
        "CreateTable",
        CreateTableRequest.class,
        this::create,
        "preCreateTableRegionsInfos",
        "preCreateTable",
        "postCreateTable");
    calls.on(
        "DeleteTable",
        DeleteTableRequest.class,
        "preDeleteTable",
        r -> host.preDeleteTable(name(r.getTableName())),
        "postDeleteTable",
        r -> host.postDeleteTable(name(r.getTableName())));
    calls.on(
        "truncateTable",
        TruncateTableRequest.class,
        "preTruncateTable",
        r -> host.preTruncateTable(name(r.getTableName())),
        "postTruncateTable",
        r -> host.postTruncateTable(name(r.getTableName())));
    calls.on(
        "EnableTable",
        EnableTableRequest.class,
        "preEnableTable",
        r -> host.preEnableTable(name(r.getTableName())),
        "postEnableTable",
        r -> host.postEnableTable(name(r.getTableName())));
    calls.on(
        "DisableTable",
        DisableTableRequest.class,
        "preDisableTable",
        r -> host.preDisableTable(name(r.getTableName())),
        "postDisableTable",
        r -> host.postDisableTable(name(r.getTableName())));
    calls.on(
        "FlushTable",
        FlushTableRequest.class,
        "preTableFlush",
        r -> host.preTableFlush(name(r.getTableName())),
        "postTableFlush",
        r -> host.postTableFlush(name(r.getTableName())));
    calls.on(
        "ModifyTable", ModifyTableRequest.class, this::modify, "preModifyTable", "postModifyTable");
    registerTrackers(calls);
  }

  private void registerTrackers(MasterCalls calls) {
    calls.<ModifyTableStoreFileTrackerRequest, Message>on(
        "ModifyTableStoreFileTracker",
        ModifyTableStoreFileTrackerRequest.class,
        (r, body) -> {
          TableName table = name(r.getTableName());
          String wanted = host.preModifyTableStoreFileTracker(table, r.getDstSft());
          Message response = body.run(r.toBuilder().setDstSft(wanted).build());
          host.postModifyTableStoreFileTracker(table, wanted);
          return response;
        },
        "preModifyTableStoreFileTracker",
        "postModifyTableStoreFileTracker");
    calls.<ModifyColumnStoreFileTrackerRequest, Message>on(
        "ModifyColumnStoreFileTracker",
        ModifyColumnStoreFileTrackerRequest.class,
        (r, body) -> {
          TableName table = name(r.getTableName());
          byte[] family = r.getFamily().toByteArray();
          String wanted = host.preModifyColumnFamilyStoreFileTracker(table, family, r.getDstSft());
          Message response = body.run(r.toBuilder().setDstSft(wanted).build());
          host.postModifyColumnFamilyStoreFileTracker(table, family, wanted);
          return response;
        },
        "preModifyColumnFamilyStoreFileTracker",
        "postModifyColumnFamilyStoreFileTracker");
  }

  private static TableName name(HBaseProtos.TableName name) {
    return ProtobufUtil.toTableName(name);
  }

  /**
   * Creates a table. The regions that hooks see have the keys of the later ones, but other ids,
   * which the master chooses when the creation begins.
   */
  private CreateTableResponse create(
      CreateTableRequest request, Body<CreateTableRequest, CreateTableResponse> body)
      throws IOException {
    TableDescriptor asked = ProtobufUtil.toTableDescriptor(request.getTableSchema());
    TableDescriptor wanted = host.preCreateTableRegionsInfos(asked);
    if (wanted == null) {
      throw new IOException("A coprocessor cancels the creation of " + asked.getTableName());
    }
    HBaseProtos.TableSchema schema =
        wanted.equals(asked) ? request.getTableSchema() : ProtobufUtil.toTableSchema(wanted);
    view.checkNew(schema);
    byte[][] keys =
        request.getSplitKeysList().stream().map(ByteString::toByteArray).toArray(byte[][]::new);
    RegionInfo[] regions =
        ModifyRegionUtils.createRegionInfos(wanted, keys.length == 0 ? null : keys);
    host.preCreateTable(wanted, regions);
    CreateTableResponse response = body.run(request.toBuilder().setTableSchema(schema).build());
    host.postCreateTable(wanted, regions);
    return response;
  }

  private ModifyTableResponse modify(
      ModifyTableRequest request, Body<ModifyTableRequest, ModifyTableResponse> body)
      throws IOException {
    Optional<TableSchema> present = view.table(Messages.tableName(request.getTableName()));
    TableName table = name(request.getTableName());
    // As in HBase, null for an absent table, for which the method fails afterwards.
    TableDescriptor before = present.map(MasterValues::table).orElse(null);
    TableDescriptor asked = ProtobufUtil.toTableDescriptor(request.getTableSchema());
    TableDescriptor wanted = host.preModifyTable(table, before, asked);
    if (wanted == null) {
      throw new DoNotRetryIOException("A coprocessor returns no descriptor for " + table);
    }
    ModifyTableResponse response =
        body.run(
            wanted.equals(asked)
                ? request
                : request.toBuilder().setTableSchema(ProtobufUtil.toTableSchema(wanted)).build());
    host.postModifyTable(table, before, wanted);
    return response;
  }
}
