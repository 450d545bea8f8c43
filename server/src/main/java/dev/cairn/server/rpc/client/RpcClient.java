package dev.cairn.server.rpc.client;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.server.rpc.RpcEventLoops;
import dev.cairn.server.rpc.client.ClientCall.RpcReply;
import dev.cairn.server.rpc.wire.CellBlockCodec;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Calls the services of other servers. Keeps and shares one connection for each life of a server
 * and each service. After a connection breaks, or a call on it takes too long, the next call makes
 * a new one. Does not retry calls: only the caller knows whether that is safe. Thread-safe; not to
 * be used for blocking calls on a network thread.
 */
public final class RpcClient implements RpcCaller, AutoCloseable {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int MAX_RESPONSE = Integer.MAX_VALUE - 8;

  private final RpcEventLoops loops;
  private final String user;
  private final Map<Target, ClientConnection> connections = new ConcurrentHashMap<>();
  private final List<Consumer<InetSocketAddress>> whenBroken = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /** The life of calls that do not distinguish the lives of a server. */
  private static final long ANY_LIFE = 0;

  private record Target(String host, int port, long life, String service, CellBlockCodec codec) {
    // Written out for quick starts; see ServerName.
    @Override
    public boolean equals(Object other) {
      return other instanceof Target that
          && port == that.port
          && life == that.life
          && host.equals(that.host)
          && service.equals(that.service)
          && codec == that.codec;
    }

    @Override
    public int hashCode() {
      return 31 * (31 * (31 * host.hashCode() + port) + Long.hashCode(life)) + service.hashCode();
    }
  }

  /**
   * Creates a client without connections.
   *
   * @param loops the network threads, which outlive the client
   * @param user the name under which the calls are made
   */
  public RpcClient(RpcEventLoops loops, String user) {
    this.loops = loops;
    this.user = user;
  }

  @Override
  public <R extends Message> R call(
      InetSocketAddress server,
      String service,
      String method,
      Message request,
      R responsePrototype,
      Duration timeout)
      throws IOException {
    return call(server, ANY_LIFE, service, method, request, responsePrototype, timeout);
  }

  private <R extends Message> R call(
      InetSocketAddress server,
      long life,
      String service,
      String method,
      Message request,
      R responsePrototype,
      Duration timeout)
      throws IOException {
    return await(callAsync(server, life, service, method, request, responsePrototype, timeout));
  }

  /** As {@link #call}; the future fails with the exceptions that {@code call} throws. */
  public <R extends Message> CompletableFuture<R> callAsync(
      InetSocketAddress server,
      String service,
      String method,
      Message request,
      R responsePrototype,
      Duration timeout) {
    return callAsync(server, ANY_LIFE, service, method, request, responsePrototype, timeout);
  }

  private <R extends Message> CompletableFuture<R> callAsync(
      InetSocketAddress server,
      long life,
      String service,
      String method,
      Message request,
      R responsePrototype,
      Duration timeout) {
    return send(
            new Target(
                server.getHostString(), server.getPort(), life, service, CellBlockCodec.NONE),
            new ClientCall<>(method, request, null, responsePrototype, timeout))
        .thenApply(RpcReply::message);
  }

  /**
   * As {@link #callAsync}, with cells beside the messages, tags included.
   *
   * @param cells sent beside the request; unchanged until the future is done
   */
  public <R extends Message> CompletableFuture<RpcReply<R>> callWithCells(
      InetSocketAddress server,
      String service,
      String method,
      Message request,
      CellBuffer cells,
      R responsePrototype,
      Duration timeout) {
    return send(
        new Target(
            server.getHostString(),
            server.getPort(),
            ANY_LIFE,
            service,
            CellBlockCodec.KEY_VALUE_WITH_TAGS),
        new ClientCall<>(method, request, cells, responsePrototype, timeout));
  }

