package dev.cairn.engine.region;

import java.util.Arrays;

/** Divides the rows of a region into a fixed number of stripes, by their hash. */
public final class RowStripes {
  /** How many there are. */
  static final int COUNT = 1024;

  private RowStripes() {}

  /** Returns a row's stripe, from 0 to {@link #COUNT} - 1. */
  public static int of(byte[] row) {
    return (Arrays.hashCode(row) * 0x9E3779B9) >>> 22;
  }
}
