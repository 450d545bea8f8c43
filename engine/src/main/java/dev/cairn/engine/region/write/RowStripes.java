package dev.cairn.engine.region.write;

/** Divides the rows of a region into a fixed number of stripes, by their hash. */
public final class RowStripes {
  /** The number of stripes. */
  static final int COUNT = 1024;

  private RowStripes() {}

  /** Returns a row's stripe, from 0 to {@link #COUNT} - 1. */
  public static int of(byte[] row) {
    return of(row, 0, row.length);
  }

  /** Returns the stripe of a row in {@code bytes}. */
  static int of(byte[] bytes, int offset, int length) {
    int hash = 1;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + bytes[i];
    }
    return (hash * 0x9E3779B9) >>> 22;
  }
}
