package dev.cairn.keys.hash;

import java.nio.ByteBuffer;

/** Numbers as bytes, the highest first. */
final class BigEndian {
  private BigEndian() {}

  static byte[] bytes(int... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Integer.BYTES);
    for (int number : numbers) {
      bytes.putInt(number);
    }
    return bytes.array();
  }

  static byte[] bytes(long... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
    for (long number : numbers) {
      bytes.putLong(number);
    }
    return bytes.array();
  }
}
