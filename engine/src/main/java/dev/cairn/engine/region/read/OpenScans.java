package dev.cairn.engine.region.read;

import dev.cairn.engine.region.state.Mvcc;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.retention.ReadHorizon;
import dev.cairn.engine.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Registers the open scans and the running flushes of a region. An open scan continues in the file
 * that a flush writes, so the flush must keep every cell that the oldest open scan may see.
 * Compactions need not: a scan keeps reading the files that it began with.
 *
 * <p>A new scan registers at the present read point; every flush that begins later serves it. A
 * flush that already runs has an older horizon, so it serves the scan, too. A scan that resumes at
 * an earlier read point is registered only if all running flushes serve it.
 *
 * <p>Raw scans also return cells that flushes drop. So a flush that begins while a raw scan is open
 * drops nothing. A raw scan that begins during a flush may miss the cells that this flush drops.
 *
 * <p>Thread-safe. The monitor is held only for a few instructions.
 */
public final class OpenScans {
  private final Mvcc mvcc;
  private final Clock clock;
  private final Map<OpenRead, ReadHorizon> scans = new HashMap<>(); // guarded by this
  private final List<ReadHorizon> flushes = new ArrayList<>(); // guarded by this

  public OpenScans(Mvcc mvcc, Clock clock) {
    this.mvcc = mvcc;
    this.clock = clock;
  }

  /**
   * Registers a scan that begins now. If the scan is registered already, its begin is set to now.
   *
   * @return its read point
   */
  synchronized long enter(OpenRead scan, ScanRequest request) {
    ReadHorizon present = present();
    scans.put(scan, needed(request, present));
    return request.readUncommitted() ? Long.MAX_VALUE : present.readPoint();
  }

  /**
   * Registers a scan that began earlier.
   *
   * @param begun when it began
   * @return false, with nothing changed, if a running flush may drop cells that the scan sees
   */
  synchronized boolean tryEnter(OpenRead scan, ScanRequest request, ReadHorizon begun) {
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

  /** Removes a scan that has ended. */
  synchronized void leave(OpenRead scan) {
    scans.remove(scan);
  }

  /** Begins a flush. The caller closes the result when the flush has ended or failed. */
  public synchronized Flush beginFlush() {
    ReadHorizon oldest = present();
    for (ReadHorizon scan : scans.values()) {
      oldest = oldest.and(scan);
    }
    flushes.add(oldest);
    return new Flush(oldest);
  }

  /** Makes all scans release flushed memory: idle scans at once, others soon. */
  public void releaseFlushed() {
    all().forEach(OpenRead::releaseFlushed);
  }

  /** Ends all scans, when the region is closed. */
  public void close() {
    all().forEach(OpenRead::close);
  }

  private synchronized List<OpenRead> all() {
    return List.copyOf(scans.keySet());
  }

  private synchronized void end(ReadHorizon flush) {
    flushes.remove(flush);
  }

  /** A running flush. */
  public final class Flush implements AutoCloseable {
    private final ReadHorizon oldest;

    private Flush(ReadHorizon oldest) {
      this.oldest = oldest;
    }

    /** Returns the oldest read that the flush must serve. */
    public ReadHorizon oldest() {
      return oldest;
    }

    @Override
    public void close() {
      end(oldest);
    }
  }
}
