package dev.cairn.server.request;

import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Column;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TimeRange;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** What random messages are made of, and what damages them; the same from the same seed. */
final class RandomMessages {
  private final Random random;

  RandomMessages(long seed) {
    this.random = new Random(seed);
  }

  /** Any of the numbers from 0 to {@code count - 1}. */
  int oneOf(int count) {
    return random.nextInt(count);
  }

  /** Yes once in {@code times}. */
  boolean onceIn(int times) {
    return random.nextInt(times) == 0;
  }

  boolean flag() {
    return random.nextBoolean();
  }

  long number() {
    return random.nextLong();
  }

  ByteString bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return ByteString.copyFrom(bytes);
  }

  /** A family, and as many as two of its qualifiers. */
  Column column() {
    Column.Builder column = Column.newBuilder().setFamily(bytes(1));
    for (int i = oneOf(3); i > 0; i--) {
      column.addQualifier(bytes(oneOf(3)));
    }
    return column.build();
  }

  /** A range of times, perhaps without a beginning or an end, or with one before the other. */
  TimeRange timeRange() {
    TimeRange.Builder range = TimeRange.newBuilder();
    if (onceIn(2)) {
      range.setFrom(oneOf(3));
    }
    if (onceIn(2)) {
      range.setTo(oneOf(5));
    }
    return range.build();
  }

  /** A message of which a few bytes are others, and of which the end may be missing or too many. */
  byte[] damaged(byte[] message) {
    byte[] bytes = message.clone();
    for (int changes = oneOf(4); changes >= 0 && bytes.length > 0; changes--) {
      bytes[oneOf(bytes.length)] = (byte) random.nextInt();
    }
    return onceIn(4) ? Arrays.copyOf(bytes, oneOf(bytes.length + 3)) : bytes;
  }
}
