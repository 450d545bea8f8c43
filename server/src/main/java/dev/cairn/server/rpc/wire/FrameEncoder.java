package dev.cairn.server.rpc.wire;

import dev.cairn.engine.cell.CellBuffer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.util.function.IntFunction;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Writes frames: {@code int length | varint, header | varint, message | cell block}. Requests and
 * responses differ in their headers only. Long messages are written straight into the network
 * buffer.
 */
public final class FrameEncoder {
  private static final int MAX_PART = Integer.MAX_VALUE / 2 - (1 << 20);

  /** The size up to which a copy costs less than a write to a buffer outside the heap. */
  private static final int SHORT_MESSAGE = 256;

  private FrameEncoder() {}

  /**
   * Returns how many bytes {@code cells} take beside a message of {@code messageSize} bytes.
   *
   * @throws IOException if they, or the message, are too long for a frame
   */
  public static int cellLength(int messageSize, CellBuffer cells, CellBlockCodec codec)
      throws IOException {
    long length = codec.length(cells);
    if (length > MAX_PART || messageSize > MAX_PART) {
      throw new IOException(
          "A message of "
              + messageSize
              + " bytes with "
              + length
              + " bytes of cells is too long to be sent; ask for less at once");
    }
    return (int) length;
  }

  /**
   * Returns how many bytes a frame takes with the length before it.
   *
   * @throws IOException if it is too long for one
   */
  static int frameLength(long length) throws IOException {
    if (length > Integer.MAX_VALUE - Integer.BYTES) {
      throw new IOException("A frame of " + length + " bytes is too long; ask for less at once");
    }
    return Integer.BYTES + (int) length;
  }

  /** Returns a frame that consists of a header alone. */
  static ByteBuf headerOnly(ByteBufAllocator allocator, Message header) {
    int length = delimitedSize(header);
    ByteBuf out = allocator.buffer(Integer.BYTES + length);
    out.writeInt(length);
    writeDelimited(header, out);
    return out;
  }

  /**
   * Writes a frame up to its cells.
   *
   * @param room gives a buffer that has room for so many bytes more
   * @return that buffer, with room for {@code cellLength} bytes after the message
   */
  public static ByteBuf frame(
      IntFunction<ByteBuf> room, Message header, Message message, int cellLength)
      throws IOException {
    long length = (long) delimitedSize(header) + delimitedSize(message) + cellLength;
    ByteBuf out = room.apply(frameLength(length));
    out.writeInt((int) length);
    writeDelimited(header, out);
    writeDelimited(message, out);
    return out;
  }

  private static void writeDelimited(Message message, ByteBuf out) {
    int size = message.getSerializedSize();
    Varint.write(out, size);
    write(message, size, out);
  }

  /** Writes a message of {@code size} bytes. */
  static void write(Message message, int size, ByteBuf out) {
    if (size <= SHORT_MESSAGE) {
      out.writeBytes(message.toByteArray());
      return;
    }
    int start = out.writerIndex();
    CodedOutputStream stream =
        out.hasArray()
            ? CodedOutputStream.newInstance(out.array(), out.arrayOffset() + start, size)
            : CodedOutputStream.newInstance(out.nioBuffer(start, size));
    try {
      message.writeTo(stream);
      stream.flush();
    } catch (IOException e) {
      throw new IllegalStateException("A message is longer than it said", e);
    }
    out.writerIndex(start + size);
  }

  private static int delimitedSize(Message message) {
    int size = message.getSerializedSize();
    return Varint.size(size) + size;
  }
}
