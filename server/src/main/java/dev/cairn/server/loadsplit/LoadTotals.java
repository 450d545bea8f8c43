package dev.cairn.server.loadsplit;

import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/**
 * The load of a region since it was opened, estimated from samples. A region server sends it to the
 * master in fields of {@link RegionLoad} that HBase does not have, and that HBase's clients ignore.
 *
 * @param bytes the bytes of cells read or written
 * @param nanos the processor time in the engine, nanoseconds
 * @param requests gets, mutations and calls of scans
 */
public record LoadTotals(long bytes, long nanos, long requests) {
  /** No load. */
  public static final LoadTotals NONE = new LoadTotals(0, 0, 0);

  /** The numbers of the fields; all but the notice are varints. */
  private static final int BYTES_FIELD = 1000;

  private static final int NANOS_FIELD = 1001;

  /** A sentence in UTF-8. */
  private static final int NOTICE_FIELD = 1002;

  private static final int REQUESTS_FIELD = 1003;

  /** Returns these totals with a slice added. */
  LoadTotals plus(LoadSlice slice) {
    return new LoadTotals(
        bytes + (long) slice.sum(LoadMeasure.BYTES),
        nanos + (long) slice.sum(LoadMeasure.CPU),
        requests + (long) slice.sum(LoadMeasure.REQUESTS));
  }

  /**
   * Adds the totals to a message.
   *
   * @param notice why a split does not spread the load; empty if one might, or is not needed
   */
  public void write(RegionLoad.Builder load, Optional<String> notice) {
    UnknownFieldSet.Builder fields =
        UnknownFieldSet.newBuilder()
            .addField(BYTES_FIELD, varint(bytes))
            .addField(NANOS_FIELD, varint(nanos))
            .addField(REQUESTS_FIELD, varint(requests));
    notice.ifPresent(
        sentence ->
            fields.addField(
                NOTICE_FIELD,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFromUtf8(sentence))
                    .build()));
    load.setUnknownFields(fields.build());
  }

  /** Returns why a split does not spread the load of a region, if its server says so. */
  public static Optional<String> notice(RegionLoad load) {
    return load.getUnknownFields().getField(NOTICE_FIELD).getLengthDelimitedList().stream()
        .findFirst()
        .map(ByteString::toStringUtf8);
  }

  private static UnknownFieldSet.Field varint(long value) {
    return UnknownFieldSet.Field.newBuilder().addVarint(value).build();
  }

  /** Returns the totals of a message; no load if it has none. */
  public static LoadTotals read(RegionLoad load) {
    return new LoadTotals(
        varint(load, BYTES_FIELD), varint(load, NANOS_FIELD), varint(load, REQUESTS_FIELD));
  }

  private static long varint(RegionLoad load, int field) {
    return load.getUnknownFields().getField(field).getVarintList().stream()
        .mapToLong(Long::longValue)
        .sum();
  }
}
