package dev.cairn.shell.split;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Divides rows that begin with a number: a fixed number of ASCII digits.
 *
 * @param radix 10 or 16
 * @param first the first number
 * @param last the last number
 * @param digits the number of digits
 */
record NumberStringSplit(int radix, BigInteger first, BigInteger last, int digits)
    implements SplitAlgorithm {
  static NumberStringSplit of(
      int radix, String usualFirst, String usualLast, String firstRow, String lastRow) {
    String from = firstRow.isEmpty() ? usualFirst : firstRow;
    String to = lastRow.isEmpty() ? usualLast : lastRow;
    NumberStringSplit split =
        new NumberStringSplit(
            radix, number(from, radix), number(to, radix), Math.max(from.length(), to.length()));
    if (split.last.compareTo(split.first) <= 0) {
      throw new IllegalArgumentException("The last row " + to + " is not after the first " + from);
    }
    return split;
  }

  @Override
  public List<byte[]> split(int regions) {
    BigInteger all = last.subtract(first).add(BigInteger.ONE);
    if (all.compareTo(BigInteger.valueOf(regions)) < 0) {
      throw new IllegalArgumentException(
          "There are only " + all + " rows to divide into " + regions + " regions");
    }
    BigInteger size = all.divide(BigInteger.valueOf(regions));
    List<byte[]> rows = new ArrayList<>();
    for (int i = 1; i < regions; i++) {
      rows.add(row(first.add(size.multiply(BigInteger.valueOf(i)))));
    }
    return rows;
  }

  @Override
  public byte[] middle(byte[] start, byte[] end) {
    BigInteger from = start.length == 0 ? first : number(ascii(start), radix);
    BigInteger to = end.length == 0 ? last : number(ascii(end), radix);
    BigInteger middle = from.add(to).shiftRight(1);
    if (middle.compareTo(from) <= 0) {
      throw new IllegalArgumentException(
          "There is no row between <" + ascii(start) + "> and <" + ascii(end) + ">");
    }
    return row(middle);
  }

  private byte[] row(BigInteger number) {
    String text = number.toString(radix);
    String zeros = "0".repeat(Math.max(0, digits - text.length()));
    return (zeros + text).getBytes(StandardCharsets.US_ASCII);
  }

  private static BigInteger number(String text, int radix) {
    try {
      BigInteger number = new BigInteger(text.toLowerCase(Locale.ROOT), radix);
      if (number.signum() >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, as for a negative number.
    }
    throw new IllegalArgumentException(
        "The row <" + text + "> is no " + (radix == 16 ? "hexadecimal" : "decimal") + " number");
  }

  private static String ascii(byte[] row) {
    return new String(row, StandardCharsets.ISO_8859_1);
  }
}
