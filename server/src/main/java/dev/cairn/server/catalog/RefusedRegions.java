package dev.cairn.server.catalog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/**
 * The regions of a region server that refuse every call, with the reasons. A server sends them to
 * the master in a field of {@link RegionServerReportRequest} that HBase does not have, so that a
 * new master knows them, too.
 */
public final class RefusedRegions {
  /** The number of the field: for each reason a text, the regions and then the reason. */
  private static final int FIELD = 1001;

  /** The most regions in a report, which is sent every few seconds. */
  private static final int REGIONS_MAX = 1_000;

  private RefusedRegions() {}

  /**
   * Adds regions to a report.
   *
   * @param reasons the reasons by the regions' encoded names
   */
  public static void write(RegionServerReportRequest.Builder report, Map<String, String> reasons) {
    Map<String, StringBuilder> regions = new LinkedHashMap<>();
    new TreeMap<>(reasons)
        .entrySet().stream()
            .limit(REGIONS_MAX)
            .forEach(
                one ->
                    regions
                        .computeIfAbsent(one.getValue(), any -> new StringBuilder())
                        .append(one.getKey())
                        .append(' '));
    UnknownFieldSet.Field.Builder field = UnknownFieldSet.Field.newBuilder();
    regions.forEach(
        (reason, names) ->
            field.addLengthDelimited(ByteString.copyFromUtf8(names + "\n" + reason)));
    if (!regions.isEmpty()) {
      report.mergeUnknownFields(
          UnknownFieldSet.newBuilder().addField(FIELD, field.build()).build());
    }
  }

  /** Returns the reasons in a report, by the regions' encoded names. */
  public static Map<String, String> read(RegionServerReportRequest report) {
    Map<String, String> reasons = new LinkedHashMap<>();
    List<ByteString> entries = report.getUnknownFields().getField(FIELD).getLengthDelimitedList();
    for (ByteString entry : entries) {
      String[] parts = entry.toStringUtf8().split("\n", 2);
      for (String name : parts[0].split(" ")) {
        reasons.put(name, parts.length > 1 ? parts[1] : "");
      }
    }
    return reasons;
  }
}
