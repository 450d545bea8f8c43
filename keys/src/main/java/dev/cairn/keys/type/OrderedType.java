package dev.cairn.keys.type;

import java.io.ByteArrayOutputStream;
import java.util.Locale;

/**
 * The encodings of HBase's class {@code OrderedBytes}: a byte that names the kind, then the value.
 * {@code null} is a value of each kind and sorts before all others.
 *
 * @param kind the method of {@code OrderedBytes} that writes the value
 */
public record OrderedType(Kind kind) implements KeyType {
  /** What a value is written as. */
  public enum Kind {
    /** A whole number of one byte. */
    INT8(0x29, new IntegerType("byte", Byte.BYTES, true)),
    /** A whole number of two bytes. */
    INT16(0x2A, new IntegerType("short", Short.BYTES, true)),
    /** A whole number of four bytes. */
    INT32(0x2B, new IntegerType("int", Integer.BYTES, true)),
    /** A whole number of eight bytes. */
    INT64(0x2C, new IntegerType("long", Long.BYTES, true)),
    /** A {@link Float}. */
    FLOAT32(0x30, new FloatType(Float.BYTES)),
    /** A {@link Double}. */
    FLOAT64(0x31, new FloatType(Double.BYTES)),
    /** A string without 00, which ends with 00. */
    STRING(0x34, new StringType(StringType.Form.TERMINATED, 0)),
    /** A decimal number of at most 31 digits, with headers of its own. */
    NUMERIC(-1, new DecimalType()),
    /** Bytes, seven bits in each byte: 01 sorts before 00 00, so not in the order of the bytes. */
    BLOB_VAR(0x37, new BytesType(BytesType.Form.ESCAPED, 0)),
    /** Bytes as they are: the rest of an ascending key. Descending, 00 ends them. */
    BLOB_COPY(0x38, new BytesType(BytesType.Form.REST, 0));

    private final int header;

    /** The type of the values, whose bytes after the header are the same for some kinds. */
    private final KeyType values;

    Kind(int header, KeyType values) {
      this.header = header;
      this.values = values;
    }
  }

  private static final int NULL = 0x05;
  private static final int BLOB_BITS = 7;
  private static final int BLOB_CONTINUES = 0x80;
  private static final int BLOB_EMPTY = 0x00;

  @Override
  public Class<?> valueClass() {
    return kind.values.valueClass();
  }

  /** The value {@code null} has another width. */
  @Override
  public int widthBits() {
    return VARIABLE;
  }

  @Override
  public boolean isOrdered() {
    return kind != Kind.BLOB_VAR;
  }

  @Override
  public boolean mustBeOpen(boolean descending) {
    return kind == Kind.BLOB_COPY && !descending;
  }

  @Override
  public void write(Object value, KeyOutput out, boolean open) {
    if (value == null) {
      out.put(NULL);
      return;
    }
    if (kind == Kind.NUMERIC) {
      OrderedNumeric.write(DecimalType.decimal(this, value), out, this);
      return;
    }
    out.put(kind.header);
    switch (kind) {
      case STRING -> kind.values.write(value, out, false);
      case BLOB_VAR -> writeBits(bytes(value), out);
      case BLOB_COPY -> Terminated.write(bytes(value), out, open, this);
      default -> kind.values.write(value, out, open);
    }
  }

  private byte[] bytes(Object value) {
    if (value instanceof byte[] bytes) {
      return bytes;
    }
    throw KeyType.refused(this, value);
  }

  @Override
  public Object read(KeyInput in, boolean open) {
    if (in.peek() == NULL) {
      in.next();
      return null;
    }
    if (kind == Kind.NUMERIC) {
      return OrderedNumeric.read(in);
    }
    if (in.next() != kind.header) {
      throw in.mismatch("not the header of " + this);
    }
    return switch (kind) {
      case STRING -> kind.values.read(in, false);
      case BLOB_VAR -> readBits(in);
      case BLOB_COPY -> Terminated.read(in, open);
      default -> kind.values.read(in, open);
    };
  }

  /** Writes seven bits in a byte; its highest bit says that another one follows. */
  private static void writeBits(byte[] bytes, KeyOutput out) {
    if (bytes.length == 0) {
      out.put(BLOB_EMPTY);
      return;
    }
    int groups = (bytes.length * Byte.SIZE + BLOB_BITS - 1) / BLOB_BITS;
    for (int group = 0; group < groups; group++) {
      int bits = 0;
      for (int bit = group * BLOB_BITS; bit < (group + 1) * BLOB_BITS; bit++) {
        int at = bit / Byte.SIZE;
        int value = at < bytes.length ? bytes[at] >>> (Byte.SIZE - 1 - bit % Byte.SIZE) & 1 : 0;
        bits = bits << 1 | value;
      }
      out.put(group + 1 < groups ? bits | BLOB_CONTINUES : bits);
    }
  }

  private static byte[] readBits(KeyInput in) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int pending = 0;
    int pendingBits = 0;
    int group = in.next();
    if (group == BLOB_EMPTY) {
      return new byte[0];
    }
    while (true) {
      pending = pending << BLOB_BITS | group & BLOB_CONTINUES - 1;
      pendingBits += BLOB_BITS;
      if (pendingBits >= Byte.SIZE) {
        pendingBits -= Byte.SIZE;
        bytes.write(pending >>> pendingBits);
      }
      if ((group & BLOB_CONTINUES) == 0) {
        return bytes.toByteArray();
      }
      group = in.next();
    }
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
    return "ordered_" + kind.name().toLowerCase(Locale.ROOT);
  }
}
