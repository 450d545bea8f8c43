package dev.cairn.server.loadsplit;

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
 * @param nanos nanoseconds of processor time
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
    double nanos) {
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
        nanos * factor);
  }
}
