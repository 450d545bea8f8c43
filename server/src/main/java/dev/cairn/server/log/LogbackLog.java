package dev.cairn.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.spi.AppenderAttachable;
import dev.cairn.server.log.ServerLog.LogLevel;
import dev.cairn.server.log.ServerLog.LogLine;
import dev.cairn.server.log.ServerLog.LoggerLevel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * The log of a process with Logback: an appender of the root logger keeps the latest lines. It
 * comes after the {@link ConciseAppender}, if the root logger has one, and so has the same lines as
 * the log file.
 */
final class LogbackLog implements ServerLog {
  /** The most lines that are kept. */
  static final int LINES_MAX = 2_000;

  /** The most characters of all lines that are kept. */
  static final int CHARS_MAX = 1 << 20;

  /** The most characters of one message. */
  static final int MESSAGE_MAX = 8_000;

  private final LoggerContext context;
  private final Tail tail = new Tail();
  private final AppenderAttachable<ILoggingEvent> source;

  private LogbackLog(LoggerContext context) {
    this.context = context;
    Optional<ConciseAppender> concise = concise(root());
    this.source = concise.isPresent() ? concise.get() : root();
  }

  private static Optional<ConciseAppender> concise(Logger root) {
    for (var all = root.iteratorForAppenders(); all.hasNext(); ) {
      if (all.next() instanceof ConciseAppender concise) {
        return Optional.of(concise);
      }
    }
    return Optional.empty();
  }

  /** Writes the counts of repeated lines that are not written yet. */
  static void writeCounts() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    concise(context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME))
        .ifPresent(ConciseAppender::tellAll);
  }

  static LogbackLog open() {
    LogbackLog log = new LogbackLog((LoggerContext) LoggerFactory.getILoggerFactory());
    log.tail.setContext(log.context);
    log.tail.start();
    log.source.addAppender(log.tail);
    return log;
  }

  private Logger root() {
    return context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  /** Keeps the latest lines; {@link AppenderBase} lets in one thread at a time. */
  private static final class Tail extends AppenderBase<ILoggingEvent> {
    private final Deque<LogLine> lines = new ArrayDeque<>(); // guarded by itself
    private long chars; // guarded by lines

    @Override
    protected void append(ILoggingEvent event) {
      LogLine line =
          new LogLine(
              event.getTimeStamp(),
              level(event.getLevel()),
              event.getThreadName(),
              event.getLoggerName(),
              message(event));
      synchronized (lines) {
        lines.addLast(line);
        chars += line.message().length();
        while (lines.size() > LINES_MAX || chars > CHARS_MAX) {
          chars -= lines.removeFirst().message().length();
        }
      }
    }

    private static String message(ILoggingEvent event) {
      IThrowableProxy error = event.getThrowableProxy();
      String text =
          error == null
              ? event.getFormattedMessage()
              : event.getFormattedMessage() + "\n" + ThrowableProxyUtil.asString(error);
      return text.length() <= MESSAGE_MAX ? text : text.substring(0, MESSAGE_MAX) + "…";
    }

    List<LogLine> latestFirst() {
      List<LogLine> copy;
      synchronized (lines) {
        copy = new ArrayList<>(lines);
      }
      Collections.reverse(copy);
      return copy;
    }
  }

  @Override
  public List<LogLine> lines() {
    return tail.latestFirst();
  }

  @Override
  public List<LoggerLevel> loggers() {
    return context.getLoggerList().stream()
        .map(LogbackLog::describe)
        .sorted(Comparator.comparing(LoggerLevel::logger))
        .toList();
  }

  @Override
  public LoggerLevel logger(String name) {
    String nearest = name;
    while (context.exists(nearest) == null) { // asking for it would create it
      int end = nearest.lastIndexOf('.');
      nearest = end < 0 ? org.slf4j.Logger.ROOT_LOGGER_NAME : nearest.substring(0, end);
    }
    LoggerLevel found = describe(context.getLogger(nearest));
    return nearest.equals(name)
        ? found
        : new LoggerLevel(name, Optional.empty(), found.effective());
  }

  @Override
  public LoggerLevel setLevel(String name, Optional<LogLevel> level) {
    Logger logger = context.getLogger(name);
    if (level.isPresent() || logger != root()) {
      logger.setLevel(level.map(one -> Level.toLevel(one.name())).orElse(null));
    }
    return describe(logger);
  }

  private static LoggerLevel describe(Logger logger) {
    return new LoggerLevel(
        logger.getName(),
        Optional.ofNullable(logger.getLevel()).map(LogbackLog::level),
        level(logger.getEffectiveLevel()));
  }

  private static LogLevel level(Level level) {
    return LogLevel.of(level.levelStr).orElse(LogLevel.TRACE); // Logback also has ALL
  }

  @Override
  public void close() {
    source.detachAppender(tail);
    tail.stop();
  }
}
