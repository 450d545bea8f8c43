package dev.cairn.keys.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Yann Collet's xxHash of 32 and of 64 bits, as its specification describes them. */
final class XxHash {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int P1 = 0x9E3779B1;
  private static final int P2 = 0x85EBCA77;
  private static final int P3 = 0xC2B2AE3D;
  private static final int P4 = 0x27D4EB2F;
  private static final int P5 = 0x165667B1;

  private static final long Q1 = 0x9E3779B185EBCA87L;
  private static final long Q2 = 0xC2B2AE3D27D4EB4FL;
  private static final long Q3 = 0x165667B19E3779F9L;
  private static final long Q4 = 0x85EBCA77C2B2AE63L;
  private static final long Q5 = 0x27D4EB2F165667C5L;

  private static final int LANES = 4;

  private XxHash() {}

  static int of32(byte[] bytes, int seed) {
    int stripe = LANES * Integer.BYTES;
    int position = 0;
    int hash = seed + P5;
    if (bytes.length >= stripe) {
      int[] lanes = {seed + P1 + P2, seed + P2, seed, seed - P1};
      for (; position + stripe <= bytes.length; position += stripe) {
        for (int lane = 0; lane < LANES; lane++) {
          int block = (int) INT.get(bytes, position + lane * Integer.BYTES);
          lanes[lane] = Integer.rotateLeft(lanes[lane] + block * P2, 13) * P1;
        }
      }
      hash =
          Integer.rotateLeft(lanes[0], 1)
              + Integer.rotateLeft(lanes[1], 7)
              + Integer.rotateLeft(lanes[2], 12)
              + Integer.rotateLeft(lanes[3], 18);
    }
    hash += bytes.length;
    for (; position + Integer.BYTES <= bytes.length; position += Integer.BYTES) {
      hash = Integer.rotateLeft(hash + (int) INT.get(bytes, position) * P3, 17) * P4;
    }
    for (; position < bytes.length; position++) {
      hash = Integer.rotateLeft(hash + (bytes[position] & 0xFF) * P5, 11) * P1;
    }
    hash = (hash ^ hash >>> 15) * P2;
    hash = (hash ^ hash >>> 13) * P3;
    return hash ^ hash >>> 16;
  }

  static long of64(byte[] bytes, long seed) {
    int stripe = LANES * Long.BYTES;
    int position = 0;
    long hash = seed + Q5;
    if (bytes.length >= stripe) {
      long[] lanes = {seed + Q1 + Q2, seed + Q2, seed, seed - Q1};
      for (; position + stripe <= bytes.length; position += stripe) {
        for (int lane = 0; lane < LANES; lane++) {
          lanes[lane] = round(lanes[lane], (long) LONG.get(bytes, position + lane * Long.BYTES));
        }
      }
      hash =
          Long.rotateLeft(lanes[0], 1)
              + Long.rotateLeft(lanes[1], 7)
              + Long.rotateLeft(lanes[2], 12)
              + Long.rotateLeft(lanes[3], 18);
      for (long lane : lanes) {
        hash = (hash ^ round(0, lane)) * Q1 + Q4;
      }
    }
    hash += bytes.length;
    for (; position + Long.BYTES <= bytes.length; position += Long.BYTES) {
      hash = Long.rotateLeft(hash ^ round(0, (long) LONG.get(bytes, position)), 27) * Q1 + Q4;
    }
    if (position + Integer.BYTES <= bytes.length) {
      long block = (int) INT.get(bytes, position) & 0xFFFFFFFFL;
      hash = Long.rotateLeft(hash ^ block * Q1, 23) * Q2 + Q3;
      position += Integer.BYTES;
    }
    for (; position < bytes.length; position++) {
      hash = Long.rotateLeft(hash ^ (bytes[position] & 0xFF) * Q5, 11) * Q1;
    }
    hash = (hash ^ hash >>> 33) * Q2;
    hash = (hash ^ hash >>> 29) * Q3;
    return hash ^ hash >>> 32;
  }

  private static long round(long lane, long block) {
    return Long.rotateLeft(lane + block * Q2, 31) * Q1;
  }
}
