package dev.cairn.keys.hash;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * A hash function without a seed. Numbers are written with their highest byte first, as HBase's
 * {@code Bytes.toBytes} does; a hash of 128 bits of Murmur3 is its numbers one after the other.
 */
public enum HashFunction {
  /** Murmur3 of 32 bits for x86. */
  MURMUR3("murmur3", Integer.BYTES) {
    @Override
    byte[] all(byte[] bytes) {
      return BigEndian.bytes(Murmur3.x86Of32(bytes, 0));
    }
  },
  /** Murmur3 of 128 bits for x86: four numbers of 32 bits. */
  MURMUR3_X86_128("murmur3_x86_128", 4 * Integer.BYTES) {
    @Override
    byte[] all(byte[] bytes) {
      return BigEndian.bytes(Murmur3.x86Of128(bytes, 0));
    }
  },
  /** Murmur3 of 128 bits for x64: two numbers of 64 bits. */
  MURMUR3_X64_128("murmur3_x64_128", 2 * Long.BYTES) {
    @Override
    byte[] all(byte[] bytes) {
      return BigEndian.bytes(Murmur3.x64Of128(bytes, 0));
    }
  },
  /** MD5. */
  MD5("md5", 16) {
    @Override
    byte[] all(byte[] bytes) {
      try {
        return MessageDigest.getInstance("MD5").digest(bytes);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("Every Java platform has MD5", e);
      }
    }
  },
  /** xxHash of 32 bits. */
  XXHASH32("xxhash32", Integer.BYTES) {
    @Override
    byte[] all(byte[] bytes) {
      return BigEndian.bytes(XxHash.of32(bytes, 0));
    }
  },
  /** xxHash of 64 bits. */
  XXHASH64("xxhash64", Long.BYTES) {
    @Override
    byte[] all(byte[] bytes) {
      return BigEndian.bytes(XxHash.of64(bytes, 0));
    }
  };

  private final String word;
  private final int width;

  HashFunction(String word, int width) {
    this.word = word;
    this.width = width;
  }

  /**
   * Returns the function with this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static HashFunction named(String word) {
    for (HashFunction function : values()) {
      if (function.word.equals(word)) {
        return function;
      }
    }
    throw new IllegalArgumentException(
        "unknown hash function "
            + word
            + "; there are "
            + String.join(", ", Arrays.stream(values()).map(HashFunction::word).toList()));
  }

  /** Returns the name in the text form of a format. */
  public String word() {
    return word;
  }

  /** Returns how many bytes a hash has. */
  public int width() {
    return width;
  }

  /** Returns the first bytes of the hash of bytes. */
  public byte[] hash(byte[] bytes, int count) {
    byte[] all = all(bytes);
    return count == all.length ? all : Arrays.copyOf(all, count);
  }

  /** Returns the hash's first eight bytes, as an unsigned number, modulo the buckets. */
  public int bucket(byte[] bytes, int buckets) {
    byte[] all = all(bytes);
    long number = 0;
    for (int i = 0; i < Math.min(all.length, Long.BYTES); i++) {
      number = number << Byte.SIZE | all[i] & 0xFF;
    }
    return (int) Long.remainderUnsigned(number, buckets);
  }

  abstract byte[] all(byte[] bytes);
}
