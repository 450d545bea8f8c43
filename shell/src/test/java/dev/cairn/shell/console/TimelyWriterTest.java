package dev.cairn.shell.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A row appears while the command waits for the next one. */
class TimelyWriterTest {
  @Test
  void whatIsWrittenIsFlushedWithoutACall() throws IOException, InterruptedException {
    CountDownLatch flushed = new CountDownLatch(2);
    StringWriter screen =
        new StringWriter() {
          @Override
          public void flush() {
            flushed.countDown();
          }
        };
    try (TimelyWriter writer = new TimelyWriter(screen)) {
      writer.write("a row\n");
      while (flushed.getCount() > 1) {
        Thread.onSpinWait();
      }
      writer.write("the next row\n"); // schedules another flush
      assertThat(flushed.await(1, TimeUnit.MINUTES)).isTrue();
    }
    assertThat(screen).hasToString("a row\nthe next row\n");
  }
}
