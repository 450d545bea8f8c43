package dev.cairn.server.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Column;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.MessageLite;
import org.junit.jupiter.api.Test;

/** Contract of a reader of messages: it reads the same requests from them as protobuf. */
abstract class ReaderContract {
  static final TableSchema SCHEMA =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f"), FamilySchema.of("g"));

  private final long seed = Long.getLong("cairn.seed", System.nanoTime());
  final RandomMessages random = new RandomMessages(seed);

  /** Makes up a message with any of the fields. */
  abstract MessageLite anyMessage();

  /** Parses a message with protobuf. */
  abstract void parseWithProtobuf(byte[] message) throws InvalidProtocolBufferException;

  /** Reads a message, and asserts that the request in it is the same as protobuf's. */
  abstract void read(byte[] message) throws IOException;

  @Test
  void readsTheSameAsProtobuf() throws IOException {
    for (int i = 0; i < 20_000; i++) {
      check(anyMessage().toByteArray());
    }
  }

  @Test
  void readsTheSameAsProtobufFromDamagedMessages() throws IOException {
    for (int i = 0; i < 50_000; i++) {
      check(random.damaged(anyMessage().toByteArray()));
    }
  }

  /** Two messages in a row are one to protobuf: it merges them. */
  @Test
  void mergesAsProtobufDoes() throws IOException {
    for (int i = 0; i < 5_000; i++) {
      check(Bytes.concat(anyMessage().toByteArray(), anyMessage().toByteArray()));
    }
  }

  final void check(byte[] message) throws IOException {
    try {
      parseWithProtobuf(message);
    } catch (InvalidProtocolBufferException e) {
      assertThatThrownBy(() -> read(message))
          .as("seed %d: %s", seed, e.getMessage())
          .isInstanceOf(InvalidProtocolBufferException.class);
      return;
    }
    try {
      read(message);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError("seed " + seed + ": protobuf reads the message", e);
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  static void assertSameRegion(RegionRequest read, RegionSpecifier expected) {
    assertThat(read.regionName()).isEqualTo(expected.getValue());
    assertThat(read.hasEncodedName())
        .isEqualTo(expected.getType() == RegionSpecifierType.ENCODED_REGION_NAME);
  }

  /** Tells whether the engine accepts a range of timestamps. */
  static boolean isRange(HBaseProtos.TimeRange range) {
    return range.getFrom() >= 0 && to(range) >= range.getFrom();
  }

  private static long to(HBaseProtos.TimeRange range) {
    return range.hasTo() ? range.getTo() : Long.MAX_VALUE;
  }

  static void assertSameTimes(TimeRange read, HBaseProtos.TimeRange expected) {
    assertThat(read).isEqualTo(new TimeRange(expected.getFrom(), to(expected)));
  }

  /** Asserts that a request has the last entry of each family's columns. */
  static void assertSameColumns(ScanRequest read, List<Column> columns, boolean wholeFamilies) {
    Map<ByteString, Set<ByteString>> expected = new HashMap<>();
    for (Column column : columns) {
      expected.put(
          column.getFamily(), wholeFamilies ? Set.of() : Set.copyOf(column.getQualifierList()));
    }
    Map<ByteString, Set<ByteString>> asked = new HashMap<>();
    read.families()
        .forEach(
            (family, selection) ->
                asked.put(
                    ByteString.copyFrom(family),
                    selection.qualifiers().stream()
                        .map(ByteString::copyFrom)
                        .collect(Collectors.toSet())));
    assertThat(asked).isEqualTo(expected);
  }
}
