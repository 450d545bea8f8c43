package dev.cairn.server.slowlog;

import java.util.Optional;
import org.apache.hadoop.hbase.client.SlowLogParams;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Describes the request of a call in HBase's words.
 *
 * @param call the method and the class of its request
 * @param logged the request as the log shows it, with its region and row
 * @param kept the request as {@code get_slowlog_responses} shows it
 * @param regionName the region's full name; empty if the request names none
 * @param actions the number of each kind of actions; empty if the call is no batch
 * @param scan the definition of the scan that the call opens, if it opens one
 */
record CallDescription(
    String call,
    String logged,
    String kept,
    String regionName,
    Optional<Actions> actions,
    Optional<Scan> scan) {
  /** Longer texts are truncated, so that kept calls need little memory. */
  private static final int KEPT_LENGTH_MAX = 10_000;

  /** Larger definitions of scans are not kept. */
  private static final int SCAN_BYTES_MAX = 100_000;

  private static final int LOGGED_LENGTH_MAX = 150;
  private static final String CUT = " <TRUNCATED>";

  /** The actions of a batch. */
  record Actions(int gets, int mutations, int serviceCalls) {
    static Actions of(MultiRequest batch) {
      int gets = 0;
      int mutations = 0;
      int serviceCalls = 0;
      for (RegionAction region : batch.getRegionActionList()) {
        for (Action action : region.getActionList()) {
          gets += action.hasGet() ? 1 : 0;
          mutations += action.hasMutation() ? 1 : 0;
          serviceCalls += action.hasServiceCall() ? 1 : 0;
        }
      }
      return new Actions(gets, mutations, serviceCalls);
    }
  }

  /** Describes a call. */
  static CallDescription of(FinishedCall call) {
    String region = call.region().map(CallDescription::text).orElse("");
    Optional<Message> prototype = RequestMessages.prototype(call.service(), call.method());
    String name =
        call.method()
            + prototype.map(message -> "(" + message.getClass().getName() + ")").orElse("");
    Optional<Message> request =
        prototype.flatMap(empty -> call.message().flatMap(m -> RequestMessages.parse(empty, m)));
    return request.isPresent()
        ? of(name, request.get(), region)
        : new CallDescription(name, "", "", region, Optional.empty(), Optional.empty());
  }

  private static CallDescription of(String name, Message request, String region) {
    if (request instanceof MultiRequest batch && batch.getRegionActionCount() == 0) {
      return new CallDescription(
          name, "", "", region, Optional.of(new Actions(0, 0, 0)), Optional.empty());
    }
    SlowLogParams kept = ProtobufUtil.getSlowLogParams(request, false);
    return new CallDescription(
        name,
        cut(ProtobufUtil.getShortTextFormat(request), LOGGED_LENGTH_MAX),
        cut(kept.getParams(), KEPT_LENGTH_MAX),
        region.isEmpty() && kept.getRegionName() != null ? kept.getRegionName() : region,
        request instanceof MultiRequest batch ? Optional.of(Actions.of(batch)) : Optional.empty(),
        request instanceof ScanRequest scan
                && scan.hasScan()
                && scan.getScan().getSerializedSize() <= SCAN_BYTES_MAX
            ? Optional.of(scan.getScan())
            : Optional.empty());
  }

  private static String text(ByteString name) {
    return Bytes.toStringBinary(name.toByteArray());
  }

  private static String cut(String text, int lengthMax) {
    return text.length() <= lengthMax ? text : text.substring(0, lengthMax) + CUT;
  }

  /**
   * Returns the table's name, the prefix of the region's name; empty if the request names no
   * region.
   */
  String tableName() {
    int comma = regionName.indexOf(',');
    return comma < 0 ? "" : regionName.substring(0, comma);
  }
}
