package dev.cairn.server.regionserver;

import dev.cairn.engine.region.RegionStatistics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.RegionTooBusyException;

/**
 * Decides which regions are to be flushed: those whose memstore is full, those that have waited
 * long, and, when all memstores together take too much, the largest ones until enough is on its
 * way. When even that limit is reached, nothing more may be written. One thread at a time, except
 * {@link #checkRoom} and {@link #pressure}.
 *
 * <p>Memory that is flushed already, and that running reads still use, counts as well. No flush
 * frees it; those reads do, at the ends of their calls. Meanwhile small memstores stay as they are,
 * or each would become a small file.
 */
final class MemStorePressure {
  /** The least memstore that is flushed to make up for memory that reads use. */
  private static final long WORTH_A_FILE_BYTES = 4 << 20;

  private final OnlineRegions regions;
  private final Flushes flushes;
  private final UpkeepSettings settings;

  /** What writes have added since the server began, roughly. */
  private final AtomicLong writtenBytes = new AtomicLong();

  /** The largest write that was refused since the last look: room is made for it. */
  private final AtomicLong refusedBytes = new AtomicLong();

  private volatile Look last = new Look(0, 0);

  /**
   * What all memstores held when they were measured; what is being flushed or read counts.
   *
   * @param writtenBytes what {@link #writtenBytes} was just before
   */
  private record Look(long heldBytes, long writtenBytes) {}

  MemStorePressure(OnlineRegions regions, Flushes flushes, UpkeepSettings settings) {
    this.regions = regions;
    this.flushes = flushes;
    this.settings = settings;
  }

  private record Sized(HostedRegion region, long bytes) {}

  /**
   * Lets a write pass if there is memory for it, which it has from then on.
   *
   * @param bytes what it adds to the memstores, roughly
   * @throws RegionTooBusyException if there is none; the client tries again
   */
  void checkRoom(long bytes) throws RegionTooBusyException {
    long written = writtenBytes.addAndGet(bytes);
    Look look = last;
    long held = look.heldBytes() + Math.max(0, written - look.writtenBytes());
    if (held > settings.globalMemStoreBytes()) {
      writtenBytes.addAndGet(-bytes);
      refusedBytes.accumulateAndGet(bytes, Math::max);
      throw new RegionTooBusyException(
          "All memstores of this server together would hold "
              + held
              + " bytes, more than "
              + UpkeepSettings.GLOBAL_MEMSTORE_SHARE.name()
              + " allows ("
              + settings.globalMemStoreBytes()
              + "); they are being flushed, or read by scans that still run, try again");
    }
  }

  /**
   * Returns what all memstores hold together, bytes: as measured last, and what was written since.
   * Any number of threads.
   */
  long heldBytes() {
    Look look = last;
    return look.heldBytes() + Math.max(0, writtenBytes.get() - look.writtenBytes());
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
    long written = writtenBytes.get(); // first: a write that is measured may count twice
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
    last = new Look(held + inUse, written);
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
