package dev.cairn.server.regionserver.logs;

import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalStalledException;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Aborts a server if one of its logs hangs: the disk, or all pipelines to DataNodes, accept a write
 * and do not answer. Another server may be able to write. A log that waits for room on the disk
 * does not count.
 *
 * @param patience how long a group commit may run
 * @param abort ends the server for the given reason; returns at once
 */
public record LogWatch(ServerLogs logs, Duration patience, Consumer<String> abort) {
  /** Checks the logs once. Does not block. */
  public void check() {
    logs.all().forEach(this::check);
  }

  private void check(Wal log) {
    if (log.commitNanos() < patience.toNanos()) {
      return;
    }
    try {
      log.checkWritable();
    } catch (WalStalledException e) {
      return;
    } catch (IOException e) {
      // The log has failed for good, and ends the server itself. Ending it twice does no harm.
    }
    abort.accept(
        "Its write-ahead log has not answered for "
            + patience.toSeconds()
            + " s, so its regions are opened elsewhere. Check the disk of the log");
  }
}
