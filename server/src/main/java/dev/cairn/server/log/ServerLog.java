package dev.cairn.server.log;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** The log of this process. Thread-safe. */
public interface ServerLog {
  /** Returns the latest lines, the latest first. */
  List<LogLine> lines();

  /** Returns the loggers that exist, by name. */
  List<LoggerLevel> loggers();

  /** Returns the level of a logger, which need not exist. */
  LoggerLevel logger(String name);

  /**
   * Sets the level of a logger until the process ends.
   *
   * @param level empty for that of its parent. {@code ROOT} has no parent; then nothing changes
   * @return the logger after the change
   */
  LoggerLevel setLevel(String name, Optional<LogLevel> level);

  /** The maximum number of lines. */
  void close();

  /** Returns the log from now on; empty if this process does not log through Logback. */
  static Optional<ServerLog> open() {
    return isLogback() ? Optional.of(LogbackLog.open()) : Optional.empty();
  }

  /**
   * Writes the counts of repeated lines that wait for the end of their minute. For the end of a
   * process, after its last line. (A shutdown hook of Logback would stop the log too early: it runs
   * at the same time as the hook that stops the server.)
   */
  static void writeCounts() {
    if (isLogback()) {
      LogbackLog.writeCounts();
    }
  }

  private static boolean isLogback() {
    // By name, because the class is absent in a process with another logging library.
    String factory = LoggerFactory.getILoggerFactory().getClass().getName();
    return factory.equals("ch.qos.logback.classic.LoggerContext");
  }

  /**
   * The severities of log lines, the least severe first; as levels of loggers also {@link #OFF}.
   */
  enum LogLevel {
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

  /**
   * One line of the log.
   *
   * @param timeMillis when it was logged, milliseconds since 1970
   * @param level its severity
   * @param thread the name of the thread
   * @param logger the name of the logger
   * @param message the message, with the stack trace if there is one; cut if it is very long
   */
  record LogLine(long timeMillis, LogLevel level, String thread, String logger, String message) {}

  /**
   * The level of a logger.
   *
   * @param logger its name
   * @param own its own level; empty if it has that of its parent
   * @param effective the lowest level that it logs
   */
  record LoggerLevel(String logger, Optional<LogLevel> own, LogLevel effective) {}
}
