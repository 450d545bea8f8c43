package dev.cairn.server.rpc.wire;

import io.netty.buffer.ByteBuf;

/**
 * The variable-length number before each protobuf message in a frame, which numbers within messages
 * have, too.
 */
public final class Varint {
  /** The most bytes of an encoded number. */
  public static final int BYTES_MAX = 5;

  private Varint() {}

  /**
   * Reads a number.
   *
   * @return the number; -1 if the bytes end within it, it takes more than five bytes, or it is
   *     negative, each of which makes the frame malformed
   */
  public static int read(ByteBuf in) {
    long value = 0;
    for (int i = 0; i < BYTES_MAX && in.isReadable(); i++) {
      byte next = in.readByte();
      value |= (long) (next & 0x7F) << (7 * i);
      if (next >= 0) {
        return value > Integer.MAX_VALUE ? -1 : (int) value;
      }
    }
    return -1;
  }

  /** Returns how many bytes a number takes; it is unsigned. */
  public static int size(int value) {
    return (Integer.SIZE - Integer.numberOfLeadingZeros(value | 1) + 6) / 7;
  }

  /** Writes a number; it is unsigned. */
  public static void write(ByteBuf out, int value) {
    int rest = value;
    while ((rest & ~0x7F) != 0) {
      out.writeByte(rest & 0x7F | 0x80);
      rest >>>= 7;
    }
    out.writeByte(rest);
  }
}
