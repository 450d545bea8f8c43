package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcFixture.get;
import static dev.cairn.server.rpc.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The work of a call stops when an operator ends the call, or when its client disconnects. */
@Timeout(60)
class EndedCallsTest {
  private final Gate stopped = new Gate();
  private final Gate over = new Gate();

  private RpcFixture serve() throws Exception {
    return new RpcFixture(
        (call, request) -> {
          call.onAbandoned(stopped::open);
          stopped.pass();
          over.open();
          throw new DoNotRetryIOException("ended: " + call.isAbandoned());
        });
  }

  private static RawConnection open(RpcFixture fixture) throws Exception {
    return RawConnection.open(fixture.address(), "ClientService", "");
  }

  private static RunningCall running(RpcFixture fixture) {
    waitUntil(() -> fixture.server.runningCalls().stream().anyMatch(RunningCall::canEnd));
    return fixture.server.runningCalls().get(0);
  }

  @Test
  void anOperatorEndsACall() throws Exception {
    try (RpcFixture fixture = serve();
        RawConnection client = open(fixture)) {
      client.send(call(7, "Get"), get("abc"));
      RunningCall running = running(fixture);
      assertThat(running.id()).isEqualTo(7);
      assertThat(fixture.server.endCall(running.client(), 8)).isFalse();
      assertThat(fixture.server.endCall("127.0.0.1:1", 7)).isFalse();
      assertThat(fixture.server.endCall(running.client(), 7)).isTrue();
      assertThat(client.read().header().getException().getStackTrace()).contains("ended: true");
    }
  }

  @Test
  void theCallsOfAClientThatDisconnectsEnd() throws Exception {
    try (RpcFixture fixture = serve();
        RawConnection other = open(fixture)) {
      try (RawConnection client = open(fixture)) {
        client.send(call(7, "Get"), get("abc"));
        running(fixture);
      }
      over.pass(); // opened by the call alone
      other.send(call(9, "Get"), get("abc"));
      assertThat(other.read().header().getCallId()).isEqualTo(9);
    }
  }
}
