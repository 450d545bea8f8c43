package dev.cairn.bench.report;

import java.util.Objects;

/**
 * The meaning of a figure: one line of a table.
 *
 * @param name the key of {@link Measurement#figures()}, as it is shown
 * @param unit of the figure, as it is shown; empty for a plain number
 * @param better which of two figures is the better one
 */
public record Metric(String name, String unit, Better better) {
  /** Completed operations per second. */
  public static final Metric THROUGHPUT = new Metric("throughput", "op/s", Better.MORE);

  /** User and system time of the server's processes, by operation. */
  public static final Metric SERVER_CPU = new Metric("server CPU", "µs/op", Better.LESS);

  /** User and system time of the process that drives the load, by operation. */
  public static final Metric CLIENT_CPU = new Metric("client CPU", "µs/op", Better.LESS);

  /** Bytes that the server's threads allocated on the Java heap, by operation. */
  public static final Metric ALLOCATED = new Metric("allocated", "B/op", Better.LESS);

  /** Resident memory of the server's processes when the measurement ended. */
  public static final Metric RESIDENT = new Metric("resident", "MB", Better.LESS);

  /** Bytes of store files when the measurement ended. */
  public static final Metric DATA_ON_DISK = new Metric("data on disk", "MB", Better.LESS);

  /** Bytes of the whole data folder, with logs, when the measurement ended. */
  public static final Metric ALL_ON_DISK = new Metric("all on disk", "MB", Better.LESS);

  /** Bytes that the server's processes wrote, by byte that was put. */
  public static final Metric WRITE_AMPLIFICATION =
      new Metric("write amplification", "", Better.LESS);

  /** The time from the start of the process until a client has its first answer. */
  public static final Metric START_TIME = new Metric("start to first answer", "s", Better.LESS);

  /** The rate at which operations were begun, where the driver was not to go as fast as it can. */
  public static final Metric TARGET_RATE = new Metric("target rate", "op/s", Better.NEITHER);

  /** The direction in which a figure is better. */
  public enum Better {
    /** The higher one. */
    MORE,
    /** The lower one. */
    LESS,
    /** Neither: the figure is a condition of the measurement. */
    NEITHER
  }

  /** Checks the values. */
  public Metric {
    if (name.isBlank()) {
      throw new IllegalArgumentException("A metric needs a name");
    }
    Objects.requireNonNull(unit);
    Objects.requireNonNull(better);
  }

  /** Returns name and unit, as a table's heading shows them. */
  public String heading() {
    return unit.isEmpty() ? name : name + " (" + unit + ")";
  }
}
