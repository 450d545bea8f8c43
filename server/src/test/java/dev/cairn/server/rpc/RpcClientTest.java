package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RpcFixture.found;
import static dev.cairn.server.rpc.RpcFixture.foundBehind;
import static dev.cairn.server.rpc.RpcFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.rpc.client.ClientCall.RpcReply;
import dev.cairn.server.rpc.client.RpcCaller;
import dev.cairn.server.rpc.client.RpcClient;
import dev.cairn.server.rpc.wire.RpcRemoteException;
import dev.cairn.server.slowlog.SlowLog;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.exceptions.ConnectionClosedException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RpcClientTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final RpcEventLoops loops = new RpcEventLoops(1, RpcFixture.DAEMONS);
  private final RpcClient client = new RpcClient(loops, "cairn");

  @AfterEach
  void close() {
    client.close();
    loops.close();
  }

  private GetResponse call(InetSocketAddress server, String row) throws IOException {
    return client.call(
        server, "ClientService", "Get", get(row), GetResponse.getDefaultInstance(), LONG);
  }

  private CompletableFuture<GetResponse> callAsync(InetSocketAddress server, Duration timeout) {
    return client.callAsync(
        server, "ClientService", "Get", get("a"), GetResponse.getDefaultInstance(), timeout);
  }

  @Test
  void callsMethodsOfAllServices() throws IOException {
    try (RpcFixture fixture = new RpcFixture((call, request) -> found(true))) {
      assertThat(call(fixture.address(), "a")).isEqualTo(found(true));
      assertThat(
              client
                  .call(
                      InetSocketAddress.createUnresolved("localhost", fixture.address().getPort()),
                      "ClientMetaService",
                      "GetClusterId",
                      GetClusterIdRequest.getDefaultInstance(),
                      GetClusterIdResponse.getDefaultInstance(),
                      LONG)
                  .getClusterId())
          .isEqualTo("the-id");
    }
  }

  @Test
  void keepsOneConnectionForManyCalls() throws IOException {
    try (RpcFixture fixture =
        new RpcFixture((call, request) -> found(request.getGet().getRow().size() == 2))) {
      List<CompletableFuture<GetResponse>> replies = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        replies.add(
            client.callAsync(
                fixture.address(),
                "ClientService",
                "Get",
                get(i % 2 == 0 ? "ab" : "a"),
                GetResponse.getDefaultInstance(),
                LONG));
      }
      for (int i = 0; i < 200; i++) {
        assertThat(RpcClient.await(replies.get(i))).isEqualTo(found(i % 2 == 0));
      }
      assertThat(fixture.server.snapshot().openConnections()).isEqualTo(1);
      assertThat(fixture.server.snapshot().requests()).isEqualTo(200);
    }
  }

  @Test
  void aServerThatHangsUpEndsWaitingCallsAndTakesNewConnections() throws Exception {
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<Void> end = new CompletableFuture<>();
    try (RpcFixture fixture =
        new RpcFixture(
            (call, request) -> {
              if (begun.complete(null)) {
                end.join();
              }
              return found(true);
            })) {
      CompletableFuture<GetResponse> waiting = callAsync(fixture.address(), LONG);
      begun.join();
      fixture.server.hangUp();
      assertThatThrownBy(() -> RpcClient.await(waiting))
          .isInstanceOf(ConnectionClosedException.class);
      end.complete(null);
      assertThat(call(fixture.address(), "a")).isEqualTo(found(true));
    }
  }

  @Test
  void carriesCellsWithTheirTags() throws IOException {
    CellBuffer cells = new CellBuffer();
    cells.add(
        Cell.of(
            Bytes.utf8("r"),
            Bytes.utf8("f"),
            Bytes.utf8("q"),
            7,
            CellType.PUT.code(),
            Bytes.utf8("v"),
            new byte[] {0, 2, 1, 9},
            0));
    try (RpcFixture fixture = new RpcFixture((call, request) -> found(true))) {
      RpcReply<ScanResponse> reply =
          RpcClient.await(
              client.callWithCells(
                  fixture.address(),
                  "ClientService",
                  "Scan",
                  ScanRequest.getDefaultInstance(),
                  cells,
                  ScanResponse.getDefaultInstance(),
                  LONG));
      assertThat(reply.message().getCellsPerResult(0)).isEqualTo(1);
      assertThat(reply.cells().get(0).tags()).isEqualTo(new byte[] {0, 2, 1, 9});
      assertThat(reply.cells().get(0).value()).isEqualTo(Bytes.utf8("v"));
    }
  }

  /** Not on the other side's class path, one could say: it has no constructor for a message. */
  static final class StrangeException extends IOException {
    StrangeException(int code) {
      super("strange " + code);
    }
  }

  @Test
  void rethrowsExceptionsOfTheServer() throws IOException {
    try (RpcFixture fixture =
        new RpcFixture(
            (call, request) -> {
              throw switch (request.getGet().getRow().toStringUtf8()) {
                case "gone" -> new NotServingRegionException("not\nhere");
                case "strange" -> new StrangeException(3);
                default -> new DoNotRetryIOException("never");
              };
            })) {
      assertThatThrownBy(() -> call(fixture.address(), "gone"))
          .isExactlyInstanceOf(NotServingRegionException.class)
          .hasMessage("not\nhere");
      assertThatThrownBy(() -> call(fixture.address(), "strange"))
          .isInstanceOfSatisfying(
              RpcRemoteException.class,
              error -> assertThat(error.className()).isEqualTo(StrangeException.class.getName()))
          .hasMessageContaining("strange 3");
      assertThatThrownBy(() -> call(fixture.address(), "x"))
          .isExactlyInstanceOf(DoNotRetryIOException.class);
      assertThatThrownBy(
              () ->
                  client.call(
                      fixture.address(),
                      "NoService",
                      "Get",
                      get("a"),
                      GetResponse.getDefaultInstance(),
                      LONG))
          .isExactlyInstanceOf(RpcRemoteException.class)
          .hasMessageContaining("UnknownServiceException")
          .hasMessageContaining("NoService");
    }
  }

  @Test
  void endsACallWhoseTimeIsOver() throws Exception {
    Gate gate = new Gate();
    try (RpcFixture fixture = new RpcFixture(foundBehind(gate))) {
      assertThatThrownBy(() -> RpcClient.await(callAsync(fixture.address(), Duration.ofMillis(30))))
          .isInstanceOf(CallTimeoutException.class)
          .hasMessageContaining("ClientService.Get at ")
          .hasMessageContaining("30 ms");
      gate.open();
      assertThat(call(fixture.address(), "a")).isEqualTo(found(true));
    }
    try (ServerSocket silent = new ServerSocket(0)) {
      assertThatThrownBy(
              () ->
                  RpcClient.await(
                      callAsync(
                          new InetSocketAddress("localhost", silent.getLocalPort()),
                          Duration.ofMillis(30))))
          .isInstanceOf(CallTimeoutException.class);
    }
  }

  @Test
  void leavesAConnectionThatDoesNotAnswerToItsOpenCalls() throws Exception {
    Gate gate = new Gate();
    try (RpcFixture fixture =
        new RpcFixture(
            (call, request) ->
                request.getGet().getRow().size() == 1
                    ? foundBehind(gate).handle(call, request)
                    : found(false))) {
      CompletableFuture<GetResponse> patient = callAsync(fixture.address(), LONG);
      assertThatThrownBy(() -> RpcClient.await(callAsync(fixture.address(), Duration.ofMillis(30))))
          .isInstanceOf(CallTimeoutException.class);
      assertThat(call(fixture.address(), "other")).isEqualTo(found(false));
      assertThat(fixture.server.snapshot().openConnections()).isEqualTo(2);
      gate.open();
      assertThat(RpcClient.await(patient)).isEqualTo(found(true));
      Waiting.waitUntil(() -> fixture.server.snapshot().openConnections() == 1);
    }
  }

  @Test
  void tellsWhenNobodyListensAndConnectsOnceSomebodyDoes() throws IOException {
    int port = FreePorts.find();
    try (RpcFixture fixture =
        new RpcFixture(
            RpcServerOptions.defaults("localhost", port),
            List.of(RpcFixture.client((call, request) -> found(true))))) {
      call(fixture.address(), "a");
    }
    InetSocketAddress address = new InetSocketAddress("localhost", port);
    assertThatThrownBy(() -> callUntilRefused(address))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("Cannot connect to localhost:" + port);
    RpcEventLoops others = new RpcEventLoops(1, RpcFixture.DAEMONS);
    try (RpcServer server =
        RpcServer.bind(
            RpcServerOptions.defaults("localhost", port),
            others,
            RpcFixture.DAEMONS,
            Clock.SYSTEM,
            MemoryAccount.unlimited(),
            SlowLog.off())) {
      server.start(List.of(RpcFixture.client((call, request) -> found(false))));
      assertThat(call(address, "a")).isEqualTo(found(false));
    } finally {
      others.close();
    }
  }

  @Test
  void tellsWhenAHostIsUnknown() {
    assertThatThrownBy(() -> call(InetSocketAddress.createUnresolved("no.such.invalid", 1), "a"))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("unknown host");
  }

  /** The old connection's end may be noticed by the first call only. */
  private void callUntilRefused(InetSocketAddress address) throws IOException {
    for (int i = 0; i < 100; i++) {
      try {
        call(address, "a");
      } catch (ConnectionClosedException e) {
        continue;
      }
    }
  }

  @Test
  void failsOpenCallsWhenTheConnectionEnds() throws Exception {
    Gate gate = new Gate();
    try (RpcFixture fixture = new RpcFixture(foundBehind(gate))) {
      CompletableFuture<GetResponse> open = callAsync(fixture.address(), LONG);
      gate.awaitReached();
      client.close();
      assertThatThrownBy(() -> RpcClient.await(open)).isInstanceOf(ConnectionClosedException.class);
      assertThatThrownBy(() -> call(fixture.address(), "a")).hasMessageContaining("closed");
      gate.open();
    }
  }

  @Test
  void hangingUpOnOneLifeOfAServerLeavesTheCallsOfAnother() throws Exception {
    Gate gate = new Gate();
    ExecutorService threads = Executors.newFixedThreadPool(2, RpcFixture.DAEMONS);
    try (RpcFixture fixture = new RpcFixture(foundBehind(gate))) {
      RpcCaller earlier = client.ofLife(1);
      RpcCaller later = client.ofLife(2);
      Future<GetResponse> ofEarlier = threads.submit(() -> callWith(earlier, fixture));
      Future<GetResponse> ofLater = threads.submit(() -> callWith(later, fixture));
      Waiting.waitUntil(() -> fixture.server.snapshot().openConnections() == 2);
      earlier.hangUp(fixture.address());
      assertThatThrownBy(ofEarlier::get).hasCauseInstanceOf(ConnectionClosedException.class);
      gate.open();
      assertThat(ofLater.get()).isEqualTo(found(true));
    } finally {
      threads.shutdownNow();
    }
  }

  private static GetResponse callWith(RpcCaller caller, RpcFixture fixture) throws IOException {
    return caller.call(
        fixture.address(),
        "ClientService",
        "Get",
        get("a"),
        GetResponse.getDefaultInstance(),
        LONG);
  }
}
