package dev.cairn.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.spi.AppenderAttachableImpl;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A Logback appender that rewrites warnings and errors for operators, and passes all events to the
 * appenders attached to it:
 *
 * <ul>
 *   <li>A library's error is a warning: a library cannot know what Cairn handles. Cairn logs an
 *       error itself if somebody has to act.
 *   <li>The causes of an exception follow the message on the same line. A stack is written for
 *       programming errors (see {@link ConciseLine}), and for all errors of Cairn's own loggers.
 *   <li>A line that repeats within a minute is counted; once a minute, the latest of them is
 *       written with the number of repetitions and the time of the first.
 * </ul>
 *
 * <p>A logger at level DEBUG or finer is exempt: everything that it logs is written as it is.
 * Events below WARN pass unchanged. Thread-safe.
 */
public final class ConciseAppender extends UnsynchronizedAppenderBase<ILoggingEvent>
    implements AppenderAttachable<ILoggingEvent> {
  private static final long LOOK_SECONDS = 5;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

  private final AppenderAttachableImpl<ILoggingEvent> next = new AppenderAttachableImpl<>();
  private final RepeatedLines repeated = new RepeatedLines();
  private final LongSupplier nanos;
  private final Supplier<Instant> clock;
  private ScheduledFuture<?> looks;

  /** Creates the appender; Logback calls this. */
  public ConciseAppender() {
    this(System::nanoTime, Instant::now);
  }

  /**
   * Creates an appender.
   *
   * @param nanos counts the minute, as {@link System#nanoTime} does
   * @param clock gives the time that a count is written with
   */
  ConciseAppender(LongSupplier nanos, Supplier<Instant> clock) {
    this.nanos = nanos;
    this.clock = clock;
  }

  @Override
  public void start() {
    super.start();
    looks =
        getContext()
            .getScheduledExecutorService()
            .scheduleWithFixedDelay(this::tellDue, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  /** Writes the repetitions that are not written yet, and ends. */
  @Override
  public void stop() {
    if (!isStarted()) {
      return;
    }
    looks.cancel(false);
    tellAll();
    super.stop();
  }

  /** Writes the repetitions that are not written yet. */
  void tellAll() {
    tell(repeated.takeAll(nanos.getAsLong()));
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (!event.getLevel().isGreaterOrEqual(Level.WARN) || isExempt(event)) {
      next.appendLoopOnAppenders(event);
      return;
    }
    event.prepareForDeferredProcessing(); // takes the name of this thread
    ConciseLine line = ConciseLine.of(event);
    if (repeated.isNew(line, nanos.getAsLong())) {
      next.appendLoopOnAppenders(written(line, line.text(), event.getInstant()));
    }
  }

  private boolean isExempt(ILoggingEvent event) {
    return getContext() instanceof LoggerContext loggers
        && loggers.getLogger(event.getLoggerName()).isDebugEnabled();
  }

  /** Writes the repetitions of all lines whose minute is over. */
  void tellDue() {
    tell(repeated.takeDue(nanos.getAsLong()));
  }

  private void tell(List<RepeatedLines.Repetition> repetitions) {
    for (RepeatedLines.Repetition one : repetitions) {
      String since = TIME.format(one.since());
      String text = one.latest().text() + " (" + one.times() + " times since " + since + ")";
      next.appendLoopOnAppenders(written(one.latest(), text, clock.get()));
    }
  }

  private static ILoggingEvent written(ConciseLine line, String text, Instant when) {
    LoggingEvent event = new LoggingEvent();
    event.setInstant(when);
    event.setLevel(line.level());
    event.setLoggerName(line.event().getLoggerName());
    event.setThreadName(line.event().getThreadName());
    event.setLoggerContextRemoteView(line.event().getLoggerContextVO());
    event.setMDCPropertyMap(line.event().getMDCPropertyMap());
    event.setMessage(text);
    line.stack().ifPresent(event::setThrowableProxy);
    return event;
  }

  @Override
  public void addAppender(Appender<ILoggingEvent> appender) {
    next.addAppender(appender);
  }

  @Override
  public Iterator<Appender<ILoggingEvent>> iteratorForAppenders() {
    return next.iteratorForAppenders();
  }

  @Override
  public Appender<ILoggingEvent> getAppender(String name) {
    return next.getAppender(name);
  }

  @Override
  public boolean isAttached(Appender<ILoggingEvent> appender) {
    return next.isAttached(appender);
  }

  @Override
  public void detachAndStopAllAppenders() {
    next.detachAndStopAllAppenders();
  }

  @Override
  public boolean detachAppender(Appender<ILoggingEvent> appender) {
    return next.detachAppender(appender);
  }

  @Override
  public boolean detachAppender(String name) {
    return next.detachAppender(name);
  }
}
