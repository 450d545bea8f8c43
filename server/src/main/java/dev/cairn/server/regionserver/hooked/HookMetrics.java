package dev.cairn.server.regionserver.hooked;

import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.Metric.Unit;
import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.metrics.Scope;
import dev.cairn.server.metrics.Scope.Label;
import dev.cairn.server.regionserver.hooked.HookTimes.Key;
import dev.cairn.server.regionserver.hooked.HookTimes.Totals;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The metrics of hooks, by table, class and hook. */
public final class HookMetrics {
  private static final Metric CALLS =
      Metric.counter("hookCalls", "Calls of the hook.").as("hook_calls");
  private static final Metric FAILURES =
      Metric.counter("hookFailures", "Calls of the hook that threw an exception.")
          .as("hook_failures");
  private static final Metric TIME =
      Metric.counter("hookTime", Unit.MILLIS, "Time in the hook.").as("hook");

  private HookMetrics() {}

  /** Adds the counts of all hooks. */
  public static void collect(HookTimes times, MetricRecord.Builder to) {
    times.totals().forEach((key, totals) -> add(scope(key), totals, to));
  }

  private static void add(Scope scope, Totals totals, MetricRecord.Builder to) {
    to.add(CALLS, scope, totals.calls())
        .add(FAILURES, scope, totals.failures())
        .add(TIME, scope, TimeUnit.NANOSECONDS.toMillis(totals.nanos()));
  }

  private static Scope scope(Key key) {
    List<Label> labels = new ArrayList<>(Scope.labels(key.table()));
    labels.add(new Label("class", key.className()));
    labels.add(new Label("hook", key.hook()));
    return new Scope(
        Scope.words(key.table())
            + "_class_"
            + key.className().replace('.', '_')
            + "_hook_"
            + key.hook().replace('.', '_')
            + "_metric_",
        labels);
  }
}
