package dev.cairn.tools.doctor;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Limits the time of network requests, which otherwise may take minutes. Used by one thread. */
public final class Patience implements AutoCloseable {
  private final Duration longest;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "cairn-doctor");
            thread.setDaemon(true); // a pending request does not delay the exit
            return thread;
          });

  /**
   * Creates a limit.
   *
   * @param longest the maximum time of one request
   */
  public Patience(Duration longest) {
    this.longest = longest;
  }

  /** Returns the maximum time of one request. */
  Duration longest() {
    return longest;
  }

  /**
   * Makes a request.
   *
   * @throws IOException if it fails or times out
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
