package dev.cairn.server.request;

import static dev.cairn.server.request.PlainFields.bytes;
import static dev.cairn.server.request.PlainFields.number;

import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.MobOptions;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Column;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos.Filter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilyTimeRange;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.ExtensionRegistryLite;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.MessageLite;
import org.apache.hbase.thirdparty.com.google.protobuf.Parser;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Reads the fields that gets and scans have in common, straight into the engine's request. As
 * protobuf does, merges a message that comes twice, and skips unknown fields. Each method reads the
 * field whose tag was read last. One thread, for one message.
 *
 * <p>Format: {@code RegionSpecifier}, {@code TimeRange} and {@code ColumnFamilyTimeRange} of
 * HBase's {@code HBase.proto}, {@code Column} of its {@code Client.proto}, {@code Filter} of its
 * {@code Filter.proto}.
 */
abstract class QueryFields {
  private static final int SPECIFIER_TYPE = number(RegionSpecifier.TYPE_FIELD_NUMBER);
  private static final int SPECIFIER_VALUE = bytes(RegionSpecifier.VALUE_FIELD_NUMBER);
  private static final int FAMILY = bytes(Column.FAMILY_FIELD_NUMBER);
  private static final int QUALIFIER = bytes(Column.QUALIFIER_FIELD_NUMBER);
  private static final int FROM = number(HBaseProtos.TimeRange.FROM_FIELD_NUMBER);
  private static final int TO = number(HBaseProtos.TimeRange.TO_FIELD_NUMBER);

  private final byte[] message;
  final CodedInputStream in;

  private boolean hasRegion;
  private boolean hasRegionType;
  private boolean encodedName;
  private ByteString regionName; // null if missing

  // Of the query.
  int versions = 1;
  boolean cacheBlocks = true;
  boolean onDemand = true;
  boolean hasStoreLimit;
  int storeLimit;
  int storeOffset;
  private NavigableMap<byte[], FamilySelection> families = Collections.emptyNavigableMap();
  private int columns;
  private byte[] lastFamily;
  private Rare rare; // null if there is none

  /** The fields that few messages have. */
  private static final class Rare {
    private boolean hasTimes;
    private long from;
    private long to = Long.MAX_VALUE;
    private Filter filter; // null if missing
    private List<NameBytesPair> attributes = List.of();
    private List<ColumnFamilyTimeRange> familyRanges = List.of();
    private Optional<String> refusal = Optional.empty();
  }

  QueryFields(byte[] message) {
    this.message = message;
    this.in = CodedInputStream.newInstance(message);
  }

  private Rare rare() {
    if (rare == null) {
      rare = new Rare();
    }
    return rare;
  }

  /** Begins a message inside the message; returns the limit for {@link #end}. */
  int begin() throws IOException {
    return in.pushLimit(in.readRawVarint32());
  }

  /** Ends a message inside the message. */
  void end(int limit) throws IOException {
    in.checkLastTagWas(0);
    in.popLimit(limit);
  }

  /** Returns the error for a message without a required field, as protobuf words it. */
  static InvalidProtocolBufferException missing(String field) {
    return new InvalidProtocolBufferException("Message missing required fields: " + field);
  }

