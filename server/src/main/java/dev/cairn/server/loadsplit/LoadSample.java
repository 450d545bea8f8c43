package dev.cairn.server.loadsplit;

import java.util.List;

/**
 * One row that a call read or wrote, and the load that it represents. The sums over all samples
 * estimate the load of all calls.
 *
 * @param kind the kind of the call
 * @param row the row, or the beginning of a long one; not to be changed
 * @param low the first row that the call read; {@code row} if it read one row
 * @param high the last row that the call read; {@code row} if it read one row
 * @param requests requests
 * @param rows rows that it read or wrote, returned or not
 * @param hidden rows of which a scan returned nothing, because of markers, expiry or a filter
 * @param bytes bytes of cells
 * @param nanos nanoseconds of processor time; 0 for a call of a scan, of which other samples have
 *     it
 * @param scanNanos nanoseconds of processor time of a call of a scan, an estimate: most calls are
 *     not timed and have 0
 * @param searched the columns of which an index could serve the filter of a scan, each {@code
 *     FAMILY:QUALIFIER} as an index names it, in order; empty if there are none
 */
public record LoadSample(
    Kind kind,
    byte[] row,
    byte[] low,
    byte[] high,
    double requests,
    double rows,
    double hidden,
    double bytes,
    double nanos,
    double scanNanos,
    List<String> searched) {
  /** Copies the list. */
  public LoadSample {
    searched = List.copyOf(searched);
  }

  /** Creates a sample of a call that no index could serve. */
  public LoadSample(
      Kind kind,
      byte[] row,
      byte[] low,
      byte[] high,
      double requests,
      double rows,
      double hidden,
      double bytes,
      double nanos) {
    this(kind, row, low, high, requests, rows, hidden, bytes, nanos, 0, List.of());
  }

  /** The kinds of calls. */
  public enum Kind {
    /** It read a row. */
    GET,
    /** It read rows of a range. */
    SCAN,
    /** It wrote rows. */
    WRITE,
    /** It failed; only {@code row} is known. */
    FAILED
  }

  /** Tells whether a row of a sample is whole for certain. Longer ones are cut. */
  public static boolean isWhole(byte[] row) {
    return row.length < LoadSampler.ROW_BYTES_MAX;
  }

  /** Returns the same with all amounts multiplied. */
  public LoadSample times(double factor) {
    return new LoadSample(
        kind,
        row,
        low,
        high,
        requests * factor,
        rows * factor,
        hidden * factor,
        bytes * factor,
        nanos * factor,
        scanNanos * factor,
        searched);
  }
}
