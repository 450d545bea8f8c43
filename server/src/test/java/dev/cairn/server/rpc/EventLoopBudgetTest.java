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
import dev.cairn.server.rpc.service.RpcMethod;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the share of time that the network thread gives to calls, and the calls that it does not
 * try.
 */
@Timeout(60)
class EventLoopBudgetTest extends QuickCalls {
  /**
   * Sends a call that {@code gate} holds, and others that lie in the system's buffers when it ends.
   */
  private static void sendBehind(Gate gate, RawConnection client, int end) throws Exception {
    client.send(call(0, "Get"), get("abc"));
    gate.awaitReached();
    sendTogether(client, 1, end);
    gate.open();
  }

  private static void readResponses(RawConnection client, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      client.read();
    }
  }

  @Test
  void aFloodOfCallsReachesTheHandlersAndLeavesRoomForOthers() throws Exception {
    Gate gate = new Gate();
    AtomicInteger readings = new AtomicInteger();
    Runnable read = readings::incrementAndGet;
    RpcMethod.Handler<GetRequest, GetResponse> slow =
        (call, request) -> {
          gate.pass();
          clock.advanceNanos(EventLoopBudget.NANOS_PER_ROUND / 10);
          call.afterReading(read);
          return answer(call, request);
        };
    try (RpcFixture fixture = serve(this::handle, slow);
        RawConnection client = open(fixture);
        RawConnection other = open(fixture)) {
      client.send(call(0, "Get"), get("abc"));
      gate.awaitReached();
      sendTogether(client, 1, 100);
      other.send(call(1000, "Get"), get("abc"));
      gate.open();
      assertThat(other.read().header().hasException()).isFalse();
      int quick = 0;
      List<Integer> answered = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        RawConnection.Response response = client.read();
        answered.add(response.header().getCallId());
        quick += GetResponse.parseFrom(response.message()).equals(found(true)) ? 1 : 0;
      }
      assertThat(answered).doesNotHaveDuplicates().hasSize(100);
      // How many readings they take is the system's affair; no round has more than one of each.
      assertThat(quick).as("calls within the budget").isBetween(10, 10 * readings.get());
      assertThat(handled).as("calls beyond it").isNotEmpty();
      assertNothingHeld(fixture);
    }
  }

  @Test
  void aCallThatTakesLongIsTheLastOfItsRound() throws Exception {
    Gate gate = new Gate();
    AtomicInteger calls = new AtomicInteger();
    RpcMethod.Handler<GetRequest, GetResponse> slowOnce =
        (call, request) -> {
          int count = calls.getAndIncrement();
          if (count == 0) {
            gate.pass();
          } else if (count == 1) {
            clock.advanceNanos(EventLoopBudget.NANOS_PER_ROUND); // as the longest scans do
          }
          return answer(call, request);
        };
    try (RpcFixture fixture = serve(this::handle, slowOnce);
        RawConnection client = open(fixture)) {
      sendBehind(gate, client, 20);
      readResponses(client, 20);
      assertThat(handled).as("those that came in with it").isNotEmpty();
      int before = handled.size();
      client.send(call(20, "Get"), get("abc"));
      assertAnswer(client, 20, found(true));
      assertThat(handled).as("the next round begins anew").hasSize(before);
    }
  }

  @Test
  void callsThatTakeSeveralReadsAreOneRound() throws Exception {
    Gate gate = new Gate();
    AtomicInteger rounds = new AtomicInteger();
    Runnable read = rounds::incrementAndGet;
    RpcMethod.Handler<GetRequest, GetResponse> gated =
        (call, request) -> {
          gate.pass();
          call.afterReading(read);
          return answer(call, request);
        };
    try (RpcFixture fixture = serve(this::handle, gated);
        RawConnection client = open(fixture)) {
      sendBehind(gate, client, 200); // more bytes than the first buffers have
      readResponses(client, 200);
      waitUntil(() -> rounds.get() > 0);
      assertThat(rounds).as("that of the first call, and another").hasValueLessThanOrEqualTo(2);
      assertNothingHeld(fixture);
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
  void readsNoMoreOfAClientThatDoesNotReadItsResponses() throws Exception {
    CellBuffer large = new CellBuffer();
    large.add(Cell.put(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.EMPTY, 1, new byte[1 << 20]));
    RpcMethod.Handler<GetRequest, GetResponse> answering =
        (call, request) -> {
          call.setResponseCells(large);
          return answer(call, request);
        };
    RpcMethod.BlockingHandler<GetRequest, GetResponse> handling =
        (call, request) -> {
          call.setResponseCells(large);
          return handle(call, request);
        };
    int calls = 200;
    try (RpcFixture fixture = serve(handling, answering);
        RawConnection client = open(fixture)) {
      int sent = 0;
      boolean answered = true;
      while (answered && sent < calls) {
        client.send(call(sent++, "Get"), get("abc")); // a read each
        long expected = sent;
        // No event shows that the server does not read. A late answer only ends the loop sooner.
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
        do {
          answered = attempted.size() + handled.size() >= expected;
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        } while (!answered && System.nanoTime() < deadline);
      }
      assertThat(sent).as("calls until one was not answered").isLessThan(calls);
      for (int i = 0; i < sent; i++) {
        assertThat(client.read().header().getCallId()).isEqualTo(i);
      }
      assertNothingHeld(fixture);
    }
  }

  @Test
  void triesNothingForAClientThatDoesNotReadItsResponses() throws Exception {
    CellBuffer large = new CellBuffer();
    large.add(Cell.put(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.EMPTY, 1, new byte[1 << 20]));
    Gate gate = new Gate();
    AtomicInteger attempts = new AtomicInteger();
    RpcMethod.Handler<GetRequest, GetResponse> answering =
        (call, request) -> {
          attempts.incrementAndGet();
          gate.pass();
          call.setResponseCells(large);
          return new CallOutcome.Answered<>(found(true));
        };
    try (RpcFixture fixture = serve(this::handle, answering);
        RawConnection client = open(fixture)) {
      sendBehind(gate, client, 60);
      // Some fill the connection's output, the others of the same read are handled, and what the
      // system still has is not read before the client takes its responses.
      waitUntil(() -> !handled.isEmpty());
      assertThat(attempts).as("tried while the output had room").hasValueLessThan(30);
      readResponses(client, 60);
      assertThat(handled.size() + attempts.get()).isEqualTo(60);
      assertNothingHeld(fixture);
    }
  }
}
