package dev.cairn.server.process.metrics;

import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.Metric.Unit;
import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.metrics.RecordName;
import dev.cairn.server.metrics.Scope;
import dev.cairn.server.metrics.Scope.Label;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The metrics of the JVM, as Hadoop names them. Stateless. */
public final class JvmMetrics {
  private static final double MEGA = 1 << 20;

  private JvmMetrics() {}

  /**
   * Returns the source.
   *
   * @param process HBase's name for the kind of process
   */
  public static MetricSource source(String process, GcPauses pauses) {
    return MetricSource.of(
        new RecordName("JvmMetrics", "", "jvm", "jvm", List.of()),
        to -> {
          to.tag("ProcessName", process).tag("SessionId", "");
          memory(to);
          collections(to);
          pauses(pauses, to);
          threads(to);
        });
  }

  private static void memory(MetricRecord.Builder to) {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory("MemHeap", "heap", memory.getHeapMemoryUsage(), to);
    memory("MemNonHeap", "nonheap", memory.getNonHeapMemoryUsage(), to);
    megabytes("MemMaxM", "heap_limit", "The largest heap.", Runtime.getRuntime().maxMemory(), to);
  }

  private static void memory(String name, String area, MemoryUsage usage, MetricRecord.Builder to) {
    megabytes(name + "UsedM", area + "_used", "Memory in use.", usage.getUsed(), to);
    megabytes(
        name + "CommittedM",
        area + "_committed",
        "Memory from the system.",
        usage.getCommitted(),
        to);
    megabytes(
        name + "MaxM", area + "_max", "The most memory; -1 if unlimited.", usage.getMax(), to);
  }

  private static void megabytes(
      String name, String series, String help, long bytes, MetricRecord.Builder to) {
    to.addDecimal(
        Metric.gauge(name, Metric.Unit.MEGABYTES, help).as(series), bytes < 0 ? -1 : bytes / MEGA);
  }

  private static void collections(MetricRecord.Builder to) {
    long count = 0;
    long millis = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      Scope scope = new Scope("", List.of(new Label("collector", collector.getName())));
      String suffix = collector.getName();
      to.add(
              Metric.counter("GcCount" + suffix, "Garbage collections, by collector.")
                  .as("collector_runs"),
              scope,
              collector.getCollectionCount())
          .add(
              Metric.counter("GcTimeMillis" + suffix, Unit.MILLIS, "Their time, by collector.")
                  .as("collector"),
              scope,
              collector.getCollectionTime());
      count += collector.getCollectionCount();
      millis += collector.getCollectionTime();
    }
    to.add(Metric.counter("GcCount", "Garbage collections.").as("gc_runs"), count)
        .add(
            Metric.counter("GcTimeMillis", Unit.MILLIS, "The time of garbage collections.")
                .as("gc"),
            millis);
  }

  private static void pauses(GcPauses pauses, MetricRecord.Builder to) {
    pauses
        .byCollector()
        .forEach(
            (collector, times) ->
                to.add(
                    Metric.time(
                            "GcPause" + collector,
                            "Time that collections stopped the" + " process.")
                        .as("gc_pause"),
                    new Scope("", List.of(new Label("collector", collector))),
                    times.read(to.nowNanos())));
  }

  private static void threads(MetricRecord.Builder to) {
    Map<Thread.State, Long> states = new EnumMap<>(Thread.State.class);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null) { // otherwise it has ended
        states.merge(thread.getThreadState(), 1L, Long::sum);
      }
    }
    for (Thread.State state : Thread.State.values()) {
      String label = state.name().toLowerCase(Locale.ROOT);
      to.add(
          Metric.gauge(name(state), "Threads, by their state.").as("threads"),
          new Scope("", List.of(new Label("state", label))),
          states.getOrDefault(state, 0L));
    }
  }

  private static String name(Thread.State state) {
    return switch (state) {
      case NEW -> "ThreadsNew";
      case RUNNABLE -> "ThreadsRunnable";
      case BLOCKED -> "ThreadsBlocked";
      case WAITING -> "ThreadsWaiting";
      case TIMED_WAITING -> "ThreadsTimedWaiting";
      case TERMINATED -> "ThreadsTerminated";
    };
  }
}
