package dev.cairn.keys;

import dev.cairn.keys.hash.HashValue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * What the tests know of a type: values that are hard to order, and their order, found without
 * their bytes.
 *
 * @param word the type in text
 * @param draw draws a value
 * @param order the order of the values
 * @param mustEnd whether only the last, ascending part can have the type
 */
record TypeModel(
    String word, Function<Random, Object> draw, Comparator<Object> order, boolean mustEnd) {
  private static final Comparator<Object> CODE_POINTS =
      (left, right) ->
          Arrays.compare(
              ((String) left).codePoints().toArray(), ((String) right).codePoints().toArray());
  private static final Comparator<Object> SIGNED = natural(Long.class);
  private static final Comparator<Object> UNSIGNED =
      (left, right) -> Long.compareUnsigned((Long) left, (Long) right);
  private static final Comparator<Object> BYTES =
      (left, right) -> Arrays.compareUnsigned((byte[]) left, (byte[]) right);
  private static final Comparator<Object> TIMES = natural(Instant.class);
  private static final Comparator<Object> HASHES =
      (left, right) ->
          Arrays.compareUnsigned(((HashValue) left).bytes(), ((HashValue) right).bytes());

  private static final String[] PIECES = {
    "", "a", "ab", "b", "\u0001", "\u007F", "\u00FF", "\uFFFF", "\uD83D\uDE00", "\"", "\\", " ", "="
  };
  private static final byte[] HARD_BYTES = {
    0, 1, 0x61, 0x7F, (byte) 0x80, (byte) 0xFE, (byte) 0xFF
  };
  private static final String[] DECIMALS = {
    "0",
    "1",
    "-1",
    "0.1",
    "-0.1",
    "10",
    "100",
    "99",
    "-99",
    "9.99",
    "1.01",
    "0.001",
    "-0.001",
    "12345678901234567890.123",
    "-12345678901234567890.123",
    "1E20",
    "-1E20",
    "1E-20",
    "-1E-20"
  };
  private static final String[] FAR_DECIMALS = {
    "1E100",
    "1E101",
    "1E-99",
    "1E-101",
    "-1E101",
    "-1E-101",
    "1E1000000",
    "-1E-1000000",
    "1.000000000000000000000000000000000000000000000001",
    "123456789E-200"
  };
  private static final Double[] DOUBLES = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.NaN,
    0.1,
    1e300
  };
  private static final Float[] FLOATS = {
    0f,
    -0f,
    1f,
    -1f,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MAX_VALUE,
    Float.NaN,
    Float.NEGATIVE_INFINITY,
    Float.POSITIVE_INFINITY,
    1.5f
  };

  private static <T extends Comparable<? super T>> Comparator<Object> natural(Class<T> type) {
    return (left, right) -> type.cast(left).compareTo(type.cast(right));
  }

  private static TypeModel model(
      String word, Function<Random, Object> draw, Comparator<Object> order) {
    return new TypeModel(word, draw, order, false);
  }

  private static TypeModel ending(
      String word, Function<Random, Object> draw, Comparator<Object> order) {
    return new TypeModel(word, draw, order, true);
  }

  /** Types of which {@code null} is a value, and sorts first. */
  private static TypeModel nullable(
      String word, Function<Random, Object> draw, Comparator<Object> order) {
    return model(
        word,
        random -> random.nextInt(8) == 0 ? null : draw.apply(random),
        Comparator.nullsFirst(order));
  }

  /** Types whose bytes sort as their values. */
  static final List<TypeModel> ORDERED =
      List.of(
          model("string", random -> text(random, 6), CODE_POINTS),
          model("string(9)", random -> text(random, 2), CODE_POINTS),
          model("string(escaped)", TypeModel::textWithZeros, CODE_POINTS),
          ending("bytes", TypeModel::bytes, BYTES),
          model("bytes(3)", random -> bytes(random, 3), BYTES),
          model("bytes(escaped)", TypeModel::bytes, BYTES),
          model("byte", random -> signed(random, 1), SIGNED),
          model("short", random -> signed(random, 2), SIGNED),
          model("int", random -> signed(random, 4), SIGNED),
          model("long", random -> signed(random, 8), SIGNED),
          model("ubyte", random -> unsigned(random, 8), UNSIGNED),
          model("ushort", random -> unsigned(random, 16), UNSIGNED),
          model("uint", random -> unsigned(random, 32), UNSIGNED),
          model("ulong", random -> signed(random, 8), UNSIGNED),
          model("uid(3)", random -> unsigned(random, 24), UNSIGNED),
          model("float", random -> one(random, FLOATS), natural(Float.class)),
          model("double", random -> one(random, DOUBLES), natural(Double.class)),
          model("decimal", TypeModel::decimal, natural(BigDecimal.class)),
          model("date", TypeModel::date, natural(LocalDate.class)),
          model("timestamp", random -> Instant.ofEpochMilli(signed(random, 6)), TIMES),
          model("timestamp(hour)", random -> time(random, 3_600_000, -100), TIMES),
          model("millis", random -> time(random, 1, 0), TIMES),
          model("seconds", random -> time(random, 1_000, 0), TIMES),
          model("seconds(day)", random -> time(random, 86_400_000, 0), TIMES),
          model("reverse_timestamp", random -> time(random, 1, 0), TIMES.reversed()),
          model("uuid", TypeModel::uuid, Comparator.comparing(Object::toString)),
          model("boolean", Random::nextBoolean, natural(Boolean.class)),
          nullable("ordered_int8", random -> signed(random, 1), SIGNED),
          nullable("ordered_int16", random -> signed(random, 2), SIGNED),
          nullable("ordered_int32", random -> signed(random, 4), SIGNED),
          nullable("ordered_int64", random -> signed(random, 8), SIGNED),
          nullable("ordered_float32", random -> one(random, FLOATS), natural(Float.class)),
          nullable("ordered_float64", random -> one(random, DOUBLES), natural(Double.class)),
          nullable("ordered_string", random -> text(random, 6), CODE_POINTS),
          nullable("ordered_numeric", TypeModel::shortDecimal, natural(BigDecimal.class)),
          ending("ordered_blob_copy", TypeModel::bytes, BYTES),
          model("phoenix_varchar", random -> text(random, 6), CODE_POINTS),
          model(
              "phoenix_char(4)",
              random -> one(random, "", "a", "ab", "abc", "b", "~"),
              CODE_POINTS),
          ending("phoenix_varbinary", TypeModel::bytes, BYTES),
          model("phoenix_binary(3)", random -> bytes(random, 3), BYTES),
          model("phoenix_integer", random -> signed(random, 4), SIGNED),
          model("phoenix_bigint", random -> signed(random, 8), SIGNED),
          model("phoenix_smallint", random -> signed(random, 2), SIGNED),
          model("phoenix_tinyint", random -> signed(random, 1), SIGNED),
          model("phoenix_unsigned_int", random -> unsigned(random, 31), UNSIGNED),
          model("phoenix_unsigned_long", random -> unsigned(random, 63), UNSIGNED),
          model("phoenix_double", random -> one(random, DOUBLES), natural(Double.class)),
          model("phoenix_float", random -> one(random, FLOATS), natural(Float.class)),
          nullable("phoenix_decimal", TypeModel::shortDecimal, natural(BigDecimal.class)),
          model("phoenix_date", random -> Instant.ofEpochMilli(signed(random, 6)), TIMES),
          model(
              "phoenix_timestamp",
              random ->
                  Instant.ofEpochMilli(signed(random, 6)).plusNanos(random.nextInt(1_000_000)),
              TIMES),
          model("phoenix_unsigned_date", random -> time(random, 1, 0), TIMES),
          model("phoenix_boolean", Random::nextBoolean, natural(Boolean.class)));

  /** Types whose bytes have another order than their values. */
  static final List<TypeModel> UNORDERED =
      List.of(
          model("hash(murmur3)", random -> new HashValue(bytes(random, 4)), HASHES),
          model("hash(md5, 3)", random -> new HashValue(bytes(random, 3)), HASHES),
          nullable("ordered_blob_var", TypeModel::bytes, BYTES),
          model("reversed_domain", TypeModel::domain, CODE_POINTS),
          model("reversed_digits(5)", random -> (long) random.nextInt(100_000), SIGNED));

  /** Returns the model of a descending part. Phoenix's nulls sort first there, too. */
  TypeModel reversed() {
    Comparator<Object> order = order().reversed();
    if (word.equals("phoenix_varchar") || word.equals("phoenix_decimal")) {
      Comparator<Object> nullFirst =
          Comparator.comparing(value -> value != null && !value.equals(""));
      order = nullFirst.thenComparing(order);
    }
    return new TypeModel(word, draw, order, mustEnd);
  }

  static TypeModel bits(int width) {
    return model("bits(" + width + ")", random -> random.nextLong() >>> (64 - width), UNSIGNED);
  }

  @SafeVarargs
  private static <T> T one(Random random, T... values) {
    return values[random.nextInt(values.length)];
  }

  private static String text(Random random, int pieces) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(pieces + 1); i > 0; i--) {
      text.append(one(random, PIECES));
    }
    return text.toString();
  }

  private static String textWithZeros(Random random) {
    return text(random, 2) + one(random, "", "\0", "\0\0", "\0\u00FF") + text(random, 1);
  }

  private static byte[] bytes(Random random) {
    return bytes(random, random.nextInt(5));
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    IntStream.range(0, length)
        .forEach(i -> bytes[i] = HARD_BYTES[random.nextInt(HARD_BYTES.length)]);
    return bytes;
  }

  private static Long signed(Random random, int width) {
    int unused = 64 - 8 * width;
    long drawn =
        one(random, 0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 255L, 256L, random.nextLong());
    return random.nextBoolean() ? drawn << unused >> unused : drawn >> unused;
  }

  private static Long unsigned(Random random, int bits) {
    return one(random, 0L, 1L, -1L, 255L << 56, random.nextLong()) >>> (64 - bits);
  }

  private static BigDecimal decimal(Random random) {
    String drawn = random.nextBoolean() ? one(random, DECIMALS) : one(random, FAR_DECIMALS);
    return new BigDecimal(drawn).stripTrailingZeros();
  }

  private static BigDecimal shortDecimal(Random random) {
    return new BigDecimal(one(random, DECIMALS)).stripTrailingZeros();
  }

  private static LocalDate date(Random random) {
    return LocalDate.ofEpochDay(random.nextInt(20) - 10L + one(random, 0, 20_000, -800_000));
  }

  private static Instant time(Random random, long unit, int first) {
    return Instant.ofEpochMilli((random.nextInt(1_000) + first) * unit);
  }

  private static UUID uuid(Random random) {
    return new UUID(signed(random, 8), signed(random, 8));
  }

  private static String domain(Random random) {
    return String.join(
        ".",
        IntStream.range(0, random.nextInt(4))
            .mapToObj(i -> one(random, "", "a", "com", "b-c"))
            .toList());
  }

  /** Returns a value that all strings and bytes of tests can show. */
  static String show(Object value) {
    return value instanceof byte[] bytes
        ? Arrays.toString(bytes)
        : value instanceof String text
            ? Arrays.toString(text.getBytes(StandardCharsets.UTF_8))
            : String.valueOf(value);
  }
}
