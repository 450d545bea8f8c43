package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.block;
import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcFixture.found;
import static dev.cairn.server.rpc.RpcFixture.get;
import static dev.cairn.server.rpc.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcMethod;
import dev.cairn.server.rpc.service.RpcService;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests which requests and responses a server admits, delays and refuses if its calls may take 16
 * MB.
 */
@Timeout(60)
class MemoryLimitsTest {
  private static final int MB = 1 << 20;
  private static final String TOO_BUSY = "org.apache.hadoop.hbase.RegionTooBusyException";
  private static final String QUEUE_FULL = "org.apache.hadoop.hbase.CallQueueTooBigException";

  private final MemoryAccount memory = new MemoryAccount(16 * MB, 4, Clock.SYSTEM);

  @Test
  void aLongRequestIsNotReadBeforeThereIsMemoryForIt() throws Exception {
    byte[] block = cells(5 * MB / 2);
    try (RpcFixture fixture = fixture(echo());
        RawConnection client = open(fixture);
        RawConnection other = open(fixture)) {
      assertThat(memory.tryBorrow(13 * MB)).isTrue();
      Thread sender = sender(client, 60_000, block);
      waitUntil(() -> memory.snapshot().waiting() == 1);
      assertThat(fixture.server.snapshot().requests()).isZero();
      assertThat(fixture.loops.allocator().metric().usedDirectMemory())
          .as("memory of network buffers")
          .isLessThan(5 * MB / 2);

      other.send(call(2, "Get"), get("abc"));
      assertThat(other.read().header().getCallId()).as("short calls go on").isEqualTo(2);

      memory.giveBack(13 * MB);
      assertThat(client.read().cells()).hasSize(block.length);
      sender.join();
    }
    assertThat(memory.borrowedBytes()).isZero();
  }

  @Test
  void aRequestThatGetsNoMemoryInTimeIsRefusedAndSkipped() throws Exception {
    byte[] block = cells(2 * MB);
    try (RpcFixture fixture = fixture(echo());
        RawConnection client = open(fixture)) {
      memory.tryBorrow(13 * MB);
      Thread sender = sender(client, 200, block);
      RawConnection.Response refused = client.read();
      assertThat(refused.header().getCallId()).isEqualTo(1);
      assertThat(refused.header().getException().getExceptionClassName()).isEqualTo(QUEUE_FULL);
      assertThat(refused.header().getException().getDoNotRetry()).isFalse();
      sender.join();
      client.send(call(2, "Get"), get("abc"));
      assertThat(client.read().header().getCallId()).as("on the same connection").isEqualTo(2);
      assertThat(fixture.server.snapshot().rejected()).isEqualTo(1);
      memory.giveBack(13 * MB);
    }
    assertThat(memory.borrowedBytes()).isZero();
  }

  @Test
  void aRequestThatCanNeverFitIsRefusedUnread() throws Exception {
    try (RpcFixture fixture = fixture(echo());
        RawConnection client = open(fixture)) {
      assertThat(fixture.server.options().maxRequestBytes()).isEqualTo(3 * MB);
      client.out.writeInt(100 * MB);
      client.out.write(new byte[] {4, 8, 9, 16, 0}); // a header with the call id 9
      client.out.flush();
      RawConnection.Response refused = client.read();
      assertThat(refused.header().getCallId()).isEqualTo(9);
      assertThat(refused.header().getException().getDoNotRetry()).isTrue();
      assertThat(refused.header().getException().getStackTrace())
          .contains("hbase.ipc.max.request.size")
          .contains("3145728");
    }
    assertThat(memory.borrowedBytes()).isZero();
  }

  @Test
  void aConnectionThatEndsWhileItsRequestWaitsGivesUpItsPlace() throws Exception {
    try (RpcFixture fixture = fixture(echo())) {
      memory.tryBorrow(13 * MB);
      RawConnection client = open(fixture);
      Thread sender = sender(client, 60_000, cells(2 * MB));
      waitUntil(() -> memory.snapshot().waiting() == 1);
      client.close();
      sender.join();
      memory.giveBack(13 * MB);
      waitUntil(() -> memory.borrowedBytes() == 0);
      assertThat(memory.snapshot().waiting()).isZero();
    }
  }

  @Test
  void aResponseWaitsForMemoryAndStartsAgain() throws Exception {
    memory.tryBorrow(13 * MB);
    try (RpcFixture fixture = fixture(rows(MB));
        RawConnection client = open(fixture)) {
      client.send(call(1, "Scan"), ScanRequest.getDefaultInstance());
      waitUntil(() -> memory.snapshot().waiting() == 1);
      memory.giveBack(13 * MB);
      assertThat(client.read().cells()).hasSizeGreaterThan(MB);
    }
    assertThat(memory.borrowedBytes()).isZero();
  }

