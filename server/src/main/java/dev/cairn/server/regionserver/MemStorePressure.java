package dev.cairn.server.regionserver;

import dev.cairn.engine.region.MemStoreRoom;
import dev.cairn.engine.region.RegionBusyException;
import dev.cairn.engine.region.RegionStatistics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides which regions are to be flushed: those whose memstore is full, those that have waited
 * long, and, when all memstores together take too much, the largest ones until enough is on its
 * way. When even that limit is reached, nothing more may be written. One thread at a time, except
 * {@link #reserve} and {@link #pressure}.
 *
 * <p>Flushed memory that running reads still use counts, too. Another flush cannot free it; the
 * reads free it when their calls end. Until then, small memstores are not flushed, because each
 * would become a small file.
 */
final class MemStorePressure implements MemStoreRoom {
  /** The smallest memstore that is flushed to compensate for memory in use by reads. */
  private static final long WORTH_A_FILE_BYTES = 4 << 20;

  private final OnlineRegions regions;
  private final Flushes flushes;
  private final MaintenanceSettings settings;

  /** The approximate bytes that writes have added since the server started. */
  private final AtomicLong writtenBytes = new AtomicLong();

  /**
   * The size of the largest write that was refused since the last measurement; flushes make room
   * for it.
   */
  private final AtomicLong refusedBytes = new AtomicLong();

  private volatile Measurement last = new Measurement(0, 0);

  /**
   * A measurement of all memstores, including memory that is being flushed or read.
   *
   * @param writtenBytes the value of {@link #writtenBytes} just before the measurement
   */
  private record Measurement(long heldBytes, long writtenBytes) {}

  MemStorePressure(OnlineRegions regions, Flushes flushes, MaintenanceSettings settings) {
    this.regions = regions;
    this.flushes = flushes;
    this.settings = settings;
  }

  private record Sized(HostedRegion region, long bytes) {}

  @Override
  public void reserve(long bytes) throws RegionBusyException {
    long written = writtenBytes.addAndGet(bytes);
    Measurement measured = last;
    long held = measured.heldBytes() + Math.max(0, written - measured.writtenBytes());
    if (held > settings.globalMemStoreBytes()) {
      writtenBytes.addAndGet(-bytes);
      refusedBytes.accumulateAndGet(bytes, Math::max);
      throw new RegionBusyException(
          "All memstores of this server together would hold "
              + held
              + " bytes, more than "
              + MaintenanceSettings.GLOBAL_MEMSTORE_SHARE.name()
              + " allows ("
              + settings.globalMemStoreBytes()
              + "). Flushes or running scans free the memory; try again later");
    }
  }

  @Override
  public void release(long bytes) {
    writtenBytes.addAndGet(-bytes);
  }

  /**
   * Returns the bytes that all memstores hold: the last measurement plus the writes since.
   * Thread-safe.
   */
  long heldBytes() {
    Measurement measured = last;
    return measured.heldBytes() + Math.max(0, writtenBytes.get() - measured.writtenBytes());
  }

  /**
   * Returns how near all memstores together are to where the largest are flushed: 1 there. Any
   * number of threads.
   */
  double pressure() {
    return heldBytes() / (settings.globalMemStoreBytes() * settings.globalMemStoreLowerShare());
  }

  /** Looks at all regions once. */
  void check() {
    long written = writtenBytes.get(); // read first: a write may be counted twice, but never missed
    long total = 0;
    long held = 0;
    long inUse = 0;
    List<Sized> others = new ArrayList<>();
    for (HostedRegion region : regions.open()) {
      RegionStatistics statistics = region.upkeep().statistics();
      long bytes = statistics.memStoreBytes();
      total += bytes;
      held += bytes;
      inUse += statistics.flushedBytesInUse();
      if (isFull(region, bytes) && flushes.request(region, "its memstore holds " + bytes + " bytes")
          || bytes > 0
              && region.upkeep().isFlushOverdue()
              && flushes.request(region, "a write has waited long")) {
        total -= bytes;
      } else {
        others.add(new Sized(region, bytes));
      }
    }
    last = new Measurement(held + inUse, written);
    long limit =
        Math.min(
            (long) (settings.globalMemStoreBytes() * settings.globalMemStoreLowerShare()),
            settings.globalMemStoreBytes() - refusedBytes.getAndSet(0));
    if (total + inUse <= limit) {
      return;
    }
    others.sort(Comparator.comparingLong(Sized::bytes).reversed());
    for (Sized largest : others) {
      long least = total > limit ? 1 : WORTH_A_FILE_BYTES;
      if (total + inUse <= limit || largest.bytes() < least) {
        return;
      }
      flushes.requestUrgently(
          largest.region(), "all memstores together hold " + (total + inUse) + " bytes");
      total -= largest.bytes();
    }
  }

  private boolean isFull(HostedRegion region, long bytes) {
    return bytes >= region.schema().memStoreFlushBytes().orElse(settings.regionFlushBytes());
  }
}
