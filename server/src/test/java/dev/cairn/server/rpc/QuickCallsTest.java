package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcFixture.found;
import static dev.cairn.server.rpc.RpcFixture.get;
import static dev.cairn.server.rpc.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.InlineBackoff;
import dev.cairn.server.rpc.service.RpcMethod;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that are answered on the network thread, and those that turn out not to be for it. */
@Timeout(60)
class QuickCallsTest extends QuickCalls {
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
  void doesNotTryTheCallsOfASubjectThatWereNotFinishedAgainAndAgain() throws Exception {
    backoff = Optional.of(new InlineBackoff<>(request -> request.getGet().getRow().hashCode()));
    AtomicBoolean finishes = new AtomicBoolean();
    RpcMethod.Handler<GetRequest, GetResponse> hard =
        (call, request) -> {
          CallOutcome<GetResponse> answer = answer(call, request);
          boolean isHard = request.getGet().getRow().toStringUtf8().equals("hard");
          return isHard && !finishes.get() ? CallOutcome.unfinished() : answer;
        };
    try (RpcFixture fixture = serve(this::handle, hard);
        RawConnection client = open(fixture)) {
      for (int i = 0; i < 200; i++) {
        client.send(call(i, "Get"), get("hard"));
        assertAnswer(client, i, found(false));
      }
      assertThat(attempted).hasSizeBetween(5, 15);
      attempted.clear();
      client.send(call(200, "Get"), get("easy"));
      assertAnswer(client, 200, found(true));
      finishes.set(true);
      for (int i = 0; i < 100; i++) {
        client.send(call(i, "Get"), get("hard"));
        client.read();
      }
      assertThat(attempted).as("once one was answered, all are tried").hasSizeGreaterThan(35);
      assertNothingHeld(fixture);
    }
  }

  @Test
  void aCallThatIsForHandlersDoesNotCountAsATryInVain() throws Exception {
    backoff = Optional.of(new InlineBackoff<>(request -> 0));
    try (RpcFixture fixture = serve(this::handle, this::decline);
        RawConnection client = open(fixture)) {
      for (int i = 0; i < 20; i++) {
        client.send(call(i, "Get"), get("abc"));
        assertAnswer(client, i, found(false));
      }
      assertThat(attempted).hasSize(20);
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
    Gate gate = new Gate();
    RpcMethod.BlockingHandler<GetRequest, GetResponse> blocking =
        (call, request) -> {
          gate.pass();
          return handle(call, request);
        };
    try (RpcFixture fixture = serve(RpcFixture.options(1, 10), blocking, this::decline);
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("a"));
      gate.awaitReached();
      client.send(call(2, "Get").setTimeout(5_000), get("b"));
      client.send(call(3, "Get").setTimeout(15_000), get("c"));
      waitUntil(() -> fixture.server.snapshot().callsInGeneralQueue() == 2);
      clock.advanceMillis(10_000);
      gate.open();
      assertAnswer(client, 1, found(false));
      assertAnswer(client, 3, found(false));
      assertThat(fixture.server.snapshot().expired()).isEqualTo(1);
      assertNothingHeld(fixture);
    }
  }

  @Test
  void refusesADeclinedCallThatTheQueueHasNoRoomFor() throws Exception {
    Gate gate = new Gate();
    try (RpcFixture fixture =
            serve(RpcFixture.options(1, 1), RpcFixture.foundBehind(gate), this::decline);
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("a"));
      gate.awaitReached();
      client.send(call(2, "Get"), get("b"));
      client.send(call(3, "Get"), get("c"));
      RawConnection.Response refused = client.read();
      assertThat(refused.header().getCallId()).isEqualTo(3);
      assertThat(refused.header().getException().getExceptionClassName())
          .isEqualTo("org.apache.hadoop.hbase.CallQueueTooBigException");
      gate.open();
      assertAnswer(client, 1, found(true));
      assertAnswer(client, 2, found(true));
      assertNothingHeld(fixture);
    }
  }

  @Test
  void whatIsAnsweredIsToldBeforeTheConnectionIsRefused() throws Exception {
    Gate gate = new Gate();
    RpcMethod.Handler<GetRequest, GetResponse> answering =
        (call, request) -> {
          gate.pass();
          return answer(call, request);
        };
    try (RpcFixture fixture = serve(this::handle, answering);
        RawConnection client = open(fixture)) {
      client.send(call(0, "Get"), get("abc"));
      gate.awaitReached();
      ByteArrayOutputStream rest = new ByteArrayOutputStream();
      rest.write(together(1, 3));
      rest.write(new byte[] {-1, -1, -1, -1, 0, 0, 0, 0, 0, 0}); // a length that no frame has
      client.out.write(rest.toByteArray());
      client.out.flush();
      gate.open();
      for (int id = 0; id < 3; id++) {
        assertAnswer(client, id, found(true));
      }
      assertThat(client.read().header().hasException()).isTrue();
      assertThat(client.ended()).isTrue();
    }
  }

  @Test
  void whatIsToBeDoneAfterReadingIsDoneOnceForAllCallsThatCameTogether() throws Exception {
    Gate gate = new Gate();
    List<CompletableFuture<GetResponse>> begun = new ArrayList<>(); // of the network thread alone
    AtomicInteger runs = new AtomicInteger();
    Runnable completing =
        () -> {
          runs.incrementAndGet();
          begun.forEach(one -> one.complete(found(true)));
          begun.clear();
        };
    RpcMethod.Handler<GetRequest, GetResponse> beginning =
        (call, request) -> {
          gate.pass(); // then all calls are in the system's buffers
          CompletableFuture<GetResponse> later = new CompletableFuture<>();
          begun.add(later);
          call.afterReading(completing);
          return new CallOutcome.Deferred<>(later);
        };
    try (RpcFixture fixture = serve(this::handle, beginning);
        RawConnection client = open(fixture)) {
      client.send(call(0, "Get"), get("abc"));
      gate.awaitReached();
      sendTogether(client, 1, 10);
      gate.open();
      for (int id = 0; id < 10; id++) {
        assertAnswer(client, id, found(true));
      }
    }
    assertThat(runs).as("for the first call, and for those that came later").hasValueBetween(1, 3);
  }
}
