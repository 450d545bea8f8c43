package dev.cairn.shell.console;

import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Flushes what is written soon, on a thread of its own: a command may wait long for its next row.
 * The writer below must allow a flush during a write.
 */
final class TimelyWriter extends Writer implements Closeable {
  private static final int DELAY_MILLIS = 100;

  private final Writer below;
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final ScheduledThreadPoolExecutor flusher =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "flush");
            thread.setDaemon(true);
            return thread;
          });

  /** Writes to {@code below}, which closing this does not close. */
  TimelyWriter(Writer below) {
    this.below = below;
  }

  @Override
  public void write(char[] characters, int offset, int length) throws IOException {
    below.write(characters, offset, length);
    if (scheduled.compareAndSet(false, true)) {
      flusher.schedule(this::flushScheduled, DELAY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /**
   * Lets writes that follow schedule the next flush; the terminal's writer keeps its own errors.
   */
  private Void flushScheduled() throws IOException {
    scheduled.set(false);
    below.flush();
    return null;
  }

  @Override
  public void flush() throws IOException {
    below.flush();
  }

  @Override
  public void close() throws IOException {
    flusher.shutdownNow();
    below.flush();
  }
}
