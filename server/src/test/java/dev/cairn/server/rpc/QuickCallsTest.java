package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcServerTest.found;
import static dev.cairn.server.rpc.RpcServerTest.get;
import static dev.cairn.server.rpc.RpcServerTest.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that are answered on the network thread, and those that turn out not to be for it. */
@Timeout(60)
class QuickCallsTest {
  private final ManualClock clock = new ManualClock();
  private final Queue<String> threads = new ConcurrentLinkedQueue<>();
  private final Queue<GetRequest> attempted = new ConcurrentLinkedQueue<>();
  private final Queue<GetRequest> handled = new ConcurrentLinkedQueue<>();

  private GetResponse handle(RpcCall call, GetRequest request) {
    handled.add(request);
    return found(false);
  }

  private Attempt<GetResponse> answer(RpcCall call, GetRequest request) {
    attempted.add(request);
    threads.add(Thread.currentThread().getName());
    return new Attempt.Answered<>(found(true));
  }

  private Attempt<GetResponse> decline(RpcCall call, GetRequest request) {
    attempted.add(request);
    return Attempt.declined();
  }

  private RpcFixture serve(
      RpcMethod.Handler<GetRequest, GetResponse> handler,
      RpcMethod.Quick<GetRequest, GetResponse> quick)
      throws IOException {
    return serve(RpcFixture.options(), handler, quick);
  }

  private RpcFixture serve(
      RpcServerOptions options,
      RpcMethod.Handler<GetRequest, GetResponse> handler,
      RpcMethod.Quick<GetRequest, GetResponse> quick)
      throws IOException {
    RpcService service =
        RpcService.builder("ClientService", ClientService::getDescriptor)
            .on("Get", GetRequest.getDefaultInstance(), handler, quick)
            .build();
    return new RpcFixture(options, List.of(service, RpcFixture.meta()), clock);
  }

  private static RawConnection open(RpcFixture fixture) throws IOException {
    return RawConnection.open(fixture.address(), "ClientService", RawConnection.KEY_VALUE);
  }

  private static void assertAnswer(RawConnection client, int callId, GetResponse expected)
      throws IOException {
    RawConnection.Response response = client.read();
    assertThat(response.header().getCallId()).isEqualTo(callId);
    assertThat(GetResponse.parseFrom(response.message())).isEqualTo(expected);
  }

  /** Sends calls in one piece, which the server reads at once or nearly so. */
  private static void sendTogether(RawConnection client, int from, int to) throws IOException {
    client.out.write(together(from, to));
    client.out.flush();
  }

