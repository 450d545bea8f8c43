package dev.cairn.keys.type;

import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;

/**
 * The encodings that Apache Phoenix uses for columns of a primary key. A format that names the
 * columns' types in their order reads and writes the rows of a Phoenix table.
 *
 * @param kind the type of SQL
 * @param width the length of {@code CHAR} and {@code BINARY}; 0 otherwise
 */
public record PhoenixType(Kind kind, int width) implements KeyType {
  /** A type of SQL, and the type here that has the same bytes or the same values. */
  public enum Kind {
    /** Text of any length. The empty one is SQL's NULL. */
    VARCHAR(new StringType(StringType.Form.TERMINATED, 0)),
    /** Text of fixed length, padded with blanks. */
    CHAR(new StringType(StringType.Form.TERMINATED, 0)),
    /** The last column of a key. */
    VARBINARY(new BytesType(BytesType.Form.REST, 0)),
    /** Bytes of fixed length. */
    BINARY(new BytesType(BytesType.Form.REST, 0)),
    /** A whole number of one byte. */
    TINYINT(new IntegerType("byte", Byte.BYTES, true)),
    /** A whole number of two bytes. */
    SMALLINT(new IntegerType("short", Short.BYTES, true)),
    /** A whole number of four bytes. */
    INTEGER(new IntegerType("int", Integer.BYTES, true)),
    /** A whole number of eight bytes. */
    BIGINT(new IntegerType("long", Long.BYTES, true)),
    /** From 0 to 127. */
    UNSIGNED_TINYINT(new IntegerType("ubyte", Byte.BYTES, false)),
    /** From 0 to 32,767. */
    UNSIGNED_SMALLINT(new IntegerType("ushort", Short.BYTES, false)),
    /** From 0 to 2^31 - 1. */
    UNSIGNED_INT(new IntegerType("uint", Integer.BYTES, false)),
    /** From 0 to 2^63 - 1. */
    UNSIGNED_LONG(new IntegerType("ulong", Long.BYTES, false)),
    /** A {@link Float}. */
    FLOAT(new FloatType(Float.BYTES)),
    /** A {@link Double}. */
    DOUBLE(new FloatType(Double.BYTES)),
    /** A number of at most 38 digits. */
    DECIMAL(new DecimalType()),
    /** One byte. */
    BOOLEAN(new BooleanType()),
    /** Milliseconds. */
    DATE(timestamp(TimestampType.Layout.TIMESTAMP)),
    /** As {@link #DATE}. */
    TIME(timestamp(TimestampType.Layout.TIMESTAMP)),
    /** Milliseconds, and the nanoseconds within one. */
    TIMESTAMP(timestamp(TimestampType.Layout.TIMESTAMP)),
    /** Milliseconds from 1970. */
    UNSIGNED_DATE(timestamp(TimestampType.Layout.MILLIS)),
    /** As {@link #UNSIGNED_DATE}. */
    UNSIGNED_TIME(timestamp(TimestampType.Layout.MILLIS));

    private final KeyType values;

    Kind(KeyType values) {
      this.values = values;
    }

    /** Returns whether a declaration names the length. */
    boolean hasWidth() {
      return this == CHAR || this == BINARY;
    }

    private static TimestampType timestamp(TimestampType.Layout layout) {
      return new TimestampType(layout, layout.finest());
    }
  }

  /** Stands alone for a null of variable length, and in a descending part is not inverted. */
  private static final int NULL = 0x00;

  private static final int INVERTED_NULL = 0xFF;
  private static final int BLANK = ' ';
  private static final int NANOS_PER_MILLI = 1_000_000;
  private static final int TIMESTAMP_BYTES = Long.BYTES + Integer.BYTES;

  /** Checks the width. */
  public PhoenixType {
    Widths.check(word(kind), kind.hasWidth() ? width : 1, Short.MAX_VALUE);
  }

  @Override
  public Class<?> valueClass() {
    return kind.values.valueClass();
  }

  @Override
  public int widthBits() {
    return switch (kind) {
      case CHAR, BINARY -> width * Byte.SIZE;
      case TIMESTAMP -> TIMESTAMP_BYTES * Byte.SIZE;
      default -> kind.values.widthBits();
    };
  }

