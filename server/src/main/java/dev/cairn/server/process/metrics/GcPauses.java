package dev.cairn.server.process.metrics;

import com.sun.management.GarbageCollectionNotificationInfo;
import dev.cairn.server.metrics.Histogram;
import dev.cairn.server.metrics.Histogram.HistogramReading;
import dev.cairn.server.metrics.HistogramSnapshot;
import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.metrics.Scope;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * Records how long each garbage collection has stopped the process, beginning with the first
 * request for it, so that a start does not pay for it. The JVM reports collections on a thread of
 * its own. Thread-safe.
 */
public final class GcPauses implements AutoCloseable {
  /**
   * Beans of G1, ZGC and Shenandoah with these words report concurrent work, which does not stop
   * the process. Other beans report their pauses.
   */
  private static final List<String> CONCURRENT = List.of("Concurrent", "Cycles");

  /** The default thresholds of HBase's monitor of pauses. */
  private static final long INFO_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long WARN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private record Listening(NotificationEmitter collector, NotificationListener listener) {}

  private final List<Listening> listening = new ArrayList<>(); // guarded by this
  private Optional<Map<String, Histogram>> pauses = Optional.empty(); // guarded by this

  private Map<String, Histogram> listen() {
    Map<String, Histogram> recorded = new TreeMap<>();
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter && isPausing(collector.getName())) {
        Histogram histogram = new Histogram();
        recorded.put(collector.getName(), histogram);
        NotificationListener listener = (told, none) -> record(histogram, told);
        emitter.addNotificationListener(listener, null, null);
        listening.add(new Listening(emitter, listener));
      }
    }
    return recorded;
  }

  /** Tells whether each collection that a bean reports stops the process. */
  public static boolean isPausing(String bean) {
    return CONCURRENT.stream().noneMatch(bean::contains);
  }

  private static void record(Histogram histogram, Notification told) {
    if (told.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      long millis =
          GarbageCollectionNotificationInfo.from((CompositeData) told.getUserData())
              .getGcInfo()
              .getDuration();
      histogram.record(TimeUnit.MILLISECONDS.toNanos(millis));
    }
  }

  /** Returns the pauses in nanoseconds, exact to a millisecond, by the collector's name. */
  public synchronized Map<String, Histogram> byCollector() {
    if (pauses.isEmpty()) {
      pauses = Optional.of(listen());
    }
    return pauses.get();
  }

  /** Adds the pauses of all collectors together, as HBase names them. */
  public void collect(MetricRecord.Builder to) {
    HistogramReading all = HistogramReading.NONE;
    for (Histogram one : byCollector().values()) {
      all = all.plus(one.read(to.nowNanos()));
    }
    HistogramSnapshot total = all.total();
    long belowWarn = total.countBelow(WARN_NANOS);
    to.add(
            Metric.time("PauseTimeWithGc", "Time that collections stopped the process.")
                .as("gc_pause"),
            Scope.ALL,
            all)
        .add(
            Metric.counter("pauseInfoThresholdExceeded", "Collections that took 1 to 10 s.")
                .as("long_gc_pauses"),
            belowWarn - total.countBelow(INFO_NANOS))
        .add(
            Metric.counter("pauseWarnThresholdExceeded", "Collections that took more than 10 s.")
                .as("very_long_gc_pauses"),
            total.count() - belowWarn);
  }

  @Override
  public synchronized void close() {
    for (Listening one : listening) {
      try {
        one.collector().removeNotificationListener(one.listener());
      } catch (ListenerNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }
    listening.clear();
  }
}
