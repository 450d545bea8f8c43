package dev.cairn.keys.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.keys.KeyFormat;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;
import org.junit.jupiter.api.Test;

/** The encodings of {@code OrderedBytes}, beside the class itself. */
class OrderedBytesTest {
  private static final int ROUNDS = 2_000;

  private final long seed = Long.getLong("cairn.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private interface Encoder<T> {
    int encode(PositionedByteRange range, T value, Order order);
  }

  private <T> void check(String type, T value, Encoder<T> encoder) {
    for (Order order : new Order[] {Order.ASCENDING, Order.DESCENDING}) {
      PositionedByteRange range = new SimplePositionedMutableByteRange(300);
      int length = encoder.encode(range, value, order);
      KeyFormat format = KeyFormat.parse("a " + type + (order == Order.DESCENDING ? " desc" : ""));
      byte[] expected = Arrays.copyOf(range.getBytes(), length);
      byte[] key = format.encode(new Object[] {value});
      assertThat(key).describedAs("seed %s: %s of %s", seed, format, value).isEqualTo(expected);
      assertThat(format.encode(format.decode(key).asMap())).isEqualTo(expected);
    }
  }

  @Test
  void numbersOfFixedWidth() {
    for (int i = 0; i < ROUNDS; i++) {
      long drawn = random.nextLong() >> random.nextInt(64);
      check("ordered_int8", (byte) drawn, OrderedBytes::encodeInt8);
      check("ordered_int16", (short) drawn, OrderedBytes::encodeInt16);
      check("ordered_int32", (int) drawn, OrderedBytes::encodeInt32);
      check("ordered_int64", drawn, OrderedBytes::encodeInt64);
      check("ordered_float32", Float.intBitsToFloat((int) drawn), OrderedBytes::encodeFloat32);
      check("ordered_float64", Double.longBitsToDouble(drawn), OrderedBytes::encodeFloat64);
    }
  }

  @Test
  void decimalNumbers() {
    for (int i = 0; i < ROUNDS; i++) {
      BigDecimal drawn =
          new BigDecimal(
              new java.math.BigInteger(1 + random.nextInt(100), random),
              random.nextInt(10) == 0 ? random.nextInt(6_000) - 3_000 : random.nextInt(60) - 30);
      BigDecimal value = random.nextBoolean() ? drawn : drawn.negate();
      check("ordered_numeric", value, OrderedBytes::encodeNumeric);
    }
    KeyFormat format = KeyFormat.parse("a ordered_numeric");
    assertThatThrownBy(() -> format.encode(new BigDecimal("1".repeat(32))))
        .hasMessageContaining("ordered_numeric has no value 1111");
  }

  @Test
  void stringsAndBytes() {
    for (int i = 0; i < ROUNDS; i++) {
      byte[] bytes = new byte[random.nextInt(30)];
      random.nextBytes(bytes);
      check("ordered_blob_var", bytes, OrderedBytes::encodeBlobVar);
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] |= 1;
      }
      check("ordered_blob_copy", bytes, OrderedBytes::encodeBlobCopy);
      check("ordered_string", "x\u00e9".repeat(random.nextInt(9)), OrderedBytes::encodeString);
    }
  }

  @Test
  void nulls() {
    check("ordered_int32", null, (range, value, order) -> OrderedBytes.encodeNull(range, order));
    check("ordered_numeric", null, (range, value, order) -> OrderedBytes.encodeNull(range, order));
  }
}
