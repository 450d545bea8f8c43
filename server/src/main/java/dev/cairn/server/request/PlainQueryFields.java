package dev.cairn.server.request;

import static dev.cairn.server.request.PlainFields.bytes;
import static dev.cairn.server.request.PlainFields.check;
import static dev.cairn.server.request.PlainFields.number;

import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.server.request.PlainFields.NotPlainException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Column;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Reads what the messages of plain gets, scans and mutations have in common. Each method reads the
 * message whose tag was read last. One thread, for one message.
 *
 * <p>Format: {@code RegionSpecifier} and {@code TimeRange} of HBase's {@code HBase.proto}, {@code
 * Column} of its {@code Client.proto}.
 */
final class PlainQueryFields {
  private static final int SPECIFIER_TYPE = number(RegionSpecifier.TYPE_FIELD_NUMBER);
  private static final int SPECIFIER_VALUE = bytes(RegionSpecifier.VALUE_FIELD_NUMBER);
  private static final int FAMILY = bytes(Column.FAMILY_FIELD_NUMBER);
  private static final int QUALIFIER = bytes(Column.QUALIFIER_FIELD_NUMBER);
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
  PlainQueryFields(byte[] message, CodedInputStream in) {
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

  /** Reads a family and which of its columns are wanted, and adds it to the request. */
  void column(ScanRequest.Builder request) throws IOException {
    int limit = in.pushLimit(in.readRawVarint32());
    byte[] family = null;
    List<byte[]> qualifiers = List.of();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == FAMILY) {
        family = in.readByteArray();
      } else if (tag == QUALIFIER) {
        qualifiers = qualifiers.isEmpty() ? new ArrayList<>() : qualifiers;
        qualifiers.add(in.readByteArray());
      } else {
        throw new NotPlainException();
      }
    }
    in.popLimit(limit);
    check(family != null);
    request.family(
        family,
        qualifiers.isEmpty()
            ? FamilySelection.ALL
            : FamilySelection.of(qualifiers.toArray(byte[][]::new)));
  }

  /** Reads how many versions of a column are wanted, and adds it to the request. */
  void maxVersions(ScanRequest.Builder request) throws IOException {
    int versions = in.readUInt32();
    check(versions > 0);
    request.maxVersions(versions);
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
