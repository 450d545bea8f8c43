package dev.cairn.server.rpc;

import dev.cairn.engine.cell.CellBuffer;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call from its frame to its response. The network thread creates it with the header read; the
 * message and the cells are parsed by the handler, so that a long request holds up no other
 * connection. Owns the frame.
 */
final class ServerCall implements RpcCall, CallQueue.Task {
  private static final Logger LOG = LoggerFactory.getLogger(ServerCall.class);

  private final ServerConnection connection;
  private final ConnectionInfo info;
  private final int callId;
  private final RpcMethod<?, ?> method;
  private final ByteBuf frame;
  private final int cellLength;
  private final int heldBytes;
  private final long receivedNanos;
  private final long deadlineNanos;
  private final UnaryOperator<Message> lastReply;
  private CellBuffer requestCells; // null until asked for, if there are none
  private CellBuffer responseCells; // null if there are none

  /**
   * Creates a call.
   *
   * @param frame stands at the delimited request message; released when the call has ended
   * @param cellLength how many bytes of cells follow the message
   * @param lastReply if not null, turns the response into the last message that the connection
   *     sends
   */
  ServerCall(
      ServerConnection connection,
      ConnectionInfo info,
      int callId,
      RpcMethod<?, ?> method,
      ByteBuf frame,
      int cellLength,
      long deadlineNanos,
      UnaryOperator<Message> lastReply) {
    this.connection = connection;
    this.info = info;
    this.callId = callId;
    this.method = method;
    this.frame = frame;
    this.cellLength = cellLength;
    this.heldBytes = frame.readableBytes();
    this.receivedNanos = connection.clock().nanoTime();
    this.deadlineNanos = deadlineNanos;
    this.lastReply = lastReply;
  }

  int heldBytes() {
    return heldBytes;
  }

  @Override
  public void run() {
    boolean frameHeld = true;
    try {
      if (!connection.isOpen() || isExpired()) {
        connection.metrics().expired.increment();
        return;
      }
      Message request = parse(method.requestPrototype());
      if (cellLength > 0) {
        requestCells = info.codec().read(frame, cellLength);
      }
      frame.release();
      frameHeld = false;
      Message response = handle(method, request);
      respond(response);
    } catch (IllegalArgumentException e) {
      // Cells that are none, or a value in the message that a constructor refused.
      fail(new DoNotRetryIOException(name() + ": " + e.getMessage(), e));
    } catch (Throwable e) {
      fail(e);
    } finally {
      if (frameHeld) {
        frame.release();
      }
      connection.finished(this);
    }
  }

  @Override
  public void drop() {
    frame.release();
    connection.finished(this);
  }

  private boolean isExpired() {
    return deadlineNanos != Long.MAX_VALUE && connection.clock().nanoTime() - deadlineNanos > 0;
  }

  private Message parse(Message prototype) throws DoNotRetryIOException {
    int length = Varint.read(frame);
    if (length < 0 || length > frame.readableBytes() - cellLength) {
      throw new DoNotRetryIOException(
          name()
              + ": a message of "
              + length
              + " bytes and a cell block of "
              + cellLength
              + " do not fit the "
              + frame.readableBytes()
              + " bytes left of the request");
    }
    byte[] bytes = new byte[length];
    frame.readBytes(bytes);
    if (frame.readableBytes() != cellLength) {
      throw new DoNotRetryIOException(
          name()
              + ": "
              + frame.readableBytes()
              + " bytes follow the message, but the header tells of "
              + cellLength);
    }
    // Nobody changes the array any more, so the message's byte strings may lie in it.
    CodedInputStream in = UnsafeByteOperations.unsafeWrap(bytes).newCodedInput();
    in.enableAliasing(true);
    try {
      Message request = prototype.getParserForType().parseFrom(in);
      in.checkLastTagWas(0);
      return request;
    } catch (InvalidProtocolBufferException e) {
      throw new DoNotRetryIOException(
          name() + ": the request message cannot be parsed: " + e.getMessage(), e);
    }
  }

  @SuppressWarnings("unchecked") // the prototype of the same method has parsed the request
  private <Q extends Message, R extends Message> R handle(RpcMethod<Q, R> of, Message request)
      throws IOException {
    return of.handler().handle(this, (Q) request);
  }

  private void respond(Message response) throws IOException {
    Message reply = lastReply == null ? response : lastReply.apply(response);
    ByteBuf out =
        ResponseEncoder.success(connection.allocator(), callId, reply, responseCells, info.codec());
    connection.send(out, lastReply != null);
  }

  private void fail(Throwable error) {
    connection.metrics().exceptions.increment();
    if (error instanceof StackOverflowError) {
      LOG.warn(
          "{} from {} is nested too deeply", name(), remoteAddress()); // its trace says nothing
    } else if (!(error instanceof IOException)) {
      LOG.error("{} from {} failed", name(), remoteAddress(), error);
    } else {
      LOG.debug("{} from {}: {}", name(), remoteAddress(), error.toString());
    }
    IOException told = RpcErrors.forCaller(error);
    connection.send(
        ResponseEncoder.failure(connection.allocator(), callId, told), lastReply != null);
  }

  private String name() {
    return info.service().name() + "." + method.name();
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return connection.remoteAddress();
  }

  @Override
  public String user() {
    return info.user();
  }

  @Override
  public long receivedNanos() {
    return receivedNanos;
  }

  @Override
  public long deadlineNanos() {
    return deadlineNanos;
  }

  @Override
  public CellBuffer requestCells() {
    if (requestCells == null) {
      requestCells = new CellBuffer(0, 0);
    }
    return requestCells;
  }

  @Override
  public boolean acceptsCellBlock() {
    return info.codec() != CellBlockCodec.NONE;
  }

  @Override
  public boolean acceptsTags() {
    return info.codec() == CellBlockCodec.KEY_VALUE_WITH_TAGS;
  }

  @Override
  public void setResponseCells(CellBuffer cells) {
    if (!acceptsCellBlock()) {
      throw new IllegalStateException("The caller reads no cells beside the message of " + name());
    }
    this.responseCells = cells;
  }
}
