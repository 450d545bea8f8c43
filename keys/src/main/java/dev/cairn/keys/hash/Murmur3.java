package dev.cairn.keys.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Austin Appleby's MurmurHash3, in its three forms. */
final class Murmur3 {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int C1_OF_32 = 0xCC9E2D51;
  private static final int C2_OF_32 = 0x1B873593;
  private static final int[] C_OF_X86 = {0x239B961B, 0xAB0E9789, 0x38B34AE5, 0xA1E38B93};
  private static final int[] ROTATION_OF_X86 = {15, 16, 17, 18};
  private static final int[] STATE_ROTATION_OF_X86 = {19, 17, 15, 13};
  private static final int[] ADDEND_OF_X86 = {0x561CCD1B, 0x0BCAA747, 0x96CD1C35, 0x32AC3B17};
  private static final long C1_OF_X64 = 0x87C37B91114253D5L;
  private static final long C2_OF_X64 = 0x4CF5AD432745937FL;
  private static final int BLOCK_OF_128 = 16;

  private Murmur3() {}

  static int x86Of32(byte[] bytes, int seed) {
    int hash = seed;
    int blocks = bytes.length & -Integer.BYTES;
    for (int i = 0; i < blocks; i += Integer.BYTES) {
      hash ^= Integer.rotateLeft((int) INT.get(bytes, i) * C1_OF_32, 15) * C2_OF_32;
      hash = Integer.rotateLeft(hash, 13) * 5 + 0xE6546B64;
    }
    int tail = (int) tail(bytes, blocks, bytes.length);
    hash ^= Integer.rotateLeft(tail * C1_OF_32, 15) * C2_OF_32;
    return mixed(hash ^ bytes.length);
  }

  static int[] x86Of128(byte[] bytes, int seed) {
    int[] hash = {seed, seed, seed, seed};
    int blocks = bytes.length & -BLOCK_OF_128;
    for (int i = 0; i < blocks; i += BLOCK_OF_128) {
      for (int lane = 0; lane < hash.length; lane++) {
        hash[lane] ^= scrambled((int) INT.get(bytes, i + lane * Integer.BYTES), lane);
        int rotated = Integer.rotateLeft(hash[lane], STATE_ROTATION_OF_X86[lane]);
        hash[lane] = (rotated + hash[(lane + 1) % hash.length]) * 5 + ADDEND_OF_X86[lane];
      }
    }
    for (int lane = 0; lane < hash.length; lane++) {
      int from = Math.min(bytes.length, blocks + lane * Integer.BYTES);
      int to = Math.min(bytes.length, from + Integer.BYTES);
      hash[lane] ^= scrambled((int) tail(bytes, from, to), lane) ^ bytes.length;
    }
    addAcross(hash);
    for (int lane = 0; lane < hash.length; lane++) {
      hash[lane] = mixed(hash[lane]);
    }
    addAcross(hash);
    return hash;
  }

  private static int scrambled(int block, int lane) {
    int rotated = Integer.rotateLeft(block * C_OF_X86[lane], ROTATION_OF_X86[lane]);
    return rotated * C_OF_X86[(lane + 1) % C_OF_X86.length];
  }

  private static void addAcross(int[] hash) {
    hash[0] += hash[1] + hash[2] + hash[3];
    for (int lane = 1; lane < hash.length; lane++) {
      hash[lane] += hash[0];
    }
  }

  static long[] x64Of128(byte[] bytes, int seed) {
    long first = seed & 0xFFFFFFFFL;
    long second = first;
    int blocks = bytes.length & -BLOCK_OF_128;
    for (int i = 0; i < blocks; i += BLOCK_OF_128) {
      first ^= scrambledFirst((long) LONG.get(bytes, i));
      first = (Long.rotateLeft(first, 27) + second) * 5 + 0x52DCE729;
      second ^= scrambledSecond((long) LONG.get(bytes, i + Long.BYTES));
      second = (Long.rotateLeft(second, 31) + first) * 5 + 0x38495AB5;
    }
    int middle = Math.min(bytes.length, blocks + Long.BYTES);
    first ^= scrambledFirst(tail(bytes, blocks, middle)) ^ bytes.length;
    second ^= scrambledSecond(tail(bytes, middle, bytes.length)) ^ bytes.length;
    first += second;
    second += first;
    first = mixed(first);
    second = mixed(second);
    first += second;
    return new long[] {first, second + first};
  }

  private static long scrambledFirst(long block) {
    return Long.rotateLeft(block * C1_OF_X64, 31) * C2_OF_X64;
  }

  private static long scrambledSecond(long block) {
    return Long.rotateLeft(block * C2_OF_X64, 33) * C1_OF_X64;
  }

  /** Returns fewer bytes than a block, the first one as the lowest. */
  private static long tail(byte[] bytes, int from, int to) {
    long tail = 0;
    for (int i = to - 1; i >= from; i--) {
      tail = tail << Byte.SIZE | bytes[i] & 0xFF;
    }
    return tail;
  }

  private static int mixed(int hash) {
    int mixed = (hash ^ hash >>> 16) * 0x85EBCA6B;
    mixed = (mixed ^ mixed >>> 13) * 0xC2B2AE35;
    return mixed ^ mixed >>> 16;
  }

  private static long mixed(long hash) {
    long mixed = (hash ^ hash >>> 33) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ mixed >>> 33) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ mixed >>> 33;
  }
}
