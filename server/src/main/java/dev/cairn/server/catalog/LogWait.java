package dev.cairn.server.catalog;

import java.time.Duration;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/**
 * The time for which a log of a region server has written nothing although it has entries to write.
 * A region server sends it to the master in a field of {@link RegionServerReportRequest} that HBase
 * does not have.
 */
public final class LogWait {
  /**
   * A log that waits for less than this works: it replaces a failed file within about this time.
   */
  public static final Duration NOTABLE = Duration.ofSeconds(1);

  /** The number of the field, a varint with milliseconds. */
  private static final int FIELD = 1000;

  private LogWait() {}

  /** Adds the time to a report. */
  public static void write(RegionServerReportRequest.Builder report, Duration wait) {
    report.setUnknownFields(
        UnknownFieldSet.newBuilder()
            .addField(FIELD, UnknownFieldSet.Field.newBuilder().addVarint(wait.toMillis()).build())
            .build());
  }

  /** Returns the time in a report; zero if there is none. */
  public static Duration read(RegionServerReportRequest report) {
    long millis =
        report.getUnknownFields().getField(FIELD).getVarintList().stream()
            .mapToLong(Long::longValue)
            .max()
            .orElse(0);
    return Duration.ofMillis(Math.max(0, millis));
  }
}
