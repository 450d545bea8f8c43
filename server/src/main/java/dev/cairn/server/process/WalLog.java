package dev.cairn.server.process;

import dev.cairn.engine.wal.WalFailedException;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.WalStalledException;
import dev.cairn.server.hook.LogHooks;
import dev.cairn.server.process.metrics.WalMetrics;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the events of a write-ahead log that an administrator must know to the server's log.
 *
 * @param metrics records the log's work
 * @param onFailure called when the log has failed for good
 * @param hooks hears of new files
 */
record WalLog(WalMetrics metrics, Consumer<WalFailedException> onFailure, Optional<LogHooks> hooks)
    implements WalListener {
  private static final Logger LOG = LoggerFactory.getLogger(WalLog.class);

  @Override
  public void groupCommitted(int entries, long bytes, long nanos) {
    metrics.groupCommitted(entries, bytes, nanos);
  }

  @Override
  public void rolling(String path, String next) throws IOException {
    if (hooks.isPresent()) {
      hooks.get().rolling(path, next);
    }
  }

  @Override
  public void rolled(String path, String next, long bytes) {
    metrics.rolled(path, next, bytes);
    hooks.ifPresent(some -> some.rolled(path, next));
  }

  @Override
  public void archived(String path) {
    metrics.archived(path);
  }

  @Override
  public void fileFailed(String path, Throwable cause) {
    metrics.fileFailed();
    LOG.warn("Log file {} failed and is left as it is: {}", path, cause.getMessage());
  }

  @Override
  public void beginFailed(String directory, Throwable cause) {
    LOG.warn("No log file could be begun in {}; trying again: {}", directory, cause.getMessage());
  }

  @Override
  public void rollFailed(String path, Throwable cause) {
    LOG.warn("No new log file could be begun; the log goes on in {}: {}", path, cause.getMessage());
  }

  @Override
  public void stalled(WalStalledException cause) {
    LOG.error("Writes are refused: {}", cause.getMessage());
  }

  @Override
  public void resumed() {
    LOG.info("There is room on the disk again; writes are taken");
  }

  @Override
  public void failed(WalFailedException failure) {
    LOG.warn("{}", failure.getMessage()); // the server ends, which is an error of its own
    onFailure.accept(failure);
  }
}
