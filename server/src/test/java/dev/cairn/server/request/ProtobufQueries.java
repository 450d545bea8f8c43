package dev.cairn.server.request;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.MobOptions;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Column;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilyTimeRange;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * The engine's requests of gets and scans that protobuf has read, without filters: what the readers
 * of these messages are compared with.
 */
final class ProtobufQueries {
  private static final String RAW = "_raw_";
  private static final String ISOLATION_LEVEL = "_isolationlevel_";
  private static final int READ_UNCOMMITTED = 2;
  private static final String MOB_REFERENCES = "hbase.mob.scan.raw";
  private static final String MOB_REFERENCES_ONLY = "hbase.mob.scan.ref.only";
  private static final String MOB_CACHE_BLOCKS = "hbase.mob.cache.blocks";
  private static final String MOB_EMPTY_IF_MISSING = "empty.value.on.mobcell.miss";

  private ProtobufQueries() {}

  static ScanRequest get(ClientProtos.Get get, TableSchema schema) throws IOException {
    boolean closest = get.getClosestRowBefore();
    ScanRequest.Builder builder =
        closest ? atOrBefore(row(get.getRow())) : ScanRequest.row(row(get.getRow()));
    if (get.getMaxVersions() <= 0) {
      throw new DoNotRetryIOException("max_versions must be positive");
    }
    boolean anyCellDoes = get.getExistenceOnly() && !get.hasFilter() && !get.hasStoreLimit();
    builder
        .maxVersions(versions(get.getMaxVersions()))
        .cacheBlocks(get.getCacheBlocks())
        .cellsPerFamily(
            get.hasStoreLimit() ? get.getStoreLimit() : anyCellDoes ? 1 : -1, get.getStoreOffset())
        .loadFamiliesOnDemand(
            !get.hasLoadColumnFamiliesOnDemand() || get.getLoadColumnFamiliesOnDemand());
    if (get.hasTimeRange()) {
      builder.timeRange(timeRange(get.getTimeRange()));
    }
    columns(
        builder,
        closest ? wholeFamily(get.getColumnList()) : get.getColumnList(),
        get.getCfTimeRangeList(),
        schema);
    attributes(builder, get.getAttributeList());
    if (anyCellDoes) {
      builder.mob(MobOptions.KEYS);
    }
    return builder.build();
  }

  /** Begins a read of the last row at or before {@code row} in which something is found. */
  private static ScanRequest.Builder atOrBefore(byte[] row) {
    return ScanRequest.builder().start(row, true).reversed(true);
  }

  /**
   * Returns what the closest row before is asked for: one family, and all of it, whichever columns
   * are named.
   */
  private static List<Column> wholeFamily(List<Column> columns) throws DoNotRetryIOException {
    if (columns.size() != 1) {
      throw new DoNotRetryIOException(
          "The closest row before needs one family to look for, not " + columns.size());
    }
    return List.of(columns.get(0).toBuilder().clearQualifier().build());
  }

  static ScanRequest scan(ClientProtos.Scan scan, RegionInfo region, TableSchema schema)
      throws IOException {
    ScanRequest.Builder builder = ScanRequest.builder();
    byte[] stop = scan.getStopRow().toByteArray();
    boolean isGet = scan.hasStartRow() && scan.getStartRow().equals(scan.getStopRow());
    // Clients that do not know the flag ask for a single row with equal start and stop.
    boolean includeStop =
        scan.hasIncludeStopRow() ? scan.getIncludeStopRow() : isGet && stop.length > 0;
    start(builder, scan, region);
    if (scan.getMaxVersions() == 0) {
      throw new DoNotRetryIOException("max_versions must be positive");
    }
    builder
        .stop(stop, includeStop)
        .reversed(scan.getReversed())
        .maxVersions(versions(scan.getMaxVersions()))
        .cacheBlocks(scan.getCacheBlocks())
        .cellsPerFamily(scan.hasStoreLimit() ? scan.getStoreLimit() : -1, scan.getStoreOffset())
        .loadFamiliesOnDemand(
            !scan.hasLoadColumnFamiliesOnDemand() || scan.getLoadColumnFamiliesOnDemand());
    if (scan.getMvccReadPoint() > 0) {
      builder.resumedFrom(scan.getMvccReadPoint());
    }
    if (scan.hasTimeRange()) {
      builder.timeRange(timeRange(scan.getTimeRange()));
    }
    columns(builder, scan.getColumnList(), scan.getCfTimeRangeList(), schema);
    attributes(builder, scan.getAttributeList());
    return builder.build();
  }

