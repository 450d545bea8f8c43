package dev.cairn.server.regionserver.membership;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something that the server does again and again. The timer only starts it; it runs on the
 * executor, and is not started again while it runs. An error is logged and ends nothing.
 */
public final class Chore {
  private static final Logger LOG = LoggerFactory.getLogger(Chore.class);

  /** The chore's work. */
  @FunctionalInterface
  public interface Work {
    /** Does it once. */
    void run() throws IOException;
  }

  private final String name;
  private final BooleanSupplier isDue;
  private final Work work;
  private final Executor executor;
  private final AtomicBoolean running = new AtomicBoolean();

  /** Creates a chore that has something to do each time. */
  public Chore(String name, Executor executor, Work work) {
    this(name, executor, () -> true, work);
  }

  /**
   * Creates a chore that is skipped while it has nothing to do.
   *
   * @param isDue tells whether there is something to do; called by the timer, so it must not block
   */
  public Chore(String name, Executor executor, BooleanSupplier isDue, Work work) {
    this.name = name;
    this.isDue = isDue;
    this.work = work;
    this.executor = executor;
  }

  /** Starts it at once and then every {@code periodMillis}. */
  public ScheduledFuture<?> every(long periodMillis, ScheduledExecutorService timer) {
    return timer.scheduleWithFixedDelay(this::start, 0, periodMillis, TimeUnit.MILLISECONDS);
  }

  private void start() {
    if (running.get() || !isDue.getAsBoolean() || !running.compareAndSet(false, true)) {
      return;
    }
    try {
      executor.execute(this::run);
    } catch (RejectedExecutionException e) {
      running.set(false);
    }
  }

  private void run() {
    try {
      work.run();
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} failed", name, e);
    } finally {
      running.set(false);
    }
  }
}
