package dev.cairn.server.page;

import java.util.Locale;

/** The kinds of values: how HTML shows them, and what a number in JSON means. */
public enum Kind {
  /** Words. */
  TEXT,
  /** An identifier or a key, in a font of fixed width. */
  NAME,
  /** A whole number. */
  COUNT,
  /** A size in bytes. */
  BYTES,
  /** A share, from 0 to 1. */
  RATIO,
  /** Events per second. */
  PER_SECOND,
  /** A time span in milliseconds. */
  MILLIS,
  /** A moment, in milliseconds since 1970. */
  TIME,
  /** A word with a {@link Level}. */
  STATE;

  /** Returns the name as JSON has it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Tells whether the values are numbers. */
  public boolean isNumber() {
    return this != TEXT && this != NAME && this != STATE;
  }
}
