package dev.cairn.keys.type;

import java.time.LocalDate;

/** Dates as the number of days since 1970-01-01 in four bytes, with the sign bit flipped. */
public record DateType() implements KeyType {
  @Override
  public Class<LocalDate> valueClass() {
    return LocalDate.class;
  }

  @Override
  public int widthBits() {
    return Integer.SIZE;
  }

  @Override
  public void write(Object value, KeyOutput out, boolean open) {
    out.putNumber(toNumber(value) ^ Integer.MIN_VALUE, Integer.BYTES);
  }

  @Override
  public Object read(KeyInput in, boolean open) {
    return LocalDate.ofEpochDay((int) in.nextNumber(Integer.BYTES) ^ Integer.MIN_VALUE);
  }

  @Override
  public long toNumber(Object value) {
    if (value instanceof LocalDate date && date.toEpochDay() == (int) date.toEpochDay()) {
      return date.toEpochDay();
    }
    throw KeyType.refused(this, value);
  }

  @Override
  public Object parse(String text) {
    return Parsing.time(this, text, LocalDate::parse);
  }

  @Override
  public String toString() {
    return "date";
  }
}
