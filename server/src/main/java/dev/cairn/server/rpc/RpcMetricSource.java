package dev.cairn.server.rpc;

import dev.cairn.server.metrics.Histogram.HistogramReading;
import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.Metric.Unit;
import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.metrics.RecordName;
import dev.cairn.server.metrics.Scope;
import dev.cairn.server.metrics.Scope.Label;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The metrics of an {@link RpcServer}. HBase names its exceptions one by one; other exceptions are
 * counted as {@code otherExceptions} there, and under their own names at {@code /metrics}.
 */
final class RpcMetricSource implements MetricSource {
  private static final String OTHERS = "otherExceptions";

  /** HBase's names of the counters of exceptions, by the exceptions' simple names. */
  private static final Map<String, String> EXCEPTIONS =
      Map.ofEntries(
          Map.entry("CallQueueTooBigException", "callQueueTooBig"),
          Map.entry("FailedSanityCheckException", "FailedSanityCheckException"),
          Map.entry("MultiActionResultTooLarge", "multiResponseTooLarge"),
          Map.entry("NotServingRegionException", "NotServingRegionException"),
          Map.entry("OutOfOrderScannerNextException", "OutOfOrderScannerNextException"),
          Map.entry("RegionMovedException", "RegionMovedException"),
          Map.entry("RegionTooBusyException", "RegionTooBusyException"),
          Map.entry("RequestTooBigException", "requestTooBig"),
          Map.entry("RpcThrottlingException", "rpcThrottling"),
          Map.entry("SpaceLimitingException", "quotaExceeded"),
          Map.entry("ScannerResetException", "ScannerResetException"),
          Map.entry("UnknownScannerException", "UnknownScannerException"));

  private final RpcServer server;
  private final RecordName record;

  RpcMetricSource(RpcServer server, RecordName record) {
    this.server = server;
    this.record = record;
  }

  @Override
  public RecordName name() {
    return record;
  }

  @Override
  public void collect(MetricRecord.Builder to) {
    connections(to);
    queues(to);
    exceptions(to);
    if (server.timers() instanceof CallTimers.Recording calls) {
      times(calls, to);
    }
  }

  private void connections(MetricRecord.Builder to) {
    RpcSnapshot now = server.snapshot();
    to.add(Metric.gauge("numOpenConnections", "Open connections."), now.openConnections())
        .add(Metric.counter("requests", "Calls that were received."), now.requests())
        .add(
            Metric.counter("receivedBytes", Unit.BYTES, "Bytes of all requests."),
            now.bytesReceived())
        .add(Metric.counter("sentBytes", Unit.BYTES, "Bytes of all responses."), now.bytesSent())
        .add(
            Metric.counter("rejected", "Calls that were refused because a queue was full."),
            now.rejected())
        .add(
            Metric.counter("expired", "Calls that were dropped because their callers had gone."),
            now.expired());
  }

  private void queues(MetricRecord.Builder to) {
    CallScheduler scheduler = server.scheduler();
    RpcSnapshot now = server.snapshot();
    to.add(
            Metric.gauge("queueSize", Unit.BYTES, "Bytes of the requests that are held."),
            scheduler.heldBytes())
        .add(
            Metric.gauge("numActiveHandler", "Calls that are being answered."),
            now.activeHandlers());
    queue("General", "general", scheduler.general().waiting(), scheduler.general().active(), to);
    queue(
        "Priority", "priority", scheduler.priority().waiting(), scheduler.priority().active(), to);
    queue(
        "Replication",
        "replication",
        scheduler.replication().waiting(),
        scheduler.replication().active(),
        to);
    for (String kind : List.of("Write", "Read", "Scan")) {
      Optional<CallQueue> own = Optional.ofNullable(scheduler.general().kinds().get(kind));
      Scope scope = label("kind", kind.toLowerCase(Locale.ROOT));
      to.add(
          Metric.gauge("numCallsIn" + kind + "Queue", "Ordinary calls that wait, by their kind.")
              .as("ordinary_queue_calls"),
          scope,
          own.map(CallQueue::waiting).orElse(0));
      to.add(
          Metric.gauge("numActive" + kind + "Handler", "Busy handlers of ordinary calls, by kind.")
              .as("ordinary_active_handlers"),
          scope,
          own.map(CallQueue::active).orElse(0));
    }
  }

  private static void queue(
      String kind, String label, int waiting, int active, MetricRecord.Builder to) {
    to.add(
        Metric.gauge("numCallsIn" + kind + "Queue", "Calls that wait for a handler.")
            .as("queue_calls"),
        label("queue", label),
        waiting);
    to.add(
        Metric.gauge("numActive" + kind + "Handler", "Busy handlers of a queue.")
            .as("active_handlers"),
        label("queue", label),
        active);
  }

  private static Scope label(String name, String value) {
    return new Scope("", List.of(new Label(name, value)));
  }

  private void exceptions(MetricRecord.Builder to) {
    to.add(
        Metric.counter("exceptions", "Calls that were answered with an error.").as("failures"),
        server.snapshot().exceptions());
    Map<String, Long> known = new HashMap<>();
    long others = 0;
    for (Map.Entry<String, Long> error : server.metrics().exceptionsByClass().entrySet()) {
      String name = EXCEPTIONS.get(error.getKey());
      if (name == null) {
        others += error.getValue();
      } else {
        known.put(error.getKey(), error.getValue());
      }
    }
    List<String> classes = new ArrayList<>(EXCEPTIONS.keySet());
    classes.sort(null);
    for (String error : classes) {
      to.add(
          exception(EXCEPTIONS.get(error)),
          label("exception", error),
          known.getOrDefault(error, 0L));
    }
    to.add(exception(OTHERS), label("exception", "other"), others);
  }

  private static Metric exception(String name) {
    return Metric.counter("exceptions." + name, "Errors of calls, by their class.")
        .as("exceptions");
  }

  private static void times(CallTimers.Recording calls, MetricRecord.Builder to) {
    HistogramReading all = HistogramReading.NONE;
    Map<String, HistogramReading> methods = new HashMap<>();
    for (String method : calls.methods().keySet()) {
      HistogramReading own = calls.methods().get(method).read(to.nowNanos());
      methods.put(method, own);
      all = all.plus(own);
    }
    to.add(
        Metric.time("ProcessCallTime", "Times of the work on calls.").as("process"),
        Scope.ALL,
        all);
    to.add(Metric.time("QueueCallTime", "Times in a queue.").as("queue"), calls.queue)
        .add(Metric.time("TotalCallTime", "Times from arrival to answer.").as("call"), calls.total)
        .add(Metric.size("RequestSize", "Lengths of requests."), calls.requests)
        .add(Metric.size("ResponseSize", "Lengths of responses."), calls.responses);
    methods.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            method ->
                to.add(
                    Metric.time("ProcessCallTime", "Times of the work on calls, by method.")
                        .as("method"),
                    Scope.method("method_" + method.getKey() + "_", method.getKey()),
                    method.getValue()));
  }
}
