package dev.cairn.tools.bulk;

/** Estimates how far a row is between two others, as if the rows between were evenly spread. */
final class KeyPosition {
  /** The number of digits that a double can distinguish. */
  private static final int DIGITS = 6;

  private final int common;
  private final double begin;
  private final double end;

  /** Creates it for the rows from {@code first} to {@code last}. */
  KeyPosition(byte[] first, byte[] last) {
    int same = 0;
    while (same < first.length && same < last.length && first[same] == last[same]) {
      same++;
    }
    this.common = same;
    this.begin = number(first);
    this.end = number(last);
  }

  private double number(byte[] row) {
    double number = 0;
    for (int i = common; i < common + DIGITS; i++) {
      number = number * 256 + (i < row.length ? row[i] & 0xff : 0);
    }
    return number;
  }

  /** Returns the position of a row between the two: 0 at the first row, 1 at the last. */
  double of(byte[] row) {
    return end <= begin ? 0 : Math.max(0, Math.min(1, (number(row) - begin) / (end - begin)));
  }
}
