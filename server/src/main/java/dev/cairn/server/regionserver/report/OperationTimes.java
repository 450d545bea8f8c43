package dev.cairn.server.regionserver.report;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.metrics.Histogram.HistogramReading;
import dev.cairn.server.metrics.HistogramSnapshot;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.Operation;
import dev.cairn.server.regionserver.hosted.TableTimes;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * Records the times of operations for each table that has a region here. When the last region of a
 * table has closed, its times are added to those of departed tables, so that the sums over all
 * tables never decrease. Thread-safe; recording takes no lock of this class.
 */
public final class OperationTimes {
  private final boolean records;
  private final Map<TableName, Entry> tables = new HashMap<>(); // guarded by this

  /** The times of departed tables. */
  private final Map<Operation, HistogramSnapshot> past = // guarded by this
      new EnumMap<>(Operation.class);

  private final Map<TableTimes.Event, Long> pastEvents = // guarded by this
      new EnumMap<>(TableTimes.Event.class);

  /** A table and the number of its regions here. */
  private static final class Entry {
    private final TableTimes.Recording times = new TableTimes.Recording();
    private int regions;
  }

  /**
   * Creates it without tables.
   *
   * @param records whether times are recorded
   */
  public OperationTimes(boolean records) {
    this.records = records;
  }

  /** Tells whether times are recorded. */
  boolean isOn() {
    return records;
  }

  /** Returns the recorder for a region of a table that opens. */
  public synchronized TableTimes opened(TableName table) {
    if (!records) {
      return TableTimes.OFF;
    }
    Entry entry = tables.computeIfAbsent(table, any -> new Entry());
    entry.regions++;
    return entry.times;
  }

  /**
   * Notes that a region has closed. Does nothing if another recorder has the times of the region.
   */
  public synchronized void closed(HostedRegion region) {
    TableName table = region.info().table();
    Entry entry = tables.get(table);
    if (entry == null || region.times() != entry.times || --entry.regions > 0) {
      return;
    }
    tables.remove(table);
    for (Operation operation : Operation.values()) {
      entry
          .times
          .total(operation)
          .ifPresent(total -> past.merge(operation, total, HistogramSnapshot::plus));
    }
    for (TableTimes.Event event : TableTimes.Event.values()) {
      pastEvents.merge(event, entry.times.total(event), Long::sum);
    }
  }

  /** Returns the recorders of the tables that have regions here. */
  public synchronized Map<TableName, TableTimes.Recording> tables() {
    Map<TableName, TableTimes.Recording> present = new HashMap<>();
    tables.forEach((table, entry) -> present.put(table, entry.times));
    return present;
  }

  /** Returns the times of an operation on all tables since the start, including departed tables. */
  public synchronized HistogramReading sum(Operation operation, long nowNanos) {
    HistogramReading sum =
        new HistogramReading(
            past.getOrDefault(operation, HistogramSnapshot.EMPTY), HistogramSnapshot.EMPTY);
    for (Entry entry : tables.values()) {
      sum = sum.plus(entry.times.read(operation, nowNanos).orElse(HistogramReading.NONE));
    }
    return sum;
  }

  /** Returns the number of events on all tables since the start, including departed tables. */
  public synchronized long sum(TableTimes.Event event) {
    long sum = pastEvents.getOrDefault(event, 0L);
    for (Entry entry : tables.values()) {
      sum += entry.times.total(event);
    }
    return sum;
  }
}
