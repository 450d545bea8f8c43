package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcFixture.found;
import static dev.cairn.server.rpc.RpcFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcMethod;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.wire.ResponseBody;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls whose cells lie in buffers that others had before: none sees another's. */
@Timeout(60)
class LentBuffersTest {
  private static final int CLIENTS = 4;
  private static final int CALLS = 300;
  private static final int AT_ONCE_MAX = 30; // so that no queue is full

  /** The row's number says how its call ends. */
  private enum End {
    AT_ONCE,
    DECLINED,
    BEGUN,
    LATER,
    FAILED_AT_ONCE,
    FAILED_IN_HANDLER,
    FAILED_IN_REST,
    FAILED_LATER;

    static End of(GetRequest request) {
      String row = request.getGet().getRow().toStringUtf8();
      return values()[Integer.parseInt(row.substring(row.indexOf('-') + 1)) % values().length];
    }

    boolean isFailure() {
      return ordinal() >= FAILED_AT_ONCE.ordinal();
    }
  }

  private static CellBuffer cells(CellBuffer out, String row) {
    int length = (row.hashCode() & 0xFF) * 200; // some outgrow a short buffer
    byte[] value = new byte[length];
    Arrays.fill(value, (byte) row.hashCode());
    out.add(Cell.put(Bytes.utf8(row), Bytes.utf8("f"), Bytes.EMPTY, 1, value));
    return out;
  }

  /** Fills the call's buffer as its response and returns the response, or fails after that. */
  private static GetResponse respond(RpcCall call, GetRequest request) throws IOException {
    String row = request.getGet().getRow().toStringUtf8();
    return fill(call, request, call.responseBuffer(row.hashCode() & 0x7FFF));
  }

  private static GetResponse fill(RpcCall call, GetRequest request, CellBuffer out)
      throws IOException {
    assertThat(out.isEmpty()).isTrue();
    call.setResponseCells(cells(out, request.getGet().getRow().toStringUtf8()));
    if (End.of(request).isFailure()) {
      throw new IOException("fails in the middle");
    }
    return found(true);
  }

  private static CallOutcome<GetResponse> attempt(
      RpcCall call, GetRequest request, ExecutorService others) throws IOException {
    return switch (End.of(request)) {
      case AT_ONCE, FAILED_AT_ONCE -> new CallOutcome.Answered<>(respond(call, request));
      case DECLINED, FAILED_IN_HANDLER -> {
        call.setResponseCells(cells(call.responseBuffer(0), "left over"));
        yield CallOutcome.declined();
      }
      case BEGUN, FAILED_IN_REST -> {
        String row = request.getGet().getRow().toStringUtf8();
        CellBuffer out = call.responseBuffer(row.hashCode() & 0x7FFF);
        yield new CallOutcome.Unfinished<>(
            Optional.of(
                new CallOutcome.Continuation<>() {
                  @Override
                  public GetResponse finish() throws IOException {
                    return fill(call, request, out);
                  }

                  @Override
                  public void drop() {
                    throw new AssertionError("its client waits for it");
                  }
                }));
      }
      case LATER, FAILED_LATER -> {
        CompletableFuture<GetResponse> later = new CompletableFuture<>();
        others.execute(
            () -> {
              try {
                later.complete(respond(call, request));
              } catch (Throwable e) {
                later.completeExceptionally(e);
              }
            });
        yield new CallOutcome.Deferred<>(later);
      }
    };
  }

  private static void ask(RpcFixture fixture, String client) throws IOException {
    try (RawConnection connection =
        RawConnection.open(fixture.address(), "ClientService", RawConnection.KEY_VALUE)) {
      for (int from = 0; from < CALLS; from += AT_ONCE_MAX) {
        for (int id = from; id < from + AT_ONCE_MAX; id++) {
          connection.send(call(id, "Get"), get(client + "-" + id));
        }
        for (int i = 0; i < AT_ONCE_MAX; i++) {
          check(connection.read(), client);
        }
      }
    }
  }

  private static void check(RawConnection.Response response, String client) {
    int id = response.header().getCallId();
    boolean isFailure = End.values()[id % End.values().length].isFailure();
    assertThat(response.header().hasException()).isEqualTo(isFailure);
    CellBuffer expected = new CellBuffer();
    if (!isFailure) {
      cells(expected, client + "-" + id);
    }
    byte[] block = Arrays.copyOf(expected.piece(0), expected.blockSize());
    assertThat(Arrays.equals(response.cells(), block)).as("the cells of call %s", id).isTrue();
  }

  @Test
  void noResponseHasAnothersCells() throws Exception {
    ExecutorService others = Executors.newFixedThreadPool(2);
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    RpcService service =
        RpcService.builder(MethodTables.CLIENT, List.of())
            .on(
                "Get",
                RpcMethod.Parser.of(GetRequest.getDefaultInstance()),
                CallSubject::cluster,
                (call, request) ->
                    call.budget().mayWait()
                        ? new CallOutcome.Answered<>(respond(call, request))
                        : attempt(call, request, others),
                Optional.empty(),
                ResponseBody::of)
            .build();
    try (RpcFixture fixture =
        new RpcFixture(RpcFixture.options(), List.of(service, RpcFixture.meta()), Clock.SYSTEM)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        String client = "client" + i;
        all.add(
            clients.submit(
                () -> {
                  ask(fixture, client);
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
    } finally {
      clients.shutdown();
      others.shutdown();
    }
  }

  @Test
  void givesACallOneBuffer() throws Exception {
    RpcService service =
        RpcFixture.client(
            (call, request) -> {
              call.responseBuffer(0);
              assertThatThrownBy(() -> call.responseBuffer(0))
                  .isInstanceOf(IllegalStateException.class);
              return found(true);
            });
    try (RpcFixture fixture =
            new RpcFixture(RpcFixture.options(), List.of(service, RpcFixture.meta()));
        RawConnection connection =
            RawConnection.open(fixture.address(), "ClientService", RawConnection.KEY_VALUE)) {
      connection.send(call(1, "Get"), get("abc"));
      assertThat(GetResponse.parseFrom(connection.read().message())).isEqualTo(found(true));
    }
  }
}
