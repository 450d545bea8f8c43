package dev.cairn.engine.schema;

/**
 * Bob Jenkins' 32-bit hash of 2006, {@code hashlittle} of lookup3, with the initial value 0. HBase
 * encodes the names of the copies of {@code hbase:meta} with it.
 */
final class JenkinsHash {
  private static final int START = 0xdeadbeef;
  private static final int BLOCK = 12;

  private int first;
  private int second;
  private int third;

  private JenkinsHash(int length) {
    first = START + length;
    second = first;
    third = first;
  }

  /** Returns the hash of {@code bytes}. */
  static int of(byte[] bytes) {
    JenkinsHash hash = new JenkinsHash(bytes.length);
    int at = 0;
    for (; bytes.length - at > BLOCK; at += BLOCK) {
      hash.add(bytes, at);
      hash.mix();
    }
    if (at < bytes.length) {
      hash.add(bytes, at);
      hash.end();
    }
    return hash.third;
  }

  private void add(byte[] bytes, int at) {
    first += word(bytes, at);
    second += word(bytes, at + Integer.BYTES);
    third += word(bytes, at + 2 * Integer.BYTES);
  }

  /** Returns four bytes in little-endian order; those after the end count as 0. */
  private static int word(byte[] bytes, int at) {
    int word = 0;
    for (int i = 0; i < Integer.BYTES && at + i < bytes.length; i++) {
      word |= (bytes[at + i] & 0xff) << (Byte.SIZE * i);
    }
    return word;
  }

  private void mix() {
    first = (first - third) ^ Integer.rotateLeft(third, 4);
    third += second;
    second = (second - first) ^ Integer.rotateLeft(first, 6);
    first += third;
    third = (third - second) ^ Integer.rotateLeft(second, 8);
    second += first;
    first = (first - third) ^ Integer.rotateLeft(third, 16);
    third += second;
    second = (second - first) ^ Integer.rotateLeft(first, 19);
    first += third;
    third = (third - second) ^ Integer.rotateLeft(second, 4);
    second += first;
  }

  private void end() {
    third = (third ^ second) - Integer.rotateLeft(second, 14);
    first = (first ^ third) - Integer.rotateLeft(third, 11);
    second = (second ^ first) - Integer.rotateLeft(first, 25);
    third = (third ^ second) - Integer.rotateLeft(second, 16);
    first = (first ^ third) - Integer.rotateLeft(third, 4);
    second = (second ^ first) - Integer.rotateLeft(first, 14);
    third = (third ^ second) - Integer.rotateLeft(second, 24);
  }
}
