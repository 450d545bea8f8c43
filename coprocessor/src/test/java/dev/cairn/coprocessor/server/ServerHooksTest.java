package dev.cairn.coprocessor.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.ColumnAggregationProtos.ColumnAggregationService;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.ColumnAggregationProtos.SumRequest;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.ColumnAggregationProtos.SumResponse;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks the hooks and the services of a region server's own coprocessors. */
class ServerHooksTest {
  private static final String KEY = "hbase.coprocessor.regionserver.classes";
  private static final byte[] F = Bytes.toBytes("f");
  private static final TableName NAME = TableName.valueOf("t");

  private CairnServer server;
  private Connection connection;
  private Admin admin;
  private ServerName name;

  @BeforeEach
  void begin() {
    ServerProbe.CALLS.clear();
    ServerProbe.failing = "";
  }

  private void start(String classes) throws IOException {
    start(CairnServer.builder().setting(KEY, classes));
  }

  private void start(CairnServer.Builder builder) throws IOException {
    server =
        builder.setting("probe.key", "before").setting("hbase.client.retries.number", "1").start();
    connection = server.connect();
    admin = connection.getAdmin();
    name = admin.getRegionServers().iterator().next();
    ServerProbe.CALLS.removeIf(call -> call.contains("ExecuteProcedures"));
  }

  private void startProbe() throws IOException {
    start(ServerProbe.class.getName());
    assertThat(ServerProbe.CALLS).containsExactly("start");
    ServerProbe.CALLS.clear();
  }

  @AfterEach
  void stop() throws IOException {
    ServerProbe.failing = "";
    if (server != null) {
      connection.close();
      server.close();
    }
  }

