package dev.cairn.engine.time;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs the parts of a task in parallel on helper threads. The caller's thread runs every part that
 * no helper has begun. So busy helpers delay nothing, and parts may have parts themselves.
 */
public final class SideBySide {
  private SideBySide() {}

  /** A part of a task. */
  @FunctionalInterface
  public interface Part {
    /** Does the work; may block. */
    void run() throws IOException;
  }

  /**
   * Runs all parts and returns when they have ended. Without helpers, runs them in order and stops
   * at the first failure.
   *
   * @throws IOException the first failure, with the others suppressed in it
   */
  public static void run(Optional<Executor> helpers, List<Part> parts) throws IOException {
    if (helpers.isEmpty()) {
      for (Part part : parts) {
        part.run();
      }
      return;
    }
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (Part part : parts) {
      tasks.add(offer(helpers.get(), part));
    }
    tasks.forEach(FutureTask::run); // in turn; skips those that a helper has begun
    Optional<Exception> failure = Optional.empty();
    for (FutureTask<Void> task : tasks) {
      try {
        await(task);
      } catch (IOException | RuntimeException e) {
        failure.ifPresent(first -> first.addSuppressed(e));
        failure = failure.or(() -> Optional.of(e));
      }
    }
    if (failure.isPresent()) {
      throwAgain(failure.get());
    }
  }

  /** Offers a part to the helpers; returns the task, which the caller must run as well. */
  public static FutureTask<Void> offer(Executor helpers, Part part) {
    Callable<Void> work =
        () -> {
          part.run();
          return null;
        };
    FutureTask<Void> task = new FutureTask<>(work);
    try {
      helpers.execute(task);
    } catch (RejectedExecutionException e) {
      // They are busy, or closed: the caller runs it.
    }
    return task;
  }

  /** Waits for the end of a task, even if the thread is interrupted, and throws its failure. */
  public static void await(FutureTask<Void> task) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          task.get();
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throwAgain(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void throwAgain(Throwable failure) throws IOException {
    if (failure instanceof IOException known) {
      throw known;
    }
    if (failure instanceof RuntimeException known) {
      throw known;
    }
    throw new IllegalStateException("A part of a task failed", failure);
  }
}
