package dev.cairn.server.regionserver;

import dev.cairn.engine.schema.TableName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records the times of operations for each table that has had a region here. Tables whose regions
 * have all left stay, so that sums over all tables never fall. Thread-safe.
 */
final class OperationTimes {
  private final boolean records;
  private final Map<TableName, TableTimes.Recording> tables = new ConcurrentHashMap<>();

  /**
   * Creates it without tables.
   *
   * @param records whether times are recorded at all
   */
  OperationTimes(boolean records) {
    this.records = records;
  }

  /** Tells whether times are recorded. */
  boolean isOn() {
    return records;
  }

  /** Returns the recorder of a table. */
  TableTimes of(TableName table) {
    return records
        ? tables.computeIfAbsent(table, any -> new TableTimes.Recording())
        : TableTimes.OFF;
  }

  /** Returns the recorders of all tables. */
  Map<TableName, TableTimes.Recording> tables() {
    return Map.copyOf(tables);
  }
}
