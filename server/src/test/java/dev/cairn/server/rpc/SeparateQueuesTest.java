package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.block;
import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcFixture.found;
import static dev.cairn.server.rpc.RpcFixture.get;
import static dev.cairn.server.rpc.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of one kind do not wait for calls of another, if the ratios divide the queues. */
@Timeout(60)
class SeparateQueuesTest {
  private static final Map<String, String> DIVIDED =
      Map.of(
          "hbase.regionserver.handler.count", "6",
          "hbase.ipc.server.callqueue.read.ratio", "0.7",
          "hbase.ipc.server.callqueue.scan.ratio", "0.5",
          "hbase.ipc.server.max.callqueue.length", "2");

  private static final int SCAN_HANDLERS = 2;

  private final Gate gate = new Gate();
  private final Set<String> threads = ConcurrentHashMap.newKeySet();

  @Test
  void getsAndWritesGoOnWhileScansKeepAllOfTheirHandlersBusy() throws Exception {
    try (RpcFixture fixture = serve(DIVIDED);
        RawConnection scans = open(fixture);
        RawConnection others = open(fixture)) {
      holdUpScans(fixture, scans, SCAN_HANDLERS + 2);
      scans.send(call(100, "Scan"), ScanRequest.getDefaultInstance());
      assertThat(scans.read().header().getException().getExceptionClassName())
          .as("no more scans may wait")
          .isEqualTo("org.apache.hadoop.hbase.CallQueueTooBigException");

      assertAnswered(others, "Get", get("abc"), "rpc-read-");
      assertAnswered(others, "Multi", batch(false), "rpc-read-");
      assertAnswered(others, "Mutate", put(), "rpc-write-");
      assertAnswered(others, "Multi", batch(true), "rpc-write-");

      gate.open();
      for (int i = 0; i < SCAN_HANDLERS + 2; i++) {
        assertThat(scans.read().header().hasException()).isFalse();
      }
      assertThat(threads).anyMatch(name -> name.startsWith("rpc-scan-"));
    }
  }

  @Test
  void aBatchWithCellsIsAWrite() throws Exception {
    Cell cell = Cell.put(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.EMPTY, 1, Bytes.utf8("v"));
    try (RpcFixture fixture = serve(DIVIDED);
        RawConnection client = open(fixture)) {
      client.send(call(1, "Multi"), MultiRequest.getDefaultInstance(), block(List.of(cell), false));
      assertThat(client.read().header().hasException()).isFalse();
      assertThat(threads).allMatch(name -> name.startsWith("rpc-write-"));
    }
  }

  @Test
  void withoutRatiosAllCallsShareTheHandlers() throws Exception {
    Map<String, String> shared = Map.of("hbase.regionserver.handler.count", "2");
    try (RpcFixture fixture = serve(shared);
        RawConnection scans = open(fixture);
        RawConnection others = open(fixture)) {
      holdUpScans(fixture, scans, 2);
      others.send(call(1, "Get"), get("abc"));
      waitUntil(() -> fixture.server.snapshot().callsInGeneralQueue() == 1);
      gate.open();
      assertThat(others.read().header().getCallId()).isEqualTo(1);
      assertThat(threads).allMatch(name -> name.startsWith("rpc-general-"));
    }
  }

  @Test
  void theOldNameOfTheRatioDividesTheQueuesToo() throws Exception {
    Map<String, String> old =
        Map.of(
            "hbase.regionserver.handler.count", "6",
            "hbase.ipc.server.callqueue.read.share", "0.5");
    try (RpcFixture fixture = serve(old);
        RawConnection client = open(fixture)) {
      assertAnswered(client, "Get", get("abc"), "rpc-read-");
      assertAnswered(client, "Mutate", put(), "rpc-write-");
    }
  }

