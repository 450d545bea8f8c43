package dev.cairn.server.rpc;

import dev.cairn.engine.cell.CellBuffer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.util.function.IntFunction;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Writes frames: {@code int length | varint, header | varint, message | cell block}. Requests and
 * responses differ in their headers only. Both messages are written straight into the network
 * buffer.
 */
final class FrameEncoder {
  private static final int MAX_PART = Integer.MAX_VALUE / 2 - (1 << 20);

  private FrameEncoder() {}

  /**
   * Returns how many bytes {@code cells} take.
   *
   * @throws IOException if they, or the message, are too long for a frame
   */
  static int cellLength(Message message, CellBuffer cells, CellBlockCodec codec)
      throws IOException {
    long length = codec.length(cells);
    if (length > MAX_PART || message.getSerializedSize() > MAX_PART) {
      throw new IOException(
          "A message of "
              + message.getSerializedSize()
              + " bytes with "
              + length
              + " bytes of cells is too long to be sent; ask for less at once");
    }
    return (int) length;
  }

  /** Returns a frame that consists of a header alone. */
  static ByteBuf headerOnly(ByteBufAllocator allocator, Message header) {
    int length = delimitedSize(header);
    ByteBuf out = allocator.buffer(Integer.BYTES + length);
    return write(out, length, length, header, null);
  }

  /**
   * Writes a frame up to its cells.
   *
   * @param room gives a buffer that has room for so many bytes more
   * @return that buffer, with room for {@code cellLength} bytes behind the message
   */
  static ByteBuf frame(IntFunction<ByteBuf> room, Message header, Message message, int cellLength)
      throws IOException {
    long length = (long) delimitedSize(header) + delimitedSize(message) + cellLength;
    if (length > Integer.MAX_VALUE - Integer.BYTES) {
      throw new IOException("A frame of " + length + " bytes is too long; ask for less at once");
    }
    ByteBuf out = room.apply(Integer.BYTES + (int) length);
    return write(out, (int) length, (int) length - cellLength, header, message);
  }

  private static ByteBuf write(
      ByteBuf out, int frameLength, int coded, Message header, Message message) {
    out.writeInt(frameLength);
    int start = out.writerIndex();
    CodedOutputStream stream =
        out.hasArray()
            ? CodedOutputStream.newInstance(out.array(), out.arrayOffset() + start, coded)
            : CodedOutputStream.newInstance(out.nioBuffer(start, coded));
    try {
      writeDelimited(stream, header);
      if (message != null) {
        writeDelimited(stream, message);
      }
      stream.flush();
    } catch (IOException e) {
      out.writerIndex(start - Integer.BYTES);
      throw new IllegalStateException("A message is longer than it said", e);
    }
    return out.writerIndex(start + coded);
  }

  private static void writeDelimited(CodedOutputStream out, Message message) throws IOException {
    out.writeUInt32NoTag(message.getSerializedSize());
    message.writeTo(out);
  }

  private static int delimitedSize(Message message) {
    int size = message.getSerializedSize();
    return CodedOutputStream.computeUInt32SizeNoTag(size) + size;
  }
}
