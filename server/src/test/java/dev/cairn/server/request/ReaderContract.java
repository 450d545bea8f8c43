package dev.cairn.server.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
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

  @FunctionalInterface
  interface Decoding {
    Object decode() throws IOException;
  }

  /** Asserts that both return equal objects, or refuse with the same message. */
  static void assertSame(Decoding actual, Decoding expected) throws IOException {
    Object wanted;
    try {
      wanted = expected.decode();
    } catch (DoNotRetryIOException e) {
      assertThatThrownBy(actual::decode)
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessage(e.getMessage());
      return;
    }
    assertThat(actual.decode()).isEqualTo(wanted);
  }
}
