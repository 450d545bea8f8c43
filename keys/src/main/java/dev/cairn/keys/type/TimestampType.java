package dev.cairn.keys.type;

import java.time.Instant;
import java.util.Locale;

/**
 * Times. A time is rounded down to the declared unit: the rest is for a later part or for a column.
 * Values are {@link Instant}; a {@link Long} of milliseconds since 1970 is accepted, too.
 *
 * @param layout the bytes
 * @param unit what times are rounded down to
 */
public record TimestampType(Layout layout, Unit unit) implements KeyType {
  /** How a time is written. */
  public enum Layout {
    /** Milliseconds since 1970 in eight bytes, with the sign bit flipped: any time. */
    TIMESTAMP(Unit.MILLISECOND),
    /** Milliseconds since 1970 in eight bytes, as {@code Bytes.toBytes(long)}: from 1970. */
    MILLIS(Unit.MILLISECOND),
    /** Seconds since 1970 in four bytes, as in OpenTSDB: from 1970 to 2106. */
    SECONDS(Unit.SECOND),
    /** {@code Long.MAX_VALUE} less the milliseconds since 1970: from 1970, the latest first. */
    REVERSE_TIMESTAMP(Unit.MILLISECOND);

    private final Unit finest;

    Layout(Unit finest) {
      this.finest = finest;
    }

    /** Returns the unit of a declaration that names none. */
    public Unit finest() {
      return finest;
    }
  }

  /** What a time is rounded down to. */
  public enum Unit {
    /** A thousandth of a second. */
    MILLISECOND(1),
    /** A second. */
    SECOND(1_000),
    /** 60 seconds. */
    MINUTE(60_000),
    /** 60 minutes, in UTC. */
    HOUR(3_600_000),
    /** 24 hours, in UTC. */
    DAY(86_400_000);

    private final long millis;

    Unit(long millis) {
      this.millis = millis;
    }
  }

  private static final long LARGEST_SECOND = 0xFFFFFFFFL;

  /** Checks that the bytes can express the unit. */
  public TimestampType {
    if (unit.compareTo(layout.finest) < 0) {
      throw new IllegalArgumentException(
          word(layout) + " has whole seconds; round to second, minute, hour or day");
    }
  }

  @Override
  public Class<Instant> valueClass() {
    return Instant.class;
  }

  @Override
  public int widthBits() {
    return layout == Layout.SECONDS ? Integer.SIZE : Long.SIZE;
  }

  @Override
  public boolean isReversed() {
    return layout == Layout.REVERSE_TIMESTAMP;
  }

  @Override
  public void write(Object value, KeyOutput out, boolean open) {
    long millis = toNumber(value);
    if (layout != Layout.TIMESTAMP && millis < 0) {
      throw KeyType.refused(this, value);
    }
    switch (layout) {
      case TIMESTAMP -> out.putNumber(millis ^ Long.MIN_VALUE, Long.BYTES);
      case MILLIS -> out.putNumber(millis, Long.BYTES);
      case REVERSE_TIMESTAMP -> out.putNumber(Long.MAX_VALUE - millis, Long.BYTES);
      case SECONDS -> {
        long seconds = millis / Unit.SECOND.millis;
        if (seconds > LARGEST_SECOND) {
          throw KeyType.refused(this, value);
        }
        out.putNumber(seconds, Integer.BYTES);
      }
    }
  }

  @Override
  public Object read(KeyInput in, boolean open) {
    long stored = in.nextNumber(widthBits() / Byte.SIZE);
    if (layout != Layout.TIMESTAMP && stored < 0) {
      throw in.mismatch("a time before 1970");
    }
    long millis =
        switch (layout) {
          case TIMESTAMP -> stored ^ Long.MIN_VALUE;
          case MILLIS -> stored;
          case REVERSE_TIMESTAMP -> Long.MAX_VALUE - stored;
          case SECONDS -> stored * Unit.SECOND.millis;
        };
    if (Math.floorMod(millis, unit.millis) != 0) {
      throw in.mismatch("not a whole " + word(unit));
    }
    return Instant.ofEpochMilli(millis);
  }

  /** Returns the milliseconds since 1970, rounded down to the unit. */
  @Override
  public long toNumber(Object value) {
    try {
      long millis =
          value instanceof Instant instant ? instant.toEpochMilli() : Numbers.whole(this, value);
      return Math.multiplyExact(Math.floorDiv(millis, unit.millis), unit.millis);
    } catch (ArithmeticException e) {
      throw KeyType.refused(this, value);
    }
  }

  @Override
  public Object roundUp(Object value) {
    Instant rounded = Instant.ofEpochMilli(toNumber(value));
    Instant exact = value instanceof Instant time ? time : Instant.ofEpochMilli((long) value);
    return rounded.isBefore(exact) ? rounded.plusMillis(unit.millis) : rounded;
  }

  /** Reads a time such as 2026-01-02T03:04:05Z. */
  @Override
  public Object parse(String text) {
    return Parsing.time(this, text, Instant::parse);
  }

  @Override
  public String toString() {
    String rounding = unit == layout.finest ? "" : "(" + word(unit) + ")";
    return word(layout) + rounding;
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
