package dev.cairn.server.rpc;

import dev.cairn.engine.time.Clock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.RequestTooBigException;
import org.apache.hadoop.hbase.ipc.FatalConnectionException;
import org.apache.hadoop.hbase.ipc.SecurityNotEnabledException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetConnectionRegistryResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: reads preamble, connection header and calls as the bytes come in, and
 * sends the responses as the handlers finish them, in any order.
 *
 * <p>Reading happens on the connection's network thread alone; {@link #send} may be called by any
 * thread. What cannot be understood ends this connection, after an answer that says why.
 */
final class ServerConnection extends ByteToMessageDecoder {
  private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);
  private static final int MAX_CONNECTION_HEADER = 1 << 20;
  private static final int MAX_CALL_HEADER = 1 << 16;

  /** The longest request that is parsed on the network thread, which takes some microseconds. */
  private static final int MAX_QUICK_REQUEST = 1 << 15;

  private static final int SWITCH_TO_SIMPLE_AUTH = -88;
  private static final int SASL_SUCCESS = 0;
  private static final long HANDSHAKE_SECONDS = 60;

  private enum Expecting {
    PREAMBLE,
    SASL_TOKEN,
    CONNECTION_HEADER,
    CALL,
    NOTHING
  }

  private final RpcServer server;
  private final Channel channel;
  private final InetSocketAddress remoteAddress;
  private final ResponseSender sender;
  private final QuickBudget budget;

  private Expecting expecting = Expecting.PREAMBLE;
  private int frameLength; // of the frame that is coming in; 0 if not known yet
  private ConnectionInfo info;
  private ScheduledFuture<?> handshakeTimer;

  ServerConnection(RpcServer server, SocketChannel channel, QuickBudget budget) {
    this.server = server;
    this.budget = budget;
    this.channel = channel;
    this.remoteAddress = channel.remoteAddress();
    this.sender = new ResponseSender(channel);
    setCumulator(this::cumulate);
  }

  InetSocketAddress remoteAddress() {
    return remoteAddress;
  }

  Clock clock() {
    return server.clock();
  }

  RpcMetrics metrics() {
    return server.metrics();
  }

  ByteBufAllocator allocator() {
    return channel.alloc();
  }

  boolean isOpen() {
    return channel.isActive();
  }

  ResponseBuffers responseBuffers() {
    return server.responseBuffers();
  }

  CallScheduler scheduler() {
    return server.scheduler();
  }

  /**
   * Sends a response and takes it over.
   *
   * @param last whether to close the connection behind it
   */
  void send(ByteBuf response, boolean last) {
    metrics().bytesSent.add(response.readableBytes());
    sender.send(response, last);
  }

  /**
   * Returns a buffer for one more response of so many bytes, which is sent when all that came in is
   * read; on the network thread.
   */
  ByteBuf roomAfterReading(int bytes) {
    metrics().bytesSent.add(bytes);
    return sender.room(bytes);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    handshakeTimer =
        ctx.executor().schedule(() -> ctx.close(), HANDSHAKE_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) throws Exception {
    metrics().connections.increment();
    super.channelActive(ctx);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    metrics().connections.decrement();
    handshakeTimer.cancel(false);
    if (expecting != Expecting.NOTHING && actualReadableBytes() > 0) {
      LOG.debug("{} closed the connection within a request", remoteAddress);
    }
    expecting = Expecting.NOTHING;
    super.channelInactive(ctx);
    sender.flush(); // gives back what was gathered
    sender.releaseWaiting();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    sender.flush();
    super.channelReadComplete(ctx);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) throws Exception {
    // A client that does not read its responses gets to send no more requests.
    ctx.channel().config().setAutoRead(ctx.channel().isWritable());
    super.channelWritabilityChanged(ctx);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    Throwable error =
        cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
    if (expecting == Expecting.NOTHING || !ctx.channel().isActive()) {
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
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out)
      throws IOException {
    switch (expecting) {
      case PREAMBLE -> readPreamble(in);
      case SASL_TOKEN -> readSaslToken(in);
      case CONNECTION_HEADER -> readConnectionHeader(in);
      case CALL -> readCall(in);
      case NOTHING -> in.skipBytes(in.readableBytes());
    }
  }

  private void readPreamble(ByteBuf in) throws FatalConnectionException {
    if (in.readableBytes() < Preamble.LENGTH) {
      return;
    }
    switch (Preamble.read(in)) {
      case SIMPLE -> expecting = Expecting.CONNECTION_HEADER;
      case SASL -> {
        // As an HBase server without security does: the client goes on without SASL if its
        // configuration allows that, but has sent its first token by then.
        channel.writeAndFlush(
            allocator()
                .buffer(2 * Integer.BYTES)
                .writeInt(SASL_SUCCESS)
                .writeInt(SWITCH_TO_SIMPLE_AUTH));
        expecting = Expecting.SASL_TOKEN;
      }
      case REGISTRY -> answerRegistry();
      case SECURITY ->
          send(
              ResponseEncoder.failure(
                  allocator(), ResponseEncoder.NO_CALL, new SecurityNotEnabledException()),
              false);
    }
  }

  /** The client wants to know the cluster's id, which the registry service of this port knows. */
  private void answerRegistry() throws FatalConnectionException {
    Optional<RpcService> registry = server.services().find("ClientMetaService");
    Optional<RpcMethod<?, ?>> method = registry.flatMap(service -> service.method("GetClusterId"));
    if (method.isEmpty()) {
      throw new FatalConnectionException("This port does not answer for the cluster's registry");
    }
    expecting = Expecting.NOTHING;
    byte[] emptyMessage = {0};
    submit(
        new ServerCall(
            this,
            new ConnectionInfo(registry.get(), "unknown", CellBlockCodec.NONE, true),
            ResponseEncoder.NO_CALL,
            method.get(),
            Unpooled.wrappedBuffer(emptyMessage),
            0,
            Long.MAX_VALUE,
            response ->
                GetConnectionRegistryResponse.newBuilder()
                    .setClusterId(((GetClusterIdResponse) response).getClusterId())
                    .build()),
        registry.get(),
        method.get(),
        0);
  }

  private void readSaslToken(ByteBuf in) throws FatalConnectionException {
    if (hasFrame(in, MAX_CONNECTION_HEADER)) {
      in.skipBytes(takeFrameLength(in));
      expecting = Expecting.CONNECTION_HEADER;
    }
  }

  private void readConnectionHeader(ByteBuf in) throws FatalConnectionException {
    if (!hasFrame(in, MAX_CONNECTION_HEADER)) {
      return;
    }
    byte[] bytes = new byte[takeFrameLength(in)];
    in.readBytes(bytes);
    ConnectionHeader header;
    try {
      header = ConnectionHeader.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new FatalConnectionException(
          "The connection header cannot be parsed: " + e.getMessage(), e);
    }
    info = ConnectionInfo.of(header, server.services());
    handshakeTimer.cancel(false);
    expecting = Expecting.CALL;
    LOG.debug(
        "{} connected to {} as {}, version {}",
        remoteAddress,
        info.service().name(),
        info.user(),
        header.getVersionInfo().getVersion());
  }

  private void readCall(ByteBuf in) throws FatalConnectionException {
    if (in.readableBytes() < Integer.BYTES) {
      return;
    }
    if (in.getUnsignedInt(in.readerIndex()) > server.options().maxRequestBytes()) {
      refuseTooBig(in);
      return;
    }
    if (!hasFrame(in, server.options().maxRequestBytes())) {
      return;
    }
    int length = takeFrameLength(in);
    metrics().requests.increment();
    metrics().bytesReceived.add(length + Integer.BYTES);
    ByteBuf frame = in.readRetainedSlice(length);
    boolean taken = false;
    try {
      CallHeader header = readHeader(frame);
      taken = dispatch(header, frame);
    } finally {
      if (!taken) {
        frame.release();
      }
    }
  }

  private static CallHeader readHeader(ByteBuf frame) throws FatalConnectionException {
    int length = Varint.read(frame);
    if (length < 0 || length > frame.readableBytes() || length > MAX_CALL_HEADER) {
      throw new FatalConnectionException(
          "A request header of " + length + " bytes does not fit its frame");
    }
    byte[] bytes = new byte[length];
    frame.readBytes(bytes);
    try {
      return CallHeader.parse(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new FatalConnectionException("A request header cannot be parsed: " + e.getMessage(), e);
    }
  }

  /** Begins the call, or refuses it; tells whether the frame is now the call's. */
  private boolean dispatch(CallHeader header, ByteBuf frame) {
    int callId = header.callId();
    RpcService service = info.service();
    Optional<RpcMethod<?, ?>> method = service.method(header.methodName());
    if (method.isEmpty()) {
      fail(callId, service.unknown(header.methodName()));
      return false;
    }
    if (!header.requestParam()) {
      fail(
          callId,
          new DoNotRetryIOException(
              "Invalid request header: " + header.methodName() + " should have param set in it"));
      return false;
    }
    int cellLength = header.cellLength();
    if (cellLength < 0 || cellLength > frame.readableBytes()) {
      fail(
          callId,
          new DoNotRetryIOException(
              "A cell block of "
                  + (cellLength & 0xFFFFFFFFL)
                  + " bytes does not fit the "
                  + frame.readableBytes()
                  + " bytes left of the request"));
      return false;
    }
    if (cellLength > 0 && info.codec() == CellBlockCodec.NONE) {
      fail(
          callId,
          new DoNotRetryIOException(
              "Cells lie beside the message, but the connection header names no codec for them"));
      return false;
    }
    submit(
        new ServerCall(this, info, callId, method.get(), frame, cellLength, deadline(header), null),
        service,
        method.get(),
        header.priority());
    return true;
  }

  /** Answers the call, queues it, or refuses it because too much is under way. */
  private void submit(ServerCall call, RpcService service, RpcMethod<?, ?> method, int priority) {
    try {
      scheduler().admit(call.heldBytes());
    } catch (IOException e) {
      call.release();
      reject(call, e);
      return;
    }
    if (mayTry(method, call) && call.isAnsweredNow(budget)) {
      return;
    }
    try {
      scheduler().submit(call, service.name(), method.name(), priority);
    } catch (IOException e) {
      call.drop();
      reject(call, e);
    }
  }

  private void reject(ServerCall call, IOException error) {
    metrics().rejected.increment();
    fail(call.id(), error);
  }

  /** Tells whether to answer a call here rather than hand it to another thread. */
  private boolean mayTry(RpcMethod<?, ?> method, ServerCall call) {
    return method.quick().isPresent()
        && call.heldBytes() <= MAX_QUICK_REQUEST
        && budget.isLeft()
        && channel.isWritable();
  }

  private long deadline(CallHeader header) {
    if (header.timeoutMillis() <= 0) {
      return Long.MAX_VALUE;
    }
    int millis = Math.max(header.timeoutMillis(), server.options().minTimeoutMillis());
    return clock().nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /**
   * Tells whether a whole frame is there. Nothing is allocated for the announced length: memory
   * grows with the bytes that arrive.
   */
  private boolean hasFrame(ByteBuf in, int maxLength) throws FatalConnectionException {
    if (in.readableBytes() < Integer.BYTES) {
      return false;
    }
    long length = in.getUnsignedInt(in.readerIndex());
    if (length > maxLength) {
      throw new FatalConnectionException(
          "A frame of " + length + " bytes; at most " + maxLength + " are allowed here");
    }
    frameLength = Integer.BYTES + (int) length;
    return in.readableBytes() >= frameLength;
  }

  private int takeFrameLength(ByteBuf in) {
    frameLength = 0;
    return in.readInt();
  }

  /**
   * Appends what arrived to what is not read yet. Grows by doubling, up to what the frame needs, so
   * that a long request is copied about once.
   */
  private ByteBuf cumulate(ByteBufAllocator allocator, ByteBuf unread, ByteBuf arrived) {
    if (unread == arrived) {
      return unread;
    }
    if (!unread.isReadable() && arrived.isContiguous()) {
      unread.release();
      return arrived;
    }
    try {
      int total = unread.readableBytes() + arrived.readableBytes();
      ByteBuf target = unread;
      if (unread.refCnt() > 1
          || unread.isReadOnly()
          || arrived.readableBytes() > unread.maxFastWritableBytes()) {
        int capacity = Math.max(total, (int) Math.min(frameLength, total * 2L));
        target = allocator.buffer(capacity);
        target.writeBytes(unread, unread.readerIndex(), unread.readableBytes());
      }
      target.writeBytes(arrived, arrived.readerIndex(), arrived.readableBytes());
      if (target != unread) {
        unread.release();
      }
      return target;
    } finally {
      arrived.release();
    }
  }

  /**
   * Answers the call whose frame is too long, for which its header has to be read, and closes the
   * connection, because the rest cannot be skipped at a reasonable price.
   */
  private void refuseTooBig(ByteBuf in) {
    long length = in.getUnsignedInt(in.readerIndex());
    ByteBuf ahead = in.slice(in.readerIndex() + 4, in.readableBytes() - 4);
    int headerLength = Varint.read(ahead);
    boolean plausible = headerLength > 0 && headerLength <= MAX_CALL_HEADER;
    boolean incomplete = plausible ? ahead.readableBytes() < headerLength : in.readableBytes() < 9;
    if (incomplete) {
      return;
    }
    int callId = ResponseEncoder.NO_CALL;
    if (plausible) {
      byte[] bytes = new byte[headerLength];
      ahead.readBytes(bytes);
      try {
        callId = CallHeader.parse(bytes).callId();
      } catch (InvalidProtocolBufferException e) {
        LOG.debug("{} sent a frame without a header", remoteAddress, e);
      }
    }
    in.skipBytes(in.readableBytes());
    String message =
        "RPC data length of "
            + length
            + " received from "
            + remoteAddress
            + " is greater than max allowed "
            + server.options().maxRequestBytes()
            + ". Set \""
            + RpcKeys.MAX_REQUEST_SIZE.name()
            + "\" on server to override this limit (not recommended)";
    if (callId == ResponseEncoder.NO_CALL) {
      refuse(callId, new FatalConnectionException(message));
    } else {
      refuse(
          callId,
          info.knowsRequestTooBig()
              ? new RequestTooBigException(message)
              : new DoNotRetryIOException(message));
    }
  }

  private void fail(int callId, IOException error) {
    metrics().exceptions.increment();
    LOG.debug("Call {} from {}: {}", callId, remoteAddress, error.toString());
    send(ResponseEncoder.failure(allocator(), callId, error), expecting == Expecting.NOTHING);
  }

  private void refuse(int callId, IOException error) {
    metrics().exceptions.increment();
    LOG.info("Connection from {} is refused: {}", remoteAddress, error.getMessage());
    sendAndClose(ResponseEncoder.failure(allocator(), callId, error));
  }

  private void sendAndClose(ByteBuf response) {
    expecting = Expecting.NOTHING;
    handshakeTimer.cancel(false);
    metrics().bytesSent.add(response.readableBytes());
    sender.sendLast(response);
  }
}
