package dev.cairn.server.regionserver.hooked;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.rpc.service.HandlerPool;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.RegionTooBusyException;

/**
 * Limits how many handlers work on tables with hooks at the same time, so that hooks that do not
 * return leave handlers to other tables. Of the handlers of a pool that other tables with hooks
 * leave free, a table may take three quarters, rounded down; if they leave all, at least one. So a
 * pool with several handlers keeps at least one free. Calls above the limit wait while calls of
 * their table begin and end, and are then refused. Thread-safe.
 */
public final class HandlerShares {
  /** How long calls wait after a call of their table last began or ended. */
  private static final long STILL_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The longest time that a call waits. */
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Clock clock;
  private final ConcurrentMap<HandlerPool, Pool> pools = new ConcurrentHashMap<>();

  /** Creates it. */
  public HandlerShares(Clock clock) {
    this.clock = clock;
  }

  /** The use of a handler by a table, until it is closed. */
  @FunctionalInterface
  public interface Turn extends AutoCloseable {
    /** A turn without a limit. */
    Turn UNLIMITED = () -> {};

    @Override
    void close();
  }

  /**
   * Takes the handler of this thread for a table. May wait for some seconds.
   *
   * @throws RegionTooBusyException if the table's calls hold all handlers that it may take; clients
   *     try again
   */
  public Turn enter(TableName table, HandlerPool pool) throws RegionTooBusyException {
    return pools.computeIfAbsent(pool, Pool::new).enter(table);
  }

  /** Returns how many handlers of a pool tables with {@code handlers} taken by others may take. */
  static int most(int handlers, int ofOthers) {
    return ofOthers == 0 ? Math.max(1, handlers * 3 / 4) : (handlers - ofOthers) * 3 / 4;
  }

  /** The handlers that a table holds. */
  private static final class Share {
    private int held;
    private long changedNanos; // when a call last began or ended

    Share(long nowNanos) {
      this.changedNanos = nowNanos;
    }
  }

  private final class Pool {
    private final HandlerPool handlers;
    private final Map<TableName, Share> shares = new HashMap<>(); // guarded by this, as is the next
    private int held;

    Pool(HandlerPool handlers) {
      this.handlers = handlers;
    }

    synchronized Turn enter(TableName table) throws RegionTooBusyException {
      long begun = clock.nanoTime();
      long now = begun;
      Share share = shares.getOrDefault(table, new Share(begun));
      while (share.held >= most(handlers.handlers(), held - share.held)) {
        long left = Math.min(share.changedNanos + STILL_NANOS, begun + WAIT_NANOS) - now;
        if (left <= 0) {
          throw refused(table, share);
        }
        await(left);
        now = clock.nanoTime();
        share = shares.getOrDefault(table, share);
      }
      shares.put(table, share);
      Share taken = share;
      change(taken, 1);
      return () -> leave(table, taken);
    }

    private void change(Share share, int by) {
      share.held += by;
      share.changedNanos = clock.nanoTime();
      held += by;
    }

    private RegionTooBusyException refused(TableName table, Share share) {
      return new RegionTooBusyException(
          "The coprocessors of table "
              + table
              + " hold "
              + share.held
              + " of "
              + handlers.handlers()
              + " handlers, and those of other tables "
              + (held - share.held)
              + ". Other calls need the rest; try again later");
    }

    private void await(long nanos) throws RegionTooBusyException {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, nanos);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new RegionTooBusyException("The server is going down");
      }
    }

    private synchronized void leave(TableName table, Share share) {
      change(share, -1);
      if (share.held == 0) {
        shares.remove(table);
      }
      notifyAll();
    }
  }
}
