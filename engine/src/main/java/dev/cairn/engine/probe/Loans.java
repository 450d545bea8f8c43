package dev.cairn.engine.probe;

import java.util.Arrays;

/**
 * Overwrites bytes whose loan has ended, so that a reader that still uses them fails its test. A
 * view over an array of another object (a row's key, a cell, a block) is valid until the next call
 * of its owner that says so; who needs it longer copies it.
 *
 * <p>An owner calls these methods in {@code assert} statements only, so nothing is overwritten
 * where assertions are off. To find readers of the old array, the owner also takes a new one.
 */
public final class Loans {
  /** What ended loans are filled with: no letter, no digit, and no end of the range of bytes. */
  public static final byte SPOILED = (byte) 0xDB;

  private Loans() {}

  /**
   * Returns an array of the same length for the owner's next loan, after it has overwritten {@code
   * lent}.
   */
  public static byte[] renew(byte[] lent) {
    spoil(lent, 0, lent.length);
    return new byte[lent.length];
  }

  /** Overwrites a part of an array. Returns true, for {@code assert}. */
  public static boolean spoil(byte[] lent, int from, int to) {
    Arrays.fill(lent, from, to, SPOILED);
    return true;
  }
}
