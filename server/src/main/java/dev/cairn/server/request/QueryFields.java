package dev.cairn.server.request;

import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanRequest.MobOptions;
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
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Column;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Consistency;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos.Filter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilyTimeRange;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.MessageLite;
import org.apache.hbase.thirdparty.com.google.protobuf.Parser;

/**
 * Reads the fields that gets and scans share into the engine's request. The filter and the
 * attributes stay serialized.
 *
 * <p>Format: {@code Column} of HBase's {@code Client.proto}, {@code ColumnFamilyTimeRange} of its
 * {@code HBase.proto}, {@code Filter} of its {@code Filter.proto}.
 */
abstract class QueryFields extends MessageReader {

  /**
   * Holds the rare parts of a get or scan in their serialized form. {@link QueryDecoder} completes
   * the request with them.
   *
   * @param filter the filter's class and its serialized form
   * @param attributes settings by name
   * @param familyRanges the time ranges of single families
   * @param fromReplicas whether a replica of the region may answer
   * @param refusal the reason to refuse the request; empty if it is well formed
   */
  record QueryExtras(
      Optional<Filter> filter,
      List<NameBytesPair> attributes,
      List<ColumnFamilyTimeRange> familyRanges,
      boolean fromReplicas,
      Optional<String> refusal) {
    /** The extras of most requests. */
    static final QueryExtras NONE =
        new QueryExtras(Optional.empty(), List.of(), List.of(), false, Optional.empty());
  }

  private static final int FAMILY = bytes(Column.FAMILY_FIELD_NUMBER);
  private static final int QUALIFIER = bytes(Column.QUALIFIER_FIELD_NUMBER);

  /** The tags of the common fields in one of the messages. */
  record Tags(
      int column,
      int attribute,
      int filter,
      int timeRange,
      int maxVersions,
      int cacheBlocks,
      int storeLimit,
      int storeOffset,
      int familyRange,
      int onDemand,
      int consistency) {}

  private final Tags tags;

  // Of the query.
  int versions = 1;
  boolean hasStoreLimit;
  int storeLimit;
  private int storeOffset;
  private boolean cacheBlocks = true;
  private boolean onDemand = true;
  private NavigableMap<byte[], FamilySelection> families = Collections.emptyNavigableMap();
  private int columns;
  private byte[] lastFamily;
  private Times times; // null if missing
  private Rare rare; // null if there is none

  // Where the query's own message lies; the length is -1 if it comes in parts.
  private int queryOffset = -1;
  private int queryLength;

  /** The fields that few messages have. */
  private static final class Rare {
    private Filter.Builder filter; // null if missing
    private List<NameBytesPair> attributes = List.of();
    private List<ColumnFamilyTimeRange> familyRanges = List.of();
    private boolean fromReplicas;
    private Optional<String> refusal = Optional.empty();
  }

  QueryFields(byte[] message, Tags tags) {
    super(message, 0, message.length);
    this.tags = tags;
  }

  /** Reads a query inside the message of another reader. */
  QueryFields(MessageReader outer, Tags tags) {
    super(outer);
    this.tags = tags;
  }

  /** Notes where the query's own message, which has been read, began. */
  final void queryBegan(int offset) {
    queryLength = queryOffset < 0 ? position() - offset : -1;
    queryOffset = offset;
  }

  /** Returns where the query's own message begins in the array. */
  final int queryOffset() {
    return queryOffset;
  }

  /** Returns the length of the query's own message; -1 if it came in parts. */
  final int queryLength() {
    return queryLength;
  }

  /**
   * Reads the query's own message with protobuf.
   *
   * @throws DoNotRetryIOException if it came in parts, as no client sends it
   */
  static <P extends MessageLite> P query(Parser<P> parser, byte[] message, int offset, int length)
      throws IOException {
    if (length < 0) {
      throw new DoNotRetryIOException("The message of a read must come in one part");
    }
    return parser.parseFrom(message, offset, length);
  }

  private void consistency(int value) {
    if (value == Consistency.TIMELINE_VALUE) {
      rare().fromReplicas = true;
    } else if (value == Consistency.STRONG_VALUE && rare != null) {
      rare.fromReplicas = false;
    }
  }

  private Rare rare() {
    if (rare == null) {
      rare = new Rare();
    }
    return rare;
  }

  /** Reads a common field, or skips an unknown one; false at the end of a group. */
  final boolean readField(int tag) throws IOException {
    if (tag == tags.column) {
      column();
    } else if (tag == tags.timeRange) {
      times = timeRange(times);
    } else if (tag == tags.maxVersions) {
      versions = in.readUInt32();
    } else if (tag == tags.cacheBlocks) {
      cacheBlocks = in.readBool();
    } else if (tag == tags.onDemand) {
      onDemand = in.readBool();
    } else if (tag == tags.attribute) {
      rare().attributes = with(rare.attributes, NameBytesPair.parser());
    } else if (tag == tags.filter) {
      rare().filter = part(rare.filter == null ? Filter.newBuilder() : rare.filter);
    } else if (tag == tags.familyRange) {
      rare().familyRanges = with(rare.familyRanges, ColumnFamilyTimeRange.parser());
    } else if (tag == tags.consistency) {
      consistency(in.readEnum());
    } else if (tag == tags.storeLimit) {
      hasStoreLimit = true;
      storeLimit = in.readUInt32();
    } else if (tag == tags.storeOffset) {
      storeOffset = in.readUInt32();
    } else {
      return in.skipField(tag);
    }
    return true;
  }

  /** Reads a part with protobuf, and adds it to {@code before}. */
  private <P extends MessageLite> List<P> with(List<P> before, Parser<P> parser)
      throws IOException {
    List<P> parts = before.isEmpty() ? new ArrayList<>() : before;
    parts.add(initialized(part(parser)));
    return parts;
  }

  /** Reads a family and the wanted qualifiers. */
  private void column() throws IOException {
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

  final boolean hasFilter() {
    return rare != null && rare.filter != null;
  }

  /** Refuses the request for {@code reason}, unless there is an earlier refusal. */
  final void refuse(String reason) {
    if (rare().refusal.isEmpty()) {
      rare.refusal = Optional.of(reason);
    }
  }

  /** Returns the time range; refuses the request if the range is invalid. */
  final TimeRange times() {
    try {
      return times == null ? TimeRange.ALL : times.range();
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
    Optional<Filter> filter =
        rare.filter == null
            ? Optional.empty()
            : Optional.of(initialized(rare.filter.buildPartial()));
    return new QueryExtras(
        filter, rare.attributes, rare.familyRanges, rare.fromReplicas, rare.refusal);
  }
}
