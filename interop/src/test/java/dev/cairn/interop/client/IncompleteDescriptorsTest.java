package dev.cairn.interop.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.process.SharedHBase;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilySchema;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableSchema;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AddColumnRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteColumnRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyColumnRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Descriptors that lack attributes, as older clients send them, come back from Cairn byte for byte
 * as from HBase, after each operation that writes a descriptor.
 */
class IncompleteDescriptorsTest {
  @RegisterExtension static final SharedHBase HBASE = new SharedHBase();

  private static final String TRACKER = "hbase.store.file-tracker.impl";

  private static final TableName TABLE = TableName.valueOf("incomplete");
  private static final TableName CLONE = TableName.valueOf("incompleteClone");
  private static final TableName FILE_CLONE = TableName.valueOf("incompleteFileClone");
  private static final TableName PLAIN = TableName.valueOf("incompletePlain");
  private static final String SNAPSHOT = "incompleteSnapshot";

  @Test
  void incompleteDescriptorsAreCompletedAsByHBase() throws Exception {
    Map<String, TableSchema> expected;
    try (Connection hbase = ConnectionFactory.createConnection(HBASE.configuration())) {
      expected = new Steps((ClusterConnection) hbase).run();
    }
    try (CairnServer server = CairnServer.start();
        Connection cairn = ConnectionFactory.createConnection(server.configuration())) {
      assertThat(new Steps((ClusterConnection) cairn).run()).isEqualTo(expected);
    }
  }

  /** Creates, changes, clones and restores tables, and keeps their descriptors. */
  private record Steps(ClusterConnection connection, Map<String, TableSchema> descriptors) {
    Steps(ClusterConnection connection) {
      this(connection, new TreeMap<>());
    }

    Map<String, TableSchema> run() throws Exception {
      try (Admin admin = connection.getAdmin()) {
        try {
          create();
          change();
          useSnapshot(admin);
        } finally {
          clean(admin);
        }
      }
      return descriptors;
    }

    private void create() throws Exception {
      end(
          master()
              .createTable(
                  null,
                  CreateTableRequest.newBuilder()
                      .setTableSchema(
                          table(
                              List.of("zzz=1", "aaa=2", "k=1", "k=2", "gone=", "#conf=3", "#k=3"),
                              family("z", "VERSIONS=3", "own=x", "#zc=1", "#ac=2", "#gone="),
                              family("b", "TTL=100", "VERSIONS=", "own2=y", "VERSIONS=4")))
                      .build())
              .getProcId());
      keep("1 create", TABLE);
      TableSchema plain =
          table(List.of(), family("f")).toBuilder()
              .setTableName(ProtobufUtil.toProtoTableName(PLAIN))
              .build();
      end(
          master()
              .createTable(null, CreateTableRequest.newBuilder().setTableSchema(plain).build())
              .getProcId());
      keep("1 create with nothing", PLAIN);
    }

    private void change() throws Exception {
      end(
          master()
              .modifyTable(
                  null,
                  ModifyTableRequest.newBuilder()
                      .setTableName(ProtobufUtil.toProtoTableName(TABLE))
                      .setTableSchema(
                          // HBase forgets the tracker of a table if a change does not name it.
                          table(
                              List.of(TRACKER + "=DEFAULT", "PRIORITY=7", "MAX_FILESIZE=99999999"),
                              family("z", "BLOOMFILTER=NONE"),
                              family("f")))
                      .build())
              .getProcId());
      keep("2 modify the table", TABLE);
      end(
          master()
              .addColumn(
                  null,
                  AddColumnRequest.newBuilder()
                      .setTableName(ProtobufUtil.toProtoTableName(TABLE))
                      .setColumnFamilies(family("a", "TTL=5"))
                      .build())
              .getProcId());
      keep("3 add a family", TABLE);
      end(
          master()
              .modifyColumn(
                  null,
                  ModifyColumnRequest.newBuilder()
                      .setTableName(ProtobufUtil.toProtoTableName(TABLE))
                      .setColumnFamilies(family("f", "own=5", "#some.key=1"))
                      .build())
              .getProcId());
      keep("4 modify a family", TABLE);
      end(
          master()
              .deleteColumn(
                  null,
                  DeleteColumnRequest.newBuilder()
                      .setTableName(ProtobufUtil.toProtoTableName(TABLE))
                      .setColumnName(ByteString.copyFromUtf8("z"))
                      .build())
              .getProcId());
      keep("5 delete a family", TABLE);
    }