  @Test
  void aRequestThatIsDecodedToMoreThanItsLengthBorrowsUntilItHasEnded() throws Exception {
    RpcService decoding =
        RpcFixture.client(
            (call, request) -> {
              call.borrowForRequest(4 * MB);
              assertThat(memory.borrowedBytes()).isGreaterThanOrEqualTo(4 * MB);
              return found(true);
            });
    memory.tryBorrow(13 * MB);
    try (RpcFixture fixture = fixture(decoding);
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("abc"));
      waitUntil(() -> memory.snapshot().waiting() == 1);
      memory.giveBack(13 * MB);
      assertThat(client.read().header().hasException()).isFalse();
    }
    assertThat(memory.borrowedBytes()).isZero();
  }

  @Test
  void aRequestThatCanNeverBeDecodedIsRefused() throws Exception {
    RpcService decoding =
        RpcFixture.client(
            (call, request) -> {
              call.borrowForRequest(memory.limitBytes());
              return found(true);
            });
    try (RpcFixture fixture = fixture(decoding);
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("abc"));
      RawConnection.Response refused = client.read();
      assertThat(refused.header().getException().getDoNotRetry()).isTrue();
      assertThat(refused.header().getException().getStackTrace()).contains("Send fewer cells");
    }
    assertThat(memory.borrowedBytes()).isZero();
  }

  @Test
  void aCallIsNotExecutedAgainBecauseItsResponseHasToWait() throws Exception {
    AtomicInteger done = new AtomicInteger();
    String answer = "x".repeat(MB);
    RpcService changes =
        RpcFixture.client(
            (call, request) -> {
              done.incrementAndGet();
              return GetResponse.newBuilder()
                  .setResult(
                      Result.newBuilder()
                          .addCell(
                              CellProtos.Cell.newBuilder()
                                  .setValue(ByteString.copyFromUtf8(answer))))
                  .build();
            });
    memory.tryBorrow(14 * MB);
    try (RpcFixture fixture = fixture(changes);
        RawConnection client = open(fixture)) {
      client.send(call(1, "Get"), get("abc"));
      waitUntil(() -> memory.snapshot().waiting() == 1);
      memory.giveBack(14 * MB);
      assertThat(client.read().header().hasException()).isFalse();
    }
    assertThat(done).hasValue(1);
    assertThat(memory.borrowedBytes()).isZero();
  }

  @Test
  void callsWhoseResponsesWaitDoNotHoldTheMemoryOfTheirRequests() throws Exception {
    byte[] block = cells(2 * MB);
    CyclicBarrier bothAreReceived = new CyclicBarrier(2);
    ScanResponse large = messageOf(3 * MB);
    RpcService service =
        scans(
            (call, request) -> {
              await(bothAreReceived);
              return large;
            });
    try (RpcFixture fixture = fixture(service);
        RawConnection one = open(fixture);
        RawConnection other = open(fixture)) {
      Thread first = sender(one, 20_000, block);
      Thread second = sender(other, 20_000, block);
      assertThat(one.read().header().hasException()).isFalse();
      assertThat(other.read().header().hasException()).isFalse();
      first.join();
      second.join();
    }
    assertThat(memory.borrowedBytes()).isZero();
  }

  @Test
  void aCallThatHoldsTheMemoryOfALargeRequestDoesNotWaitForMore() throws Exception {
    assertThat(memory.tryBorrow(6 * MB)).isTrue();
    try (RpcFixture fixture = fixture(rows(2 * MB));
        RawConnection client = open(fixture)) {
      Thread sender = sender(client, 60_000, cells(2 * MB));
      RawConnection.Response refused = client.read();
      assertThat(refused.header().getException().getExceptionClassName()).isEqualTo(TOO_BUSY);
      assertThat(refused.header().getException().getDoNotRetry()).isFalse();
      assertThat(memory.snapshot().waiting()).isZero();
      sender.join();
      memory.giveBack(6 * MB);
    }
    assertThat(memory.borrowedBytes()).isZero();
  }

  @Test
  void aResponseThatGetsNoMemoryInTimeIsRefused() throws Exception {
    memory.tryBorrow(13 * MB);
    try (RpcFixture fixture = fixture(rows(MB));
        RawConnection client = open(fixture)) {
      client.send(call(1, "Scan").setTimeout(200), ScanRequest.getDefaultInstance());
      RawConnection.Response refused = client.read();
      assertThat(refused.header().getException().getExceptionClassName()).isEqualTo(TOO_BUSY);
      assertThat(refused.header().getException().getDoNotRetry()).isFalse();
      memory.giveBack(13 * MB);
    }
    assertThat(memory.borrowedBytes()).isZero();
  }

  @Test
  void aResponseThatCanNeverFitNamesTheLimit() throws Exception {
    try (RpcFixture fixture = fixture(rows(10 * MB));
        RawConnection client = open(fixture)) {
      client.send(call(1, "Scan"), ScanRequest.getDefaultInstance());
      RawConnection.Response refused = client.read();
      assertThat(refused.header().getException().getDoNotRetry()).isTrue();
      assertThat(refused.header().getException().getStackTrace())
          .contains("hbase.table.max.rowsize");
    }
    assertThat(memory.borrowedBytes()).isZero();
  }

  @Test
  void aResponseIsLentUntilItsClientHasReadIt() throws Exception {
    try (RpcFixture fixture = fixture(rows(3 * MB));
        RawConnection client = open(fixture)) {
      int calls = 4; // more than the sockets' buffers hold
      for (int i = 0; i < calls; i++) {
        client.send(call(i, "Scan"), ScanRequest.getDefaultInstance());
      }
      waitUntil(() -> fixture.server.snapshot().bytesSent() > MB && memory.borrowedBytes() > MB);
      for (int i = 0; i < calls; i++) {
        client.read();
      }
      waitUntil(() -> memory.borrowedBytes() < MB);
    }
    assertThat(memory.borrowedBytes()).isZero();
  }

  @Test
  void aClientThatNeverReadsLosesItsConnection() throws Exception {
    RpcServerOptions patient = RpcFixture.options();
    RpcServerOptions options =
        new RpcServerOptions(
            "localhost",
            0,
            patient.maxRequestBytes(),
            QueueShares.undivided(5, 1),
            1,
            List.of(),
            1,
            QueueLengths.byHandlers(),
            MB,
            20,
            true,
            true,
            128,
            400);
    try (RpcFixture fixture = new RpcFixture(options, List.of(rows(3 * MB)), Clock.SYSTEM, memory);
        RawConnection client = open(fixture)) {
      for (int i = 0; i < 4; i++) {
        client.send(call(i, "Scan"), ScanRequest.getDefaultInstance());
      }
      waitUntil(() -> memory.borrowedBytes() > MB);
      waitUntil(() -> fixture.server.snapshot().openConnections() == 0);
      waitUntil(() -> memory.borrowedBytes() == 0);
    }
  }

  @Test
  void aConnectionNeedsMemoryToo() throws Exception {
    try (RpcFixture fixture = fixture(echo())) {
      memory.tryBorrow(13 * MB);
      while (memory.tryBorrow(MemoryAccount.SMALL_BYTES)) {
        // until no memory is left
      }
      try (RawConnection client = new RawConnection(fixture.address())) {
        assertThat(client.ended()).isTrue();
      }
      memory.giveBack(memory.borrowedBytes());
      RpcFixture.assertServes(fixture);
    }
  }

  private RpcFixture fixture(RpcService service) throws IOException {
    return new RpcFixture(RpcFixture.options(), List.of(service), Clock.SYSTEM, memory);
  }

  private static RawConnection open(RpcFixture fixture) throws IOException {
    return RawConnection.open(fixture.address(), "ClientService", RawConnection.KEY_VALUE);
  }

  private static RpcService echo() {
    return RpcFixture.client((call, request) -> found(true));
  }

  /** Answers each scan with cells of 1,000 bytes, up to {@code bytes} in total. */
  private static RpcService rows(int bytes) {
    Cell cell = Cell.put(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.EMPTY, 1, new byte[1000]);
    return scans(
        (call, request) -> {
          while (true) {
            try {
              CellBuffer cells = call.responseBuffer(0);
              while (cells.byteSize() < bytes) {
                cells.add(cell);
              }
              call.setResponseCells(cells);
              return ScanResponse.newBuilder().addCellsPerResult(cells.size()).build();
            } catch (MemoryShortageException e) {
              call.memory().await(e);
            }
          }
        });
  }

  private static RpcService scans(RpcMethod.BlockingHandler<ScanRequest, ScanResponse> scan) {
    return RpcService.builder(MethodTables.CLIENT, List.of())
        .on(
            "Get",
            GetRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> found(true))
        .on("Scan", ScanRequest.getDefaultInstance(), CallSubject::cluster, scan)
        .build();
  }

  private static ScanResponse messageOf(int bytes) {
    CellProtos.Cell cell =
        CellProtos.Cell.newBuilder().setValue(ByteString.copyFrom(new byte[bytes])).build();
    return ScanResponse.newBuilder().addResults(Result.newBuilder().addCell(cell)).build();
  }

  private static void await(CyclicBarrier barrier) throws IOException {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IOException(e);
    }
  }

  private static byte[] cells(int bytes) throws IOException {
    Cell cell = Cell.put(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.EMPTY, 1, new byte[bytes]);
    return block(List.of(cell), false);
  }

  /** Sends call 1 with a timeout. */
  private static Thread sender(RawConnection client, int timeoutMillis, byte[] block) {
    Thread thread =
        new Thread(
            () -> {
              try {
                client.send(
                    call(1, "Scan").setTimeout(timeoutMillis),
                    ScanRequest.getDefaultInstance(),
                    block);
              } catch (IOException e) {
                // The test has closed the connection.
              }
            });
    thread.start();
    return thread;
  }
}
