package dev.cairn.launcher.doctor;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Limits the time of questions to the network, which may otherwise take minutes. One thread asks.
 */
public final class Patience implements AutoCloseable {
  private final Duration longest;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "cairn-doctor");
            thread.setDaemon(true); // a question without an answer does not hold up the end
            return thread;
          });

  /**
   * Creates a limit.
   *
   * @param longest the longest time of one question
   */
  public Patience(Duration longest) {
    this.longest = longest;
  }

  /** Returns the longest time of one question. */
  Duration longest() {
    return longest;
  }

  /**
   * Asks a question.
   *
   * @throws IOException if it fails, or has no answer in time
   */
  <T> T ask(Callable<T> question) throws IOException {
    Future<T> answer = threads.submit(question);
    try {
      return answer.get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new IOException("no answer within " + longest.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException(String.valueOf(e.getCause().getMessage()), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
