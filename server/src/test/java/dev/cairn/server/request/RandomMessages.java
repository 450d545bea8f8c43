package dev.cairn.server.request;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Column;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos.Filter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilyTimeRange;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TimeRange;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/** Generates and damages random messages; the same from the same seed. */
final class RandomMessages {
  private static final List<String> ATTRIBUTES =
      List.of(
          "a",
          "_raw_",
          "_isolationlevel_",
          "hbase.mob.scan.raw",
          "hbase.mob.scan.ref.only",
          "hbase.mob.cache.blocks",
          "empty.value.on.mobcell.miss");

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

  /** A region by its full or its encoded name; once in a while without a name. */
  RegionSpecifier region() {
    RegionSpecifier.Builder region =
        RegionSpecifier.newBuilder()
            .setType(
                onceIn(3)
                    ? RegionSpecifier.RegionSpecifierType.ENCODED_REGION_NAME
                    : RegionSpecifier.RegionSpecifierType.REGION_NAME);
    return onceIn(50) ? region.buildPartial() : region.setValue(bytes(oneOf(4))).build();
  }

  /** A condition; once in a while without a row. */
  Condition condition() {
    Condition.Builder condition = Condition.newBuilder().setFamily(bytes(1));
    return onceIn(20) ? condition.buildPartial() : condition.setRow(bytes(1)).build();
  }

  /** Adds the rare parts of a get or scan, now and then. */
  void queryParts(
      Consumer<Filter> filter,
      Consumer<NameBytesPair> attribute,
      Consumer<ColumnFamilyTimeRange> familyRange) {
    if (onceIn(6)) {
      Filter.Builder built = Filter.newBuilder().setSerializedFilter(bytes(oneOf(4)));
      filter.accept(onceIn(10) ? built.buildPartial() : built.setName("F").build());
    }
    for (int i = oneOf(6); i > 3; i--) {
      attribute.accept(
          NameBytesPair.newBuilder()
              .setName(ATTRIBUTES.get(oneOf(ATTRIBUTES.size())))
              .setValue(bytes(oneOf(3)))
              .build());
    }
    if (onceIn(6)) {
      familyRange.accept(
          ColumnFamilyTimeRange.newBuilder()
              .setColumnFamily(ByteString.copyFromUtf8(onceIn(2) ? "f" : "x"))
              .setTimeRange(timeRange())
              .build());
    }
  }

  /** Adds unknown fields of several types, now and then. */
  <B extends Message.Builder> B withUnknownFields(B message) {
    if (onceIn(4)) {
      UnknownFieldSet group =
          UnknownFieldSet.newBuilder()
              .addField(5, UnknownFieldSet.Field.newBuilder().addVarint(number()).build())
              .build();
      message.setUnknownFields(
          UnknownFieldSet.newBuilder()
              .addField(
                  90,
                  UnknownFieldSet.Field.newBuilder()
                      .addVarint(number())
                      .addFixed32(7)
                      .addFixed64(number())
                      .addLengthDelimited(bytes(oneOf(4)))
                      .addGroup(group)
                      .build())
              .build());
    }
    return message;
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
