package dev.cairn.keys.type;

/**
 * Whole numbers of fixed width, the highest byte first. The sign bit of signed numbers is flipped,
 * so that negative ones sort before the others. Values are {@link Long}; {@link Byte}, {@link
 * Short} and {@link Integer} are accepted. An unsigned number of eight bytes is a {@code long}
 * whose sign bit counts 2^63, as in {@link Long#compareUnsigned}.
 *
 * @param word the type's name in text
 * @param width the width in bytes
 * @param signed whether there are negative values
 */
public record IntegerType(String word, int width, boolean signed) implements KeyType {
  /** The name of unsigned numbers whose width is declared. */
  static final String UID = "uid";

  /** Checks the width. */
  public IntegerType {
    Widths.check(word, width, Long.BYTES);
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
  public void write(Object value, KeyOutput out, boolean open) {
    long number = toNumber(value);
    out.putNumber(signed ? number ^ signBit() : number, width);
  }

  @Override
  public Object read(KeyInput in, boolean open) {
    long number = in.nextNumber(width);
    if (!signed) {
      return number;
    }
    int unused = Long.SIZE - widthBits();
    return (number ^ signBit()) << unused >> unused;
  }

  @Override
  public long toNumber(Object value) {
    long number = Numbers.whole(this, value);
    int unused = Long.SIZE - widthBits();
    long kept = signed ? number << unused >> unused : number << unused >>> unused;
    if (kept != number) {
      throw KeyType.refused(this, value);
    }
    return number;
  }

  private long signBit() {
    return 1L << (widthBits() - 1);
  }

  @Override
  public String print(Object value) {
    return signed ? value.toString() : Long.toUnsignedString((long) value);
  }

  @Override
  public Object parse(String text) {
    return signed ? Long.parseLong(text) : Long.parseUnsignedLong(text);
  }

  @Override
  public String toString() {
    return word.equals(UID) ? UID + "(" + width + ")" : word;
  }
}
