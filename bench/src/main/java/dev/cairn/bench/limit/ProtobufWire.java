package dev.cairn.bench.limit;

import io.netty.buffer.ByteBuf;

/**
 * Protobuf's encoding, read and written in place: numbers of variable length, and fields that are
 * passed over. Bytes that are no message make the readers throw {@link IndexOutOfBoundsException}
 * or {@link IllegalArgumentException}.
 *
 * <p>Format: the encoding page of the protocol buffers documentation.
 */
final class ProtobufWire {
  /** Bytes of what {@link #setPadded} writes. */
  static final int PADDED_LENGTH = 5;

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH_DELIMITED = 2;
  private static final int FIXED32 = 5;
  private static final int MAX_VARINT_BITS = 64;

  private ProtobufWire() {}

  /** Returns the tag of field {@code number} that holds a number or a truth value. */
  static int varintField(int number) {
    return number << 3 | VARINT;
  }

  /** Returns the tag of field {@code number} that holds bytes, a text or a message. */
  static int delimitedField(int number) {
    return number << 3 | LENGTH_DELIMITED;
  }

  static long readVarint(ByteBuf in) {
    byte first = in.readByte();
    if (first >= 0) {
      return first;
    }
    long value = first & 0x7F;
    for (int shift = 7; shift < MAX_VARINT_BITS; shift += 7) {
      byte next = in.readByte();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("A number of more than ten bytes");
  }

  /** Reads the length of what follows in {@code in}, which has that many bytes. */
  static int readLength(ByteBuf in) {
    long length = readVarint(in);
    if (length < 0 || length > in.readableBytes()) {
      throw new IllegalArgumentException(
          "A field of " + length + " bytes where " + in.readableBytes() + " are left");
    }
    return (int) length;
  }

  /** Passes over the field whose tag was {@code tag}. */
  static void skip(ByteBuf in, int tag) {
    switch (tag & 7) {
      case VARINT -> readVarint(in);
      case FIXED64 -> in.skipBytes(Long.BYTES);
      case LENGTH_DELIMITED -> in.skipBytes(readLength(in));
      case FIXED32 -> in.skipBytes(Integer.BYTES);
      default -> throw new IllegalArgumentException("No field begins with the tag " + tag);
    }
  }

  static void writeVarint(ByteBuf out, long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.writeByte((int) (rest & 0x7F | 0x80));
      rest >>>= 7;
    }
    out.writeByte((int) rest);
  }

  static int varintLength(long value) {
    return 1 + (63 - Long.numberOfLeadingZeros(value | 1)) / 7;
  }

  /**
   * Writes a length at {@code at} in five bytes, whatever it is, so that it can be written after
   * what follows it. Readers take it as any other.
   */
  static void setPadded(ByteBuf out, int at, int value) {
    for (int i = 0; i < PADDED_LENGTH - 1; i++) {
      out.setByte(at + i, value >>> 7 * i & 0x7F | 0x80);
    }
    out.setByte(at + PADDED_LENGTH - 1, value >>> 28);
  }
}
