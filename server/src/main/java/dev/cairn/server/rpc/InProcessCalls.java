package dev.cairn.server.rpc;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.time.Clock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Serves the services of a port to callers in the same process. Messages and errors take the form
 * that they have on the wire; the calling thread runs the method, with the budget of a handler.
 * There are no queues and no limits, and cells travel inside the messages. A simulated network is
 * built on it. Thread-safe.
 */
public final class InProcessCalls {
  private final RpcServices services;
  private final Clock clock;

  /** Creates calls of {@code services}, whose server has {@code clock}. */
  public InProcessCalls(List<RpcService> services, Clock clock) {
    this.services = new RpcServices(services);
    this.clock = clock;
  }

  /** The answer to a call, as it travels. */
  public sealed interface Answer {
    /**
     * Returns the response.
     *
     * @throws IOException that the method answered with, as {@link RpcClient#call} throws it
     */
    <R extends Message> R as(R prototype) throws IOException;
  }

  private record Response(byte[] message) implements Answer {
    @Override
    @SuppressWarnings("unchecked") // a message parses its own kind
    public <R extends Message> R as(R prototype) throws IOException {
      return (R) prototype.getParserForType().parseFrom(message);
    }
  }

  private record Failure(ExceptionResponse error) implements Answer {
    @Override
    public <R extends Message> R as(R prototype) throws IOException {
      throw RpcErrors.decode(error);
    }
  }

  /**
   * Calls a method and waits for its answer, through the server's clock.
   *
   * @param request the encoded request
   * @param user the caller's name
   * @param patienceNanos how long the caller waits
   */
  public Answer call(
      String service, String method, byte[] request, String user, long patienceNanos) {
    try {
      RpcService found =
          services.find(service).orElseThrow(() -> new UnknownServiceException(service));
      RpcMethod<?, ?> known = found.method(method).orElseThrow(() -> found.unknown(method));
      long now = clock.nanoTime();
      long deadline = patienceNanos > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + patienceNanos;
      return run(known, request, new Call(user, now, deadline));
    } catch (IOException | RuntimeException | StackOverflowError e) {
      return new Failure(RpcErrors.encode(RpcErrors.forCaller(cause(e))));
    }
  }

  private <Q, R> Answer run(RpcMethod<Q, R> method, byte[] request, Call call) throws IOException {
    CallOutcome<R> outcome = method.handler().handle(call, method.parser().parse(request));
    R response;
    if (outcome instanceof CallOutcome.Answered<R> answered) {
      response = answered.response();
    } else if (outcome instanceof CallOutcome.Deferred<R> deferred) {
      response = clock.join(deferred.response().toCompletableFuture());
    } else {
      throw new IllegalStateException("A handler left " + outcome);
    }
    method.check().check();
    ResponseBody body = method.body().apply(response);
    ByteBuf out = Unpooled.buffer(body.size());
    body.write(out);
    return new Response(ByteBufUtil.getBytes(out));
  }

  private static Throwable cause(Throwable error) {
    return error instanceof CompletionException wrapped && wrapped.getCause() != null
        ? wrapped.getCause()
        : error;
  }

  /** A call without a connection. */
  private record Call(String user, long receivedNanos, long deadlineNanos) implements RpcCall {
    private static final ClientVersion VERSION = new ClientVersion(2, 6);

    @Override
    public InetSocketAddress remoteAddress() {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }

    @Override
    public CallBudget budget() {
      return CallBudget.HANDLER;
    }

    @Override
    public boolean isAbandoned() {
      return false;
    }

    @Override
    public CellBuffer requestCells() {
      return new CellBuffer(0, 0);
    }

    @Override
    public boolean acceptsCellBlock() {
      return false;
    }

    @Override
    public boolean acceptsTags() {
      return false;
    }

    @Override
    public ClientVersion clientVersion() {
      return VERSION;
    }

    @Override
    public CellBuffer responseBuffer(int bytes) {
      return new CellBuffer();
    }

    @Override
    public CallMemory memory() {
      return Memory.UNLIMITED;
    }

    @Override
    public int responseCellBytes() {
      return 0;
    }

    @Override
    public void setResponseCells(CellBuffer cells) {
      throw new IllegalStateException("The caller does not read cells beside the message");
    }
  }

  private enum Memory implements CallMemory {
    UNLIMITED;

    @Override
    public void borrowForMessage(long bytes) {}

    @Override
    public void prepare(long cellBytes) {}

    @Override
    public long borrowForCells(long wantedBytes) {
      return wantedBytes;
    }

    @Override
    public void await(MemoryShortageException shortage) throws IOException {
      throw RpcErrors.forCaller(shortage);
    }
  }
}
