package dev.cairn.server.metrics;

import dev.cairn.engine.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the sources of all metrics of a process. Holds no values: each view reads the sources anew.
 * Thread-safe.
 */
public final class MetricRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(MetricRegistry.class);

  private final Clock clock;
  private final Supplier<String> host;
  private final Supplier<Collection<MetricSource>> sources;

  /**
   * Creates a registry.
   *
   * @param host returns the value of the tag {@code Hostname}
   * @param sources returns the present sources; asked for each reading
   */
  public MetricRegistry(
      Clock clock, Supplier<String> host, Supplier<Collection<MetricSource>> sources) {
    this.clock = clock;
    this.host = host;
    this.sources = sources;
  }

  Clock clock() {
    return clock;
  }

  /** Returns the names of the present records by the names of their beans. */
  SortedMap<String, RecordName> names() {
    SortedMap<String, RecordName> names = new TreeMap<>();
    for (MetricSource source : sources.get()) {
      names.putIfAbsent(source.name().bean(), source.name());
    }
    return names;
  }

  /**
   * Reads the records whose names {@code wanted} accepts, sorted by the names of their beans. A
   * source that fails leaves out its values.
   */
  public List<MetricRecord> read(Predicate<RecordName> wanted) {
    long now = clock.nanoTime();
    SortedMap<String, MetricRecord.Builder> records = new TreeMap<>();
    for (MetricSource source : sources.get()) {
      RecordName name = source.name();
      if (wanted.test(name)) {
        collect(
            source,
            records.computeIfAbsent(
                name.bean(),
                bean ->
                    new MetricRecord.Builder(name, now)
                        .tag("Context", name.context())
                        .tag("Hostname", host.get())));
      }
    }
    return records.values().stream().map(MetricRecord.Builder::build).toList();
  }

  /** Reads all records. */
  public List<MetricRecord> read() {
    return read(name -> true);
  }

  private static void collect(MetricSource source, MetricRecord.Builder record) {
    try {
      source.collect(record);
    } catch (RuntimeException e) {
      LOG.warn("Some metrics of {} cannot be read", source.name().bean(), e);
    }
  }
}
