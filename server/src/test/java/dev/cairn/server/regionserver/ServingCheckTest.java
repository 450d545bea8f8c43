package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.membership.ServerState;
import dev.cairn.server.regionserver.membership.ServingCheck;
import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.CallWork;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.junit.jupiter.api.Test;

/** Calls are served only while the server serves. */
class ServingCheckTest {
  private final ServerState state = new ServerState(new ServerName("localhost", 16020, 1));
  private final FakeCall call = new FakeCall();
  private int handled;

  private final CheckedMethod<String, String> method =
      CheckedMethod.of(
          "Mutate",
          List.of(new ServingCheck(state)),
          CallSubject::cluster,
          (caller, request) -> {
            handled++;
            return caller.budget().mayWait()
                ? new CallOutcome.Answered<>("answer")
                : CallOutcome.declined();
          });

  @Test
  void aCallThatWaitedWhileTheServerStoppedIsRefused() throws IOException {
    state.advance(ServerState.Stage.SERVING);
    CallWork<String, String> waiting = new CallWork<>(method.method());
    CheckedMethod.run(waiting, call.inline("Mutate"), "request");
    state.advance(ServerState.Stage.STOPPING);
    assertThatThrownBy(() -> CheckedMethod.run(waiting, call.handled(), "request"))
        .isInstanceOf(RegionServerStoppedException.class);
    assertThat(handled).isEqualTo(1);
  }

  @Test
  void aCallThatWaitedWhileTheServerServedIsAnswered() throws IOException {
    state.advance(ServerState.Stage.SERVING);
    CallWork<String, String> waiting = new CallWork<>(method.method());
    CheckedMethod.run(waiting, call.inline("Mutate"), "request");
    assertThat(FakeCall.answer(CheckedMethod.run(waiting, call.handled(), "request")))
        .isEqualTo("answer");
  }
}
