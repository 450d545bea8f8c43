package dev.cairn.server.rpc;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.compile.CompiledApart;
import dev.cairn.server.rpc.service.RpcMethod;
import dev.cairn.server.rpc.wire.CellBlockCodec;
import dev.cairn.server.rpc.wire.Varint;
import io.netty.buffer.ByteBuf;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The request of one call: a delimited message, which a cell block may follow. {@link #message}
 * parses both on its first call, so that a handler parses a long request, and not the network
 * thread. Owns the frame. One thread at a time, as {@link ServerCall}.
 */
final class CallRequest {
  private final RpcMethod<?, ?> method;
  private final CellBlockCodec codec;
  private final ByteBuf frame;
  private final int cellLength;
  private final CallRecord record;
  private boolean isHeld = true; // whether the frame is
  private Object message; // null until parsed
  private CellBuffer cells; // null until asked for, if there are none

  /**
   * Creates a request that is not parsed yet.
   *
   * @param frame stands at the message
   * @param cellLength how many bytes of cells follow the message
   * @param record keeps the message
   */
  CallRequest(
      RpcMethod<?, ?> method,
      CellBlockCodec codec,
      ByteBuf frame,
      int cellLength,
      CallRecord record) {
    this.method = method;
    this.codec = codec;
    this.frame = frame;
    this.cellLength = cellLength;
    this.record = record;
  }

  /** Returns the kind of the call. For a batch, call it before {@link #message}. */
  CallKind kind() {
    return CallKind.of(method.policy(), frame, cellLength);
  }

  /**
   * Returns the message. The first call parses the message and the cells, and releases the frame.
   *
   * @throws DoNotRetryIOException if the lengths do not fit the frame, or the message cannot be
   *     parsed
   */
  @CompiledApart("parses a request, in another way for each kind of call")
  Object message() throws DoNotRetryIOException {
    if (message == null) {
      try {
        message = parse(method.parser());
        if (cellLength > 0) {
          cells = codec.read(frame, cellLength);
        }
      } finally {
        release();
      }
    }
    return message;
  }

  /** Returns the cells that follow the message, perhaps none. Call it after {@link #message}. */
  CellBuffer cells() {
    if (cells == null) {
      cells = new CellBuffer(0, 0);
    }
    return cells;
  }

  /** Drops the parsed request, so that its memory can be collected. */
  void forget() {
    message = null;
    cells = null;
  }

  /** Gives the frame back. */
  void release() {
    if (isHeld) {
      isHeld = false;
      frame.release();
    }
  }

  private Object parse(RpcMethod.Parser<?> parser) throws DoNotRetryIOException {
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
    record.keep(bytes);
    if (frame.readableBytes() != cellLength) {
      throw new DoNotRetryIOException(
          name()
              + ": "
              + frame.readableBytes()
              + " bytes follow the message, but the header tells of "
              + cellLength);
    }
    try {
      return parser.parse(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new DoNotRetryIOException(
          name() + ": the request message cannot be parsed: " + e.getMessage(), e);
    }
  }

  private String name() {
    return method.policy().fullName();
  }
}