    private void useSnapshot(Admin admin) throws Exception {
      admin.snapshot(SNAPSHOT, TABLE);
      admin.cloneSnapshot(SNAPSHOT, CLONE);
      keep("6 clone", CLONE);
      admin.cloneSnapshot(SNAPSHOT, FILE_CLONE, false, "FILE");
      keep("7 clone with another tracker", FILE_CLONE);
      admin.disableTable(TABLE);
      admin.restoreSnapshot(SNAPSHOT);
      keep("8 restore", TABLE);
    }

    private void clean(Admin admin) throws IOException {
      for (TableName table : List.of(TABLE, PLAIN, CLONE, FILE_CLONE)) {
        if (admin.tableExists(table)) {
          if (admin.isTableEnabled(table)) {
            admin.disableTable(table);
          }
          admin.deleteTable(table);
        }
      }
      if (!admin.listSnapshots(Pattern.compile(SNAPSHOT)).isEmpty()) {
        admin.deleteSnapshot(SNAPSHOT);
      }
    }

    private MasterService.BlockingInterface master() throws IOException {
      return connection.getMaster();
    }

    private void keep(String step, TableName table) throws Exception {
      descriptors.put(
          step,
          master()
              .getTableDescriptors(null, RequestConverter.buildGetTableDescriptorsRequest(table))
              .getTableSchema(0));
    }

    /** Waits for the end of a procedure. */
    private void end(long procedure) throws Exception {
      GetProcedureResultResponse result;
      do {
        result =
            master()
                .getProcedureResult(
                    null, GetProcedureResultRequest.newBuilder().setProcId(procedure).build());
      } while (result.getState() == GetProcedureResultResponse.State.RUNNING);
      assertThat(result.hasException()).as(result.toString()).isFalse();
    }
  }

  /** Makes a table's message from attributes, or from configuration after {@code #}. */
  private static TableSchema table(List<String> settings, ColumnFamilySchema... families) {
    return TableSchema.newBuilder()
        .setTableName(ProtobufUtil.toProtoTableName(TABLE))
        .addAllAttributes(attributes(settings))
        .addAllConfiguration(configuration(settings))
        .addAllColumnFamilies(List.of(families))
        .build();
  }

  private static ColumnFamilySchema family(String name, String... settings) {
    return ColumnFamilySchema.newBuilder()
        .setName(ByteString.copyFromUtf8(name))
        .addAllAttributes(attributes(List.of(settings)))
        .addAllConfiguration(configuration(List.of(settings)))
        .build();
  }

  private static List<BytesBytesPair> attributes(List<String> settings) {
    List<BytesBytesPair> pairs = new ArrayList<>();
    for (String setting : settings) {
      if (!setting.startsWith("#")) {
        String[] parts = setting.split("=", -1);
        pairs.add(
            BytesBytesPair.newBuilder()
                .setFirst(ByteString.copyFromUtf8(parts[0]))
                .setSecond(ByteString.copyFromUtf8(parts[1]))
                .build());
      }
    }
    return pairs;
  }

  private static List<NameStringPair> configuration(List<String> settings) {
    List<NameStringPair> pairs = new ArrayList<>();
    for (String setting : settings) {
      if (setting.startsWith("#")) {
        String[] parts = setting.substring(1).split("=", -1);
        pairs.add(NameStringPair.newBuilder().setName(parts[0]).setValue(parts[1]).build());
      }
    }
    return pairs;
  }
}
