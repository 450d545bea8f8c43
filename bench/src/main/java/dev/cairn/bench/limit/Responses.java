package dev.cairn.bench.limit;

import static dev.cairn.bench.limit.ProtobufWire.delimitedField;
import static dev.cairn.bench.limit.ProtobufWire.varintField;
import static dev.cairn.bench.limit.ProtobufWire.varintLength;
import static dev.cairn.bench.limit.ProtobufWire.writeVarint;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The responses to what one read of a connection has brought, in one buffer that goes out with one
 * flush. Long runs of cells are not copied into it, but go out between its parts. Used by the
 * connection's network thread alone.
 *
 * <p>A response is a 4-byte length, the delimited {@link ResponseHeader}, the delimited message,
 * and the cells.
 */
final class Responses {
  private static final int BUFFER_BYTES = 16 << 10;

  /** Above it, a buffer of its own in the socket's list costs less than the copy. */
  private static final int LONGEST_COPY = 32 << 10;

  private final ChannelHandlerContext ctx;
  private ByteBuf buffer; // null while there is nothing to send

  Responses(ChannelHandlerContext ctx) {
    this.ctx = ctx;
  }

  /**
   * Begins a response.
   *
   * @param messageLength number of bytes that the caller appends to the result
   * @param cellLength how many bytes of cells follow them
   */
  ByteBuf begin(int callId, int messageLength, int cellLength) {
    ByteBuf out = buffer();
    int headerLength = 1 + varintLength(callId);
    int metaLength = 1 + varintLength(cellLength);
    if (cellLength > 0) {
      headerLength += 2 + metaLength;
    }
    int length = 1 + headerLength + varintLength(messageLength) + messageLength + cellLength;
    out.ensureWritable(Integer.BYTES + length - cellLength);
    out.writeInt(length);
    out.writeByte(headerLength);
    out.writeByte(varintField(ResponseHeader.CALL_ID_FIELD_NUMBER));
    writeVarint(out, callId);
    if (cellLength > 0) {
      out.writeByte(delimitedField(ResponseHeader.CELL_BLOCK_META_FIELD_NUMBER));
      out.writeByte(metaLength);
      out.writeByte(varintField(CellBlockMeta.LENGTH_FIELD_NUMBER));
      writeVarint(out, cellLength);
    }
    writeVarint(out, messageLength);
    return out;
  }

  /** Ends a response with the first {@code count} rows, if there are any. */
  void rows(CannedRows rows, int count) {
    int length = count * rows.rowBytes();
    if (length <= LONGEST_COPY) {
      rows.copy(buffer(), count);
    } else {
      sendBuffer();
      ctx.write(rows.slice(count));
    }
  }

  /** Sends a response that holds no cells, made of objects, as calls may have that are rare. */
  void message(int callId, Message message) {
    byte[] bytes = message.toByteArray();
    begin(callId, bytes.length, 0).writeBytes(bytes);
  }

  /** Sends a response that is a header alone: an error. */
  void header(ResponseHeader header) {
    byte[] bytes = header.toByteArray();
    ByteBuf out = buffer();
    out.writeInt(varintLength(bytes.length) + bytes.length);
    writeVarint(out, bytes.length);
    out.writeBytes(bytes);
  }

  /** Sends all that has been written. */
  void flush() {
    sendBuffer();
    ctx.flush();
  }

  /** Releases the unsent responses. */
  void release() {
    if (buffer != null) {
      buffer.release();
      buffer = null;
    }
  }

  private ByteBuf buffer() {
    if (buffer == null) {
      buffer = ctx.alloc().directBuffer(BUFFER_BYTES);
    }
    return buffer;
  }

  private void sendBuffer() {
    if (buffer != null) {
      ctx.write(buffer, ctx.voidPromise());
      buffer = null;
    }
  }
}
