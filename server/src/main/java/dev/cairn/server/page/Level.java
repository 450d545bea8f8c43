package dev.cairn.server.page;

import java.util.Locale;

/** The severity of a state. Shown as a colour, always with a word. */
public enum Level {
  /** Neither good nor bad. */
  PLAIN,
  /** As it should be. */
  GOOD,
  /** Somebody should look at it. */
  WARN,
  /** Broken. */
  BAD;

  /** Returns the name in lower case, as style classes have it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
