package dev.cairn.engine.wal.split;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The threads and the clock with which a split waits for the storage.
 *
 * @param threads runs each task at once, on another thread or on the caller's
 * @param clock waits for the tasks
 * @param marks returns a mark for unfinished files that no other splitter of the same logs uses
 * @param waitingBytesMax the most bytes of entries that wait in memory to be written
 */
record SplitThreads(Executor threads, Clock clock, Supplier<String> marks, long waitingBytesMax) {
  /** Runs everything on the caller's thread. */
  static final SplitThreads NONE =
      new SplitThreads(Runnable::run, Clock.SYSTEM, () -> "1", LogSplitter.WAITING_BYTES_MAX);

  /** A step of a split that waits for the storage. */
  @FunctionalInterface
  interface Step {
    void run() throws IOException;
  }

  /** Returns a step as a task for an executor; {@link #await} throws its failure. */
  static Runnable task(Step step) {
    return () -> {
      try {
        step.run();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /** Waits for a task, and throws its failure. */
  <T> T await(CompletableFuture<T> task) throws IOException {
    try {
      return clock.join(task);
    } catch (CompletionException e) {
      if (e.getCause() instanceof UncheckedIOException known) {
        throw known.getCause();
      }
      throw e;
    }
  }
}
