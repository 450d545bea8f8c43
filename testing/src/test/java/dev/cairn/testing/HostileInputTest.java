package dev.cairn.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.rpc.RpcEventLoops;
import dev.cairn.server.rpc.client.RpcClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStatusService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.ClientMetaService;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.Descriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.DynamicMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every method of every service is called with messages that make no sense: fields missing, of odd
 * values, in odd combinations. Each call gets an answer, none of them tells of a bug, and others
 * never notice.
 */
@Timeout(120)
class HostileInputTest {
  private static final int CALLS_PER_METHOD = 20;
  private static final int DEPTH_MAX = 6;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final TableName VICTIM = TableName.valueOf("victim");
  private static final TableName BYSTANDER = TableName.valueOf("bystander");

  /** These do what they are for with any message. */
  private static final Set<String> ENDING = Set.of("Shutdown", "StopMaster", "StopServer");

  private final long seed = Long.getLong("cairn.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final List<ByteString> bytes = new ArrayList<>();
  private final List<String> texts =
      new ArrayList<>(
          List.of(
              "",
              "victim",
              "default",
              "f",
              "_raw_",
              "_ttl",
              "a/../b",
              PrefixFilter.class.getName(),
              PageFilter.class.getName(),
              FilterList.class.getName(),
              SingleColumnValueFilter.class.getName()));

  @Test
  void everyCallIsAnsweredAndOthersNeverNotice() throws Exception {
    try (CairnServer server = CairnServer.start();
        Connection connection = server.connect();
        RpcEventLoops loops = new RpcEventLoops(1, Thread::new);
        RpcClient client = new RpcClient(loops, "hostile")) {
      create(connection, VICTIM);
      create(connection, BYSTANDER);
      List<RegionInfo> regions = connection.getAdmin().getRegions(VICTIM);
      for (String text : List.of("", "f", "g", "row", "default", "victim", "\0", "\377\377")) {
        bytes.add(ByteString.copyFromUtf8(text));
      }
      for (int i = 0; i < 5; i++) { // often, so that many calls reach the region
        bytes.add(ByteString.copyFrom(regions.get(0).getRegionName()));
      }
      bytes.add(ByteString.copyFromUtf8(regions.get(0).getEncodedName()));
      bytes.add(ByteString.copyFrom(new byte[40_000]));

      Map<String, String> bugs = new TreeMap<>();
      ServerName master = server.endpoints().master();
      ServerName regionServer = server.endpoints().regionServer();
      callAll(client, regionServer, ClientService.getDescriptor(), bugs);
      callAll(client, regionServer, AdminService.getDescriptor(), bugs);
      callAll(client, regionServer, ClientMetaService.getDescriptor(), bugs);
      callAll(client, master, RegionServerStatusService.getDescriptor(), bugs);
      callAll(client, master, MasterService.getDescriptor(), bugs);
      assertThat(bugs).as("seed " + seed).isEmpty();

      try (Table table = connection.getTable(BYSTANDER)) {
        table.put(
            new Put(Bytes.utf8("r")).addColumn(Bytes.utf8("f"), Bytes.utf8("q"), new byte[1]));
        assertThat(table.exists(new Get(Bytes.utf8("r")))).as("seed " + seed).isTrue();
      }
      create(connection, TableName.valueOf("afterwards"));
    }
  }

  private static void create(Connection connection, TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build());
    }
  }

  private void callAll(
      RpcClient client, ServerName server, ServiceDescriptor service, Map<String, String> bugs)
      throws Exception {
    for (MethodDescriptor method : service.getMethods()) {
      if (ENDING.contains(method.getName())) {
        continue;
      }
      List<CompletableFuture<?>> calls = new ArrayList<>();
      for (int i = 0; i < CALLS_PER_METHOD; i++) {
        DynamicMessage request =
            i == 0
                ? DynamicMessage.getDefaultInstance(method.getInputType())
                : message(method.getInputType(), DEPTH_MAX);
        calls.add(
            client
                .callWithCells(
                    server.address(),
                    service.getName(),
                    method.getName(),
                    request,
                    cells(),
                    DynamicMessage.getDefaultInstance(method.getOutputType()),
                    PATIENCE)
                .handle(
                    (answer, error) -> {
                      if (error != null && isBug(error)) {
                        bugs.putIfAbsent(method.getFullName(), error + " on " + request);
                      }
                      return null;
                    }));
      }
      CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get();
    }
  }

  /** An answer that does not blame the request, or none at all. */
  private static boolean isBug(Throwable error) {
    String text = String.valueOf(error.getMessage()) + error;
    return text.contains("The server failed on this call")
        || text.contains("NullPointerException")
        || text.contains("IndexOutOfBounds")
        || text.contains("CallTimeoutException")
        || text.contains("ConnectionClosedException");
  }

  private CellBuffer cells() {
    CellBuffer cells = new CellBuffer();
    for (int i = random.nextInt(3); i > 0; i--) {
      cells.add(
          Bytes.utf8("row"),
          Bytes.utf8("f"),
          Bytes.utf8("q"),
          random.nextInt(),
          CellType.PUT.code(),
          Bytes.utf8("v"),
          Bytes.EMPTY);
    }
    return cells;
  }

  private DynamicMessage message(Descriptor type, int depth) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    for (FieldDescriptor field : type.getFields()) {
      boolean present = field.isRequired() ? random.nextInt(30) > 0 : random.nextInt(3) == 0;
      if (!present || (depth == 0 && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE)) {
        continue;
      }
      if (field.isRepeated()) {
        for (int i = random.nextInt(3); i > 0; i--) {
          message.addRepeatedField(field, value(field, depth));
        }
      } else {
        message.setField(field, value(field, depth));
      }
    }
    return message.buildPartial();
  }

  private Object value(FieldDescriptor field, int depth) {
    return switch (field.getJavaType()) {
      case INT -> (int) number();
      case LONG -> number();
      case FLOAT -> random.nextFloat();
      case DOUBLE -> random.nextDouble();
      case BOOLEAN -> random.nextBoolean();
      case STRING -> texts.get(random.nextInt(texts.size()));
      case BYTE_STRING -> bytes.get(random.nextInt(bytes.size()));
      case ENUM -> {
        var values = field.getEnumType().getValues();
        yield values.get(random.nextInt(values.size()));
      }
      case MESSAGE -> message(field.getMessageType(), depth - 1);
    };
  }

  private long number() {
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> 1;
      case 2 -> -1;
      case 3 -> Integer.MAX_VALUE;
      case 4 -> random.nextLong();
      default -> random.nextInt(20);
    };
  }
}
