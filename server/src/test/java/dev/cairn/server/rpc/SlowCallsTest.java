package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcFixture.found;
import static dev.cairn.server.rpc.RpcFixture.get;
import static dev.cairn.server.rpc.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.time.PhaseTimes;
import dev.cairn.engine.time.PhaseTimes.Phase;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcMethod;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.wire.ResponseBody;
import dev.cairn.server.slowlog.CallPhases;
import dev.cairn.server.slowlog.SlowLog;
import dev.cairn.server.slowlog.SlowLogSettings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TooSlowLog.SlowLogPayload;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Slow calls are recorded with the time of their work, whoever answers them. */
@Timeout(60)
class SlowCallsTest {
  private static final long LIMIT_MILLIS = 10;

  private final ManualClock clock = new ManualClock();
  private final BlockingQueue<CompletableFuture<GetResponse>> pending = new LinkedBlockingQueue<>();
  private final SlowLogSettings settings =
      SlowLogSettings.of(
          new SiteConfig(
              Map.of(
                  "hbase.ipc.warn.response.time",
                  Long.toString(LIMIT_MILLIS),
                  "hbase.regionserver.slowlog.buffer.enabled",
                  "true")));
  private final SlowLog log = new SlowLog("HRegionServer", () -> settings, Runnable::run);
  private final Gate gate = new Gate();
  private volatile long restMillis;
  private RpcFixture fixture;
  private RawConnection client;

  @BeforeEach
  void serve() throws IOException {
    RpcService service =
        RpcService.builder(MethodTables.CLIENT, List.of())
            .on(
                "Get",
                RpcMethod.Parser.of(GetRequest.getDefaultInstance()),
                CallSubject::cluster,
                this::handle,
                Optional.empty(),
                ResponseBody::of)
            .build();
    fixture =
        new RpcFixture(
            RpcFixture.options(1, 10), List.of(service), clock, MemoryAccount.unlimited(), log);
    client = RawConnection.open(fixture.address(), "ClientService", "");
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    fixture.close();
  }

  /** The row says who answers the call: each takes a millisecond more than is allowed. */
  private CallOutcome<GetResponse> handle(RpcCall call, GetRequest request) throws IOException {
    switch (request.getGet().getRow().toStringUtf8()) {
      case "network thread" -> clock.advanceMillis(LIMIT_MILLIS + 1);
      case "handler" -> {
        if (!call.budget().mayWait()) {
          return CallOutcome.declined();
        }
        clock.advanceMillis(LIMIT_MILLIS + 1);
      }
      case "begun" -> {
        clock.advanceMillis(LIMIT_MILLIS);
        return new CallOutcome.Unfinished<>(Optional.of(new Rest()));
      }
      case "locked" -> {
        if (!call.budget().mayWait()) {
          return CallOutcome.declined();
        }
        clock.advanceMillis(2);
        try (PhaseTimes.Wait wait = PhaseTimes.begin(Phase.LOCK, clock)) {
          clock.advanceMillis(LIMIT_MILLIS);
        }
      }
      case "gate" -> {
        if (!call.budget().mayWait()) {
          return CallOutcome.declined();
        }
        gate.pass();
      }
      case "later" -> {
        CompletableFuture<GetResponse> response = new CompletableFuture<>();
        pending.add(response);
        return new CallOutcome.Deferred<>(response);
      }
      case "nobody" -> {
        clock.advanceMillis(LIMIT_MILLIS + 1);
        throw new DoNotRetryIOException("refused");
      }
      case "region" -> {
        clock.advanceMillis(LIMIT_MILLIS + 1);
        call.concerns(ByteString.copyFromUtf8("t,,1.abc."));
      }
      default -> clock.advanceMillis(LIMIT_MILLIS);
    }
    return new CallOutcome.Answered<>(found(true));
  }

  /** The handler's part of a call that the network thread has begun. */
  private final class Rest implements CallOutcome.Continuation<GetResponse> {
    @Override
    public GetResponse finish() {
      clock.advanceMillis(restMillis);
      return found(true);
    }

    @Override
    public void drop() {}
  }