  private void createTable() throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build());
  }

  /** A request to the server. */
  @FunctionalInterface
  private interface Request {
    void run() throws Exception;
  }

  private void check(Request request, String pre, String... trace) throws Exception {
    ServerProbe.CALLS.clear();
    request.run();
    assertThat(ServerProbe.CALLS).containsExactly(trace);
    ServerProbe.CALLS.clear();
    ServerProbe.failing = pre;
    assertThatThrownBy(request::run).hasStackTraceContaining(pre + " is refused");
    assertThat(ServerProbe.CALLS).containsExactly(pre);
    ServerProbe.failing = "";
  }

  @Test
  void hooksAreCalledAroundRequests_andRefuseThem() throws Exception {
    startProbe();
    createTable();
    assertThat(ServerProbe.CALLS).startsWith("preExecuteProcedures", "postExecuteProcedures");
    check(
        () -> admin.rollWALWriter(name),
        "preRollWALWriterRequest",
        "preRollWALWriterRequest",
        "user " + System.getProperty("user.name"),
        "postRollWALWriterRequest");
    check(
        () -> admin.clearCompactionQueues(name, Set.of("long", "short")),
        "preClearCompactionQueues",
        "preClearCompactionQueues",
        "postClearCompactionQueues");
    ServerProbe.CALLS.clear();
    admin.clearBlockCache(NAME);
    assertThat(ServerProbe.CALLS)
        .containsExactly("preClearRegionBlockCache", "postClearRegionBlockCache", "cache true");
  }

  @Test
  void aReloadThatFailsHasNoHookAfterIt() throws IOException {
    startProbe();
    assertThatThrownBy(() -> admin.updateConfiguration(name))
        .hasStackTraceContaining("without a configuration folder");
    assertThat(ServerProbe.CALLS)
        .containsExactly("preUpdateRegionServerConfiguration", "key before");
  }

  @Test
  void anUnexpectedFailureOfAHookFailsTheCallAlone() throws IOException {
    startProbe();
    ServerProbe.failing = "preRollWALWriterRequest!";
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> admin.rollWALWriter(name))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining(ServerProbe.class.getName())
          .hasMessageContaining("preRollWALWriterRequest fails");
    }
    ServerProbe.failing = "";
    admin.rollWALWriter(name);
  }

  @Test
  void aHookRefusesAStopThatIsAskedFor_andNotTheEndOfTheProcess() throws IOException {
    startProbe();
    ServerProbe.failing = "preStopRegionServer";
    assertThatThrownBy(() -> admin.stopRegionServer(name.getAddress().toString()))
        .hasStackTraceContaining("preStopRegionServer is refused");
    createTable();
    ServerProbe.CALLS.removeIf(call -> call.contains("ExecuteProcedures"));
    assertThat(ServerProbe.CALLS).containsExactly("preStopRegionServer");
    connection.close();
    server.close();
    server = null;
    ServerProbe.CALLS.removeIf(call -> call.contains("ExecuteProcedures"));
    assertThat(ServerProbe.CALLS)
        .containsExactly("preStopRegionServer", "preStopRegionServer", "stop");
  }

  @Test
  void aStopThatIsAskedForIsToldOnce() throws IOException {
    startProbe();
    admin.stopRegionServer(name.getAddress().toString());
    Awaitility.await().until(() -> ServerProbe.CALLS.contains("stop"));
    connection.close();
    server.close();
    server = null;
    ServerProbe.CALLS.removeIf(call -> call.contains("ExecuteProcedures"));
    assertThat(ServerProbe.CALLS).containsExactly("preStopRegionServer", "stop");
  }

  @Test
  void theEndOfTheProcessWaitsForTheAnswerToARequestToStop() throws Exception {
    startProbe();
    ServerProbe.gate = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      threads.submit(
          () -> {
            admin.stopRegionServer(name.getAddress().toString());
            return null;
          });
      await(() -> ServerProbe.CALLS.contains("preStopRegionServer"));
      Future<?> end =
          threads.submit(
              () -> {
                server.close();
                return null;
              });
      await(() -> telling() == 2 || ServerProbe.CALLS.contains("stop"));
      assertThat(ServerProbe.CALLS).doesNotContain("stop");
      ServerProbe.gate.countDown();
      end.get();
    } finally {
      ServerProbe.gate.countDown();
      threads.shutdown();
    }
    connection.close();
    server = null;
    ServerProbe.CALLS.removeIf(call -> call.contains("ExecuteProcedures"));
    assertThat(ServerProbe.CALLS).containsExactly("preStopRegionServer", "stop");
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(1, TimeUnit.MINUTES).until(condition);
  }

  /** Returns how many threads of the server tell hooks of a stop, or wait to do so. */
  private static long telling() {
    return Thread.getAllStackTraces().values().stream()
        .filter(
            frames ->
                Stream.of(frames).anyMatch(frame -> frame.getMethodName().equals("tellOfStop")))
        .count();
  }

  @Test
  void aStopIsToldOnce_andEndsTheCoprocessors() throws IOException {
    startProbe();
    server.close();
    connection.close();
    server = null;
    ServerProbe.CALLS.removeIf(call -> call.contains("ExecuteProcedures"));
    assertThat(ServerProbe.CALLS).containsExactly("preStopRegionServer", "stop");
  }

  /** Overrides nothing. */
  public static final class Quiet extends ServerProbe {}

  @Test
  void aServerWithAClassThatCannotRunDoesNotStart() {
    assertRefused("no.such.Class", "no.such.Class", "is not on the class path");
    assertRefused(String.class.getName(), "java.lang.String is no RegionServerCoprocessor");
    assertRefused(ServerProbe.class.getName() + ",no.such.Class", "no.such.Class");
    assertThat(ServerProbe.CALLS).containsExactly("start", "stop");
    ServerProbe.failing = "start";
    assertRefused(
        Quiet.class.getName() + "," + ServerProbe.class.getName(),
        Quiet.class.getName(),
        "start is refused");
  }

  private static void assertRefused(String classes, String... reasons) {
    var refusal =
        assertThatThrownBy(() -> CairnServer.builder().setting(KEY, classes).start().close())
            .hasMessageContaining(KEY);
    for (String reason : reasons) {
      refusal.hasMessageContaining(reason);
    }
  }

  @Test
  void aFailingClassIsLeftOutIfTheSiteSaysSo() throws IOException {
    start(
        CairnServer.builder()
            .setting(KEY, "no.such.Class," + ServerProbe.class.getName())
            .setting("hbase.coprocessor.abortonerror", "false"));
    admin.rollWALWriter(name);
    assertThat(ServerProbe.CALLS).contains("start", "postRollWALWriterRequest");
  }

  @Test
  void aClassThatIsLeftOutServesNoEndpoint() throws IOException {
    ServerProbe.failing = "start";
    start(
        CairnServer.builder()
            .setting(KEY, ServerProbe.class.getName())
            .setting("hbase.coprocessor.abortonerror", "false"));
    assertThatThrownBy(
            () ->
                ColumnAggregationService.newBlockingStub(admin.coprocessorService(name))
                    .sum(null, request("f")))
        .hasStackTraceContaining("No registered coprocessor service found");
  }

  @Test
  void aHookThatFailsIsRemovedIfTheSiteSaysSo() throws IOException {
    start(
        CairnServer.builder()
            .setting(KEY, ServerProbe.class.getName())
            .setting("hbase.coprocessor.abortonerror", "false"));
    ServerProbe.failing = "preRollWALWriterRequest!";
    assertThatThrownBy(() -> admin.rollWALWriter(name))
        .hasMessageContaining("preRollWALWriterRequest fails");
    assertThat(ServerProbe.CALLS).endsWith("preRollWALWriterRequest", "stop");
    ServerProbe.CALLS.clear();
    admin.rollWALWriter(name);
    assertThat(ServerProbe.CALLS).isEmpty();
  }

  @Test
  void noneRunIfTheSiteTurnsThemOff() throws IOException {
    start(
        CairnServer.builder()
            .setting(KEY, ServerProbe.class.getName())
            .setting("hbase.coprocessor.enabled", "false"));
    admin.rollWALWriter(name);
    assertThat(ServerProbe.CALLS).isEmpty();
  }

  private static SumRequest request(String family) {
    return SumRequest.newBuilder().setFamily(ByteString.copyFromUtf8(family)).build();
  }

  @Test
  void aServiceAnswers() throws Exception {
    startProbe();
    ColumnAggregationService.BlockingInterface stub =
        ColumnAggregationService.newBlockingStub(admin.coprocessorService(name));
    assertThat(stub.sum(null, request("f")).getSum()).isEqualTo(7);
    assertThat(ServerProbe.CALLS).contains("sum for " + System.getProperty("user.name"));
    assertThatThrownBy(() -> stub.sum(null, request("bad")))
        .hasStackTraceContaining("a bad family");
    try (AsyncConnection async =
        ConnectionFactory.createAsyncConnection(server.configuration()).get()) {
      SumResponse answer =
          async
              .getAdmin()
              .<ColumnAggregationService.Stub, SumResponse>coprocessorService(
                  ColumnAggregationService::newStub,
                  (sums, controller, done) -> sums.sum(controller, request("f"), done),
                  name)
              .get();
      assertThat(answer.getSum()).isEqualTo(7);
    }
  }

  @Test
  void anUnknownServiceIsRefusedAsByHBase() throws IOException {
    start(CairnServer.builder());
    assertThatThrownBy(
            () ->
                ColumnAggregationService.newBlockingStub(admin.coprocessorService(name))
                    .sum(null, request("f")))
        .hasStackTraceContaining("UnknownProtocolException")
        .hasStackTraceContaining(
            "No registered coprocessor service found for hbase.test.pb.ColumnAggregationService");
  }

  @Test
  void aCoprocessorReadsTheServersRegions() throws IOException {
    startProbe();
    createTable();
    try (Table table = connection.getTable(NAME)) {
      table.put(new Put(Bytes.toBytes("r")).addColumn(F, F, F));
    }
    assertThat(ServerProbe.environment.getServerName()).isEqualTo(name);
    List<? extends Region> regions = ServerProbe.environment.getOnlineRegions().getRegions(NAME);
    assertThat(regions).hasSize(1);
    assertThat(ServerProbe.environment.getOnlineRegions().getRegions())
        .extracting(one -> one.getRegionInfo().getTable())
        .contains(NAME, TableName.META_TABLE_NAME);
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = regions.get(0).getScanner(new Scan())) {
      scanner.next(cells);
    }
    assertThat(cells).extracting(CellUtil::cloneRow).containsExactly(Bytes.toBytes("r"));
    String encoded = regions.get(0).getRegionInfo().getEncodedName();
    assertThat(ServerProbe.environment.getOnlineRegions().getRegion(encoded).getRegionInfo())
        .isEqualTo(regions.get(0).getRegionInfo());
    assertThat(ServerProbe.environment.getOnlineRegions().getRegion("none")).isNull();
  }
}
