package dev.cairn.server.log;

import java.util.List;
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
}
