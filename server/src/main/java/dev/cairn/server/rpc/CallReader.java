package dev.cairn.server.rpc;

import dev.cairn.server.rpc.service.CallBudget;
import dev.cairn.server.rpc.service.RpcMethod;
import dev.cairn.server.rpc.wire.CallHeader;
import dev.cairn.server.rpc.wire.CellBlockCodec;
import dev.cairn.server.rpc.wire.ResponseEncoder;
import dev.cairn.server.rpc.wire.RpcErrors;
import dev.cairn.server.rpc.wire.UnreadBytes;
import dev.cairn.server.rpc.wire.Varint;
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
 * Reads the calls of one connection, and has each answered: at once, by a handler, or with a
 * refusal. Confined to the network thread.
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
   * @throws FatalConnectionException if the bytes cannot be divided into calls any more
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
    int length = in.takeLength(server.options().maxRequestBytes());
    if (length < 0) {
      return false;
    }
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
      submit(call.get(), priority); // whatever the outcome, the call owns the frame from here
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
    Optional<CallHeader> header = peek(in);
    return header.isPresent() && frames.admit(in.length(), header.get());
  }

  /** Returns the header of the next frame, which stays unread; empty if it has not arrived yet. */
  private static Optional<CallHeader> peek(UnreadBytes in) throws FatalConnectionException {
    ByteBuf begun = in.bytes();
    ByteBuf ahead =
        begun.slice(begun.readerIndex() + Integer.BYTES, begun.readableBytes() - Integer.BYTES);
    ByteBuf probe = ahead.duplicate();
    int length = Varint.read(probe);
    boolean known = length >= 0 || ahead.readableBytes() >= Varint.BYTES_MAX;
    return !known || length <= MAX_HEADER && length > probe.readableBytes()
        ? Optional.empty()
        : Optional.of(readHeader(ahead));
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
    Optional<IOException> refusal = refusal(header, method, frame.readableBytes());
    if (refusal.isPresent()) {
      connection.fail(callId, refusal.get());
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
            header.cellLength(),
            now,
            deadline(header, now),
            loan,
            null,
            server.tracing().begin(header.traceInfo())));
  }

  /** Returns why a call is refused before its {@code bytes} are read. */
  private Optional<IOException> refusal(
      CallHeader header, Optional<RpcMethod<?, ?>> method, int bytes) {
    int cellLength = header.cellLength();
    if (method.isEmpty()) {
      return Optional.of(info.service().unknown(header.methodName()));
    }
    String problem;
    if (!header.requestParam()) {
      problem = "Invalid request header: " + header.methodName() + " should have param set in it";
    } else if (cellLength < 0 || cellLength > bytes) {
      problem =
          "A cell block of "
              + (cellLength & 0xFFFFFFFFL)
              + " bytes does not fit the "
              + bytes
              + " bytes left of the request";
    } else if (cellLength > 0 && info.codec() == CellBlockCodec.NONE) {
      problem = "Cells lie beside the message, but the connection header names no codec for them";
    } else {
      return Optional.empty();
    }
    return Optional.of(new DoNotRetryIOException(problem));
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
    Optional<CallBudget> inline = method.policy().inline();
    if (inline.isPresent() && mayTryInline(call) && call.tryInline(inline.get(), budget)) {
      return;
    }
    try {
      scheduler.submit(call, method.policy().queue(), priority, call::kind);
    } catch (IOException e) {
      call.endedUnqueued(e);
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
  private boolean mayTryInline(ServerCall call) {
    return call.heldBytes() <= MAX_INLINE_REQUEST && budget.isLeft() && connection.isWritable();
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
  private boolean refuseTooBig(UnreadBytes in) {
    long length = in.length();
    int callId = ResponseEncoder.NO_CALL;
    try {
      Optional<CallHeader> header = peek(in);
      if (header.isEmpty()) {
        return false;
      }
      callId = header.get().callId();
    } catch (FatalConnectionException e) {
      LOG.debug("{} sent a frame without a header", connection.remoteAddress(), e);
    }
    in.release();
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
    connection.refuse(
        callId,
        callId == ResponseEncoder.NO_CALL
            ? new FatalConnectionException(message)
            : info.knowsRequestTooBig()
                ? new RequestTooBigException(message)
                : new DoNotRetryIOException(message));
    return true;
  }
}
