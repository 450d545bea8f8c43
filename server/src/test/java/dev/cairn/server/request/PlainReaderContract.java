package dev.cairn.server.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.MessageLite;
import org.junit.jupiter.api.Test;

/** What every reader of plain messages does: it says the same as protobuf, or leaves it to that. */
abstract class PlainReaderContract {
  static final TableSchema SCHEMA = TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));

  final RandomMessages random;

  PlainReaderContract(long seed) {
    this.random = new RandomMessages(seed);
  }

  /** Makes up a message, plain or not. */
  abstract MessageLite anyMessage();

  /** Tells whether the reader takes a message for a plain one. */
  abstract boolean isPlain(byte[] message);

  /**
   * Asserts that the reader says of a message, if it takes it for a plain one, what protobuf says.
   *
   * @return whether there was a plain request in it
   */
  abstract boolean agrees(byte[] message) throws IOException;

  @Test
  void agreesWithProtobufOnMessagesOfAllShapes() throws IOException {
    int plain = 0;
    for (int i = 0; i < 5_000; i++) {
      plain += agrees(anyMessage().toByteArray()) ? 1 : 0;
    }
    assertThat(plain).as("plain ones among 5000").isGreaterThan(500);
  }

  @Test
  void agreesWithProtobufOnDamagedMessages() throws IOException {
    int plain = 0;
    for (int i = 0; i < 50_000; i++) {
      plain += agrees(random.damaged(anyMessage().toByteArray())) ? 1 : 0;
    }
    assertThat(plain).as("plain ones among 50000").isGreaterThan(500);
  }

  @Test
  void leavesMessagesWithAnotherRegionToProtobuf() {
    byte[] another = GetRequest.newBuilder().setRegion(region()).buildPartial().toByteArray();
    for (int i = 0; i < 100; i++) {
      byte[] message = Bytes.concat(anyMessage().toByteArray(), another); // the field is the same
      assertThat(isPlain(message)).isFalse();
    }
  }

  final void assertPlain(MessageLite message) throws IOException {
    assertThat(agrees(message.toByteArray())).isTrue();
  }

  final void assertNotPlain(MessageLite message) {
    assertThat(isPlain(message.toByteArray())).isFalse();
  }

  /** Names a region by its full name, as plain messages do. */
  static RegionSpecifier region() {
    return RequestConverter.buildRegionSpecifier(RegionSpecifierType.REGION_NAME, regionName());
  }

  /** Names a region by its encoded name, which plain messages do not. */
  static RegionSpecifier encodedRegion() {
    return RequestConverter.buildRegionSpecifier(
        RegionSpecifierType.ENCODED_REGION_NAME, Bytes.utf8("x"));
  }

  static byte[] regionName() {
    return Bytes.utf8("t,,1.0123456789abcdef0123456789abcdef.");
  }
}
