package dev.cairn.shell.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.shell.output.TextOutput;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.Session.Progress;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Names for completion while the server does not answer. */
class SchemaNamesTest {
  private final AtomicInteger attempts = new AtomicInteger();

  private static SchemaNames names(Session.Connector connector) {
    return new SchemaNames(
        new Session(
            connector,
            new TextOutput(new PrintWriter(new StringWriter()), 0),
            Optional::empty,
            Progress.NONE,
            Clock::systemUTC));
  }

  @Test
  void aFailureIsRemembered() {
    SchemaNames names =
        names(
            () -> {
              attempts.incrementAndGet();
              throw new IOException("no server");
            });

    assertThat(names.tables()).isEmpty();
    assertThat(names.tables()).isEmpty();
    assertThat(attempts).hasValue(1);
  }

  @Test
  void aServerThatDoesNotAnswerIsAskedOnceAndNotWaitedFor() {
    CountDownLatch never = new CountDownLatch(1);
    SchemaNames names =
        names(
            () -> {
              attempts.incrementAndGet();
              try {
                never.await();
              } catch (InterruptedException e) {
                throw new InterruptedIOException();
              }
              throw new IOException("the test has ended");
            });

    assertThat(names.tables()).isEmpty();
    assertThat(names.tables()).isEmpty();
    assertThat(attempts).hasValue(1);
    never.countDown();
  }
}
