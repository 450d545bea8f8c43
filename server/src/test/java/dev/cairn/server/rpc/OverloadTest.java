package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.block;
import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcFixture.echo;
import static dev.cairn.server.rpc.RpcFixture.found;
import static dev.cairn.server.rpc.RpcFixture.foundBehind;
import static dev.cairn.server.rpc.RpcFixture.get;
import static dev.cairn.server.rpc.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.slowlog.SlowLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a server that gets more work than it can do. */
@Timeout(60)
class OverloadTest {
  @Test
  void refusesCallsThatTheQueueHasNoRoomForAndServesOthers() throws Exception {
    Gate gate = new Gate();
    RpcService blocking = RpcFixture.client(foundBehind(gate));
    try (RpcFixture fixture =
            new RpcFixture(RpcFixture.options(1, 2), List.of(blocking, RpcFixture.meta()));
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      client.send(call(1, "Get"), get("a"));
      gate.awaitReached();
      client.send(call(2, "Get"), get("a"));
      client.send(call(3, "Get"), get("a"));
      client.send(call(4, "Get"), get("a"));
      RawConnection.Response refused = client.read();
      assertThat(refused.header().getCallId()).isEqualTo(4);
      assertThat(refused.header().getException().getExceptionClassName())
          .isEqualTo("org.apache.hadoop.hbase.CallQueueTooBigException");
      assertThat(refused.header().getException().getDoNotRetry()).isFalse();
      assertThat(fixture.server.snapshot().callsInGeneralQueue()).isEqualTo(2);
      assertThat(fixture.server.snapshot().activeHandlers()).isEqualTo(1);
      assertThat(fixture.server.snapshot().rejected()).isEqualTo(1);
      try (RawConnection meta = RawConnection.open(fixture.address(), "ClientMetaService", "")) {
        meta.send(call(1, "GetClusterId"), GetClusterIdRequest.getDefaultInstance());
        assertThat(meta.read().header().hasException()).isFalse();
      }
      // A call for a system table does not wait behind the others: but for the one handler's gate
      // it would be answered, so it reaches a handler of its own.
      client.send(call(5, "Get").setPriority(200), get("meta"));
      gate.open();
      List<Integer> answered = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        answered.add(client.read().header().getCallId());
      }
      assertThat(answered).containsExactlyInAnyOrder(1, 2, 3, 5);
    }
  }

  @Test
  void dropsCallsWhoseTimeIsOver() throws Exception {
    Gate gate = new Gate();
    RpcService blocking = RpcFixture.client(foundBehind(gate));
    RpcEventLoops loops = new RpcEventLoops(1, RpcFixture.DAEMONS);
    ManualClock clock = new ManualClock();
    try (RpcServer server =
        RpcServer.bind(
            RpcFixture.options(1, 10),
            loops,
            RpcFixture.DAEMONS,
            clock,
            MemoryAccount.unlimited(),
            SlowLog.off())) {
      server.start(List.of(blocking));
      try (RawConnection client = RawConnection.open(server.address(), "ClientService", "")) {
        client.send(call(1, "Get"), get("a"));
        gate.awaitReached();
        client.send(call(2, "Get").setTimeout(5_000), get("a"));
        client.send(call(3, "Get").setTimeout(15_000), get("a"));
        waitUntil(() -> server.snapshot().callsInGeneralQueue() == 2);
        clock.advanceMillis(10_000);
        gate.open();
        assertThat(client.read().header().getCallId()).isEqualTo(1);
        assertThat(client.read().header().getCallId()).isEqualTo(3);
        assertThat(server.snapshot().expired()).isEqualTo(1);
      }
    } finally {
      loops.close();
    }
  }

  @Test
  void aCallThatIsQueuedKeepsItsFrameEvenIfNoThreadCanBeStarted() throws Exception {
    AtomicInteger failures = new AtomicInteger(1);
    ThreadFactory few =
        task -> {
          if (failures.getAndDecrement() > 0) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return RpcFixture.DAEMONS.newThread(task);
        };
    RpcEventLoops loops = new RpcEventLoops(1, RpcFixture.DAEMONS);
    try (RpcServer server =
        RpcServer.bind(
            RpcFixture.options(1, 10),
            loops,
            few,
            new ManualClock(),
            MemoryAccount.unlimited(),
            SlowLog.off())) {
      server.start(List.of(RpcFixture.client((call, request) -> found(true))));
      try (RawConnection first = RawConnection.open(server.address(), "ClientService", "")) {
        first.send(call(1, "Get"), get("a"));
        assertThat(first.ended()).isTrue();
      }
      assertThat(server.scheduler().heldBytes()).as("it waits").isPositive();
      try (RawConnection second = RawConnection.open(server.address(), "ClientService", "")) {
        second.send(call(2, "Get"), get("a"));
        RawConnection.Response answer = second.read();
        assertThat(answer.header().getCallId()).isEqualTo(2);
        assertThat(answer.header().hasException()).as("its frame is its own").isFalse();
      }
      waitUntil(() -> server.scheduler().heldBytes() == 0);
      waitUntil(() -> server.snapshot().expired() == 1);
      assertThat(server.scheduler().general().handlers()).as("none has failed").isEqualTo(1);
    } finally {
      loops.close();
    }
  }

  @Test
  void aClientThatReadsNoResponsesGetsToSendNoMoreRequests() throws Exception {
    byte[] value = new byte[1 << 20];
    Cell cell = Cell.put(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.EMPTY, 1, value);
    byte[] block = block(List.of(cell), false);
    try (RpcFixture fixture = echo();
        RawConnection client =
            RawConnection.open(fixture.address(), "ClientService", RawConnection.KEY_VALUE)) {
      int calls = 64;
      Thread writer =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < calls; i++) {
                    // The handlers keep up, so it is the responses that the server has to hold.
                    long answered = (long) i * block.length;
                    waitUntil(() -> fixture.server.snapshot().bytesSent() >= answered);
                    client.send(call(i, "Scan"), ScanRequest.getDefaultInstance(), block);
                  }
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      writer.start();
      // The writer comes to stand still: what the server took in stays well below all of it.
      AtomicLong last = new AtomicLong();
      await()
          .during(Duration.ofMillis(100))
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> fixture.server.snapshot().requests(),
              requests -> requests > 0 && last.getAndSet(requests) == requests);
      assertThat(last.get()).isLessThan(calls);
      for (int i = 0; i < calls; i++) {
        assertThat(client.read().cells()).hasSize(block.length);
      }
      writer.join();
    }
  }
}