  static TimeRange timeRange(HBaseProtos.TimeRange range) throws DoNotRetryIOException {
    try {
      return new TimeRange(
          range.hasFrom() ? range.getFrom() : 0, range.hasTo() ? range.getTo() : Long.MAX_VALUE);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  static byte[] row(ByteString row) throws DoNotRetryIOException {
    if (row.isEmpty() || row.size() > Short.MAX_VALUE) {
      throw new DoNotRetryIOException(
          "A row must have 1 to " + Short.MAX_VALUE + " bytes, not " + row.size());
    }
    return row.toByteArray();
  }

  private static int versions(int unsigned) {
    return unsigned < 0 ? Integer.MAX_VALUE : unsigned;
  }

  private static void start(
      ScanRequest.Builder builder, ClientProtos.Scan scan, RegionInfo region) {
    byte[] start = scan.getStartRow().toByteArray();
    if (startsOutside(start, scan.getReversed(), region)) {
      builder.start(Bytes.EMPTY, true);
    } else {
      builder.start(start, scan.getIncludeStartRow());
    }
  }

  private static boolean startsOutside(byte[] start, boolean reversed, RegionInfo region) {
    return reversed
        ? region.endKey().length > 0 && region.comparator().compareRows(start, region.endKey()) >= 0
        : region.comparator().compareRows(start, region.startKey()) < 0;
  }

  private static void columns(
      ScanRequest.Builder builder,
      List<Column> columns,
      List<ColumnFamilyTimeRange> ranges,
      TableSchema schema)
      throws DoNotRetryIOException {
    if (ranges.isEmpty()) {
      for (Column column : columns) {
        builder.family(column.getFamily().toByteArray(), selection(column));
      }
      return;
    }
    NavigableMap<byte[], FamilySelection> families = new TreeMap<>(Arrays::compareUnsigned);
    for (Column column : columns) {
      families.put(column.getFamily().toByteArray(), selection(column));
    }
    if (families.isEmpty()) {
      for (FamilySchema family : schema.families()) {
        families.put(family.name(), FamilySelection.ALL);
      }
    }
    for (ColumnFamilyTimeRange range : ranges) {
      TimeRange own = timeRange(range.getTimeRange());
      families.computeIfPresent(
          range.getColumnFamily().toByteArray(), (family, selection) -> selection.within(own));
    }
    families.forEach(builder::family);
  }

  private static FamilySelection selection(Column column) {
    int count = column.getQualifierCount();
    if (count == 0) {
      return FamilySelection.ALL;
    }
    byte[][] qualifiers = new byte[count][];
    for (int i = 0; i < count; i++) {
      qualifiers[i] = column.getQualifier(i).toByteArray();
    }
    return FamilySelection.of(qualifiers);
  }

  private static void attributes(ScanRequest.Builder builder, List<NameBytesPair> attributes) {
    if (attributes.isEmpty()) {
      return;
    }
    boolean mobReferences = false;
    boolean mobReferencesOnly = false;
    boolean mobCached = false;
    boolean mobEmptyIfMissing = false;
    for (NameBytesPair attribute : attributes) {
      ByteString value = attribute.getValue();
      switch (attribute.getName()) {
        case RAW -> builder.raw(isTrue(value));
        case ISOLATION_LEVEL ->
            builder.readUncommitted(!value.isEmpty() && value.byteAt(0) == READ_UNCOMMITTED);
        case MOB_REFERENCES -> mobReferences = isSet(value);
        case MOB_REFERENCES_ONLY -> mobReferencesOnly = isSet(value);
        case MOB_CACHE_BLOCKS -> mobCached = isSet(value);
        case MOB_EMPTY_IF_MISSING -> mobEmptyIfMissing = isSet(value);
        default -> {
          // Attributes are for whoever knows them; the server passes over the others.
        }
      }
    }
    builder.mob(new MobOptions(mobReferences, mobReferencesOnly, mobCached, mobEmptyIfMissing));
  }

  /** Tells whether an attribute says yes. */
  static boolean isTrue(ByteString value) {
    return !value.isEmpty() && value.byteAt(0) != 0;
  }

  private static boolean isSet(ByteString flag) {
    return flag.size() == 1 && flag.byteAt(0) != 0;
  }
}
