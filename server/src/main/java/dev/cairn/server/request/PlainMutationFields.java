package dev.cairn.server.request;

import static dev.cairn.server.request.PlainFields.bytes;
import static dev.cairn.server.request.PlainFields.check;
import static dev.cairn.server.request.PlainFields.number;

import dev.cairn.engine.scan.TimeRange;
import dev.cairn.server.request.PlainFields.NotPlainException;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Reads the parts of a plain mutation that are messages themselves. Each method reads the message
 * whose tag was read last. One thread, for one message.
 *
 * <p>Format: {@code RegionSpecifier} and {@code TimeRange} of HBase's {@code HBase.proto}.
 */
final class PlainMutationFields {
  private static final int SPECIFIER_TYPE = number(RegionSpecifier.TYPE_FIELD_NUMBER);
  private static final int SPECIFIER_VALUE = bytes(RegionSpecifier.VALUE_FIELD_NUMBER);
  private static final int FROM = number(HBaseProtos.TimeRange.FROM_FIELD_NUMBER);
  private static final int TO = number(HBaseProtos.TimeRange.TO_FIELD_NUMBER);

  private final byte[] message;
  private final CodedInputStream in;
  private boolean hasRegion;
  private boolean hasTimeRange;

  /**
   * Creates a reader.
   *
   * @param in stands in {@code message}
   */
  PlainMutationFields(byte[] message, CodedInputStream in) {
    this.message = message;
    this.in = in;
  }

  /** Reads the full name of a region, of which a message has one; it lies in the message. */
  ByteString regionName() throws IOException {
    check(!hasRegion);
    hasRegion = true;
    int limit = in.pushLimit(in.readRawVarint32());
    int type = -1;
    ByteString name = ByteString.EMPTY;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == SPECIFIER_TYPE) {
        type = in.readEnum();
        check(type == RegionSpecifierType.REGION_NAME_VALUE);
      } else if (tag == SPECIFIER_VALUE) {
        int length = in.readRawVarint32();
        int at = in.getTotalBytesRead();
        in.skipRawBytes(length);
        name = UnsafeByteOperations.unsafeWrap(message, at, length);
      } else {
        throw new NotPlainException();
      }
    }
    in.popLimit(limit);
    check(type >= 0 && !name.isEmpty());
    return name;
  }

  /** Says which region is meant, as protobuf has it. */
  static RegionSpecifier specifier(ByteString regionName) {
    return RegionSpecifier.newBuilder()
        .setType(RegionSpecifierType.REGION_NAME)
        .setValue(regionName)
        .build();
  }

  /** Reads a range of timestamps, of which a message has one. */
  TimeRange timeRange() throws IOException {
    check(!hasTimeRange);
    hasTimeRange = true;
    int limit = in.pushLimit(in.readRawVarint32());
    long from = 0;
    long to = Long.MAX_VALUE;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == FROM) {
        from = in.readUInt64();
      } else if (tag == TO) {
        to = in.readUInt64();
      } else {
        throw new NotPlainException();
      }
    }
    in.popLimit(limit);
    check(from >= 0 && to >= from);
    return new TimeRange(from, to);
  }
}
