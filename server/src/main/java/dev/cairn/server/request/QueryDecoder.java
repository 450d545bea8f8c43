package dev.cairn.server.request;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanRequest.MobOptions;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.digest.DigestOptions;
import dev.cairn.server.explain.ExplainOptions;
import dev.cairn.server.filter.FilterAdapter;
import dev.cairn.server.filter.FilterParser;
import dev.cairn.server.request.QueryFields.QueryExtras;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilyTimeRange;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Completes the engine's requests of gets and scans with the parts that are still serialized.
 * Stateless; any number of threads.
 *
 * <p>Some settings travel as attributes: raw scans, the isolation level, and what to do with cells
 * whose values lie in MOB files. The consistency that a read asks for changes nothing: the client
 * chooses the replica. Authorizations and ACLs of a read need nothing: no cell carries labels,
 * since writes with labels are refused.
 */
public final class QueryDecoder {
  private static final String RAW = "_raw_";
  private static final String ISOLATION_LEVEL = "_isolationlevel_";
  private static final int READ_UNCOMMITTED = 1;
  private static final String MOB_REFERENCES = "hbase.mob.scan.raw";
  private static final String MOB_REFERENCES_ONLY = "hbase.mob.scan.ref.only";
  private static final String MOB_CACHE_BLOCKS = "hbase.mob.cache.blocks";
  private static final String MOB_EMPTY_IF_MISSING = "empty.value.on.mobcell.miss";

  private final FilterParser filters;

  public QueryDecoder(FilterParser filters) {
    this.filters = filters;
  }

  /** A decoded scan: what the engine is asked, and the filter in it, if there is one. */
  public record DecodedScan(ScanRequest request, Optional<FilterAdapter> filter) {}

  /**
   * Completes the request of a get.
   *
   * @throws IOException if it is malformed, or asks for something unsupported
   */
  public ScanRequest get(GetMessage get, TableSchema schema) throws IOException {
    QueryExtras extras = get.extras();
    if (extras == QueryExtras.NONE) {
      return get.row();
    }
    checkWellFormed(extras);
    if (explain(extras).isPresent()) {
      throw new DoNotRetryIOException(
          "The attribute "
              + ExplainOptions.ATTRIBUTE
              + " explains scans: ask by a scan from the row to itself, both included");
    }
    if (digest(extras).isPresent()) {
      throw new DoNotRetryIOException(
          "The attribute " + DigestOptions.ATTRIBUTE + " asks for digests of scans, not of gets");
    }
    ScanRequest.Builder builder = completed(get.row(), extras, schema);
    if (get.anyCellDoes()) {
      builder.mob(MobOptions.KEYS); // whatever the attributes say
    }
    filter(extras, get.closestBefore()).ifPresent(builder::filter);
    return builder.build();
  }

  /** As {@link #get(GetMessage, TableSchema)}, with a filter that is not in the message. */
  public ScanRequest get(GetMessage get, TableSchema schema, Optional<FilterAdapter> filter)
      throws IOException {
    ScanRequest request = get(get, schema);
    return filter.isPresent() ? request.toBuilder().filter(filter.get()).build() : request;
  }

  /**
   * Completes the request of a scan of {@code region}. Moves a start outside the region into it:
   * clients continue in the next region with a row of the region before.
   *
   * @throws IOException if it is malformed, or asks for something unsupported
   */
  public DecodedScan scan(ScanMessage.Opening scan, RegionInfo region, TableSchema schema)
      throws IOException {
    ScanRequest inside = inside(scan.request(), region);
    QueryExtras extras = scan.extras();
    if (extras == QueryExtras.NONE) {
      return new DecodedScan(inside, Optional.empty());
    }
    checkWellFormed(extras);
    return filtered(
        scan, completed(inside, extras, schema), filter(extras, inside.reversed()), schema);
  }

  /**
   * As {@link #scan(ScanMessage.Opening, RegionInfo, TableSchema)}, with a filter that is not in
   * the message.
   */
  public DecodedScan scan(
      ScanMessage.Opening scan,
      RegionInfo region,
      TableSchema schema,
      Optional<FilterAdapter> filter)
      throws IOException {
    return filtered(scan, scan(scan, region, schema).request().toBuilder(), filter, schema);
  }

  private static DecodedScan filtered(
      ScanMessage.Opening scan,
      ScanRequest.Builder builder,
      Optional<FilterAdapter> filter,
      TableSchema schema)
      throws IOException {
    filter.ifPresent(builder::filter);
    if (scan.batch() > 0 && filter.isPresent() && filter.get().needsWholeRow()) {
      throw new DoNotRetryIOException(
          "IncompatibleFilterException: cannot set batch on a scan using a filter that returns true"
              + " for filter.hasFilterRow");
    }
    ScanRequest request = builder.build();
    if (filter.isPresent() && request.reversed() && request.loadFamiliesOnDemand()) {
      checkEssential(filter.get(), request, schema);
    }
    return new DecodedScan(request, filter);
  }

  private static ScanRequest inside(ScanRequest request, RegionInfo region) {
    return startsOutside(request.startRow(), request.reversed(), region)
        ? request.toBuilder().start(Bytes.EMPTY, true).build()
        : request;
  }

