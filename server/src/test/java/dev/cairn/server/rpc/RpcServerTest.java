package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcFixture.echo;
import static dev.cairn.server.rpc.RpcFixture.found;
import static dev.cairn.server.rpc.RpcFixture.get;
import static dev.cairn.server.rpc.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.WalStalledException;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.slowlog.SlowLog;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how a server answers calls, from the moment it listens until it is closed. */
@Timeout(60)
class RpcServerTest {
  @Test
  void answersCallsUnderTheirIds() throws IOException {
    try (RpcFixture fixture = echo();
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      client.send(call(0, "Get"), get("abc"));
      client.send(call(5, "Get"), get("ab"));
      Map<Integer, GetResponse> answers = new TreeMap<>();
      for (int i = 0; i < 2; i++) {
        RawConnection.Response response = client.read();
        answers.put(response.header().getCallId(), GetResponse.parseFrom(response.message()));
      }
      assertThat(answers).containsExactly(Map.entry(0, found(true)), Map.entry(5, found(false)));
    }
  }

  @Test
  void readsRequestsThatComeByteByByte() throws IOException {
    try (RpcFixture fixture = echo();
        RawConnection client = new RawConnection(fixture.address())) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream data = new DataOutputStream(bytes);
      data.write(Bytes.utf8("HBas\0P"));
      byte[] header =
          ConnectionHeader.newBuilder().setServiceName("ClientService").build().toByteArray();
      data.writeInt(header.length);
      data.write(header);
      ByteArrayOutputStream frame = new ByteArrayOutputStream();
      call(1, "Get").build().writeDelimitedTo(frame);
      get("abc").writeDelimitedTo(frame);
      data.writeInt(frame.size());
      data.write(frame.toByteArray());
      for (byte next : bytes.toByteArray()) {
        client.out.write(next);
        client.out.flush();
      }
      assertThat(GetResponse.parseFrom(client.read().message())).isEqualTo(found(true));
    }
  }

  @Test
  void readsRequestsOfSeveralMegabytes() throws IOException {
    try (RpcFixture fixture =
            new RpcFixture((call, request) -> found(request.getGet().getRow().size() == 9 << 20));
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      client.send(call(1, "Get"), get("x".repeat(9 << 20)));
      assertThat(GetResponse.parseFrom(client.read().message())).isEqualTo(found(true));
      client.send(call(2, "Get"), get("x"));
      assertThat(GetResponse.parseFrom(client.read().message())).isEqualTo(found(false));
    }
  }

  @Test
  void tellsHandlersWhoCallsAndHowLongTheyWait() throws IOException {
    long before = System.nanoTime();
    List<String> users = new ArrayList<>();
    List<Long> waits = new ArrayList<>();
    try (RpcFixture fixture =
            new RpcFixture(
                (call, request) -> {
                  users.add(
                      call.user()
                          + " from "
                          + call.remoteAddress().getAddress().isLoopbackAddress());
                  waits.add(call.deadlineNanos());
                  return found(true);
                });
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      client.send(call(1, "Get").setTimeout(60_000), get("a"));
      client.read();
      client.send(call(2, "Get"), get("a"));
      client.read();
    }
    assertThat(users).containsOnly("alice from true");
    assertThat(waits.get(0) - before).isGreaterThan(TimeUnit.SECONDS.toNanos(60));
    assertThat(waits.get(1)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void servesManyConnectionsAtOnce() throws Exception {
    try (RpcFixture fixture = echo()) {
      AtomicInteger right = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        Thread thread =
            new Thread(
                () -> {
                  try (RawConnection client =
                      RawConnection.open(fixture.address(), "ClientService", "")) {
                    for (int i = 0; i < 500; i++) {
                      client.send(call(i, "Get"), get(i % 2 == 0 ? "abc" : "ab"));
                      RawConnection.Response response = client.read();
                      if (response.header().getCallId() == i
                          && GetResponse.parseFrom(response.message()).equals(found(i % 2 == 0))) {
                        right.incrementAndGet();
                      }
                    }
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(right).hasValue(4000);
      assertThat(fixture.server.snapshot().requests()).isEqualTo(4000);
      assertThat(fixture.server.snapshot().exceptions()).isZero();
    }
  }

  @Test
  void aTaskThatFollowsAnAnswerRunsOnceTheAnswerIsOnItsWay() throws Exception {
    CompletableFuture<Long> sent = new CompletableFuture<>();
    AtomicReference<RpcServer> server = new AtomicReference<>();
    try (RpcFixture fixture =
            new RpcFixture(
                (call, request) -> {
                  call.afterAnswer(() -> sent.complete(server.get().snapshot().bytesSent()));
                  assertThat(sent).isNotDone();
                  return found(true);
                });
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      server.set(fixture.server);
      client.send(call(1, "Get"), get("a"));
      assertThat(sent.get(60, TimeUnit.SECONDS)).isPositive();
      assertThat(GetResponse.parseFrom(client.read().message())).isEqualTo(found(true));
    }
  }

  @Test
  void sendsExceptionsUnderTheirClassNames() throws IOException {
    try (RpcFixture fixture =
            new RpcFixture(
                (call, request) -> {
                  switch (request.getGet().getRow().toStringUtf8()) {
                    case "gone" -> throw new NotServingRegionException("not here");
                    case "moved" ->
                        throw new RegionMovedException(ServerName.valueOf("there", 16020, 1), 5);
                    case "full" ->
                        throw new WalStalledException("WALs/s", new IOException("no room"));
                    case "bug" -> throw new IllegalStateException("a bug");
                    default -> {
                      return recurse(call, request);
                    }
                  }
                });
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      client.send(call(1, "Get"), get("gone"));
      ExceptionResponse gone = client.read().header().getException();
      assertThat(gone.getExceptionClassName())
          .isEqualTo("org.apache.hadoop.hbase.NotServingRegionException");
      assertThat(gone.getStackTrace())
          .startsWith("org.apache.hadoop.hbase.NotServingRegionException: not here\n\tat ");
      assertThat(gone.getDoNotRetry()).isFalse();

      client.send(call(2, "Get"), get("moved"));
      ExceptionResponse moved = client.read().header().getException();
      assertThat(moved.getExceptionClassName())
          .isEqualTo("org.apache.hadoop.hbase.exceptions.RegionMovedException");
      assertThat(moved.getHostname()).isEqualTo("there");
      assertThat(moved.getPort()).isEqualTo(16020);

      client.send(call(3, "Get"), get("bug"));
      ExceptionResponse bug = client.read().header().getException();
      assertThat(bug.getExceptionClassName()).isEqualTo("java.io.IOException");
      assertThat(bug.getStackTrace()).contains("a bug");

      client.send(call(5, "Get"), get("full"));
      ExceptionResponse full = client.read().header().getException();
      assertThat(full.getExceptionClassName())
          .as("a class that clients know, and on which they try again")
          .isEqualTo("java.io.IOException");
      assertThat(full.getStackTrace()).contains("no room");

      client.send(call(4, "Get"), get("deep"));
      ExceptionResponse deep = client.read().header().getException();
      assertThat(deep.getDoNotRetry()).isTrue();
      assertThat(fixture.server.snapshot().exceptions()).isEqualTo(5);
      assertThat(fixture.server.snapshot().openConnections()).isEqualTo(1);
    }
  }

  private static GetResponse recurse(RpcCall call, GetRequest request) {
    return recurse(call, request).toBuilder().build();
  }

  @Test
  void refusesTwoServicesOfOneName() throws IOException {
    RpcService service = RpcService.builder(MethodTables.CLIENT, List.of()).build();
    assertThatThrownBy(() -> new RpcFixture(RpcFixture.options(), List.of(service, service)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ClientService");
  }

  @Test
  void namesAnAddressThatIsInUse() throws IOException {
    try (RpcFixture fixture = echo()) {
      RpcServerOptions same = RpcServerOptions.defaults("localhost", fixture.address().getPort());
      assertThatThrownBy(() -> new RpcFixture(same, List.of()))
          .isInstanceOf(BindException.class)
          .hasMessageContaining("Cannot listen on localhost:" + fixture.address().getPort())
          .hasMessageContaining("in use");
    }
  }

  @Test
  void givesThePortBackAndEndsItsThreadsWhenClosed() throws Exception {
    Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    RpcEventLoops loops = new RpcEventLoops(1, RpcFixture.DAEMONS);
    RpcServer server =
        RpcServer.bind(
            RpcFixture.options(),
            loops,
            task -> {
              Thread thread = RpcFixture.DAEMONS.newThread(task);
              threads.add(thread);
              return thread;
            },
            Clock.SYSTEM,
            MemoryAccount.unlimited(),
            SlowLog.off());
    server.start(List.of(RpcFixture.meta()));
    assertThat(threads).as("an idle server has no handlers").isEmpty();
    try (RawConnection client = RawConnection.open(server.address(), "ClientMetaService", "")) {
      for (int i = 0; i < 100; i++) {
        client.send(call(i, "GetClusterId"), GetClusterIdRequest.getDefaultInstance());
        client.read();
        waitUntil(() -> threads.stream().allMatch(RpcServerTest::isIdle));
      }
      assertThat(threads).as("one call at a time needs one handler").hasSize(1);
      server.close();
      assertThat(client.ended()).isTrue();
    }
    for (Thread thread : threads) {
      thread.join(); // the test's timeout ends it
    }
    // Asked more than once: on the loopback, a socket can be given the very port that it connects
    // to and so reach itself, and another process may have the port for a moment.
    waitUntil(() -> !isReached(server.address()));
    loops.close();
  }

  /** Tells whether a handler waits for calls: there is a limit to how long it does. */
  private static boolean isIdle(Thread handler) {
    return handler.getState() == Thread.State.TIMED_WAITING;
  }

  private static boolean isReached(InetSocketAddress address) {
    try {
      new Socket(address.getAddress(), address.getPort()).close();
      return true;
    } catch (ConnectException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
