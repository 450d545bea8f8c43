package dev.cairn.server.request;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos.Filter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilyTimeRange;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;

/**
 * Holds the rare parts of a get or scan in their serialized form. {@link QueryDecoder} completes
 * the request with them.
 *
 * @param filter the filter's class and its serialized form
 * @param attributes settings by name
 * @param familyRanges the time ranges of single families
 * @param refusal the reason to refuse the request; empty if it is well formed
 */
record QueryExtras(
    Optional<Filter> filter,
    List<NameBytesPair> attributes,
    List<ColumnFamilyTimeRange> familyRanges,
    Optional<String> refusal) {
  /** The extras of most requests. */
  static final QueryExtras NONE =
      new QueryExtras(Optional.empty(), List.of(), List.of(), Optional.empty());
}
