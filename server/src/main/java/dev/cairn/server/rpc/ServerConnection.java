package dev.cairn.server.rpc;

import dev.cairn.engine.compile.CompiledApart;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.rpc.service.ClientVersion;
import dev.cairn.server.rpc.service.RpcMethod;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.wire.CellBlockCodec;
import dev.cairn.server.rpc.wire.ResponseEncoder;
import dev.cairn.server.rpc.wire.UnreadBytes;
import dev.cairn.server.slowlog.SlowLog;
import dev.cairn.server.tracing.CallTrace;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.ipc.FatalConnectionException;
import org.apache.hadoop.hbase.ipc.SecurityNotEnabledException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetConnectionRegistryResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: reads the {@link Handshake} and then calls as the bytes come in, and
 * sends the responses as the handlers finish them, in any order.
 *
 * <p>Reading happens on the connection's network thread alone; {@link #send} may be called by any
 * thread. Malformed input ends this connection, after an answer with the reason.
 *
 * <p>It is no {@code ByteToMessageDecoder}, which asks for more bytes even while reading is stopped
 * because the client does not read its responses.
 */
final class ServerConnection extends ChannelInboundHandlerAdapter implements CallConnection {
  private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);
  private static final int SWITCH_TO_SIMPLE_AUTH = -88;
  private static final int SASL_SUCCESS = 0;
  private static final long HANDSHAKE_SECONDS = 60;

  /**
   * The bytes that are borrowed for a connection: for its objects and for a partially received
   * short request.
   */
  private static final long CONNECTION_BYTES = 16 << 10;

  private final RpcServer server;
  private final SocketChannel channel;
  private final InetSocketAddress remoteAddress;
  private final ResponseSender sender;
  private final EventLoopBudget budget;
  private final Handshake handshake;
  private final UnreadBytes unread;

  private final IntFunction<ByteBuf> roomAfterReading = this::room;
  private final Set<Runnable> afterReading = new HashSet<>();
  private Optional<CallReader> calls = Optional.empty(); // once the client has sent its header
  private boolean finished; // whether further input is skipped
  private ScheduledFuture<?> handshakeTimer;
  private boolean held; // whether reading is stopped until memory is available
  private long loan;
  private CallTimers timers = CallTimers.OFF; // those of the server, whose part ownTimers is
  private CallTimers ownTimers = CallTimers.OFF;

  ServerConnection(RpcServer server, SocketChannel channel, EventLoopBudget budget) {
    this.server = server;
    this.budget = budget;
    this.channel = channel;
    this.remoteAddress = channel.remoteAddress();
    this.sender = new ResponseSender(channel, server.memory(), server.options().unreadMillis());
    this.handshake = new Handshake(server.services());
    this.unread = new UnreadBytes(channel.alloc());
    channel.config().setRecvByteBufAllocator(new ReceiveBuffers(unread));
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return remoteAddress;
  }

  @Override
  public Clock clock() {
    return server.clock();
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
  public CallTimers ownTimers() {
    CallTimers now = server.timers();
    if (now != timers) {
      timers = now;
      ownTimers = now.forThread(networkThread());
    }
    return ownTimers;
  }

  EventExecutor networkThread() {
    return channel.eventLoop();
  }

  @Override
  public ByteBufAllocator allocator() {
    return channel.alloc();
  }

  @Override
  public boolean isOpen() {
    return channel.isActive();
  }

  /** Tells whether the client takes its responses. */
  boolean isWritable() {
    return channel.isWritable();
  }

  @Override
  public ResponseBuffers responseBuffers() {
    return server.responseBuffers();
  }

  @Override
  public UnderWay underWay() {
    return server.scheduler();
  }

  @Override
  public MemoryAccount memory() {
    return server.memory();
  }

  @Override
  public SlowLog slowLog() {
    return server.slowLog();
  }

  /**
   * Stops reading until memory for the next request is available, or resumes reading. On the
   * network thread.
   */
  void holdReading(boolean hold) {
    held = hold;
    mayRead();
    if (!hold && channel.isActive()) {
      channel.pipeline().fireUserEventTriggered(Resumed.INSTANCE);
    }
  }

  /** The event that resumes the reading of received bytes. */
  private enum Resumed {
    INSTANCE
  }

  @Override
  public void send(ByteBuf response, boolean last, long lent) {
    metrics().bytesSent.add(response.readableBytes());
    sender.send(response, last, lent);
  }

  @Override
  public IntFunction<ByteBuf> roomAfterReading() {
    return roomAfterReading;
  }

  private ByteBuf room(int bytes) {
    metrics().bytesSent.add(bytes);
    return sender.room(bytes);
  }

  @Override
  public void afterReading(Runnable task) {
    afterReading.add(task);
  }

  private void runAfterReading() {
    if (!afterReading.isEmpty()) {
      afterReading.forEach(Runnable::run);
      afterReading.clear();
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    handshakeTimer =
        ctx.executor().schedule(() -> ctx.close(), HANDSHAKE_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    unread.release();
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) throws Exception {
    metrics().connections.increment();
    if (!memory().tryBorrowStanding(CONNECTION_BYTES)) {
      LOG.info(
          "The connection from {} is refused: there is no memory for another connection",
          remoteAddress);
      finished = true;
      ctx.close();
      return;
    }
    loan = CONNECTION_BYTES;
    super.channelActive(ctx);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    metrics().connections.decrement();
    handshakeTimer.cancel(false);
    if (!finished && unread.size() > 0) {
      LOG.debug("{} closed the connection within a request", remoteAddress);
    }
    finished = true;
    super.channelInactive(ctx);
    runAfterReading();
    sender.close();
    calls.ifPresent(CallReader::close);
    server.disconnected(this);
    memory().giveBackStanding(loan);
    loan = 0;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    runAfterReading();
    sender.flush();
    super.channelReadComplete(ctx);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) throws Exception {
    mayRead();
    super.channelWritabilityChanged(ctx);
  }

  /**
   * Reads no more requests of a client that does not read its responses, or while reading is
   * stopped.
   */
  private void mayRead() {
    channel.config().setAutoRead(channel.isWritable() && !held);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event != Resumed.INSTANCE) {
      super.userEventTriggered(ctx, event);
      return;
    }
    try {
      readParts();
    } finally {
      channelReadComplete(ctx);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable error) {
    if (finished || !channel.isActive()) {
      ctx.close();
    } else if (error instanceof FatalConnectionException fatal) {
      refuse(ResponseEncoder.NO_CALL, fatal);
    } else if (error instanceof IOException) {
      LOG.debug("Connection from {} broke: {}", remoteAddress, error.toString());
      ctx.close();
    } else {
      LOG.warn("Connection from {} is closed because of an error", remoteAddress, error);
      ctx.close();
    }
  }

  @Override
  @CompiledApart("passed once for all that arrives together")
  public void channelRead(ChannelHandlerContext ctx, Object message) throws IOException {
    unread.append((ByteBuf) message);
    readParts();
  }

  private void readParts() throws IOException {
    try {
      while (readPart()) {
        // until less than a frame is left
      }
    } finally {
      unread.settle();
    }
  }

  /** Reads the next part; false if it has not arrived. */
  private boolean readPart() throws FatalConnectionException {
    if (finished) {
      unread.release();
      return false;
    }
    return calls.isPresent() ? calls.get().read(unread) : readHandshake();
  }

  private boolean readHandshake() throws FatalConnectionException {
    Handshake.Step step = handshake.read(unread);
    if (step instanceof Handshake.Step.SwitchToSimple) {
      channel.writeAndFlush(
          allocator()
              .buffer(2 * Integer.BYTES)
              .writeInt(SASL_SUCCESS)
              .writeInt(SWITCH_TO_SIMPLE_AUTH));
    } else if (step instanceof Handshake.Step.AskForSecurity) {
      send(
          ResponseEncoder.failure(
              allocator(), ResponseEncoder.NO_CALL, new SecurityNotEnabledException()),
          false,
          0);
    } else if (step instanceof Handshake.Step.AskForRegistry) {
      answerRegistry();
    } else if (step instanceof Handshake.Step.Done done) {
      handshakeTimer.cancel(false);
      calls = Optional.of(new CallReader(server, this, done.info(), budget));
      LOG.debug(
          "{} connected to {} as {}, version {}",
          remoteAddress,
          done.info().service().name(),
          done.info().user(),
          done.header().getVersionInfo().getVersion());
    }
    return !(step instanceof Handshake.Step.Incomplete);
  }

  /** The client wants to know the cluster's id, which the registry service of this port knows. */
  private void answerRegistry() throws FatalConnectionException {
    Optional<RpcService> registry = server.services().find("ClientMetaService");
    Optional<RpcMethod<?, ?>> method = registry.flatMap(service -> service.method("GetClusterId"));
    if (method.isEmpty()) {
      throw new FatalConnectionException("This port does not answer for the cluster's registry");
    }
    finished = true;
    byte[] emptyMessage = {0};
    ConnectionInfo info =
        new ConnectionInfo(registry.get(), "unknown", CellBlockCodec.NONE, ClientVersion.UNKNOWN);
    new CallReader(server, this, info, budget)
        .submit(
            new ServerCall(
                this,
                info,
                ResponseEncoder.NO_CALL,
                method.get(),
                Unpooled.wrappedBuffer(emptyMessage),
                0,
                clock().nanoTime(),
                Long.MAX_VALUE,
                0,
                response ->
                    GetConnectionRegistryResponse.newBuilder()
                        .setClusterId(((GetClusterIdResponse) response).getClusterId())
                        .build(),
                CallTrace.NONE),
            0);
  }

  /** Answers a call with an error; on the network thread. */
  void fail(int callId, IOException error) {
    fail(callId, error, finished);
  }

  /**
   * Answers a call with an error. Any thread.
   *
   * @param last whether to close the connection after it
   */
  void fail(int callId, IOException error, boolean last) {
    metrics().failed(error);
    LOG.debug("Call {} from {}: {}", callId, remoteAddress, error.toString());
    send(ResponseEncoder.failure(allocator(), callId, error), last, 0);
  }

  /** Answers a call, or the connection itself, with an error, and reads no more. */
  void refuse(int callId, IOException error) {
    metrics().failed(error);
    LOG.info("Connection from {} is refused: {}", remoteAddress, error.getMessage());
    ByteBuf response = ResponseEncoder.failure(allocator(), callId, error);
    finished = true;
    handshakeTimer.cancel(false);
    metrics().bytesSent.add(response.readableBytes());
    sender.sendLast(response);
  }
}
