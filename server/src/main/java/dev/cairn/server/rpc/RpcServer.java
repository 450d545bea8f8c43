package dev.cairn.server.rpc;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.metrics.RecordName;
import dev.cairn.server.metrics.Scope.Label;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.service.RpcServices;
import dev.cairn.server.slowlog.SlowLog;
import dev.cairn.server.tracing.CallTracing;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves HBase's RPC protocol on one port: any number of services, found by the name that each
 * connection gives.
 *
 * <p>It takes the port first and begins to serve later, because what the services tell about their
 * server contains the port: connections that come between wait. Network threads are shared through
 * {@link RpcEventLoops}; handler threads are its own. Thread-safe.
 */
public final class RpcServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RpcServer.class);
  private static final long CLOSE_MILLIS = 5_000;

  /** Eight scans at once with responses of two megabytes, as clients ask for by default. */
  private static final long KEPT_BUFFER_BYTES_MAX = 32L << 20;

  private static final int KEPT_BUFFER_PARTS = 16;

  /** The unread response bytes above which the server reads no more requests of a client. */
  private static final int UNREAD_BYTES_MAX = 4 << 20;

  private static final int UNREAD_BYTES_MIN = 256 << 10;
  private static final int UNREAD_PARTS = 64;

  private final RpcServerOptions options;
  private final RpcMetrics metrics = new RpcMetrics();
  private final MemoryAccount memory;
  private final SlowLog slowLog;
  private final ResponseBuffers responseBuffers;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Clock clock;
  private final ChannelGroup connections;
  private final Channel listener;
  private final CallScheduler scheduler;
  private volatile RpcServices services = new RpcServices(List.of());
  private volatile boolean started;
  private volatile CallTimers timers = CallTimers.OFF;
  private volatile CallTracing tracing = CallTracing.OFF;

  private RpcServer(
      RpcServerOptions asked,
      RpcEventLoops loops,
      ThreadFactory threadFactory,
      Clock clock,
      MemoryAccount memory,
      SlowLog slowLog)
      throws IOException {
    this.options = asked.within(memory);
    this.memory = memory;
    this.slowLog = slowLog;
    this.responseBuffers =
        new ResponseBuffers(
            Math.min(KEPT_BUFFER_BYTES_MAX, memory.limitBytes() / KEPT_BUFFER_PARTS));
    this.clock = clock;
    this.connections = new DefaultChannelGroup(loops.group().next(), true);
    this.listener = listen(loops);
    this.scheduler =
        new CallScheduler(
            options, options.bindHost() + ":" + address().getPort(), threadFactory, clock);
  }

  /**
   * Takes the port, without serving yet.
   *
   * @param loops the network threads, which outlive the server
   * @param threadFactory makes the handler threads, as they are needed
   * @param memory the account from which long requests and responses borrow
   * @param slowLog records slow and large calls
   * @throws BindException if the address is in use or none of this machine; the message names it
   */
  public static RpcServer bind(
      RpcServerOptions options,
      RpcEventLoops loops,
      ThreadFactory threadFactory,
      Clock clock,
      MemoryAccount memory,
      SlowLog slowLog)
      throws IOException {
    return new RpcServer(options, loops, threadFactory, clock, memory, slowLog);
  }

  private Channel listen(RpcEventLoops loops) throws IOException {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops.group())
            .channel(loops.serverChannel())
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.SO_BACKLOG, options.backlog())
            .option(ChannelOption.AUTO_READ, false) // accepts no connections until start
            .childOption(ChannelOption.ALLOCATOR, loops.allocator())
            .childOption(ChannelOption.TCP_NODELAY, options.tcpNoDelay())
            .childOption(ChannelOption.SO_KEEPALIVE, options.tcpKeepAlive())
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(unreadBytesMax() / 4, unreadBytesMax()))
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    connections.add(channel);
                    channel
                        .pipeline()
                        .addLast(
                            new ServerConnection(
                                RpcServer.this, channel, loops.budget(channel.eventLoop())));
                  }
                });
    InetSocketAddress wanted = new InetSocketAddress(options.bindHost(), options.port());
    ChannelFuture bound = bootstrap.bind(wanted).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      BindException error =
          new BindException(
              "Cannot listen on "
                  + options.bindHost()
                  + ":"
                  + options.port()
                  + ": "
                  + (wanted.isUnresolved() ? "unknown host" : bound.cause().getMessage()));
      error.initCause(bound.cause());
      throw error;
    }
    return bound.channel();
  }

  /** Records the times of all later calls. */
  public void record(CallTimers.Recording calls) {
    timers = calls;
  }

  /** Traces later calls. */
  public void trace(CallTracing calls) {
    tracing = calls;
  }

  CallTracing tracing() {
    return tracing;
  }

  CallTimers timers() {
    return timers;
  }

  /**
   * Returns the number of calls that have ended, by the names of their methods; empty unless {@link
   * #record} was called.
   */
  public Map<String, Long> callCounts() {
    Map<String, Long> counts = new TreeMap<>();
    if (timers instanceof CallTimers.Recording calls) {
      calls.methods().forEach((name, times) -> counts.put(name, times.snapshot().count()));
    }
    return counts;
  }

  /**
   * Returns the metrics of the server.
   *
   * @param server the kind of server in HBase's words: {@code RegionServer} or {@code Master}
   * @param labels the labels of all metrics
   */
  public MetricSource metrics(String server, List<Label> labels) {
    return new RpcMetricSource(this, RecordName.of(server, "IPC", "rpc").with(labels));
  }

  /** Begins to serve {@code services}; to be called once. */
  public void start(List<RpcService> services) {
    this.services = new RpcServices(services);
    started = true;
    listener.config().setAutoRead(true);
    LOG.info("Serving {} on {}", this.services.names(), address());
  }

  /** Returns the address that the server listens on, with the real port. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  /** Returns the state and the counters of the server. */
  public RpcSnapshot snapshot() {
    return new RpcSnapshot(
        metrics.connections.sum(),
        scheduler.general().waiting(),
        scheduler.priority().waiting(),
        scheduler.replication().waiting(),
        scheduler.general().active()
            + scheduler.priority().active()
            + scheduler.replication().active()
            + scheduler.inline(),
        metrics.requests.sum(),
        metrics.exceptions.sum(),
        metrics.rejected.sum(),
        metrics.expired.sum(),
        metrics.bytesReceived.sum(),
        metrics.bytesSent.sum());
  }

  /**
   * Returns the calls that handlers are answering, about as they are at the moment. Calls that are
   * answered on network threads are too short to be seen.
   */
  public List<RunningCall> runningCalls() {
    return running().stream().map(ServerCall::describe).toList();
  }

  private List<ServerCall> running() {
    List<ServerCall> calls = new ArrayList<>();
    for (CallQueue queue : scheduler.queues()) {
      for (CallQueue.Task task : queue.running()) {
        if (task instanceof ServerCall call) {
          calls.add(call);
        }
      }
    }
    return calls;
  }

  /**
   * Ends a running call: a scan ends before its next row, a batch before its next get, and its
   * client gets an error that it does not repeat the call for. Returns without waiting for the end.
   *
   * @param client the client's address and port
   * @param id the call's number
   * @return false if there is no such call, or if its work cannot be stopped
   */
  public boolean endCall(String client, int id) {
    for (ServerCall call : running()) {
      RunningCall described = call.describe();
      if (described.id() == id && described.client().equals(client) && described.canEnd()) {
        call.end();
        return true;
      }
    }
    return false;
  }

  /** Stops the calls of a connection that is gone, because their responses are unwanted. */
  void disconnected(ServerConnection connection) {
    running().forEach(call -> call.disconnected(connection));
  }

  /** Returns the queues in which calls wait for handlers. */
  public List<QueueState> queues() {
    return scheduler.queues().stream()
        .map(
            queue ->
                new QueueState(
                    queue.name(),
                    queue.waiting(),
                    queue.capacity(),
                    queue.active(),
                    queue.handlers(),
                    queue.handlersMax()))
        .toList();
  }

  /** Closes all connections. Accepts new ones as before. Does not wait for calls. */
  public void hangUp() {
    connections.forEach(Channel::close); // the group would close later ones, too
  }

  /**
   * Gives the port back, lets the calls that are being answered end, for a few seconds at most, and
   * closes all connections. Not to be called by a method that answers a call, since it would wait
   * for itself.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    listener.close().awaitUninterruptibly(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    if (!scheduler.close(CLOSE_MILLIS)) {
      LOG.warn("Some calls have not ended; their connections are closed all the same");
    }
    connections.close().awaitUninterruptibly(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * Returns calls of this server by its own process.
   *
   * @param user the caller's name
   */
  public LocalCalls local(String user) {
    return new LocalCalls(this, user);
  }

  boolean isStarted() {
    return started;
  }

  boolean isClosed() {
    return closed.get();
  }

  /** Returns the unread response bytes from which a connection is not read. */
  int unreadBytesMax() {
    return (int)
        Math.max(UNREAD_BYTES_MIN, Math.min(UNREAD_BYTES_MAX, memory.limitBytes() / UNREAD_PARTS));
  }

  MemoryAccount memory() {
    return memory;
  }

  /** Returns the record of slow and large calls. */
  public SlowLog slowLog() {
    return slowLog;
  }

  RpcServerOptions options() {
    return options;
  }

  RpcServices services() {
    return services;
  }

  ResponseBuffers responseBuffers() {
    return responseBuffers;
  }

  CallScheduler scheduler() {
    return scheduler;
  }

  RpcMetrics metrics() {
    return metrics;
  }

  Clock clock() {
    return clock;
  }
}