  /** Reads the name of the region; the name lies in the message. */
  void region() throws IOException {
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
        int at = in.getTotalBytesRead();
        in.skipRawBytes(length);
        regionName = UnsafeByteOperations.unsafeWrap(message, at, length);
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

  /** Reads a family and the wanted qualifiers. */
  void column() throws IOException {
    int limit = begin();
    byte[] family = null;
    List<byte[]> qualifiers = List.of();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == FAMILY) {
        family = in.readByteArray();
      } else if (tag == QUALIFIER) {
        qualifiers = qualifiers.isEmpty() ? new ArrayList<>() : qualifiers;
        qualifiers.add(in.readByteArray());
      } else if (!in.skipField(tag)) {
        break;
      }
    }
    end(limit);
    if (family == null) {
      throw missing("column.family");
    }
    columns++;
    lastFamily = family;
    if (families.isEmpty()) {
      families = new TreeMap<>(Arrays::compareUnsigned);
    }
    families.put(
        family,
        qualifiers.isEmpty()
            ? FamilySelection.ALL
            : FamilySelection.of(qualifiers.toArray(byte[][]::new)));
  }

  /** Returns the number of columns; a family that comes twice counts twice. */
  int columns() {
    return columns;
  }

  /** Asks for all of the last column's family. */
  void wholeFamily() {
    families.put(lastFamily, FamilySelection.ALL);
  }

  /** Reads a range of timestamps. */
  final void timeRange() throws IOException {
    Rare times = rare();
    times.hasTimes = true;
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
  }

  /** Reads a filter, which stays in its serialized form. */
  final void filter() throws IOException {
    Filter read = message(Filter.parser());
    Filter before = rare().filter;
    rare.filter = before == null ? read : before.toBuilder().mergeFrom(read).buildPartial();
  }

  final boolean hasFilter() {
    return rare != null && rare.filter != null;
  }

  /** Reads an attribute. */
  final void attribute() throws IOException {
    Rare parts = rare();
    parts.attributes = parts.attributes.isEmpty() ? new ArrayList<>() : parts.attributes;
    parts.attributes.add(initialized(message(NameBytesPair.parser())));
  }

  /** Reads the range of timestamps of one family. */
  final void familyRange() throws IOException {
    Rare parts = rare();
    parts.familyRanges = parts.familyRanges.isEmpty() ? new ArrayList<>() : parts.familyRanges;
    parts.familyRanges.add(initialized(message(ColumnFamilyTimeRange.parser())));
  }

  private <M extends MessageLite> M message(Parser<M> parser) throws IOException {
    return in.readMessage(parser, ExtensionRegistryLite.getEmptyRegistry());
  }

  private static <M extends MessageLite> M initialized(M part)
      throws InvalidProtocolBufferException {
    if (!part.isInitialized()) {
      throw missing("one of a " + part.getClass().getSimpleName());
    }
    return part;
  }

  /** Refuses the request for {@code reason}, unless there is an earlier refusal. */
  final void refuse(String reason) {
    if (rare().refusal.isEmpty()) {
      rare.refusal = Optional.of(reason);
    }
  }

  /** Returns the time range; refuses the request if the range is invalid. */
  final TimeRange times() {
    if (rare == null || !rare.hasTimes) {
      return TimeRange.ALL;
    }
    try {
      return new TimeRange(rare.from, rare.to);
    } catch (IllegalArgumentException e) {
      refuse(e.getMessage());
      return TimeRange.ALL;
    }
  }

  /** Returns the request. Uses no builder, which would be 100 bytes of garbage for each call. */
  final ScanRequest request(
      byte[] start,
      boolean includeStart,
      byte[] stop,
      boolean includeStop,
      boolean reversed,
      TimeRange times,
      int cellsPerFamily,
      OptionalLong resumedFrom,
      MobOptions mob) {
    return new ScanRequest(
        start,
        includeStart,
        stop,
        includeStop,
        reversed,
        families,
        times,
        versions < 0 ? Integer.MAX_VALUE : Math.max(1, versions),
        false,
        cacheBlocks,
        cellsPerFamily,
        storeOffset,
        Optional.empty(),
        onDemand,
        false,
        resumedFrom,
        mob,
        Optional.empty());
  }

  /** Returns the parts that are not in the request. */
  final QueryExtras extras() throws InvalidProtocolBufferException {
    if (rare == null) {
      return QueryExtras.NONE;
    }
    if (rare.filter != null) {
      initialized(rare.filter);
    }
    boolean none =
        rare.filter == null
            && rare.attributes.isEmpty()
            && rare.familyRanges.isEmpty()
            && rare.refusal.isEmpty();
    return none
        ? QueryExtras.NONE
        : new QueryExtras(
            Optional.ofNullable(rare.filter), rare.attributes, rare.familyRanges, rare.refusal);
  }
}