  private static byte[] together(int from, int to) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(bytes);
    for (int id = from; id < to; id++) {
      ByteArrayOutputStream frame = new ByteArrayOutputStream();
      call(id, "Get").build().writeDelimitedTo(frame);
      get("abc").writeDelimitedTo(frame);
      data.writeInt(frame.size());
      data.write(frame.toByteArray());
    }
    return bytes.toByteArray();
  }

  private static void assertNothingHeld(RpcFixture fixture) throws InterruptedException {
    waitUntil(() -> fixture.server.scheduler().heldBytes() == 0);
    waitUntil(() -> fixture.server.snapshot().activeHandlers() == 0);
  }

  @Test
  void answersWithoutAHandler() throws Exception {
    CellBuffer cells = new CellBuffer();
    cells.add(Cell.put(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.EMPTY, 1, Bytes.utf8("value")));
    try (RpcFixture fixture =
            serve(
                this::handle,
                (call, request) -> {
                  call.setResponseCells(cells);
                  return answer(call, request);
                });
        RawConnection client = open(fixture)) {
      for (int id = 0; id < 10; id++) {
        client.send(call(id, "Get"), get("abc"));
        RawConnection.Response response = client.read();
        assertThat(response.header().getCallId()).isEqualTo(id);
        assertThat(GetResponse.parseFrom(response.message())).isEqualTo(found(true));
        assertThat(response.cells()).hasSize(Integer.BYTES + cells.byteSize());
      }
      assertThat(handled).isEmpty();
      assertThat(threads).hasSize(10).allMatch(name -> threads.peek().equals(name));
      assertNothingHeld(fixture);
    }
  }

  @Test
  void handsADeclinedCallToAHandlerWithTheSameRequest() throws Exception {
    CellBuffer leftOver = new CellBuffer();
    leftOver.add(Cell.put(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.EMPTY, 1, Bytes.EMPTY));
    try (RpcFixture fixture =
            serve(
                this::handle,
                (call, request) -> {
                  call.setResponseCells(leftOver);
                  return decline(call, request);
                });
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("abc"));
      RawConnection.Response response = client.read();
      assertThat(GetResponse.parseFrom(response.message())).isEqualTo(found(false));
      assertThat(response.cells()).as("the attempt leaves no trace").isEmpty();
      assertThat(handled).hasSize(1);
      assertThat(handled.peek()).isSameAs(attempted.peek()).isEqualTo(get("abc"));
      assertNothingHeld(fixture);
    }
  }

  @Test
  void letsAHandlerDoTheRest() throws Exception {
    Queue<String> finishing = new ConcurrentLinkedQueue<>();
    try (RpcFixture fixture =
            serve(
                this::handle,
                (call, request) ->
                    new Attempt.Begun<>(
                        new TestRest(
                            () -> {
                              finishing.add(Thread.currentThread().getName());
                              if (request.getGet().getRow().toStringUtf8().equals("gone")) {
                                throw new NotServingRegionException("not here any more");
                              }
                              return found(true);
                            })));
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("abc"));
      assertAnswer(client, 1, found(true));
      client.send(call(2, "Get"), get("gone"));
      assertThat(client.read().header().getException().getExceptionClassName())
          .isEqualTo("org.apache.hadoop.hbase.NotServingRegionException");
      assertThat(handled).isEmpty();
      assertThat(finishing).hasSize(2).allMatch(name -> name.startsWith("rpc-general"));
      assertNothingHeld(fixture);
    }
  }

  @Test
  void dropsARestThatTheQueueHasNoRoomForOrWhoseTimeIsOver() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    List<TestRest> rests = new ArrayList<>();
    TestRest.Work blocking =
        () -> {
          started.countDown();
          await(release);
          return found(true);
        };
    try (RpcFixture fixture =
            serve(
                RpcFixture.options(1, 1),
                this::handle,
                (call, request) -> {
                  rests.add(new TestRest(blocking));
                  return new Attempt.Begun<>(rests.get(rests.size() - 1));
                });
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("a"));
      await(started);
      client.send(call(2, "Get").setTimeout(5_000), get("b"));
      client.send(call(3, "Get"), get("c"));
      assertThat(client.read().header().getException().getExceptionClassName())
          .isEqualTo("org.apache.hadoop.hbase.CallQueueTooBigException");
      clock.advanceMillis(10_000);
      release.countDown();
      assertAnswer(client, 1, found(true));
      waitUntil(() -> fixture.server.snapshot().expired() == 1);
      assertNothingHeld(fixture);
      assertThat(rests).extracting(rest -> rest.drops.get()).containsExactly(0, 1, 1);
    }
  }

  /** The rest of a call that counts how often it is dropped. */
  private static final class TestRest implements Attempt.Rest<GetResponse> {
    interface Work {
      GetResponse finish() throws IOException;
    }

    private final Work work;
    private final AtomicInteger drops = new AtomicInteger();

    TestRest(Work work) {
      this.work = work;
    }

    @Override
    public GetResponse finish() throws IOException {
      return work.finish();
    }

    @Override
    public void drop() {
      drops.incrementAndGet();
    }
  }

  @Test
  void sendsLaterAnswersInTheOrderInWhichTheyCome() throws Exception {
    Map<String, CompletableFuture<GetResponse>> pending = new ConcurrentHashMap<>();
    try (RpcFixture fixture =
            serve(
                this::handle,
                (call, request) -> {
                  CompletableFuture<GetResponse> later = new CompletableFuture<>();
                  pending.put(request.getGet().getRow().toStringUtf8(), later);
                  return new Attempt.Later<>(later);
                });
        RawConnection client = open(fixture)) {
      for (int id = 0; id < 4; id++) {
        client.send(call(id, "Get"), get("row" + id));
      }
      waitUntil(() -> pending.size() == 4);
      assertThat(fixture.server.snapshot().activeHandlers()).isEqualTo(4);
      assertThat(fixture.server.scheduler().heldBytes()).isPositive();

      pending.get("row2").complete(found(true));
      assertAnswer(client, 2, found(true));
      pending.get("row3").completeExceptionally(new NotServingRegionException("gone"));
      ExceptionResponse error = client.read().header().getException();
      assertThat(error.getExceptionClassName())
          .isEqualTo("org.apache.hadoop.hbase.NotServingRegionException");
      pending.get("row0").complete(found(true));
      assertAnswer(client, 0, found(true));
      assertThat(fixture.server.snapshot().activeHandlers()).isEqualTo(1);
      pending.get("row1").complete(found(false));
      assertAnswer(client, 1, found(false));
      assertThat(handled).isEmpty();
      assertNothingHeld(fixture);
    }
  }

  @Test
  void sendsAnAnswerThatIsThereAlready() throws Exception {
    try (RpcFixture fixture =
            serve(
                this::handle,
                (call, request) ->
                    new Attempt.Later<>(CompletableFuture.completedFuture(found(true))));
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("abc"));
      assertAnswer(client, 1, found(true));
      assertNothingHeld(fixture);
    }
  }

  @Test
  void tellsErrorsOfAnAttemptAsAHandlers() throws Exception {
    try (RpcFixture fixture =
            serve(
                this::handle,
                (call, request) -> {
                  switch (request.getGet().getRow().toStringUtf8()) {
                    case "gone" -> throw new NotServingRegionException("not here");
                    case "wrong" -> throw new IllegalArgumentException("no such thing");
                    default -> throw new IllegalStateException("a bug");
                  }
                });
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("gone"));
      assertThat(client.read().header().getException().getExceptionClassName())
          .isEqualTo("org.apache.hadoop.hbase.NotServingRegionException");
      client.send(call(2, "Get"), get("wrong"));
      ExceptionResponse wrong = client.read().header().getException();
      assertThat(wrong.getDoNotRetry()).isTrue();
      assertThat(wrong.getStackTrace()).contains("ClientService.Get: no such thing");
      client.send(call(3, "Get"), get("bug"));
      assertThat(client.read().header().getException().getStackTrace()).contains("a bug");

      ByteArrayOutputStream garbage = new ByteArrayOutputStream();
      call(4, "Get").build().writeDelimitedTo(garbage);
      garbage.write(new byte[] {4, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF});
      client.sendFrame(garbage.toByteArray());
      assertThat(client.read().header().getException().getStackTrace())
          .contains("cannot be parsed");
      client.send(call(5, "Get"), get("abc"), new byte[] {0, 0, 0, 9, 1});
      assertThat(client.read().header().getException().getDoNotRetry()).isTrue();

      assertThat(handled).isEmpty();
      assertThat(fixture.server.snapshot().exceptions()).isEqualTo(5);
      assertNothingHeld(fixture);
    }
  }

  @Test
  void dropsADeclinedCallWhoseTimeIsOverWhenAHandlerGetsToIt() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    RpcMethod.Handler<GetRequest, GetResponse> blocking =
        (call, request) -> {
          started.countDown();
          await(release);
          return handle(call, request);
        };
    try (RpcFixture fixture = serve(RpcFixture.options(1, 10), blocking, this::decline);
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("a"));
      await(started);
      client.send(call(2, "Get").setTimeout(5_000), get("b"));
      client.send(call(3, "Get").setTimeout(15_000), get("c"));
      waitUntil(() -> fixture.server.snapshot().callsInGeneralQueue() == 2);
      clock.advanceMillis(10_000);
      release.countDown();
      assertAnswer(client, 1, found(false));
      assertAnswer(client, 3, found(false));
      assertThat(fixture.server.snapshot().expired()).isEqualTo(1);
      assertNothingHeld(fixture);
    }
  }

  @Test
  void refusesADeclinedCallThatTheQueueHasNoRoomFor() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    RpcMethod.Handler<GetRequest, GetResponse> blocking =
        (call, request) -> {
          started.countDown();
          await(release);
          return found(true);
        };
    try (RpcFixture fixture = serve(RpcFixture.options(1, 1), blocking, this::decline);
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("a"));
      await(started);
      client.send(call(2, "Get"), get("b"));
      client.send(call(3, "Get"), get("c"));
      RawConnection.Response refused = client.read();
      assertThat(refused.header().getCallId()).isEqualTo(3);
      assertThat(refused.header().getException().getExceptionClassName())
          .isEqualTo("org.apache.hadoop.hbase.CallQueueTooBigException");
      release.countDown();
      assertAnswer(client, 1, found(true));
      assertAnswer(client, 2, found(true));
      assertNothingHeld(fixture);
    }
  }

  @Test
  void whatIsAnsweredIsToldBeforeTheConnectionIsRefused() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch sent = new CountDownLatch(1);
    RpcMethod.Quick<GetRequest, GetResponse> answering =
        (call, request) -> {
          first.countDown();
          await(sent);
          return answer(call, request);
        };
    try (RpcFixture fixture = serve(this::handle, answering);
        RawConnection client = open(fixture)) {
      client.send(call(0, "Get"), get("abc"));
      await(first);
      ByteArrayOutputStream rest = new ByteArrayOutputStream();
      rest.write(together(1, 3));
      rest.write(new byte[] {-1, -1, -1, -1, 0, 0, 0, 0, 0, 0}); // a length that no frame has
      client.out.write(rest.toByteArray());
      client.out.flush();
      sent.countDown();
      for (int id = 0; id < 3; id++) {
        assertAnswer(client, id, found(true));
      }
      assertThat(client.read().header().hasException()).isTrue();
      assertThat(client.ended()).isTrue();
    }
  }

  @Test
  void forgetsAnAnswerWhoseConnectionHasEnded() throws Exception {
    CompletableFuture<GetResponse> later = new CompletableFuture<>();
    CountDownLatch begun = new CountDownLatch(1);
    try (RpcFixture fixture =
        serve(
            this::handle,
            (call, request) -> {
              begun.countDown();
              return new Attempt.Later<>(later);
            })) {
      try (RawConnection client = open(fixture)) {
        client.send(call(1, "Get"), get("abc"));
        await(begun);
      }
      waitUntil(() -> fixture.server.snapshot().openConnections() == 0);
      assertThat(fixture.server.scheduler().heldBytes()).isPositive();
      later.complete(found(true));
      assertNothingHeld(fixture);
    } // which finds that no network buffer is lost
  }

  @Test
  void closingLetsALaterAnswerOut() throws Exception {
    CompletableFuture<GetResponse> later = new CompletableFuture<>();
    CountDownLatch begun = new CountDownLatch(1);
    try (RpcFixture fixture =
            serve(
                this::handle,
                (call, request) -> {
                  begun.countDown();
                  return new Attempt.Later<>(later);
                });
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("abc"));
      await(begun);
      Thread closing = new Thread(fixture.server::close);
      closing.start();
      waitUntil(() -> fixture.server.scheduler().isClosed());
      later.complete(found(true));
      assertAnswer(client, 1, found(true));
      assertThat(client.ended()).isTrue();
      closing.join();
    }
  }

  @Test
  void aFloodOfCallsReachesTheHandlersAndLeavesRoomForOthers() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch sent = new CountDownLatch(1);
    RpcMethod.Quick<GetRequest, GetResponse> slow =
        (call, request) -> {
          first.countDown();
          await(sent); // all calls are in the system's buffers when the first one ends
          clock.advanceNanos(QuickBudget.NANOS_PER_ROUND / 10);
          return answer(call, request);
        };
    try (RpcFixture fixture = serve(this::handle, slow);
        RawConnection client = open(fixture);
        RawConnection other = open(fixture)) {
      client.send(call(0, "Get"), get("abc"));
      await(first);
      sendTogether(client, 1, 100);
      other.send(call(1000, "Get"), get("abc"));
      sent.countDown();
      assertThat(other.read().header().hasException()).isFalse();
      int quick = 0;
      List<Integer> answered = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        RawConnection.Response response = client.read();
        answered.add(response.header().getCallId());
        quick += GetResponse.parseFrom(response.message()).equals(found(true)) ? 1 : 0;
      }
      assertThat(answered).doesNotHaveDuplicates().hasSize(100);
      assertThat(quick).as("calls within the budget of a few rounds").isBetween(10, 60);
      assertThat(handled).as("calls beyond it").hasSizeGreaterThan(39);
      assertNothingHeld(fixture);
    }
  }

  @Test
  void aCallThatTakesLongIsTheLastOfItsRound() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch sent = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    RpcMethod.Quick<GetRequest, GetResponse> slowOnce =
        (call, request) -> {
          int count = calls.getAndIncrement();
          if (count == 0) {
            first.countDown();
            await(sent); // all calls are in the system's buffers when the first one ends
          } else if (count == 1) {
            clock.advanceNanos(TimeUnit.MICROSECONDS.toNanos(500)); // a scan's time
          }
          return answer(call, request);
        };
    try (RpcFixture fixture = serve(this::handle, slowOnce);
        RawConnection client = open(fixture)) {
      client.send(call(0, "Get"), get("abc"));
      await(first);
      sendTogether(client, 1, 20);
      sent.countDown();
      for (int i = 0; i < 20; i++) {
        client.read();
      }
      assertThat(handled).as("those that came in with it").isNotEmpty();
      int before = handled.size();
      client.send(call(20, "Get"), get("abc"));
      assertAnswer(client, 20, found(true));
      assertThat(handled).as("the next round begins anew").hasSize(before);
    }
  }

  @Test
  void triesNoLongRequests() throws Exception {
    try (RpcFixture fixture = serve(this::handle, this::answer);
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("x".repeat(100_000)));
      assertAnswer(client, 1, found(false));
      assertThat(attempted).isEmpty();
      assertNothingHeld(fixture);
    }
  }

  @Test
  void triesNothingForAClientThatDoesNotReadItsResponses() throws Exception {
    CellBuffer large = new CellBuffer();
    large.add(Cell.put(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.EMPTY, 1, new byte[1 << 20]));
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch sent = new CountDownLatch(1);
    AtomicInteger attempts = new AtomicInteger();
    RpcMethod.Quick<GetRequest, GetResponse> answering =
        (call, request) -> {
          attempts.incrementAndGet();
          first.countDown();
          await(sent);
          call.setResponseCells(large);
          return new Attempt.Answered<>(found(true));
        };
    try (RpcFixture fixture = serve(this::handle, answering);
        RawConnection client = open(fixture)) {
      client.send(call(0, "Get"), get("abc"));
      await(first);
      sendTogether(client, 1, 60);
      sent.countDown();
      // All of them come in at once: some fill the connection's output, the others are handled.
      waitUntil(() -> handled.size() + attempts.get() == 60);
      assertThat(handled).hasSizeGreaterThan(20);
      for (int i = 0; i < 60; i++) {
        client.read();
      }
      assertNothingHeld(fixture);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
