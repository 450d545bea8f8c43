package dev.cairn.server.rpc;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.RequestTooBigException;
import org.apache.hadoop.hbase.ipc.FatalConnectionException;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the calls of one connection out of what comes in, and has each answered: at once, by a
 * handler, or with a refusal. Confined to the network thread.
 */
final class CallReader {
  private static final Logger LOG = LoggerFactory.getLogger(CallReader.class);
  private static final int MAX_HEADER = 1 << 16;

  /** The longest request that is parsed on the network thread, which takes some microseconds. */
  private static final int MAX_INLINE_REQUEST = 1 << 15;

  private final RpcServer server;
  private final ServerConnection connection;
  private final ConnectionInfo info;
  private final EventLoopBudget budget;
  private final FrameAdmission frames;

  CallReader(
      RpcServer server, ServerConnection connection, ConnectionInfo info, EventLoopBudget budget) {
    this.server = server;
    this.connection = connection;
    this.info = info;
    this.budget = budget;
    this.frames = new FrameAdmission(connection, server.memory(), connection.networkThread());
  }

  /** Gives back the connection's loans for requests, when the connection has ended. */
  void close() {
    frames.close();
  }

  /**
   * Reads one complete call, or skips the rest of a refused one. Returns whether it did so.
   *
   * @throws FatalConnectionException if no call can be told apart in what came in any more
   */
  boolean read(UnreadBytes in) throws FatalConnectionException {
    if (frames.isSkipping()) {
      return frames.skip(in);
    }
    if (!in.hasLength()) {
      return false;
    }
    if (in.length() > server.options().maxRequestBytes()) {
      return refuseTooBig(in);
    }
    if (in.length() > FrameAdmission.FREE_BYTES && !admit(in)) {
      return false;
    }
    if (!in.hasFrame(server.options().maxRequestBytes())) {
      return false;
    }
    int length = in.takeLength();
    server.metrics().requests.increment();
    server.metrics().bytesReceived.add(length + Integer.BYTES);
    ByteBuf frame = in.bytes().readRetainedSlice(length);
    long loan = frames.takeLoan();
    Optional<ServerCall> call = Optional.empty();
    int priority;
    try {
      CallHeader header = readHeader(frame);
      priority = header.priority();
      call = accept(header, frame, loan);
    } finally {
      if (call.isEmpty()) {
        frame.release();
        server.memory().giveBack(loan);
      }
    }
    if (call.isPresent()) {
      submit(call.get(), priority); // whatever comes of it, the frame is the call's from here on
    }
    return true;
  }

  /**
   * Borrows memory for the long frame at hand, once the frame's header has arrived.
   *
   * @return whether the memory is borrowed
   */
  private boolean admit(UnreadBytes in) throws FatalConnectionException {
    if (frames.isDecided()) {
      return frames.isLent();
    }
    ByteBuf begun = in.bytes();
    ByteBuf ahead =
        begun.slice(begun.readerIndex() + Integer.BYTES, begun.readableBytes() - Integer.BYTES);
    ByteBuf probe = ahead.duplicate();
    int headerLength = Varint.read(probe);
    boolean known = headerLength >= 0 || ahead.readableBytes() >= Varint.BYTES_MAX;
    if (!known || headerLength <= MAX_HEADER && headerLength > probe.readableBytes()) {
      return false; // the header has not arrived yet
    }
    return frames.admit(in.length(), readHeader(ahead));
  }

