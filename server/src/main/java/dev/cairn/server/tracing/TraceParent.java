package dev.cairn.server.tracing;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TracingProtos.RPCTInfo;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The caller's span, as W3C's Trace Context names it. HBase's client sends the header {@code
 * traceparent} in its {@code RPCTInfo} message.
 *
 * @param traceId 32 hexadecimal digits
 * @param spanId 16 hexadecimal digits
 * @param isSampled whether the caller records its span
 */
record TraceParent(String traceId, String spanId, boolean isSampled) {
  private static final String HEADER = "traceparent";
  private static final Pattern FORMAT =
      Pattern.compile("(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

  /** Reads the caller's span; empty if there is none, or it is invalid. */
  static Optional<TraceParent> parse(ByteString traceInfo) {
    if (traceInfo.isEmpty()) {
      return Optional.empty();
    }
    try {
      String text = RPCTInfo.parseFrom(traceInfo).getHeadersOrDefault(HEADER, "");
      Matcher parts = FORMAT.matcher(text);
      return parts.matches() && !isZero(parts.group(1)) && !isZero(parts.group(2))
          ? Optional.of(
              new TraceParent(
                  parts.group(1), parts.group(2), (Integer.parseInt(parts.group(3), 16) & 1) != 0))
          : Optional.empty();
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty(); // a call is not refused for its trace
    }
  }

  private static boolean isZero(String digits) {
    return digits.chars().allMatch(digit -> digit == '0');
  }
}
