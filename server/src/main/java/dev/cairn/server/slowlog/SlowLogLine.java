package dev.cairn.server.slowlog;

import dev.cairn.engine.time.PhaseTimes.Phase;
import dev.cairn.server.json.JsonText;
import java.util.concurrent.TimeUnit;

/**
 * Writes HBase's log line of a slow or large call: {@code (responseTooSlow):} and one JSON object.
 * As in HBase, 64-bit numbers are JSON strings. HBase's {@code blockbytesscanned} is omitted,
 * because calls measure it only for clients that ask for metrics.
 */
final class SlowLogLine {
  private SlowLogLine() {}

  static String of(
      FinishedCall call,
      CallDescription description,
      String serverClass,
      boolean slow,
      boolean large) {
    String tag = large ? slow ? "TooLarge & TooSlow" : "TooLarge" : "TooSlow";
    return "(response"
        + tag
        + "): "
        + JsonText.of(
            json -> {
              json.beginObject();
              json.name("call").value(description.call());
              json.name("starttimems").value(Long.toString(call.startMillis()));
              json.name("responsesize").value(Long.toString(call.responseBytes()));
              json.name("fsreadtime").value(Long.toString(readMillis(call)));
              long hooks = call.phases().waits(Phase.HOOKS).nanos();
              if (hooks > 0) {
                json.name("hooktimems").value(TimeUnit.NANOSECONDS.toMillis(hooks));
              }
              json.name("method").value(call.method());
              json.name("param").value(description.logged());
              json.name("processingtimems").value(millis(call));
              json.name("client").value(call.client());
              json.name("queuetimems").value(call.queueMillis());
              json.name("class").value(serverClass);
              if (call.method().equals(SlowLog.SCAN) && !description.regionName().isEmpty()) {
                json.name("scandetails")
                    .value(
                        "table: "
                            + description.tableName()
                            + " region: "
                            + description.regionName());
              }
              if (description.actions().isPresent()) {
                CallDescription.Actions actions = description.actions().get();
                json.name("multi.gets").value(actions.gets());
                json.name("multi.mutations").value(actions.mutations());
                json.name("multi.service_calls").value(actions.serviceCalls());
              }
              json.endObject();
            });
  }

  /** Returns the time of reading blocks from files, with their decompression. */
  static long readMillis(FinishedCall call) {
    return TimeUnit.NANOSECONDS.toMillis(call.phases().waits(Phase.BLOCKS).nanos());
  }

  static long millis(FinishedCall call) {
    return TimeUnit.NANOSECONDS.toMillis(call.processingNanos());
  }
}
