package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcFixture.found;
import static dev.cairn.server.rpc.RpcFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcMethod;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.wire.ResponseBody;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that may not answer any more sends no answer, whichever thread completes it. */
@Timeout(60)
class AnswerCheckTest {
  private enum Way {
    AT_ONCE,
    BY_A_HANDLER,
    LATER
  }

  private final AtomicBoolean over = new AtomicBoolean();

  @ParameterizedTest
  @EnumSource
  void anAnswerThatWasMadeBeforeTheEndIsNotSentAfterIt(Way way) throws IOException {
    RpcService service =
        RpcService.builder(MethodTables.CLIENT, List.of())
            .answering(
                () -> {
                  if (over.get()) {
                    throw new RegionServerStoppedException("over");
                  }
                })
            .on(
                "Get",
                RpcMethod.Parser.of(GetRequest.getDefaultInstance()),
                CallSubject::cluster,
                (call, request) -> answer(way, call, request),
                Optional.empty(),
                ResponseBody::of)
            .build();
    try (RpcFixture fixture = new RpcFixture(RpcFixture.options(), List.of(service));
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      client.send(call(1, "Get"), get("abc"));
      assertThat(GetResponse.parseFrom(client.read().message())).isEqualTo(found(true));
      client.send(call(2, "Get"), get("end"));
      assertThat(client.read().header().getException().getExceptionClassName())
          .isEqualTo(RegionServerStoppedException.class.getName());
    }
  }

  private CallOutcome<GetResponse> answer(Way way, RpcCall call, GetRequest request) {
    if (way == Way.BY_A_HANDLER && !call.budget().mayWait()) {
      return CallOutcome.declined();
    }
    over.set(request.getGet().getRow().toStringUtf8().equals("end")); // after the read
    return way == Way.LATER
        ? new CallOutcome.Deferred<>(CompletableFuture.completedFuture(found(true)))
        : new CallOutcome.Answered<>(found(true));
  }
}
