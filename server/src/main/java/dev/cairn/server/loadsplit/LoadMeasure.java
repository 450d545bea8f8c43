package dev.cairn.server.loadsplit;

import java.util.Locale;

/** The ways to measure the load of a region. */
public enum LoadMeasure {
  /**
   * Gets, mutations and scan calls. A call that reads several rows counts on both sides of a cut
   * between them, because after a split the client makes two calls.
   */
  REQUESTS("requests/s") {
    @Override
    double of(LoadSample sample) {
      return sample.requests();
    }

    @Override
    String format(double perSecond) {
      return String.format(Locale.ROOT, "%.0f %s", perSecond, unit());
    }
  },

  /** Bytes of cells that are read or written. */
  BYTES("MB/s") {
    @Override
    double of(LoadSample sample) {
      return sample.bytes();
    }

    @Override
    String format(double perSecond) {
      return String.format(Locale.ROOT, "%.1f %s", perSecond / (1 << 20), unit());
    }
  },

  /** Processor time of calls in the region, without the sync of the log. Nanoseconds. */
  CPU("ms of processor time per second") {
    @Override
    double of(LoadSample sample) {
      return sample.nanos();
    }

    @Override
    String format(double perSecond) {
      return String.format(Locale.ROOT, "%.0f %s", perSecond / 1e6, unit());
    }
  };

  private final String unit;

  LoadMeasure(String unit) {
    this.unit = unit;
  }

  /** Returns the load that a sample represents. */
  abstract double of(LoadSample sample);

  /** Returns a rate as a text with its unit. */
  abstract String format(double perSecond);

  String unit() {
    return unit;
  }

  /** Tells whether a call over several rows counts on both sides of a cut between them. */
  boolean isOfWholeCall() {
    return this == REQUESTS;
  }
}
