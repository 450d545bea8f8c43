package dev.cairn.interop.hostile;

import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.DynamicMessage;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.TextFormat;

/** One of the servers that are asked what makes no sense, with its tables. */
final class RefusingServer implements AutoCloseable {
  private static final Map<String, ServiceDescriptor> SERVICES =
      Map.of(
          "ClientService", ClientProtos.ClientService.getDescriptor(),
          "AdminService", AdminProtos.AdminService.getDescriptor(),
          "MasterService", MasterProtos.MasterService.getDescriptor());

  /** The largest cell that the tables take, in bytes. */
  private static final String CELL_BYTES_MAX = "10000";

  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");

  private final Connection connection;
  private final ServerName master;
  private final ServerName regionServer;
  private final Map<String, String> places = new HashMap<>();
  private int created;

  /**
   * What came of a request.
   *
   * @param kind the class of the error, or {@code answered}
   * @param message the error's first line
   */
  record Outcome(String kind, String message) {
    static final Outcome ANSWERED = new Outcome("answered", "");

    static Outcome error(String className, String trace) {
      return new Outcome(className, trace.lines().findFirst().orElse(""));
    }
  }

  /** Connects, and makes the tables. */
  RefusingServer(Configuration configuration) throws IOException {
    connection = ConnectionFactory.createConnection(configuration);
    try (Admin admin = connection.getAdmin()) {
      master = admin.getMaster();
      regionServer = admin.getRegionServers().iterator().next();
      dropLeftovers(admin);
      create(admin, "t", false, "f", "g");
      create(admin, "ro", true, "f");
      create(admin, "off", false, "f");
      admin.disableTable(TableName.valueOf("off"));
      admin.createNamespace(NamespaceDescriptor.create("ns").build());
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf("ns", "t"))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
    }
    try (Table table = connection.getTable(TableName.valueOf("t"))) {
      table.put(new Put(Bytes.toBytes("text")).addColumn(F, Q, Bytes.toBytes("text")));
      for (String row : new String[] {"r1", "r2", "r3"}) {
        table.put(new Put(Bytes.toBytes(row)).addColumn(F, Q, Bytes.toBytes("v")));
      }
    }
    places.put("20000", "x".repeat(20_000));
    places.put("40000", "x".repeat(40_000));
  }

  /** Drops the tables of an earlier run: a repeated class finds the same HBase again. */
  private static void dropLeftovers(Admin admin) throws IOException {
    for (TableName table : admin.listTableNames()) {
      if (table.getNameAsString().matches("t|ro|off|c\\d+|ns:.*")) {
        if (admin.isTableEnabled(table)) {
          admin.disableTable(table);
        }
        admin.deleteTable(table);
      }
    }
    if (List.of(admin.listNamespaces()).contains("ns")) {
      admin.deleteNamespace("ns");
    }
  }

  private void create(Admin admin, String name, boolean readOnly, String... families)
      throws IOException {
    TableName table = TableName.valueOf(name);
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(table)
            .setValue("hbase.server.keyvalue.maxsize", CELL_BYTES_MAX);
    for (String family : families) {
      builder.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
    }
    if (readOnly) {
      builder.setReadOnly(true);
    }
    admin.createTable(builder.build(), new byte[][] {Bytes.toBytes("u")});
    places.put(
        name,
        "type: REGION_NAME value: \""
            + TextFormat.escapeBytes(admin.getRegions(table).get(0).getRegionName())
            + "\"");
  }

  /** Sends a request and says what came of it, also where a procedure had to end for that. */
  Outcome outcome(Sample request) throws IOException {
    MethodDescriptor method = SERVICES.get(request.service()).findMethodByName(request.method());
    if (request.text().contains("<scanner>")) {
      places.put("scanner", Long.toUnsignedString(openScanner()));
    }
    places.put("c", "c" + ++created);
    Message message = request.message(method, places);
    try (WireConnection wire = connect(request.service())) {
      WireConnection.Answer answer =
          wire.call(method.getName(), message.toByteArray(), cells(request.cells()));
      if (answer.error().isPresent()) {
        return Outcome.error(
            answer.error().get().getExceptionClassName(), answer.error().get().getStackTrace());
      }
      if (request.method().equals("Multi")) {
        return ofBatch(MultiResponse.parseFrom(answer.message()));
      }
      var procedure = method.getOutputType().findFieldByName("proc_id");
      if (procedure != null) {
        Message response = DynamicMessage.parseFrom(method.getOutputType(), answer.message());
        return ofProcedure(wire, (Long) response.getField(procedure));
      }
      return Outcome.ANSWERED;
    }
  }

  private static Outcome ofBatch(MultiResponse response) {
    for (RegionActionResult group : response.getRegionActionResultList()) {
      if (group.hasException()) {
        return of(group.getException());
      }
      for (ResultOrException one : group.getResultOrExceptionList()) {
        if (one.hasException()) {
          return of(one.getException());
        }
      }
    }
    return Outcome.ANSWERED;
  }

  private static Outcome of(NameBytesPair error) {
    return Outcome.error(error.getName(), error.getValue().toStringUtf8());
  }

  private static Outcome ofProcedure(WireConnection wire, long id) throws IOException {
    byte[] request = GetProcedureResultRequest.newBuilder().setProcId(id).build().toByteArray();
    GetProcedureResultResponse result =
        await()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(5))
            .atMost(Duration.ofMinutes(2))
            .until(
                () ->
                    GetProcedureResultResponse.parseFrom(
                        wire.call("getProcedureResult", request, new byte[0]).message()),
                answer ->
                    answer.hasException()
                        || answer.getState() == GetProcedureResultResponse.State.FINISHED);
    if (result.hasException()) {
      var error = result.getException().getGenericException();
      return Outcome.error(error.getClassName(), error.getMessage());
    }
    return Outcome.ANSWERED;
  }

  private long openScanner() throws IOException {
    RegionSpecifier.Builder region = RegionSpecifier.newBuilder();
    TextFormat.merge(places.get("t"), region);
    ScanRequest open =
        ScanRequest.newBuilder()
            .setRegion(region)
            .setScan(ClientProtos.Scan.newBuilder().setStartRow(ByteString.copyFromUtf8("r")))
            .setNumberOfRows(1)
            .build();
    try (WireConnection wire = connect("ClientService")) {
      WireConnection.Answer answer = wire.call("Scan", open.toByteArray(), new byte[0]);
      return ScanResponse.parseFrom(answer.message()).getScannerId();
    }
  }

  private WireConnection connect(String service) throws IOException {
    ServerName server = service.equals("MasterService") ? master : regionServer;
    return new WireConnection(server.getHostname(), server.getPort(), service);
  }

  private static byte[] cells(int count) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (int i = 0; i < count; i++) {
      KeyValue cell = new KeyValue(Bytes.toBytes("r"), F, Bytes.toBytes("q" + i), Q);
      out.writeInt(cell.getLength());
      out.write(cell.getBuffer(), cell.getOffset(), cell.getLength());
    }
    return bytes.toByteArray();
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }

  /** Returns a request's outcome, or what became of the connection. */
  Outcome outcomeOrEnd(Sample request) {
    try {
      return outcome(request);
    } catch (IOException e) {
      return new Outcome("no answer", Optional.ofNullable(e.getMessage()).orElse(""));
    }
  }
}
