package dev.cairn.coprocessor.read;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the hooks of a region that come up on threads that must not wait for them: those of scanners
 * whose lease expires, or whose region closes. Thread-safe.
 */
public final class LateHooks {
  private static final Logger LOG = LoggerFactory.getLogger(LateHooks.class);

  private final Executor threads;
  private final Set<CompletableFuture<?>> running = ConcurrentHashMap.newKeySet();

  /** Creates it over threads that may wait. */
  public LateHooks(Executor threads) {
    this.threads = threads;
  }

  /** Runs {@code hooks} soon. */
  void run(Runnable hooks) {
    CompletableFuture<?> run = new CompletableFuture<>();
    running.add(run);
    threads.execute(
        () -> {
          try {
            hooks.run();
          } catch (RuntimeException | LinkageError e) {
            LOG.warn("A hook failed at the end of a scan", e);
          } finally {
            running.remove(run);
            run.complete(null);
          }
        });
  }

  /** Waits until all have run, but no longer than {@code millis}. */
  public void await(long millis) {
    CompletableFuture<?> all = CompletableFuture.allOf(running.toArray(CompletableFuture[]::new));
    try {
      all.get(millis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.warn("Hooks at the end of scans still run after {} ms", millis);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
