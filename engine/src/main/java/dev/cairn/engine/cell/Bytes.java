package dev.cairn.engine.cell;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** Big-endian access to byte arrays, and the printable form that HBase's tools use for keys. */
public final class Bytes {
  /** An array without elements. */
  public static final byte[] EMPTY = new byte[0];

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private Bytes() {}

  /** Returns the unsigned 16-bit number at {@code offset}. */
  public static int getUnsignedShort(byte[] bytes, int offset) {
    return (short) SHORT.get(bytes, offset) & 0xFFFF;
  }

  /** Writes the low 16 bits of {@code value} at {@code offset}. */
  public static void putShort(byte[] bytes, int offset, int value) {
    SHORT.set(bytes, offset, (short) value);
  }

  /** Returns the signed 32-bit number at {@code offset}. */
  public static int getInt(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset);
  }

  /** Writes {@code value} as four bytes at {@code offset}. */
  public static void putInt(byte[] bytes, int offset, int value) {
    INT.set(bytes, offset, value);
  }

  /** Returns the signed 64-bit number at {@code offset}. */
  public static long getLong(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  /** Writes {@code value} as eight bytes at {@code offset}. */
  public static void putLong(byte[] bytes, int offset, long value) {
    LONG.set(bytes, offset, value);
  }

  /** Returns the eight big-endian bytes of {@code value}. */
  public static byte[] ofLong(long value) {
    byte[] bytes = new byte[Long.BYTES];
    putLong(bytes, 0, value);
    return bytes;
  }

  /** Returns the four big-endian bytes of {@code value}. */
  public static byte[] ofInt(int value) {
    byte[] bytes = new byte[Integer.BYTES];
    putInt(bytes, 0, value);
    return bytes;
  }

  /** Returns the UTF-8 bytes of {@code text}. */
  public static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns {@code bytes} read as UTF-8. */
  public static String utf8(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Returns {@code a} followed by {@code b}. */
  public static byte[] concat(byte[] a, byte[] b) {
    byte[] joined = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, joined, a.length, b.length);
    return joined;
  }

  /**
   * Returns the printable form in which HBase's shell, tools and region names show bytes: printable
   * ASCII as it is, all else (and the backslash) as {@code \xHH}.
   */
  public static String toStringBinary(byte[] bytes) {
    return toStringBinary(bytes, 0, bytes.length);
  }

  /** As {@link #toStringBinary(byte[])}, of {@code length} bytes from {@code offset}. */
  public static String toStringBinary(byte[] bytes, int offset, int length) {
    StringBuilder text = new StringBuilder(length + 16);
    for (int i = offset; i < offset + length; i++) {
      int b = bytes[i] & 0xFF;
      if (b >= ' ' && b <= '~' && b != '\\') {
        text.append((char) b);
      } else {
        text.append("\\x").append(HEX[b >> 4]).append(HEX[b & 0xF]);
      }
    }
    return text.toString();
  }

  /** Returns the MD5 hash of {@code bytes} as 32 hexadecimal digits. */
  public static String md5(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has MD5", e);
    }
  }
}
