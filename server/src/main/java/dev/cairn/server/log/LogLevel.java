package dev.cairn.server.log;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The severities of log lines, the least severe first; as levels of loggers also {@link #OFF}. */
public enum LogLevel {
  /** Every step. */
  TRACE,
  /** For developers. */
  DEBUG,
  /** The ordinary course of things. */
  INFO,
  /** Something is wrong, and the server goes on. */
  WARN,
  /** Something has failed. */
  ERROR,
  /** No lines. */
  OFF;

  /** Returns the level of a name in any case. */
  public static Optional<LogLevel> of(String name) {
    String wanted = name.toUpperCase(Locale.ROOT);
    return Arrays.stream(values()).filter(level -> level.name().equals(wanted)).findFirst();
  }
}
