package dev.cairn.coprocessor.server;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the hooks around new log files on a thread of their own. So they keep their order, and do
 * not hold up other hooks. A log waits a limited time for a hook. While a hook is overdue, no log
 * waits, and no hook of new files is called. Thread-safe.
 */
final class RollCalls implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RollCalls.class);

  private static final long THREAD_IDLE_SECONDS = 10;

  private final long limitMillis;

  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          THREAD_IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          work -> {
            Thread made = new Thread(work, "coprocessors of logs");
            made.setDaemon(true);
            return made;
          });

  /** The call that runs; null if none does. */
  private volatile Call running;

  /**
   * Creates it.
   *
   * @param limitMillis how long a log waits for a hook
   */
  RollCalls(long limitMillis) {
    this.limitMillis = limitMillis;
    thread.allowCoreThreadTimeOut(true);
  }

  /** A hook with its arguments. */
  @FunctionalInterface
  interface Hook {
    /** Calls it. */
    void call() throws IOException;
  }

  /** A call of a hook. It is cancelled, and its thread interrupted, when it is overdue. */
  private final class Call extends FutureTask<Void> {
    final boolean awaited;
    volatile boolean overdue;

    /**
     * Creates a call.
     *
     * @param awaited whether a log waits for it
     */
    Call(boolean awaited, Hook hook) {
      super(
          () -> {
            hook.call();
            return null;
          });
      this.awaited = awaited;
    }

    @Override
    public void run() {
      running = this;
      try {
        super.run();
      } finally {
        running = null;
        if (overdue) {
          LOG.warn("An overdue hook around a new file of a log has returned");
        }
      }
    }

    @Override
    protected void setException(Throwable failure) {
      if (!awaited || overdue) {
        LOG.warn("A hook around a new file of a log failed; its result is ignored", failure);
      }
      super.setException(failure);
    }

    /** Returns false if the call has ended meanwhile. */
    boolean giveUp() {
      overdue = true;
      return cancel(true);
    }
  }

  private boolean isOverdue(String file) {
    Call now = running;
    if (now == null || !now.overdue) {
      return false;
    }
    LOG.warn("The log begins the file {} without hooks, because an earlier hook still runs", file);
    return true;
  }

  /**
   * Calls a hook before a log begins a file, and waits for it. A hook that takes too long is
   * interrupted, and its result is ignored.
   *
   * @param file the new file, for messages
   * @throws IOException if the hook throws one in time: it refuses the file
   */
  void before(String file, Hook hook) throws IOException {
    if (isOverdue(file)) {
      return;
    }
    Call call = new Call(true, hook);
    try {
      thread.execute(call);
      await(file, call);
    } catch (RejectedExecutionException e) {
      LOG.debug("The coprocessors of logs have stopped before the file {}", file, e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void await(String file, Call call) throws ExecutionException, InterruptedException {
    try {
      call.get(limitMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      if (thread.remove(call)) {
        giveUpOther();
      } else if (!call.giveUp()) {
        call.get(); // it has ended meanwhile
        return;
      }
      LOG.warn("The log begins the file {} after {} ms without its hooks", file, limitMillis);
    }
  }

  /** Gives up the call that has kept a later one from its start, unless a log waits for it. */
  private void giveUpOther() {
    Call other = running;
    if (other != null && !other.awaited) {
      other.giveUp();
    }
  }

  /** Calls a hook after a log has begun a file. Does not wait. */
  void after(String file, Hook hook) {
    if (isOverdue(file)) {
      return;
    }
    try {
      thread.execute(new Call(false, hook));
    } catch (RejectedExecutionException e) {
      LOG.debug("The coprocessors of logs have stopped before the file {}", file, e);
    }
  }

  /** Lets no further call begin. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
