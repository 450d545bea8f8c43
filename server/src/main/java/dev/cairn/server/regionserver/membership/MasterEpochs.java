package dev.cairn.server.regionserver.membership;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * Tracks the highest epoch of a master that this server has heard of. Orders and writes of masters
 * with lower epochs have no effect: such a master has been replaced. Thread-safe.
 */
public final class MasterEpochs {
  /** The epoch of a message that names none. */
  public static final long NONE = -1;

  /** An epoch is the time at which a master began. A time further ahead than this is not one. */
  private static final long AHEAD_MAX_MILLIS = Duration.ofDays(36_500).toMillis();

  private final Clock clock;

  // Guarded by this.
  private long highest = NONE;
  private final Map<Write, Long> writing = new HashMap<>();

  public MasterEpochs(Clock clock) {
    this.clock = clock;
  }

  /**
   * Records the epoch of an order. Returns once no write of an earlier epoch is under way, so that
   * the order's sender finds all of these writes in the tables.
   *
   * @param epoch the epoch, {@link #NONE} if the order names none
   * @throws IOException if a master with a higher epoch is known, or this cannot be an epoch; the
   *     order must not be obeyed
   */
  public void obey(long epoch) throws IOException {
    if (epoch == NONE) {
      return;
    }
    List<Write> earlier = new ArrayList<>();
    synchronized (this) {
      check(epoch);
      writing.forEach(
          (write, ofEpoch) -> {
            if (ofEpoch < epoch) {
              earlier.add(write);
            }
          });
    }
    earlier.forEach(write -> clock.join(write.ended));
  }

  /**
   * Begins a write of a system table by a master; the caller closes it.
   *
   * @throws IOException if a master with a higher epoch is known; nothing must be written
   */
  public synchronized Write beginWrite(long epoch) throws IOException {
    check(epoch);
    Write write = new Write();
    writing.put(write, epoch);
    return write;
  }

  /** A write under way. */
  public final class Write implements AutoCloseable {
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    @Override
    public void close() {
      synchronized (MasterEpochs.this) {
        writing.remove(this);
      }
      ended.complete(null);
    }
  }

  private void check(long epoch) throws DoNotRetryIOException {
    if (epoch < highest) {
      throw new DoNotRetryIOException(
          "The master of the epoch %d has been replaced by that of the epoch %d"
              .formatted(epoch, highest));
    }
    if (epoch - AHEAD_MAX_MILLIS > clock.currentTimeMillis()) {
      throw new DoNotRetryIOException(
          epoch + " is not the epoch of a master: it is more than a century from now");
    }
    highest = epoch;
  }
}
