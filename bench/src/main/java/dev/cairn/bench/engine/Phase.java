package dev.cairn.bench.engine;

import java.util.Locale;

/** The phases of a measurement, in their order. */
enum Phase {
  /** Rows that are new, {@value EngineRun#BATCH} in a call, with all flushing and merging. */
  LOAD("load, batches of 100", "row"),
  /** Single rows that are there already. */
  PUT("put", "row"),
  /** Rows that are there already, {@value EngineRun#BATCH} in a call. */
  BATCH("put, batches of 100", "row"),
  /** As many single puts as gets. */
  MIXED("half put, half get", "call"),
  /** Rows that are there. */
  GET("get, there", "row"),
  /** Rows that are not there, though rows around them are. */
  MISS("get, not there", "row"),
  /** {@value EngineRun#SCAN_ROWS} rows from any row on. */
  SCAN("scan of 50 rows", "scan"),
  /** Everything. */
  SCAN_ALL("full scan", "cell");

  private final String title;
  private final String unit;

  Phase(String title, String unit) {
    this.title = title;
    this.unit = unit;
  }

  /** Returns its name in a table. */
  String title() {
    return title;
  }

  /** Returns what one operation is. */
  String unit() {
    return unit;
  }

  boolean writes() {
    return this == LOAD || this == PUT || this == BATCH || this == MIXED;
  }

  static Phase parse(String name) {
    return valueOf(name.trim().toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
