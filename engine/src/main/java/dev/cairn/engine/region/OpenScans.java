package dev.cairn.engine.region;

import dev.cairn.engine.scan.ReadHorizon;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The scans of a region that go on after a flush, and the flushes that run. A scan goes on in the
 * file that the flush has written, so the flush keeps what the open scans may see: it goes by the
 * oldest of them. Compactions need not, because a scan stays with the files that it began with.
 *
 * <p>A scan enters at the present read point, and every flush that begins later serves it. A flush
 * that runs meanwhile does so, too, because its horizon is older. A scan that goes on at an earlier
 * point enters only if all running flushes serve it.
 *
 * <p>Raw scans return what others do not see, and flushes drop. So a flush drops nothing while a
 * raw scan is open; only a raw scan that begins during a flush may miss what that flush drops.
 *
 * <p>Thread-safe. The monitor is held only for a few instructions.
 */
final class OpenScans {
  private final Mvcc mvcc;
  private final Clock clock;
  private final Map<HeldScanner, ReadHorizon> scans = new HashMap<>(); // guarded by this
  private final List<ReadHorizon> flushes = new ArrayList<>(); // guarded by this

  OpenScans(Mvcc mvcc, Clock clock) {
    this.mvcc = mvcc;
    this.clock = clock;
  }

  /**
   * Enters a scan that begins now. One that is entered already counts as begun now.
   *
   * @return its read point
   */
  synchronized long enter(HeldScanner scan, ScanRequest request) {
    ReadHorizon present = present();
    scans.put(scan, needed(request, present));
    return request.readUncommitted() ? Long.MAX_VALUE : present.readPoint();
  }

  /**
   * Enters a scan that began earlier.
   *
   * @param begun when it began
   * @return false, with nothing done, if a running flush may drop cells that the scan sees
   */
  synchronized boolean tryEnter(HeldScanner scan, ScanRequest request, ReadHorizon begun) {
    ReadHorizon needed = needed(request, begun);
    for (ReadHorizon flush : flushes) {
      if (!flush.serves(needed)) {
        return false;
      }
    }
    scans.put(scan, needed);
    return true;
  }

  private static ReadHorizon needed(ScanRequest request, ReadHorizon begun) {
    return request.raw() ? ReadHorizon.BEGINNING : begun;
  }

  private ReadHorizon present() {
    return new ReadHorizon(mvcc.readPoint(), clock.currentTimeMillis());
  }

  /** Says that a scan has ended. */
  synchronized void leave(HeldScanner scan) {
    scans.remove(scan);
  }

  /** Begins a flush. The caller closes it when the flush has ended, whether it failed or not. */
  synchronized Flush beginFlush() {
    ReadHorizon oldest = present();
    for (ReadHorizon scan : scans.values()) {
      oldest = oldest.and(scan);
    }
    flushes.add(oldest);
    return new Flush(oldest);
  }

  /** Says that a flush has ended: scans between two calls let go of its memory, others do soon. */
  void releaseFlushed() {
    all().forEach(HeldScanner::releaseFlushed);
  }

  /** Ends all scans; the region is closed. */
  void close() {
    all().forEach(HeldScanner::close);
  }

  private synchronized List<HeldScanner> all() {
    return List.copyOf(scans.keySet());
  }

  private synchronized void end(ReadHorizon flush) {
    flushes.remove(flush);
  }

  /** A flush that runs. */
  final class Flush implements AutoCloseable {
    private final ReadHorizon oldest;

    private Flush(ReadHorizon oldest) {
      this.oldest = oldest;
    }

    /** Returns the oldest read that the flush has to serve. */
    ReadHorizon oldest() {
      return oldest;
    }

    @Override
    public void close() {
      end(oldest);
    }
  }
}
