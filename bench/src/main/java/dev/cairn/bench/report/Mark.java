package dev.cairn.bench.report;

import java.util.Objects;

/**
 * Something that happened on the server while it was measured.
 *
 * @param seconds when, since the measurement began
 * @param kind what
 */
public record Mark(double seconds, Kind kind) {
  /** The kinds of events. */
  public enum Kind {
    /** A memstore has become a store file. */
    FLUSH,
    /** Store files have been merged. */
    COMPACTION
  }

  /** Checks the values. */
  public Mark {
    if (!(seconds >= 0)) {
      throw new IllegalArgumentException("A mark at " + seconds + " s");
    }
    Objects.requireNonNull(kind);
  }
}
