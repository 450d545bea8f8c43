package dev.cairn.server.request;

import dev.cairn.engine.scan.TimeRange;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.ExtensionRegistryLite;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.MessageLite;
import org.apache.hbase.thirdparty.com.google.protobuf.Parser;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;

/**
 * Reads a message in an array without protobuf's objects. Like protobuf, merges repeated
 * occurrences of a message field and skips unknown fields. Each method reads the field whose tag
 * was read last. One thread, for one message.
 *
 * <p>Source: the encoding of protocol buffers. A tag is a field's number and wire type. Format:
 * {@code RegionSpecifier} and {@code TimeRange} of HBase's {@code HBase.proto}.
 */
abstract class MessageReader {
  private static final int SPECIFIER_TYPE = number(RegionSpecifier.TYPE_FIELD_NUMBER);
  private static final int SPECIFIER_VALUE = bytes(RegionSpecifier.VALUE_FIELD_NUMBER);
  private static final int FROM = number(HBaseProtos.TimeRange.FROM_FIELD_NUMBER);
  private static final int TO = number(HBaseProtos.TimeRange.TO_FIELD_NUMBER);

  final byte[] message;
  final CodedInputStream in;
  private final int start; // of in

  private boolean hasRegion;
  private boolean hasRegionType;
  private boolean encodedName;
  private ByteString regionName; // null if missing

  /** Reads the message in {@code length} bytes of an array. */
  MessageReader(byte[] array, int offset, int length) {
    this.message = array;
    this.start = offset;
    this.in = CodedInputStream.newInstance(array, offset, length);
  }

  /** Reads a message inside the message of another reader. */
  MessageReader(MessageReader outer) {
    this.message = outer.message;
    this.start = outer.start;
    this.in = outer.in;
  }

  /** A range of timestamps from a message. */
  static final class Times {
    private long from;
    private long to = Long.MAX_VALUE;

    /**
     * Returns the range.
     *
     * @throws IllegalArgumentException if the bounds are not a range
     */
    TimeRange range() {
      return from == 0 && to == Long.MAX_VALUE ? TimeRange.ALL : new TimeRange(from, to);
    }
  }

  /** Returns the tag of a field that is a message, a string or bytes. */
  static int bytes(int field) {
    return field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  /** Returns the tag of a field that is a number, a boolean or an enum. */
  static int number(int field) {
    return field << 3 | WireFormat.WIRETYPE_VARINT;
  }

  /** Returns protobuf's error for a message without a required field. */
  static InvalidProtocolBufferException missing(String field) {
    return new InvalidProtocolBufferException("Message missing required fields: " + field);
  }

  /** Casts a reader's error to the only type that a reader throws. */
  static InvalidProtocolBufferException malformed(IOException error) {
    if (error instanceof InvalidProtocolBufferException malformed) {
      return malformed;
    }
    throw new AssertionError("An array has no other errors", error);
  }

  /** Begins a message inside the message; returns the limit for {@link #end}. */
  final int begin() throws IOException {
    return in.pushLimit(in.readRawVarint32());
  }

  /** Ends a message inside the message. */
  final void end(int limit) throws IOException {
    in.checkLastTagWas(0);
    in.popLimit(limit);
  }

  /** Returns the offset in the array of what is read next. */
  final int position() {
    return start + in.getTotalBytesRead();
  }

  /** Skips bytes; returns their offset in the array. */
  final int skip(int length) throws IOException {
    int at = position();
    in.skipRawBytes(length);
    return at;
  }

  /** Reads a message inside the message with protobuf. */
  final <P extends MessageLite> P part(Parser<P> parser) throws IOException {
    return in.readMessage(parser, ExtensionRegistryLite.getEmptyRegistry());
  }

  /** Reads a message inside the message with protobuf, and merges it into {@code parts}. */
  final <B extends MessageLite.Builder> B part(B parts) throws IOException {
    in.readMessage(parts, ExtensionRegistryLite.getEmptyRegistry());
    return parts;
  }

  /** Returns the condition that {@code parts} make up; empty if {@code parts} is null. */
  static Optional<Condition> condition(Condition.Builder parts)
      throws InvalidProtocolBufferException {
    return parts == null ? Optional.empty() : Optional.of(initialized(parts.buildPartial()));
  }

  /** Returns {@code part} if it has all required fields. */
  static <P extends MessageLite> P initialized(P part) throws InvalidProtocolBufferException {
    if (!part.isInitialized()) {
      throw missing("one of a " + part.getClass().getSimpleName());
    }
    return part;
  }

  /** Reads the region's name without copying it from the array. */
  final void region() throws IOException {
    hasRegion = true;
    int limit = begin();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == SPECIFIER_TYPE) {
        RegionSpecifierType known = RegionSpecifierType.forNumber(in.readEnum());
        if (known != null) {
          hasRegionType = true;
          encodedName = known == RegionSpecifierType.ENCODED_REGION_NAME;
        }
      } else if (tag == SPECIFIER_VALUE) {
        int length = in.readRawVarint32();
        regionName = UnsafeByteOperations.unsafeWrap(message, skip(length), length);
      } else if (!in.skipField(tag)) {
        break;
      }
    }
    end(limit);
  }

  final boolean hasRegion() {
    return hasRegion;
  }

  /** Returns the full or encoded name of the region; empty if the message has no region. */
  final ByteString regionName() throws InvalidProtocolBufferException {
    if (!hasRegion) {
      return ByteString.EMPTY;
    }
    if (!hasRegionType || regionName == null) {
      throw missing(hasRegionType ? "region.value" : "region.type");
    }
    return regionName;
  }

  final boolean hasEncodedName() {
    return encodedName;
  }

  /**
   * Reads a range of timestamps.
   *
   * @param before the earlier value of the field; null if there is none
   */
  final Times timeRange(Times before) throws IOException {
    Times times = before == null ? new Times() : before;
    int limit = begin();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == FROM) {
        times.from = in.readUInt64();
      } else if (tag == TO) {
        times.to = in.readUInt64();
      } else if (!in.skipField(tag)) {
        break;
      }
    }
    end(limit);
    return times;
  }
}
