package dev.cairn.keys.type;

/**
 * Unsigned numbers of some bits, packed with the parts of bits beside them into whole bytes. Values
 * are {@link Long}; smaller whole numbers are accepted.
 *
 * @param width the width in bits, from 1 to 63
 */
public record BitsType(int width) implements KeyType {
  /** Checks the width. */
  public BitsType {
    Widths.check("bits", width, Long.SIZE - 1);
  }

  @Override
  public Class<Long> valueClass() {
    return Long.class;
  }

  @Override
  public int widthBits() {
    return width;
  }

  @Override
  public void write(Object value, KeyOutput out, boolean open) {
    out.putBits(toNumber(value), width);
  }

  @Override
  public Object read(KeyInput in, boolean open) {
    return in.nextBits(width);
  }

  @Override
  public long toNumber(Object value) {
    long number = Numbers.whole(this, value);
    if (number >>> width != 0) {
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
    return "bits(" + width + ")";
  }
}
