package dev.cairn.coprocessor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.coprocessor.AggregationClient;
import org.apache.hadoop.hbase.client.coprocessor.LongColumnInterpreter;
import org.apache.hadoop.hbase.coprocessor.AggregateImplementation;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checks services of coprocessors with Apache's own: sums, counts and extremes of a column. */
class EndpointTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final LongColumnInterpreter LONGS = new LongColumnInterpreter();
  private static final TableName SERVED = TableName.valueOf("served");
  private static final TableName PLAIN = TableName.valueOf("plain");
  private static final List<String> CALLS = new CopyOnWriteArrayList<>();

  private static CairnServer server;
  private static Connection connection;

  /** Records the calls of endpoints. */
  public static final class Recorder implements RegionCoprocessor, EndpointObserver {
    @Override
    public Optional<EndpointObserver> getEndpointObserver() {
      return Optional.of(this);
    }

    @Override
    public Message preEndpointInvocation(
        ObserverContext<RegionCoprocessorEnvironment> context,
        Service service,
        String method,
        Message request) {
      CALLS.add("before " + method);
      return request;
    }

    @Override
    public void postEndpointInvocation(
        ObserverContext<RegionCoprocessorEnvironment> context,
        Service service,
        String method,
        Message request,
        Message.Builder answer) {
      CALLS.add("after " + method);
    }
  }

  /** Replaces the service that is built in. */
  public static final class OwnRows extends MultiRowMutationEndpoint {
    @Override
    public void mutateRows(
        RpcController controller, MutateRowsRequest request, RpcCallback<MutateRowsResponse> done) {
      CALLS.add("own rows");
      super.mutateRows(controller, request, done);
    }
  }

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.builder().setting("hbase.client.retries.number", "2").start();
    connection = server.connect();
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(SERVED)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setCoprocessor(AggregateImplementation.class.getName())
              .setCoprocessor(Recorder.class.getName())
              .build(),
          new byte[][] {Bytes.toBytes("row3"), Bytes.toBytes("row7")});
      admin.createTable(
          TableDescriptorBuilder.newBuilder(PLAIN)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
    }
    try (Table table = connection.getTable(SERVED)) {
      for (long i = 0; i < 10; i++) {
        byte[] row = Bytes.toBytes("row" + i);
        table.put(new Put(row).addColumn(F, Q, Bytes.toBytes(i)));
        table.put(new Put(row).addColumn(F, Bytes.toBytes("other"), Bytes.toBytes(100L)));
      }
      table.delete(new Delete(Bytes.toBytes("row9")));
    }
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  private static Scan column() {
    return new Scan().addColumn(F, Q);
  }

  @Test
  void apachesAggregationCountsAndSumsOverAllRegions() throws Throwable {
    try (AggregationClient client = new AggregationClient(server.configuration());
        Table table = connection.getTable(SERVED)) {
      assertThat(client.rowCount(table, LONGS, column())).isEqualTo(9);
      assertThat(client.sum(table, LONGS, column())).isEqualTo(36);
      assertThat(client.max(table, LONGS, column())).isEqualTo(8);
      assertThat(client.min(table, LONGS, column())).isZero();
      Scan some = column().withStartRow(Bytes.toBytes("row2")).withStopRow(Bytes.toBytes("row5"));
      assertThat(client.sum(table, LONGS, some)).isEqualTo(9);
      Scan filtered = column().setFilter(new PrefixFilter(Bytes.toBytes("row8")));
      assertThat(client.sum(table, LONGS, filtered)).isEqualTo(8);
    }
  }

  @Test
  void hooksOfEndpointsAreCalledAround() throws Throwable {
    CALLS.clear();
    try (AggregationClient client = new AggregationClient(server.configuration());
        Table table = connection.getTable(SERVED)) {
      Scan one = column().withStartRow(Bytes.toBytes("row4")).withStopRow(Bytes.toBytes("row5"));
      client.max(table, LONGS, one);
    }
    assertThat(CALLS).containsExactly("before GetMax", "after GetMax");
  }

  @Test
  void aCoprocessorsServiceReplacesTheOneThatIsBuiltIn() throws Exception {
    TableName name = TableName.valueOf("replaced");
    CALLS.clear();
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setCoprocessor(OwnRows.class.getName())
              .build());
      MutateRowsRequest.Builder request = MutateRowsRequest.newBuilder();
      for (String row : List.of("a", "b")) {
        request.addMutationRequest(
            ProtobufUtil.toMutation(
                MutationType.PUT, new Put(Bytes.toBytes(row)).addColumn(F, Q, Q)));
      }
      assertThat(
              MultiRowMutationService.newBlockingStub(table.coprocessorService(F))
                  .mutateRows(null, request.build())
                  .getProcessed())
          .isTrue();
      assertThat(table.exists(List.of(new Get(Bytes.toBytes("a")), new Get(Bytes.toBytes("b")))))
          .containsOnly(true);
    }
    assertThat(CALLS).containsExactly("own rows");
  }

  @Test
  void theFailureOfAServiceIsTheCalls() {
    try (AggregationClient client = new AggregationClient(server.configuration());
        Table table = connection.getTable(SERVED)) {
      Scan unknown = new Scan().addColumn(Bytes.toBytes("unknown"), Q);
      assertThatThrownBy(() -> client.sum(table, LONGS, unknown))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("unknown");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void aTableWithoutTheCoprocessorHasNoSuchService() throws IOException {
    try (AggregationClient client = new AggregationClient(server.configuration());
        Table table = connection.getTable(PLAIN)) {
      assertThatThrownBy(() -> client.sum(table, LONGS, column()))
          .hasMessageContaining("No registered coprocessor service found for AggregateService");
    }
  }
}