  @Override
  public boolean mustBeOpen(boolean descending) {
    return kind == Kind.VARBINARY;
  }

  @Override
  public boolean hasNullFirst() {
    return kind == Kind.VARCHAR || kind == Kind.DECIMAL;
  }

  @Override
  public boolean isNull(Object value) {
    return value == null || kind == Kind.VARCHAR && value.equals("");
  }

  @Override
  public void write(Object value, KeyOutput out, boolean open) {
    if (hasNullFirst() && isNull(value)) {
      out.endContent();
      if (!open) {
        out.put(out.isDescending() ? INVERTED_NULL : NULL);
      }
      return;
    }
    switch (kind) {
      case CHAR -> Terminated.writePadded(characters(value), width, BLANK, out, this);
      case BINARY -> new BytesType(BytesType.Form.FIXED, width).write(value, out, open);
      case FLOAT, DOUBLE -> PhoenixFloat.write((FloatType) kind.values, value, out);
      case DECIMAL -> PhoenixDecimal.write(DecimalType.decimal(this, value), out, open, this);
      case TIMESTAMP -> {
        kind.values.write(value, out, open);
        int nanos = value instanceof Instant time ? time.getNano() % NANOS_PER_MILLI : 0;
        out.putNumber(nanos, Integer.BYTES);
      }
      default -> {
        if (kind.name().startsWith("UNSIGNED") && value instanceof Number) {
          refuseAboveSigned(value);
        }
        kind.values.write(value, out, open);
      }
    }
  }

  private byte[] characters(Object value) {
    if (value instanceof String text && !text.endsWith(" ") && text.indexOf(0) < 0) {
      return Text.utf8(text);
    }
    throw KeyType.refused(this, value);
  }

  private void refuseAboveSigned(Object value) {
    if (kind.values.toNumber(value) >>> (kind.values.widthBits() - 1) != 0) {
      throw KeyType.refused(this, value);
    }
  }

  @Override
  public Object read(KeyInput in, boolean open) {
    if (hasNullFirst() && readNull(in, open)) {
      return kind == Kind.VARCHAR ? "" : null;
    }
    return switch (kind) {
      case CHAR -> unpadded(in);
      case BINARY -> in.next(width);
      case FLOAT, DOUBLE -> PhoenixFloat.read((FloatType) kind.values, in);
      case DECIMAL -> PhoenixDecimal.read(in, open);
      case TIMESTAMP -> {
        Instant time = (Instant) kind.values.read(in, open);
        long nanos = in.nextNumber(Integer.BYTES);
        if (nanos >= NANOS_PER_MILLI) {
          throw in.mismatch("more nanoseconds than a millisecond has");
        }
        yield time.plusNanos(nanos);
      }
      default -> kind.values.read(in, open);
    };
  }

  /** Moves after a null. Returns whether there is one. */
  private static boolean readNull(KeyInput in, boolean open) {
    if (open) {
      return in.remaining() == 0;
    }
    boolean isNull = in.peek() == (in.isDescending() ? INVERTED_NULL : NULL);
    if (isNull) {
      in.endContent();
      in.next();
    }
    return isNull;
  }

  private String unpadded(KeyInput in) {
    byte[] padded = in.next(width);
    int end = width;
    while (end > 0 && padded[end - 1] == BLANK) {
      end--;
    }
    return Text.string(Arrays.copyOf(padded, end), in);
  }

  @Override
  public Object roundUp(Object value) {
    return kind == Kind.TIMESTAMP ? value : kind.values.roundUp(value);
  }

  @Override
  public long toNumber(Object value) {
    return kind.values.toNumber(value);
  }

  @Override
  public String print(Object value) {
    return kind.values.print(value);
  }

  @Override
  public Object parse(String text) {
    return kind.values.parse(text);
  }

  @Override
  public String toString() {
    return word(kind) + (kind.hasWidth() ? "(" + width + ")" : "");
  }

  private static String word(Kind kind) {
    return "phoenix_" + kind.name().toLowerCase(Locale.ROOT);
  }
}