  /** Has a call begun on the network thread wait for the only handler, for so long. */
  private void askBehind(long waitMillis) throws IOException {
    client.send(call(1, "Get"), get("gate"));
    gate.awaitReached();
    client.send(call(2, "Get"), get("begun"));
    waitUntil(() -> fixture.server.snapshot().callsInGeneralQueue() == 1);
    clock.advanceMillis(waitMillis);
  }

  private void ask(String row) throws IOException {
    client.send(call(1, "Get"), get(row));
    client.read();
  }

  private List<SlowLogPayload> recorded() {
    return log.find(SlowLogResponseRequest.newBuilder().setLimit(10).build());
  }

  private void assertRecorded(String row) {
    assertThat(recorded()).hasSize(1);
    SlowLogPayload slow = recorded().get(0);
    assertThat(slow.getMethodName()).isEqualTo("Get");
    assertThat(slow.getParam()).isEqualTo("region= region, row= " + row);
    assertThat(slow.getProcessingTime()).isEqualTo(LIMIT_MILLIS + 1);
    assertThat(slow.getQueueTime()).isZero();
    assertThat(slow.getStartTime()).isEqualTo(clock.currentTimeMillis() - slow.getProcessingTime());
    assertThat(slow.getResponseSize()).isEqualTo(found(true).getSerializedSize());
    assertThat(slow.getClientAddress()).startsWith("127.0.0.1:");
  }

  @Test
  void aCallThatTheNetworkThreadAnswers() throws IOException {
    ask("network thread");
    assertRecorded("network thread");
  }

  @Test
  void aCallThatAHandlerAnswers() throws IOException {
    ask("handler");
    assertRecorded("handler");
  }

  @Test
  void aCallThatIsAnsweredLater() throws Exception {
    client.send(call(1, "Get"), get("later"));
    CompletableFuture<GetResponse> response = pending.poll(60, TimeUnit.SECONDS);
    clock.advanceMillis(LIMIT_MILLIS + 1);
    response.complete(found(true));
    client.read();
    assertRecorded("later");
  }

  @Test
  void theWaitForARowLockIsAPartOfItsOwn() throws IOException {
    ask("locked");
    assertThat(phases()).isEqualTo(new CallPhases(LIMIT_MILLIS, 0, 0, 0, 2, 0, 0, 0, 0));
  }

  @Test
  void theWaitOfACallThatIsAnsweredLaterIsOneForTheLog() throws Exception {
    client.send(call(1, "Get"), get("later"));
    CompletableFuture<GetResponse> response = pending.poll(60, TimeUnit.SECONDS);
    ask("anything"); // takes the limit, once the network thread has left the first call
    clock.advanceMillis(5);
    response.complete(found(true));
    client.read();
    assertThat(phases()).isEqualTo(new CallPhases(0, LIMIT_MILLIS + 5, 0, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void theWaitsOfOneCallAreNotThoseOfTheNextOnItsThread() throws IOException {
    ask("locked");
    ask("handler");
    assertThat(phases()).isEqualTo(new CallPhases(0, 0, 0, 0, LIMIT_MILLIS + 1, 0, 0, 0, 0));
  }

  /** Returns the parts of the latest recorded call's time. */
  private CallPhases phases() {
    return log.kept().get(0).phases();
  }

  @Test
  void theWaitOfACallThatTheNetworkThreadHasBegunIsNotItsWork() throws IOException {
    askBehind(1_000);
    gate.open();
    client.read();
    client.read();
    assertThat(recorded()).noneMatch(slow -> slow.getParam().endsWith("begun"));
  }

  @Test
  void theWorkOfBothThreadsOnACallCounts() throws IOException {
    restMillis = 1;
    askBehind(1_000);
    gate.open();
    client.read();
    client.read();
    SlowLogPayload slow = recorded().get(0);
    assertThat(slow.getParam()).endsWith("begun");
    assertThat(slow.getProcessingTime()).isEqualTo(LIMIT_MILLIS + 1);
    assertThat(slow.getQueueTime()).isEqualTo(1_000);
  }

  @Test
  void callsWithinTheLimitAndCallsThatFailAreNotRecorded() throws IOException {
    ask("anything");
    ask("nobody");
    assertThat(recorded()).isEmpty();
  }

  @Test
  void theRegionThatTheMethodTellsCounts() throws IOException {
    ask("region");
    assertThat(recorded().get(0).getRegionName()).isEqualTo("t,,1.abc.");
  }
}
