package dev.cairn.server.master.loop;

import dev.cairn.engine.storage.FencedException;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The only place where the master's state changes. The thread that calls {@link #poll} is the
 * owner: it runs the events that have come, one after another, so the state needs no locks.
 * Blocking work (files, network) runs elsewhere, through {@link #perform}, and its result comes
 * back as an event.
 *
 * <p>One thread waits for events, or each event starts a task that polls. A thread that has a
 * {@link #request} becomes the owner itself if there is none at the moment, so that most requests
 * need no other thread.
 *
 * <p>{@link #post} and {@link #request} may be called by any thread.
 */
public final class MasterLoop {
  private static final long CLOSED_CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
  private final Clock clock;
  private final Lanes lanes;
  private final Consumer<Throwable> fatal;
  private final Optional<Executor> turns;
  private volatile boolean closed;

  /** Taken by the owner. */
  private final AtomicBoolean turn = new AtomicBoolean();

  /** The thread that waits for events; null before its first wait. */
  private volatile Thread waiting;

  /** True if a task that polls was started and has not begun. */
  private final AtomicBoolean started = new AtomicBoolean();

  /** Runs actions and timers. Its test twin does both in one thread. */
  public interface Lanes {
    /** Runs {@code action} on a thread of {@code lane}. */
    void execute(Lane lane, Runnable action);

    /** Runs {@code event} once {@code delay} is over; it only posts. */
    void after(Duration delay, Runnable event);
  }

  /** The {@link Error} of an action. */
  public static final class ActionError extends Error {
    private ActionError(Lane lane, Error cause) {
      super("The master failed in an action of the lane " + lane.name() + ": " + cause, cause);
    }
  }

  /** A piece of work that may fail. */
  @FunctionalInterface
  public interface Work {
    /** Does it; may wait. */
    void run() throws IOException;
  }

  /** Receives the end of an action. Called once, by the owner. */
  public interface Completion {
    /** Ignores the result. */
    Completion UNHEARD = of(() -> {}, cause -> {});

    /** It is done. */
    void done();

    /** It is not done, because of {@code cause}. */
    void failed(IOException cause);

    /** Returns a completion that only runs {@code next} when done, and passes failure on. */
    default Completion then(Runnable next) {
      return of(next, this::failed);
    }

    /** Returns a completion made of its two methods. */
    static Completion of(Runnable done, Consumer<IOException> failed) {
      return new Completion() {
        @Override
        public void done() {
          done.run();
        }

        @Override
        public void failed(IOException cause) {
          failed.accept(cause);
        }
      };
    }
  }

  /**
   * Creates a loop whose events wait until a thread polls.
   *
   * @param fatal as for the other constructor
   */
  public MasterLoop(Clock clock, Lanes lanes, Consumer<Throwable> fatal) {
    this(clock, lanes, fatal, Optional.empty());
  }

  /**
   * Creates a loop.
   *
   * @param fatal receives the exception of a failed event, after which the state may be
   *     inconsistent, the {@link FencedException} of an action, after which another master leads,
   *     or an {@link ActionError}
   * @param turns runs a task that polls when an event has come; if empty, a thread must poll
   */
  public MasterLoop(Clock clock, Lanes lanes, Consumer<Throwable> fatal, Optional<Executor> turns) {
    this.clock = clock;
    this.lanes = lanes;
    this.fatal = fatal;
    this.turns = turns;
  }

  /** Hands an event to the owner. */
  public void post(Runnable event) {
    if (!closed) {
      events.add(event);
      turns.ifPresentOrElse(this::startPoll, () -> clock.unpark(waiting));
    }
  }

  private void startPoll(Executor executor) {
    if (started.compareAndSet(false, true)) {
      executor.execute(
          () -> {
            started.set(false);
            poll();
          });
    }
  }

  /**
   * Runs the events that are waiting, unless another thread is the owner; then that thread runs
   * them. Returns whether this thread ran any.
   */
  public boolean poll() {
    boolean any = false;
    while (!closed && !events.isEmpty() && turn.compareAndSet(false, true)) {
      try {
        for (Runnable event = events.poll(); event != null && !closed; event = events.poll()) {
          run(event);
          any = true;
        }
      } finally {
        turn.set(false); // The next check sees events that came since the last poll.
      }
    }
    return any;
  }

  /** Waits for an event through the clock, and runs all events that are there by then. */
  public void pollAndWait() throws InterruptedException {
    waiting = Thread.currentThread();
    while (!poll() && !closed) {
      clock.park(Long.MAX_VALUE);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /** Runs no further events. */
  public void close() {
    closed = true;
    clock.unpark(waiting);
  }

  /** Tells whether the loop has ended. */
  public boolean isClosed() {
    return closed;
  }

  /** Runs {@code work} on {@code lane}; the owner learns the outcome. */
  public void perform(Lane lane, Work work, Completion completion) {
    perform(
        lane,
        () -> {
          work.run();
          return null;
        },
        ignored -> completion.done(),
        completion::failed);
  }

  /**
   * Runs {@code action} on {@code lane}; the owner receives its result or its exception. If the
   * action fails because another master has taken over, {@code fatal} receives that exception, too.
   * If the action fails with an {@link Error}, only {@code fatal} receives it, as an {@link
   * ActionError}.
   */
  public <T> void perform(
      Lane lane, Callable<T> action, Consumer<T> done, Consumer<IOException> failed) {
    if (closed) {
      return;
    }
    lanes.execute(
        lane,
        () -> {
          T value;
          try {
            value = action.call();
          } catch (Exception e) {
            fencedBy(e).ifPresent(fenced -> post(() -> fatal.accept(fenced)));
            IOException cause =
                e instanceof IOException known ? known : new IOException("Unexpected: " + e, e);
            post(() -> failed.accept(cause));
            return;
          } catch (Error e) {
            // The owner would wait for an outcome that never comes.
            post(() -> fatal.accept(new ActionError(lane, e)));
            throw e;
          }
          post(() -> done.accept(value));
        });
  }

  private static Optional<FencedException> fencedBy(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof FencedException fenced) {
        return Optional.of(fenced);
      }
    }
    return Optional.empty();
  }

  /** Runs {@code event} on the owner once {@code delay} is over. */
  public void after(Duration delay, Runnable event) {
    lanes.after(delay, () -> post(event));
  }

  /**
   * Lets the owner begin something, from another thread, and waits until its future is complete.
   *
   * @throws IOException with which the future failed; or if the loop ended or patience ran out
   */
  public <T> T request(Consumer<CompletableFuture<T>> begin, Duration patience) throws IOException {
    CompletableFuture<T> future = new CompletableFuture<>();
    events.add(
        () -> {
          try {
            begin.accept(future);
          } catch (RuntimeException e) {
            future.completeExceptionally(e);
          }
        });
    poll();
    long end = clock.nanoTime() + patience.toNanos();
    try {
      while (true) {
        if (closed) {
          throw new IOException("The master is stopping");
        }
        if (clock.await(future, Math.min(CLOSED_CHECK_NANOS, end - clock.nanoTime()))) {
          return future.get();
        }
        if (clock.nanoTime() - end >= 0) {
          throw new IOException("The master did not answer within " + patience.toMillis() + " ms");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while waiting for the master");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IOException("The master failed: " + e.getCause(), e.getCause());
    }
  }

  private void run(Runnable event) {
    try {
      event.run();
    } catch (RuntimeException | Error e) {
      fatal.accept(e);
    }
  }
}
