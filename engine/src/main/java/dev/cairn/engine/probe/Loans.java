package dev.cairn.engine.probe;

import java.util.Arrays;

/**
 * Overwrites bytes whose loan has ended, so that a reader that still uses them fails its test. A
 * view over an array of another object (a row's key, a cell, a block) is valid until the next call
 * of its owner that ends the loan; a reader that needs it longer copies it.
 *
 * <p>An owner calls these methods in {@code assert} statements only, so nothing is overwritten
 * where assertions are off. To find readers of the old array, the owner also takes a new one.
 */
public final class Loans {
  /**
   * The byte that fills ended loans: no letter, no digit, neither the least nor the greatest byte.
   */
  public static final byte SPOILED = (byte) 0xDB;

  private Loans() {}

  /**
   * Overwrites {@code lent}, and returns a new array of the same length for the owner's next loan.
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
