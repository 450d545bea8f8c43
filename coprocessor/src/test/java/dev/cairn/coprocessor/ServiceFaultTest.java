package dev.cairn.coprocessor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.ColumnAggregationProtos.ColumnAggregationService;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.ColumnAggregationProtos.SumRequest;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.ColumnAggregationProtos.SumResponse;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a service does wrong fails its call alone, and at once. */
class ServiceFaultTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final AtomicReference<String> CALLER = new AtomicReference<>();

  private static CairnServer server;
  private static Connection connection;

  /** A service that does what the family of its request says. */
  public static final class Sums extends ColumnAggregationService implements RegionCoprocessor {
    @Override
    public Iterable<Service> getServices() {
      return List.of(this);
    }

    @Override
    public void sum(RpcController controller, SumRequest request, RpcCallback<SumResponse> done) {
      CALLER.set(RpcServer.getRequestUserName().orElse("nobody"));
      switch (request.getFamily().toStringUtf8()) {
        case "assertion" -> throw new AssertionError("a wrong assumption");
        case "nothing" -> {}
        default -> done.run(SumResponse.newBuilder().setSum(7).build());
      }
    }
  }

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.builder().setting("hbase.client.retries.number", "5").start();
    connection = server.connect();
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .setCoprocessor(Sums.class.getName())
              .build());
    }
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  private static long sum(SumRequest request) throws Exception {
    try (Table table = connection.getTable(NAME)) {
      return ColumnAggregationService.newBlockingStub(table.coprocessorService(Bytes.toBytes("r")))
          .sum(null, request)
          .getSum();
    }
  }

  private static SumRequest request(String family) {
    return SumRequest.newBuilder().setFamily(ByteString.copyFromUtf8(family)).build();
  }

  @Test
  void aServiceSeesItsCaller() throws Exception {
    assertThat(sum(request("f"))).isEqualTo(7);
    assertThat(CALLER).hasValue(System.getProperty("user.name"));
  }

  @Test
  void anErrorAMissingAnswerAndAnUnreadableRequestAreNotRepeated() {
    assertThatThrownBy(() -> sum(request("assertion")))
        .hasStackTraceContaining(DoNotRetryIOException.class.getName())
        .hasStackTraceContaining("ColumnAggregationService failed in sum: ")
        .hasStackTraceContaining("a wrong assumption");
    assertThatThrownBy(() -> sum(request("nothing")))
        .hasStackTraceContaining(DoNotRetryIOException.class.getName())
        .hasStackTraceContaining("its answer lacks sum");
    assertThatThrownBy(() -> sum(SumRequest.newBuilder().buildPartial()))
        .hasStackTraceContaining(DoNotRetryIOException.class.getName())
        .hasStackTraceContaining("its request cannot be read");
  }
}
