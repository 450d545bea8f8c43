package dev.cairn.server.regionserver;

import dev.cairn.engine.region.RegionClosedException;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Flushes regions in the background, each at most once at a time. Thread-safe. */
final class Flushes {
  private static final Logger LOG = LoggerFactory.getLogger(Flushes.class);

  private final Executor executor;
  private final Compactions compactions;
  private final Consumer<Throwable> fatal;
  private final Set<String> running = ConcurrentHashMap.newKeySet();

  /**
   * Creates the flusher.
   *
   * @param compactions asked after each flush, since that made files
   * @param fatal told of a flush that failed: then only the log has what was to be flushed
   */
  Flushes(Executor executor, Compactions compactions, Consumer<Throwable> fatal) {
    this.executor = executor;
    this.compactions = compactions;
    this.fatal = fatal;
  }

  /** Asks for a flush; nothing happens if one of the region is waiting or running. */
  void request(HostedRegion region, String reason) {
    if (!running.add(region.encodedName())) {
      return;
    }
    LOG.info("Flushing {}: {}", region, reason);
    executor.execute(
        () -> {
          try {
            region.upkeep().flush();
          } catch (RegionClosedException e) {
            LOG.info("{} is closing, and flushes itself", region);
          } catch (IOException | RuntimeException e) {
            LOG.error("Cannot flush {}", region, e);
            fatal.accept(e);
          } finally {
            running.remove(region.encodedName());
          }
          compactions.check(region);
        });
  }

  /** Returns how many flushes are waiting or running. */
  int pending() {
    return running.size();
  }
}
