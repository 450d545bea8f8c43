package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcFixture.found;
import static dev.cairn.server.rpc.RpcFixture.get;
import static dev.cairn.server.rpc.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcMethod;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.wire.ResponseBody;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Calls that the network thread begins and others end: by an answer that comes later, or a rest.
 */
@Timeout(60)
class LaterAnswersTest extends QuickCalls {
  @Test
  void letsAHandlerDoTheRest() throws Exception {
    Queue<String> finishing = new ConcurrentLinkedQueue<>();
    try (RpcFixture fixture =
            serve(
                this::handle,
                (call, request) ->
                    partial(
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
    Gate gate = new Gate();
    List<TestRest> rests = new ArrayList<>();
    try (RpcFixture fixture =
            serve(
                RpcFixture.options(1, 1),
                this::handle,
                (call, request) -> {
                  rests.add(new TestRest(() -> passed(gate)));
                  return partial(rests.get(rests.size() - 1));
                });
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("a"));
      gate.awaitReached();
      client.send(call(2, "Get").setTimeout(5_000), get("b"));
      client.send(call(3, "Get"), get("c"));
      assertThat(client.read().header().getException().getExceptionClassName())
          .isEqualTo("org.apache.hadoop.hbase.CallQueueTooBigException");
      clock.advanceMillis(10_000);
      gate.open();
      assertAnswer(client, 1, found(true));
      waitUntil(() -> fixture.server.snapshot().expired() == 1);
      assertNothingHeld(fixture);
      assertThat(rests).extracting(rest -> rest.drops.get()).containsExactly(0, 1, 1);
      assertThat(rests.get(2).droppedBy).as("it may close files").startsWith("rpc-general");
    }
  }

  @Test
  void whatManyRefusedCallsHoldIsBounded() throws Exception {
    Gate gate = new Gate();
    int capacity = 2;
    int bytes = 256 << 10;
    List<TestRest> rests = new ArrayList<>(); // of the network thread until all are refused
    List<CellBuffer> lent = new ArrayList<>(); // likewise
    try (RpcFixture fixture =
            serve(
                RpcFixture.options(1, capacity),
                this::handle,
                (call, request) -> {
                  lent.add(call.responseBuffer(bytes));
                  rests.add(new TestRest(() -> passed(gate)));
                  return partial(rests.get(rests.size() - 1));
                });
        RawConnection client = open(fixture)) {
      client.send(call(0, "Get"), get("a"));
      gate.awaitReached();
      int refusals = 20;
      int waiting = 1 + capacity;
      for (int id = 1; id < waiting + refusals; id++) {
        client.send(call(id, "Get"), get("b"));
        if (id >= waiting) {
          assertThat(client.read().header().getException().getExceptionClassName())
              .isEqualTo("org.apache.hadoop.hbase.CallQueueTooBigException");
        }
      }
      long undropped = rests.stream().skip(waiting).filter(r -> r.drops.get() == 0).count();
      assertThat(undropped).isEqualTo(capacity);
      assertThat(lent.stream().skip(waiting).distinct()).as("each had the last one's").hasSize(1);
      assertThat(fixture.server.snapshot().callsInGeneralQueue()).isEqualTo(capacity);
      gate.open();
      for (int id = 0; id < waiting; id++) {
        assertAnswer(client, id, found(true));
      }
      assertNothingHeld(fixture);
      assertThat(rests.stream().skip(waiting)).allMatch(rest -> rest.drops.get() == 1);
    }
  }

  @Test
  void aHandlerMayDeferACallToo() throws Exception {
    CompletableFuture<GetResponse> later = new CompletableFuture<>();
    RpcService service =
        RpcService.builder(MethodTables.CLIENT, List.of())
            .<GetRequest, GetResponse>on(
                "Get",
                RpcMethod.Parser.of(GetRequest.getDefaultInstance()),
                CallSubject::cluster,
                (call, request) -> {
                  attempted.add(request);
                  return call.budget().mayWait()
                      ? new CallOutcome.Deferred<>(later)
                      : CallOutcome.unfinished();
                },
                Optional.empty(),
                ResponseBody::of)
            .build();
    try (RpcFixture fixture =
            new RpcFixture(RpcFixture.options(), List.of(service, RpcFixture.meta()), clock);
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("abc"));
      waitUntil(() -> attempted.size() == 2);
      Thread closing = new Thread(fixture.server::close);
      closing.start();
      waitUntil(() -> fixture.server.scheduler().isClosed());
      assertThat(fixture.server.scheduler().heldBytes()).isPositive();
      later.complete(found(true));
      assertAnswer(client, 1, found(true));
      closing.join();
      assertNothingHeld(fixture);
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
                  return new CallOutcome.Deferred<>(later);
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
    try (RpcFixture fixture = serve(CompletableFuture.completedFuture(found(true)));
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("abc"));
      assertAnswer(client, 1, found(true));
      assertNothingHeld(fixture);
    }
  }

  @Test
  void forgetsAnAnswerWhoseConnectionHasEnded() throws Exception {
    CompletableFuture<GetResponse> later = new CompletableFuture<>();
    try (RpcFixture fixture = serve(later)) {
      try (RawConnection client = open(fixture)) {
        client.send(call(1, "Get"), get("abc"));
        waitUntil(() -> !attempted.isEmpty());
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
    try (RpcFixture fixture = serve(later);
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("abc"));
      waitUntil(() -> !attempted.isEmpty());
      Thread closing = new Thread(fixture.server::close);
      closing.start();
      waitUntil(() -> fixture.server.scheduler().isClosed());
      later.complete(found(true));
      assertAnswer(client, 1, found(true));
      assertThat(client.ended()).isTrue();
      closing.join();
    }
  }

  /** Serves calls that all have the same answer, whenever it comes. */
  private RpcFixture serve(CompletableFuture<GetResponse> later) throws IOException {
    return serve(
        this::handle,
        (call, request) -> {
          attempted.add(request);
          return new CallOutcome.Deferred<>(later);
        });
  }

  private static GetResponse passed(Gate gate) {
    gate.pass();
    return found(true);
  }

  /** The rest of a call that counts how often it is dropped. */
  private static final class TestRest implements CallOutcome.Continuation<GetResponse> {
    interface Work {
      GetResponse finish() throws IOException;
    }

    private final Work work;
    private final AtomicInteger drops = new AtomicInteger();
    private volatile String droppedBy = "nobody";

    TestRest(Work work) {
      this.work = work;
    }

    @Override
    public GetResponse finish() throws IOException {
      return work.finish();
    }

    @Override
    public void drop() {
      droppedBy = Thread.currentThread().getName();
      drops.incrementAndGet();
    }
  }
}
