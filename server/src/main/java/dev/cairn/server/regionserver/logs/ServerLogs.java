package dev.cairn.server.regionserver.logs;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalStalledException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The logs of a region server: one for {@code hbase:meta}, and one for all other regions. Recovery
 * splits the log of {@code hbase:meta} first, so it need not wait for the other one. The log of
 * {@code hbase:meta} begins when this server first opens that region. Thread-safe, except {@link
 * #of}.
 */
public final class ServerLogs {
  private final Wal regions;
  private final Opening opening;
  private volatile Optional<Wal> meta = Optional.empty();
  private volatile boolean closed;

  /** Begins a log. */
  @FunctionalInterface
  public interface Opening {
    /** Begins the log; waits for the storage. */
    Wal open() throws IOException;
  }

  /**
   * Creates it.
   *
   * @param regions the log of all regions except {@code hbase:meta}
   * @param meta begins the log of {@code hbase:meta}
   */
  public ServerLogs(Wal regions, Opening meta) {
    this.regions = regions;
    this.opening = meta;
  }

  /**
   * Returns the log of a region. One thread at a time may ask for that of {@code hbase:meta}, which
   * may wait for the storage.
   */
  public Wal logOf(RegionInfo region) throws IOException {
    if (!region.isMeta()) {
      return regions; // A replica of hbase:meta writes no log.
    }
    if (meta.isEmpty()) {
      Wal begun = opening.open();
      meta = Optional.of(begun);
      if (closed) {
        begun.close();
        throw new IOException("The server is going down");
      }
    }
    return meta.get();
  }

  /** Returns the logs that have begun. */
  public List<Wal> all() {
    return meta.map(own -> List.of(regions, own)).orElse(List.of(regions));
  }

  /**
   * Returns for how long a log has written nothing although it has entries to write: the longest
   * time of all logs. A log that waits for room on a full disk does not count. Does not block.
   */
  public Duration longestWait() {
    long nanos = 0;
    for (Wal log : all()) {
      long wait = log.waitNanos();
      if (wait > nanos && !isStalled(log)) {
        nanos = wait;
      }
    }
    return Duration.ofNanos(nanos);
  }

  private static boolean isStalled(Wal log) {
    try {
      log.checkWritable();
      return false;
    } catch (WalStalledException e) {
      return true;
    } catch (IOException e) {
      return false; // The log has failed for good, and ends the server itself.
    }
  }

  /**
   * Closes all logs.
   *
   * @throws IOException if a log has failed; all others are closed nevertheless
   */
  public void close() throws IOException {
    closed = true;
    try {
      if (meta.isPresent()) {
        meta.get().close();
      }
    } finally {
      regions.close();
    }
  }
}
