package dev.cairn.shell.console;

import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Flushes soon after each write, on a thread of its own, because a command may wait long for its
 * next row. The writer below must allow a flush during a write.
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

  /** Creates a writer to {@code below}. Closing it leaves {@code below} open. */
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
   * Flushes, and lets the next write schedule another flush. The terminal's writer records errors
   * itself.
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
