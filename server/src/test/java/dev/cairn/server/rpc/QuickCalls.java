package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcFixture.found;
import static dev.cairn.server.rpc.RpcFixture.get;
import static dev.cairn.server.rpc.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.InlineBackoff;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcMethod;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.wire.ResponseBody;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;

/** The common part of tests of calls that are tried on the network thread. */
abstract class QuickCalls {
  final ManualClock clock = new ManualClock();
  final Queue<String> threads = new ConcurrentLinkedQueue<>();
  final Queue<GetRequest> attempted = new ConcurrentLinkedQueue<>();
  final Queue<GetRequest> handled = new ConcurrentLinkedQueue<>();

  GetResponse handle(RpcCall call, GetRequest request) {
    handled.add(request);
    return found(false);
  }

  CallOutcome<GetResponse> answer(RpcCall call, GetRequest request) {
    attempted.add(request);
    threads.add(Thread.currentThread().getName());
    return new CallOutcome.Answered<>(found(true));
  }

  CallOutcome<GetResponse> decline(RpcCall call, GetRequest request) {
    attempted.add(request);
    return CallOutcome.declined();
  }

  RpcFixture serve(
      RpcMethod.BlockingHandler<GetRequest, GetResponse> handler,
      RpcMethod.Handler<GetRequest, GetResponse> quick)
      throws IOException {
    return serve(RpcFixture.options(), handler, quick);
  }

  /** The back-off; empty unless a test sets it. */
  Optional<InlineBackoff<GetRequest>> backoff = Optional.empty();

  /** The outcome of a call that a handler continues. */
  static CallOutcome<GetResponse> partial(CallOutcome.Continuation<GetResponse> rest) {
    return new CallOutcome.Unfinished<>(Optional.of(rest));
  }

  RpcFixture serve(
      RpcServerOptions options,
      RpcMethod.BlockingHandler<GetRequest, GetResponse> handler,
      RpcMethod.Handler<GetRequest, GetResponse> quick)
      throws IOException {
    RpcService service =
        RpcService.builder(MethodTables.CLIENT, List.of())
            .on(
                "Get",
                RpcMethod.Parser.of(GetRequest.getDefaultInstance()),
                CallSubject::cluster,
                (call, request) ->
                    call.budget().mayWait()
                        ? RpcMethod.blocking(handler).handle(call, request)
                        : quick.handle(call, request),
                backoff,
                ResponseBody::of)
            .build();
    return new RpcFixture(options, List.of(service, RpcFixture.meta()), clock);
  }

  static RawConnection open(RpcFixture fixture) throws IOException {
    return RawConnection.open(fixture.address(), "ClientService", RawConnection.KEY_VALUE);
  }

  static void assertAnswer(RawConnection client, int callId, GetResponse expected)
      throws IOException {
    RawConnection.Response response = client.read();
    assertThat(response.header().getCallId()).isEqualTo(callId);
    assertThat(GetResponse.parseFrom(response.message())).isEqualTo(expected);
  }

  /** Sends calls in one piece, which the server reads at once or nearly so. */
  static void sendTogether(RawConnection client, int from, int to) throws IOException {
    client.out.write(together(from, to));
    client.out.flush();
  }

  static byte[] together(int from, int to) throws IOException {
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

  static void assertNothingHeld(RpcFixture fixture) throws InterruptedException {
    waitUntil(() -> fixture.server.scheduler().heldBytes() == 0);
    waitUntil(() -> fixture.server.snapshot().activeHandlers() == 0);
  }
}
