package dev.cairn.server.health;

import java.util.Locale;

/** The outcome of a check, from best to worst. */
public enum HealthStatus {
  /** All is well. */
  OK,
  /** The server does its work, but somebody should look: a part of the data is not served. */
  WARN,
  /** The server cannot do its work as a whole: it takes no writes, or serves nobody. */
  FAIL;

  /** Returns the word for people and programs: {@code ok}, {@code warn} or {@code fail}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the worse one of two. */
  HealthStatus worse(HealthStatus other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