  private static CallHeader readHeader(ByteBuf frame) throws FatalConnectionException {
    int length = Varint.read(frame);
    if (length < 0 || length > frame.readableBytes() || length > MAX_HEADER) {
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

  /** Returns the call, which has the frame from then on, or refuses it. */
  private Optional<ServerCall> accept(CallHeader header, ByteBuf frame, long loan) {
    int callId = header.callId();
    Optional<RpcMethod<?, ?>> method;
    try {
      method = info.service().method(header.methodName());
    } catch (RuntimeException | LinkageError e) {
      // Methods are registered when one is asked for: that may fail, for this call alone.
      connection.fail(callId, RpcErrors.forCaller(e));
      return Optional.empty();
    }
    if (method.isEmpty()) {
      connection.fail(callId, info.service().unknown(header.methodName()));
      return Optional.empty();
    }
    if (!header.requestParam()) {
      connection.fail(
          callId,
          new DoNotRetryIOException(
              "Invalid request header: " + header.methodName() + " should have param set in it"));
      return Optional.empty();
    }
    int cellLength = header.cellLength();
    if (cellLength < 0 || cellLength > frame.readableBytes()) {
      connection.fail(
          callId,
          new DoNotRetryIOException(
              "A cell block of "
                  + (cellLength & 0xFFFFFFFFL)
                  + " bytes does not fit the "
                  + frame.readableBytes()
                  + " bytes left of the request"));
      return Optional.empty();
    }
    if (cellLength > 0 && info.codec() == CellBlockCodec.NONE) {
      connection.fail(
          callId,
          new DoNotRetryIOException(
              "Cells lie beside the message, but the connection header names no codec for them"));
      return Optional.empty();
    }
    long now = server.clock().nanoTime();
    return Optional.of(
        new ServerCall(
            connection,
            info,
            callId,
            method.get(),
            frame,
            cellLength,
            now,
            deadline(header, now),
            loan,
            null));
  }

  /** Answers the call, queues it, or refuses it because too much is under way. */
  void submit(ServerCall call, int priority) {
    RpcMethod<?, ?> method = call.method();
    CallScheduler scheduler = server.scheduler();
    try {
      scheduler.admit(call.heldBytes());
    } catch (IOException e) {
      call.refused();
      reject(call, e);
      return;
    }
    if (mayTryInline(method, call) && call.tryInline(budget)) {
      return;
    }
    try {
      scheduler.submit(call, method.policy().queue(), priority);
    } catch (IOException e) {
      if (call.isPartial()) {
        call.giveBackBuffer(); // the largest part of what it holds, and that does not wait
        scheduler.drop(call); // the rest may be a file, which is closed then
      } else {
        call.drop();
      }
      reject(call, e);
    }
  }

  private void reject(ServerCall call, IOException error) {
    server.metrics().rejected.increment();
    connection.fail(call.id(), error);
  }

  /** Tells whether to try a call on this thread before it goes to a handler. */
  private boolean mayTryInline(RpcMethod<?, ?> method, ServerCall call) {
    return method.inline().isPresent()
        && call.heldBytes() <= MAX_INLINE_REQUEST
        && budget.isLeft()
        && connection.isWritable();
  }

  private long deadline(CallHeader header, long now) {
    if (header.timeoutMillis() <= 0) {
      return Long.MAX_VALUE;
    }
    int millis = Math.max(header.timeoutMillis(), server.options().minTimeoutMillis());
    return now + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /**
   * Answers the call whose frame is too long, once its header has arrived, and closes the
   * connection, because skipping the rest would cost too much.
   *
   * @return false if the header has not arrived yet
   */
  private boolean refuseTooBig(UnreadBytes unread) {
    long length = unread.length();
    ByteBuf in = unread.bytes();
    ByteBuf ahead = in.slice(in.readerIndex() + 4, in.readableBytes() - 4);
    int headerLength = Varint.read(ahead);
    boolean plausible = headerLength > 0 && headerLength <= MAX_HEADER;
    boolean incomplete = plausible ? ahead.readableBytes() < headerLength : in.readableBytes() < 9;
    if (incomplete) {
      return false;
    }
    int callId = ResponseEncoder.NO_CALL;
    if (plausible) {
      byte[] bytes = new byte[headerLength];
      ahead.readBytes(bytes);
      try {
        callId = CallHeader.parse(bytes).callId();
      } catch (InvalidProtocolBufferException e) {
        LOG.debug("{} sent a frame without a header", connection.remoteAddress(), e);
      }
    }
    in.skipBytes(in.readableBytes());
    String message =
        "RPC data length of "
            + length
            + " received from "
            + connection.remoteAddress()
            + " is greater than max allowed "
            + server.options().maxRequestBytes()
            + ". Set \""
            + RpcKeys.MAX_REQUEST_SIZE.name()
            + "\" on server to override this limit (not recommended)";
    if (callId == ResponseEncoder.NO_CALL) {
      connection.refuse(callId, new FatalConnectionException(message));
    } else {
      connection.refuse(
          callId,
          info.knowsRequestTooBig()
              ? new RequestTooBigException(message)
              : new DoNotRetryIOException(message));
    }
    return true;
  }
}
