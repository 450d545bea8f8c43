package dev.cairn.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the format of warnings and errors for operators. */
class ConciseAppenderTest {
  private final LoggerContext loggers = new LoggerContext();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE); // it may overflow
  private final AtomicReference<Instant> clock =
      new AtomicReference<>(Instant.ofEpochMilli(1_800_000_000_000L));
  private final ConciseAppender concise = new ConciseAppender(nanos::get, clock::get);
  private final ListAppender<ILoggingEvent> written = new ListAppender<>();
  private final Logger own = loggers.getLogger("dev.cairn.server.Some");
  private final Logger library = loggers.getLogger("org.library.Some");

  @BeforeEach
  void start() {
    loggers.setMDCAdapter(new LogbackMDCAdapter());
    written.start();
    concise.setContext(loggers);
    concise.addAppender(written);
    concise.start();
    Logger root = loggers.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.INFO);
    root.addAppender(concise);
  }

  @AfterEach
  void stop() {
    loggers.stop();
  }

  /** Returns what was written since the last call: level, text, and whether there is a stack. */
  private List<String> lines() {
    synchronized (written) { // as the appender does
      List<String> lines =
          written.list.stream()
              .map(
                  event ->
                      event.getLevel()
                          + " "
                          + event.getFormattedMessage()
                          + (event.getThrowableProxy() == null ? "" : " [stack]"))
              .toList();
      written.list.clear();
      return lines;
    }
  }

  private void pass(long time) {
    nanos.addAndGet(time);
    clock.updateAndGet(now -> now.plusNanos(time));
    concise.tellDue();
  }

  @Test
  void aLibraryHasNoErrorsAndNoStacks() {
    library.error("Could not close", new IOException("no answer", new ConnectException("refused")));
    assertThat(lines())
        .containsExactly(
            "WARN Could not close: java.io.IOException: no answer; caused by"
                + " java.net.ConnectException: refused");
  }

  @Test
  void aWarningOfCairnNamesTheCausesOnOneLine() {
    own.warn("Trying {} again", "it", new IOException("outer: inner", new IOException("inner")));
    assertThat(lines()).containsExactly("WARN Trying it again: java.io.IOException: outer: inner");
  }

  @Test
  void anErrorOfCairnKeepsItsStack() {
    own.error("Lost", new IOException("gone"));
    assertThat(lines()).containsExactly("ERROR Lost [stack]");
  }

  @Test
  void aProgrammingErrorKeepsItsStackWhoeverLogsIt() {
    own.warn("Page", new IllegalStateException("bug"));
    library.warn("Listener", new CompletionException(new AssertionError("bug")));
    library.warn("Wrapped", new UncheckedIOException(new IOException("no bug")));
    assertThat(lines())
        .containsExactly(
            "WARN Page [stack]",
            "WARN Listener [stack]",
            "WARN Wrapped: java.io.UncheckedIOException: java.io.IOException: no bug");
  }

  @Test
  void theStackInTheMessageOfARemoteExceptionIsLeftOut() {
    own.warn(
        "Refused: {}", "Safe mode is on.\nWait.\n\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)\n");
    assertThat(lines()).containsExactly("WARN Refused: Safe mode is on.; Wait.");
  }

  @Test
  void aRepeatedLineIsWrittenWithItsCountOnceAMinute() {
    for (int i = 0; i < 5; i++) {
      own.warn("No connection to {}", "zk");
    }
    assertThat(lines()).containsExactly("WARN No connection to zk");
    pass(RepeatedLines.MINUTE_NANOS - 1);
    assertThat(lines()).isEmpty();
    pass(1);
    assertThat(lines())
        .singleElement()
        .asString()
        .startsWith("WARN No connection to zk (4 times since 20");
    own.warn("No connection to {}", "zk");
    pass(RepeatedLines.MINUTE_NANOS);
    assertThat(lines()).singleElement().asString().contains("zk (5 times since 20");
    pass(RepeatedLines.MINUTE_NANOS);
    own.warn("No connection to {}", "zk");
    assertThat(lines()).as("the series has ended").containsExactly("WARN No connection to zk");
  }

  @Test
  void aClockThatIsSetBackDelaysNoCount() {
    own.error("Lost");
    own.error("Lost");
    lines();
    clock.updateAndGet(now -> now.minus(Duration.ofHours(1)));
    pass(RepeatedLines.MINUTE_NANOS);
    assertThat(lines()).singleElement().asString().startsWith("ERROR Lost (1 times since 20");
  }

  @Test
  void aCountIsOfTheThreadThatLoggedAndOfTheTimeAtWhichItIsWritten() throws Exception {
    own.warn("again");
    own.warn("again");
    lines();
    Thread other = new Thread(() -> pass(RepeatedLines.MINUTE_NANOS), "other");
    other.start();
    other.join();
    synchronized (written) {
      assertThat(written.list)
          .singleElement()
          .satisfies(
              event -> {
                assertThat(event.getThreadName()).isEqualTo(Thread.currentThread().getName());
                assertThat(event.getTimeStamp()).isEqualTo(clock.get().toEpochMilli());
              });
    }
  }

  @Test
  void linesOfCairnThatDifferAreNoRepetitions() {
    own.warn("Cannot close {}", "one");
    own.warn("Cannot close {}", "two");
    own.warn("Cannot close {}", "one", new IOException("full"));
    assertThat(lines()).hasSize(3);
  }

  @Test
  void linesOfALibraryThatDifferInNumbersPathsAndArgumentsAreRepetitions() {
    library.warn("No answer from /10.0.0.1:9866 for file /hbase/a/b");
    library.warn("No answer from /10.0.0.2:9866 for file /hbase/c");
    assertThat(lines()).containsExactly("WARN No answer from /10.0.0.1:9866 for file /hbase/a/b");
    library.warn("Excluding blk_1073741825_1001 of {}", "a");
    library.warn("Excluding blk_1073741826_1002 of {}", "b");
    library.warn("Abandoning blk_1073741826_1002");
    assertThat(lines())
        .containsExactly(
            "WARN Excluding blk_1073741825_1001 of a", "WARN Abandoning blk_1073741826_1002");
  }

  @Test
  void linesOfALibraryWhoseArgumentsAreTheMessageAreNoRepetitionsIfTheyDiffer() {
    library.warn("{}", "Disk is full");
    library.warn("{}", "No answer from /10.0.0.1:9866");
    library.warn("{}", "No answer from /10.0.0.2:9866");
    library.warn("[{}] {}", 1, "Disk is full");
    library.warn("[{}] {}", 2, "Disk is full");
    assertThat(lines())
        .containsExactly(
            "WARN Disk is full", "WARN No answer from /10.0.0.1:9866", "WARN [1] Disk is full");
  }

  @Test
  void aLineWithoutAMessageIsWrittenWithItsException() {
    ClosedChannelException thrown = new ClosedChannelException();
    library.warn(thrown.getMessage(), thrown);
    own.warn(thrown.getMessage(), thrown);
    assertThat(lines())
        .containsExactly(
            "WARN null: java.nio.channels.ClosedChannelException",
            "WARN null: java.nio.channels.ClosedChannelException");
  }

  @Test
  void whatIsNotWrittenYetIsWrittenAtTheEnd() {
    own.warn("again");
    own.warn("again");
    lines();
    concise.stop();
    assertThat(lines()).singleElement().asString().startsWith("WARN again (1 times since");
  }

  @Test
  void aLoggerAtDebugIsWrittenInFull() {
    library.setLevel(Level.DEBUG);
    own.setLevel(Level.TRACE);
    for (int i = 0; i < 2; i++) {
      library.error("Could not close", new IOException("no answer"));
      own.warn("again", new IOException("no answer"));
    }
    assertThat(lines())
        .containsExactly(
            "ERROR Could not close [stack]",
            "WARN again [stack]",
            "ERROR Could not close [stack]",
            "WARN again [stack]");
  }

  @Test
  void otherLevelsPassAsTheyAre() {
    own.info("Opened");
    own.info("Opened", new IOException("x"));
    assertThat(lines()).containsExactly("INFO Opened", "INFO Opened [stack]");
  }

  @Test
  void manyLinesAtATimeNeedNoMoreMemory() {
    for (int i = 0; i < 2 * RepeatedLines.LINES_MAX; i++) {
      own.warn("Line {}", i);
    }
    assertThat(lines()).hasSize(2 * RepeatedLines.LINES_MAX);
    own.warn("Line 0");
    own.warn("Line {}", 2 * RepeatedLines.LINES_MAX - 1);
    assertThat(lines()).hasSize(1);
  }
}
