package dev.cairn.keys.type;

/**
 * Numbers as decimal digits in reverse order, so that numbers from a counter spread: 1234 of width
 * 6 is written as 432100. The digits are text. Values are {@link Long}; smaller whole numbers are
 * accepted.
 *
 * @param width the number of digits, from 1 to 18
 */
public record ReversedDigitsType(int width) implements KeyType {
  private static final int MOST_DIGITS = 18;
  private static final int BASE = 10;

  /** Checks the width. */
  public ReversedDigitsType {
    Widths.check("reversed_digits", width, MOST_DIGITS);
  }

  @Override
  public Class<Long> valueClass() {
    return Long.class;
  }

  @Override
  public int widthBits() {
    return width * Byte.SIZE;
  }

  @Override
  public boolean isOrdered() {
    return false;
  }

  @Override
  public void write(Object value, KeyOutput out, boolean open) {
    long rest = toNumber(value);
    for (int i = 0; i < width; i++) {
      out.put('0' + (int) (rest % BASE));
      rest /= BASE;
    }
  }

  @Override
  public Object read(KeyInput in, boolean open) {
    long number = 0;
    long place = 1;
    for (int i = 0; i < width; i++) {
      int digit = in.next() - '0';
      if (digit < 0 || digit >= BASE) {
        throw in.mismatch("not a digit");
      }
      number += digit * place;
      place *= BASE;
    }
    return number;
  }

  @Override
  public long toNumber(Object value) {
    long number = Numbers.whole(this, value);
    if (number < 0 || Long.toString(number).length() > width) {
      throw KeyType.refused(this, value);
    }
    return number;
  }

  @Override
  public Object parse(String text) {
    return Long.parseLong(text);
  }

  @Override
  public String toString() {
    return "reversed_digits(" + width + ")";
  }
}
