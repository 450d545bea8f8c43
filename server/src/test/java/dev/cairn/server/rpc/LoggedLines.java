package dev.cairn.server.rpc;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Collects the lines that one class, or one package, logs during a test. */
public final class LoggedLines implements BeforeEachCallback, AfterEachCallback {
  private final Logger logger;
  private final ListAppender<ILoggingEvent> events = new ListAppender<>();

  /** Creates the collection of the lines of {@code source}. */
  public LoggedLines(Class<?> source) {
    logger = (Logger) LoggerFactory.getLogger(source);
  }

  /** Creates the collection of the lines of a package, and of the packages in it. */
  public LoggedLines(Package source) {
    logger = (Logger) LoggerFactory.getLogger(source.getName());
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    events.start();
    logger.addAppender(events);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    logger.detachAppender(events);
  }

  /** Returns the lines so far, each with its level: {@code WARN text}. */
  public List<String> all() {
    synchronized (events) { // as the appender does
      return events.list.stream()
          .map(event -> event.getLevel() + " " + event.getFormattedMessage())
          .toList();
    }
  }
}
