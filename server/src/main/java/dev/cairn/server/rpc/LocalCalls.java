package dev.cairn.server.rpc;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.PhaseTimes;
import dev.cairn.server.rpc.service.ClientVersion;
import dev.cairn.server.rpc.service.RpcMethod;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.wire.CellBlockCodec;
import dev.cairn.server.rpc.wire.RpcErrors;
import dev.cairn.server.rpc.wire.UnknownServiceException;
import dev.cairn.server.slowlog.SlowLog;
import dev.cairn.server.tracing.CallTrace;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;

/**
 * Calls of a server's services by its own process, without the network: the calling thread does the
 * work, and no queue or handler is used. So a handler that calls its own server never waits for
 * another handler. The calls are measured as those of clients. Thread-safe.
 */
public final class LocalCalls {
  private final RpcServer server;
  private final String user;

  /**
   * Creates calls of {@code server}.
   *
   * @param user the caller's name
   */
  LocalCalls(RpcServer server, String user) {
    this.server = server;
    this.user = user;
  }

  /**
   * A request.
   *
   * @param message the encoded message
   * @param cells the cells that belong to it, in the format of {@link CellBlockCodec#KEY_VALUE}, or
   *     of {@link CellBlockCodec#KEY_VALUE_WITH_TAGS} if they are {@code tagged}
   */
  public record Request(byte[] message, byte[] cells, boolean tagged) {}

  /**
   * Calls a method and waits for its answer, whose cells have the format of the request's.
   *
   * @param patienceMillis how long the caller waits
   * @throws CallTimeoutException if the answer takes longer
   * @throws ServerNotRunningYetException if the server has not started
   * @throws IOException if there is no such method, or the server has stopped
   */
  public CallAnswer call(String service, String method, Request request, long patienceMillis)
      throws IOException {
    if (!server.isStarted()) {
      throw new ServerNotRunningYetException("The server has not started to serve");
    }
    RpcService found =
        server.services().find(service).orElseThrow(() -> new UnknownServiceException(service));
    RpcMethod<?, ?> known = found.method(method).orElseThrow(() -> found.unknown(method));
    CellBlockCodec codec =
        request.tagged() ? CellBlockCodec.KEY_VALUE_WITH_TAGS : CellBlockCodec.KEY_VALUE;
    Connection connection = new Connection();
    long now = server.clock().nanoTime();
    ServerCall call =
        new ServerCall(
            connection,
            new ConnectionInfo(found, user, codec, new ClientVersion(2, 6)),
            0,
            known,
            MemoryConnection.frame(request.message(), request.cells()),
            request.cells().length,
            now,
            now + TimeUnit.MILLISECONDS.toNanos(patienceMillis),
            0,
            null,
            CallTrace.NONE);
    server.metrics().requests.increment();
    Optional<PhaseTimes.Operation> outer = PhaseTimes.current();
    try {
      call.run();
    } finally {
      outer.ifPresent(PhaseTimes::enter);
    }
    return await(connection, call, now, patienceMillis);
  }

  /** Waits for an answer that the call has deferred. */
  private CallAnswer await(
      Connection connection, ServerCall call, long beganNanos, long patienceMillis)
      throws IOException {
    String name = call.method().policy().fullName();
    long passed = TimeUnit.NANOSECONDS.toMillis(server.clock().nanoTime() - beganNanos);
    try {
      ByteBuf frame =
          connection
              .response()
              .get(Math.max(0, patienceMillis - passed), TimeUnit.MILLISECONDS)
              .orElseThrow(
                  () ->
                      connection.isOpen()
                          ? new CallTimeoutException(tookTooLong(name, patienceMillis))
                          : new IOException("The server stopped before it answered " + name));
      return CallAnswer.decode(frame);
    } catch (TimeoutException e) {
      call.end();
      throw new CallTimeoutException(tookTooLong(name, patienceMillis));
    } catch (InterruptedException e) {
      call.end();
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("Interrupted in " + name).initCause(e);
    } catch (ExecutionException e) {
      throw RpcErrors.forCaller(e.getCause());
    }
  }

  private static String tookTooLong(String method, long patienceMillis) {
    return "The server has not answered " + method + " within " + patienceMillis + " ms";
  }

  /** A connection for one call. */
  private final class Connection extends MemoryConnection {
    @Override
    public Clock clock() {
      return server.clock();
    }

    @Override
    public boolean isOpen() {
      return !server.isClosed();
    }

    @Override
    public RpcMetrics metrics() {
      return server.metrics();
    }

    @Override
    public CallTimers timers() {
      return server.timers();
    }

    @Override
    public SlowLog slowLog() {
      return server.slowLog();
    }

    @Override
    public MemoryAccount memory() {
      return server.memory();
    }

    @Override
    public ResponseBuffers responseBuffers() {
      return server.responseBuffers();
    }

    @Override
    public IntFunction<ByteBuf> roomAfterReading() {
      throw new IllegalStateException("A handler's call is not answered inline");
    }

    @Override
    public void afterReading(Runnable task) {
      throw new IllegalStateException("A handler's call is not answered inline");
    }
  }
}