  /** Hooks call other regions: calls of one priority may not wait for those of another. */
  @Test
  void callsOfEachOfPhoenixsPrioritiesHaveHandlersOfTheirOwn() throws Exception {
    Map<String, String> site =
        Map.of(
            "hbase.regionserver.handler.count", "1",
            "hbase.regionserver.metahandler.count", "1",
            "phoenix.rpc.serverside.handler.count", "1",
            "phoenix.rpc.index.handler.count", "1",
            "phoenix.index.rpc.priority", "1050");
    try (RpcFixture fixture = serve(site);
        RawConnection scans = open(fixture);
        RawConnection others = open(fixture)) {
      List<Integer> priorities = List.of(0, 200, 500, 1050);
      for (int i = 0; i < priorities.size(); i++) {
        scans.send(prioritized(i, "Scan", priorities.get(i)), ScanRequest.getDefaultInstance());
        int running = i + 1;
        waitUntil(() -> fixture.server.snapshot().activeHandlers() == running);
      }
      threads.clear();
      others.send(prioritized(1, "Get", 2000), get("abc"));
      assertThat(others.read().header().hasException()).isFalse();
      assertThat(threads).singleElement().asString().startsWith("rpc-metadata-");

      // 1000 is no level here, so its calls wait with those of system tables.
      others.send(prioritized(2, "Get", 1000), get("abc"));
      waitUntil(() -> fixture.server.snapshot().callsInPriorityQueue() == 1);
      gate.open();
      assertThat(others.read().header().getCallId()).isEqualTo(2);
    }
  }

  private static RequestHeader.Builder prioritized(int id, String method, int priority) {
    return call(id, method).setPriority(priority);
  }

  private void holdUpScans(RpcFixture fixture, RawConnection client, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      client.send(call(i, "Scan"), ScanRequest.getDefaultInstance());
      int running = Math.min(i + 1, SCAN_HANDLERS);
      int waiting = i + 1 - running;
      waitUntil(
          () ->
              fixture.server.snapshot().activeHandlers() == running
                  && fixture.server.snapshot().callsInGeneralQueue() == waiting);
    }
  }

  private void assertAnswered(RawConnection client, String method, Message request, String thread)
      throws IOException {
    threads.clear();
    client.send(call(1, method), request);
    assertThat(client.read().header().hasException()).isFalse();
    assertThat(threads).singleElement().asString().startsWith(thread);
  }

  private static MutateRequest put() {
    return MutateRequest.newBuilder()
        .setRegion(get("abc").getRegion())
        .setMutation(MutationProto.newBuilder().setRow(ByteString.copyFromUtf8("abc")))
        .build();
  }

  private static MultiRequest batch(boolean writes) {
    List<Action> actions = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      actions.add(Action.newBuilder().setIndex(i).setGet(get("abc").getGet()).build());
    }
    if (writes) {
      actions.add(
          Action.newBuilder()
              .setIndex(3)
              .setMutation(MutationProto.newBuilder().setRow(ByteString.copyFromUtf8("abc")))
              .build());
    }
    return MultiRequest.newBuilder()
        .addRegionAction(
            RegionAction.newBuilder().setRegion(get("abc").getRegion()).addAllAction(actions))
        .build();
  }

  private RpcFixture serve(Map<String, String> settings) throws IOException {
    RpcService service =
        RpcService.builder(MethodTables.CLIENT, List.of())
            .on(
                "Get",
                GetRequest.getDefaultInstance(),
                CallSubject::cluster,
                (call, request) -> noted(found(true)))
            .on(
                "Scan",
                ScanRequest.getDefaultInstance(),
                CallSubject::cluster,
                (call, request) -> {
                  gate.pass();
                  return noted(ScanResponse.getDefaultInstance());
                })
            .on(
                "Mutate",
                MutateRequest.getDefaultInstance(),
                CallSubject::cluster,
                (call, request) -> noted(MutateResponse.getDefaultInstance()))
            .on(
                "Multi",
                MultiRequest.getDefaultInstance(),
                CallSubject::cluster,
                (call, request) -> noted(MultiResponse.getDefaultInstance()))
            .build();
    return new RpcFixture(
        RpcServerOptions.from(new SiteConfig(settings), "localhost", 0), List.of(service));
  }

  private <R> R noted(R response) {
    threads.add(Thread.currentThread().getName());
    return response;
  }

  private static RawConnection open(RpcFixture fixture) throws IOException {
    return RawConnection.open(fixture.address(), "ClientService", RawConnection.KEY_VALUE);
  }
}
