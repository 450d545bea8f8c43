package dev.cairn.server.health;

import java.util.Locale;

/** The outcome of a check, from best to worst. */
public enum HealthStatus {
  /** No problem was found. */
  OK,
  /**
   * The server works, but an operator should look: for example, a part of the data is not served.
   */
  WARN,
  /** The server cannot do its work: for example, it accepts no writes or serves no clients. */
  FAIL;

  /** Returns the status as a word: {@code ok}, {@code warn} or {@code fail}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the worse of two statuses. */
  HealthStatus worse(HealthStatus other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
