package dev.cairn.launcher.control;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Tells the user of {@code cairn start} what the server waits for, and from time to time that it is
 * still starting. Confined to the waiting thread, which runs it often.
 */
final class Notices implements Runnable {
  private static final long STILL_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Consumer<String> notice;
  private final StartOutput output;
  private final LongSupplier nanoTime;
  private final long start;
  private long nextStillNanos = STILL_NANOS;
  private long nextLookNanos = LOOK_NANOS;
  private int told;

  /**
   * Begins with the start of the server.
   *
   * @param notice receives the lines
   * @param output the file in which the server reports what it waits for
   * @param nanoTime a clock as {@link System#nanoTime}
   */
  Notices(Consumer<String> notice, StartOutput output, LongSupplier nanoTime) {
    this.notice = notice;
    this.output = output;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  @Override
  public void run() {
    long waited = nanoTime.getAsLong() - start;
    if (waited >= nextLookNanos) {
      nextLookNanos = waited + LOOK_NANOS;
      tellNew();
    }
    if (waited >= nextStillNanos) {
      nextStillNanos += STILL_NANOS;
      notice.accept(
          "still starting after "
              + TimeUnit.NANOSECONDS.toSeconds(waited)
              + " s; see "
              + output.logs().log());
    }
  }

  private void tellNew() {
    List<String> notices;
    try {
      notices = output.notices();
    } catch (IOException e) {
      return; // The start continues; the next look may succeed.
    }
    for (; told < notices.size(); told++) {
      notice.accept(notices.get(told));
    }
  }
}
