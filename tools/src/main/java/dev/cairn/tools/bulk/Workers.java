package dev.cairn.tools.bulk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Runs the parts of a job, several at a time. */
final class Workers {
  private Workers() {}

  /** A part of a job. */
  interface Part {
    /** Does the part; interrupted if another part failed. */
    void run() throws IOException;
  }

  /**
   * Runs all parts and returns when they are done, or when one failed and all others have ended.
   *
   * @param threads how many run at a time
   * @throws IOException the first failure
   */
  static void run(int threads, List<? extends Part> parts) throws IOException {
    if (parts.isEmpty()) {
      return;
    }
    ExecutorService executor = Executors.newFixedThreadPool(Math.min(threads, parts.size()));
    try {
      CompletionService<Void> running = new ExecutorCompletionService<>(executor);
      for (Part part : parts) {
        running.submit(
            () -> {
              part.run();
              return null;
            });
      }
      for (int i = 0; i < parts.size(); i++) {
        running.take().get();
      }
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      end(executor);
    }
  }

  private static IOException failure(Throwable cause) {
    if (cause instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof IOException failure ? failure : new IOException(cause);
  }

  private static void end(ExecutorService executor) {
    executor.shutdownNow();
    boolean interrupted = false;
    while (true) {
      try {
        if (executor.awaitTermination(1, TimeUnit.DAYS)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
