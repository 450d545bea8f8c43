package dev.cairn.coprocessor;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Collects the lines that one class logs until it is closed. */
public final class Lines implements AutoCloseable {
  private final Logger logger;
  private final ListAppender<ILoggingEvent> events = new ListAppender<>();

  /** Begins to collect. */
  public Lines(Class<?> source) {
    logger = (Logger) LoggerFactory.getLogger(source);
    events.start();
    logger.addAppender(events);
  }

  /** Returns the messages so far. */
  public List<String> all() {
    synchronized (events) { // as the appender does
      return events.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
  }

  @Override
  public void close() {
    logger.detachAppender(events);
  }
}