  private static void checkWellFormed(QueryExtras extras) throws DoNotRetryIOException {
    if (extras.refusal().isPresent()) {
      throw new DoNotRetryIOException(extras.refusal().get());
    }
  }

  private static ScanRequest.Builder completed(
      ScanRequest request, QueryExtras extras, TableSchema schema) throws DoNotRetryIOException {
    ScanRequest.Builder builder = request.toBuilder();
    familyRanges(builder, request.families(), extras.familyRanges(), schema);
    attributes(builder, extras.attributes());
    return builder;
  }

  /**
   * Refuses, as HBase does, a reversed scan that would read families only for rows that the filter
   * wants: there is no need to here, but a client should not come to rely on it.
   */
  private static void checkEssential(FilterAdapter filter, ScanRequest request, TableSchema schema)
      throws IOException {
    for (FamilySchema family : schema.families()) {
      boolean wanted =
          request.families().isEmpty() || request.families().containsKey(family.name());
      if (wanted && !filter.isFamilyEssential(family.name())) {
        throw new DoNotRetryIOException(
            "Reverse scan with loading CFs on demand is not supported: the filter does not need"
                + " the family "
                + family.nameAsString()
                + "; set loadColumnFamiliesOnDemand to false");
      }
    }
  }

  /**
   * Returns the range of timestamps that {@code range} describes.
   *
   * @throws DoNotRetryIOException if it is none
   */
  static TimeRange timeRange(HBaseProtos.TimeRange range) throws DoNotRetryIOException {
    try {
      return new TimeRange(
          range.hasFrom() ? range.getFrom() : 0, range.hasTo() ? range.getTo() : Long.MAX_VALUE);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  private Optional<FilterAdapter> filter(QueryExtras extras, boolean reversed) throws IOException {
    return extras.filter().isPresent()
        ? Optional.of(new FilterAdapter(filters.filter(extras.filter().get()), reversed))
        : Optional.empty();
  }

  private static boolean startsOutside(byte[] start, boolean reversed, RegionInfo region) {
    return reversed
        ? region.endKey().length > 0 && region.comparator().compareRows(start, region.endKey()) >= 0
        : region.comparator().compareRows(start, region.startKey()) < 0;
  }

  /** Limits families to their own time ranges. */
  private static void familyRanges(
      ScanRequest.Builder builder,
      NavigableMap<byte[], FamilySelection> asked,
      List<ColumnFamilyTimeRange> ranges,
      TableSchema schema)
      throws DoNotRetryIOException {
    if (ranges.isEmpty()) {
      return;
    }
    NavigableMap<byte[], FamilySelection> families = new TreeMap<>(Arrays::compareUnsigned);
    families.putAll(asked);
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

  /**
   * Returns the options if a scan is to be explained instead of answered; otherwise empty.
   *
   * @throws DoNotRetryIOException if the attribute that asks for it is malformed
   */
  public Optional<ExplainOptions> explain(ScanMessage.Opening opening)
      throws DoNotRetryIOException {
    return explain(opening.extras());
  }

  private static Optional<ExplainOptions> explain(QueryExtras extras) throws DoNotRetryIOException {
    for (NameBytesPair attribute : extras.attributes()) {
      if (attribute.getName().equals(ExplainOptions.ATTRIBUTE)) {
        return Optional.of(ExplainOptions.parse(attribute.getValue().toByteArray()));
      }
    }
    return Optional.empty();
  }

  /**
   * Returns which digests of the rows a scan asks for; empty if it asks for the rows.
   *
   * @throws DoNotRetryIOException if the attribute that asks for them is malformed, or the scan is
   *     to be explained, too
   */
  public Optional<DigestOptions> digest(ScanMessage.Opening opening) throws DoNotRetryIOException {
    return digest(opening.extras());
  }

  private static Optional<DigestOptions> digest(QueryExtras extras) throws DoNotRetryIOException {
    for (NameBytesPair attribute : extras.attributes()) {
      if (attribute.getName().equals(DigestOptions.ATTRIBUTE)) {
        if (explain(extras).isPresent()) {
          throw new DoNotRetryIOException(
              "A scan may have one of the attributes "
                  + DigestOptions.ATTRIBUTE
                  + " and "
                  + ExplainOptions.ATTRIBUTE);
        }
        return Optional.of(DigestOptions.parse(attribute.getValue().toByteArray()));
      }
    }
    return Optional.empty();
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
        case IndexHint.ATTRIBUTE -> builder.index(IndexHint.parse(value.toStringUtf8()));
        default -> {
          // The server ignores attributes that it does not know.
        }
      }
    }
    builder.mob(new MobOptions(mobReferences, mobReferencesOnly, mobCached, mobEmptyIfMissing));
  }

  /** Tells whether an attribute is true. */
  static boolean isTrue(ByteString value) {
    return !value.isEmpty() && value.byteAt(0) != 0;
  }

  private static boolean isSet(ByteString flag) {
    return flag.size() == 1 && flag.byteAt(0) != 0;
  }
}