  /** Waits for a future of this client, and throws its failure. */
  public static <R> R await(CompletableFuture<R> reply) throws IOException {
    try {
      return reply.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("Interrupted while waiting for an answer");
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException error) {
        throw error;
      }
      throw new IOException(e.getCause());
    }
  }

  /** Closes all connections; calls without an answer fail. */
  @Override
  public void close() {
    closed = true;
    end(target -> true);
  }

  @Override
  public void hangUp(InetSocketAddress server) {
    hangUp(server, ANY_LIFE);
  }

  private void hangUp(InetSocketAddress server, long life) {
    end(
        target ->
            target.port() == server.getPort()
                && target.life() == life
                && target.host().equals(server.getHostString()));
  }

  @Override
  public RpcCaller ofLife(long startCode) {
    return new OneLife(startCode);
  }

  @Override
  public void whenBroken(Consumer<InetSocketAddress> listener) {
    whenBroken.add(listener);
  }

  private void end(Predicate<Target> which) {
    for (Target target : connections.keySet()) {
      ClientConnection connection = which.test(target) ? connections.remove(target) : null;
      if (connection != null) {
        connection.close();
      }
    }
  }

  private <R extends Message> CompletableFuture<RpcReply<R>> send(
      Target target, ClientCall<R> call) {
    if (closed) {
      return CompletableFuture.failedFuture(new IOException("The RPC client is closed"));
    }
    ClientConnection connection = connection(target);
    while (!connection.send(call)) {
      // It ended or retired just now, and had left the map before that.
      Thread.onSpinWait();
      connection = connection(target);
    }
    startTimer(target, call, connection);
    if (closed) {
      close(); // a connection made meanwhile
    }
    return call.reply();
  }

  private void startTimer(Target target, ClientCall<?> call, ClientConnection connection) {
    Future<?> timer =
        loops
            .group()
            .schedule(
                () -> {
                  // The other side may be gone without a word: later calls try a new connection,
                  // and the open ones keep this one.
                  connections.remove(target, connection);
                  call.fail(timeout(target, call));
                  connection.retire();
                },
                call.timeout().toNanos(),
                TimeUnit.NANOSECONDS);
    call.reply().whenComplete((reply, error) -> timer.cancel(false));
  }

  private static IOException timeout(Target target, ClientCall<?> call) {
    return new CallTimeoutException(
        target.service()
            + "."
            + call.method()
            + " at "
            + target.host()
            + ":"
            + target.port()
            + " did not answer within "
            + call.timeout().toMillis()
            + " ms");
  }

  private ClientConnection connection(Target target) {
    ClientConnection existing = connections.get(target);
    if (existing != null) {
      return existing;
    }
    ClientConnection created =
        new ClientConnection(
            target.host() + ":" + target.port(), target.service(), target.codec(), user);
    created.onClose(() -> ended(target, created));
    existing = connections.putIfAbsent(target, created);
    if (existing != null) {
      return existing;
    }
    connect(target, created);
    return created;
  }

  /** Forgets a connection. If it was in use, the other side or the network has ended it. */
  private void ended(Target target, ClientConnection connection) {
    if (connections.remove(target, connection) && connection.wasConnected()) {
      InetSocketAddress server = InetSocketAddress.createUnresolved(target.host(), target.port());
      whenBroken.forEach(listener -> listener.accept(server));
    }
  }

  private void connect(Target target, ClientConnection connection) {
    // Looked up here, on the caller's thread, and anew for each connection: names move.
    InetSocketAddress address = new InetSocketAddress(target.host(), target.port());
    new Bootstrap()
        .group(loops.group())
        .channel(loops.clientChannel())
        .option(ChannelOption.ALLOCATOR, loops.allocator())
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
        .handler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                channel
                    .pipeline()
                    .addLast(
                        new LengthFieldBasedFrameDecoder(
                            MAX_RESPONSE, 0, Integer.BYTES, 0, Integer.BYTES))
                    .addLast(connection);
              }
            })
        .connect(address)
        .addListener(
            done -> {
              if (!done.isSuccess()) {
                fail(connection, address, done.cause());
              }
            });
  }

  private static void fail(
      ClientConnection connection, InetSocketAddress address, Throwable cause) {
    if (address.isUnresolved()) {
      connection.failed("unknown host");
    } else if (cause instanceof ConnectException && !(cause instanceof ConnectTimeoutException)) {
      connection.refused(cause.getMessage());
    } else {
      connection.failed(cause.getMessage());
    }
  }

  /** Calls one life of a server. */
  private final class OneLife implements RpcCaller {
    private final long life;

    private OneLife(long life) {
      this.life = life;
    }

    @Override
    public <R extends Message> R call(
        InetSocketAddress server,
        String service,
        String method,
        Message request,
        R responsePrototype,
        Duration timeout)
        throws IOException {
      return RpcClient.this.call(
          server, life, service, method, request, responsePrototype, timeout);
    }

    @Override
    public void hangUp(InetSocketAddress server) {
      RpcClient.this.hangUp(server, life);
    }

    @Override
    public RpcCaller ofLife(long startCode) {
      return RpcClient.this.ofLife(startCode);
    }

    @Override
    public void whenBroken(Consumer<InetSocketAddress> listener) {
      RpcClient.this.whenBroken(listener);
    }
  }
}
