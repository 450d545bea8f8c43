package dev.cairn.server.loadsplit;

/**
 * The load of one or more regions per second.
 *
 * @param requests reads and writes
 * @param bytes the bytes of cells read or written
 * @param nanos the processor time, nanoseconds
 */
public record RegionRates(double requests, double bytes, double nanos) {
  /** No load. */
  public static final RegionRates NONE = new RegionRates(0, 0, 0);

  /** Returns the sum of both loads. */
  public RegionRates plus(RegionRates other) {
    return new RegionRates(requests + other.requests, bytes + other.bytes, nanos + other.nanos);
  }

  double of(LoadMeasure measure) {
    return switch (measure) {
      case REQUESTS -> requests;
      case BYTES -> bytes;
      case CPU -> nanos;
    };
  }
}
