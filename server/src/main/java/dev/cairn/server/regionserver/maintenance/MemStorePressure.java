package dev.cairn.server.regionserver.maintenance;

import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides which regions to flush: those whose memstore is full or has recovered edits, those that
 * have waited long, and, when all memstores together take too much, the largest ones until enough
 * bytes are being flushed. When the memstores reach their upper limit, it refuses writes. {@link
 * #check} is for one thread at a time; all other methods are thread-safe.
 *
 * <p>A table whose hooks hold up a flush keeps its memory. Other memstores are flushed as if the
 * limit were lower by this memory. When such tables together hold half of the limit, writes to them
 * are refused.
 *
 * <p>Flushed memory that running reads still use counts, too. Another flush cannot free it; the
 * reads free it when their calls end. Until then, small memstores are not flushed, because each
 * would become a small file.
 */
public final class MemStorePressure implements MemStoreRoom {
  /** The smallest memstore that is flushed to compensate for memory in use by reads. */
  private static final long WORTH_A_FILE_BYTES = 4 << 20;

  /** After this time memstores are looked at even if nothing has happened, because writes age. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * Recovered edits may fill the memstores up to this share of the limit at which the largest are
   * flushed.
   */
  private static final double RECOVERED_SHARE = 0.5;

  /**
   * The longest time for which flushes of recovered edits wait while other regions open. Clients
   * wait for the openings, and flushes would slow these down.
   */
  private static final long OPENINGS_FIRST_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Replicas may fill this share of the limit at which writes are refused. */
  private static final double REPLICA_SHARE = 0.5;

  /** Tables whose hooks hold up flushes may together fill this share of the same limit. */
  private static final double HELD_SHARE = 0.5;

  private final OnlineRegions regions;
  private final Flushes flushes;
  private final MaintenanceSettings settings;
  private final Clock clock;

  /** The approximate bytes that writes have added since the server started. */
  private final AtomicLong writtenBytes = new AtomicLong();

  /** The bytes that are kept for writes in steps, which no memstore holds yet. */
  private final AtomicLong keptBytes = new AtomicLong();

  /**
   * The size of the largest write that was refused since the last measurement; flushes make room
   * for it.
   */
  private final AtomicLong refusedBytes = new AtomicLong();

  private final BlockedTime blocked = new BlockedTime();

  /** The time since which all checks have found opening regions. Only for {@link #check}. */
  private OptionalLong openingSince = OptionalLong.empty();

  /** See {@link #replicasToFlush}. */
  private volatile List<HostedRegion> replicasToFlush = List.of();

  /** The tables whose hooks hold up flushes, while they together hold too much. */
  private volatile Set<TableName> heldTables = Set.of();

  private volatile Measurement last = new Measurement(0, 0, 0, 0, 0, false);

  /**
   * A measurement of all memstores, including memory that is being flushed or read.
   *
   * @param replicaBytes the part of {@code heldBytes} that replicas hold
   * @param writtenBytes the value of {@link #writtenBytes} just before the measurement
   * @param regionChanges the value of {@link OnlineRegions#changes} then
   * @param atNanos the time of the measurement
   * @param isCalm whether memory changes only by new writes and region changes: there was neither a
   *     write since the measurement before, nor a flush, and reads used no flushed memory
   */
  private record Measurement(
      long heldBytes,
      long replicaBytes,
      long writtenBytes,
      long regionChanges,
      long atNanos,
      boolean isCalm) {}

  public MemStorePressure(
      OnlineRegions regions, Flushes flushes, MaintenanceSettings settings, Clock clock) {
    this.regions = regions;
    this.flushes = flushes;
    this.settings = settings;
    this.clock = clock;
  }

  private record Sized(HostedRegion region, long bytes) {}

  @Override
  public void reserve(long bytes) throws RegionBusyException {
    reserve(bytes, writtenBytes);
  }

  @Override
  public void keep(long bytes) throws RegionBusyException {
    reserve(bytes, keptBytes);
  }

  @Override
  public void usedKept(long bytes) {
    writtenBytes.addAndGet(bytes); // first: they may be counted twice, but never missed
    keptBytes.addAndGet(-bytes);
  }

  @Override
  public void releaseKept(long bytes) {
    keptBytes.addAndGet(-bytes);
  }

  @Override
  public MemStoreRoom ofHooked(TableName table) {
    return new HookedRoom(this, () -> heldTables.contains(table), table);
  }

  private void reserve(long bytes, AtomicLong count) throws RegionBusyException {
    count.addAndGet(bytes);
    long held = heldBytes();
    if (held > settings.globalMemStoreBytes()) {
      count.addAndGet(-bytes);
      refusedBytes.accumulateAndGet(bytes, Math::max);
      blocked.begin(clock.nanoTime());
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

  /**
   * Returns how long writes have been refused, in nanoseconds: each time, from the first refused
   * write until a check finds room.
   */
  public long blockedNanos() {
    return blocked.nanos(clock.nanoTime());
  }

  @Override
  public void reserveForReplica(long bytes) throws RegionBusyException {
    if (pressure() > 1 || last.replicaBytes() > settings.globalMemStoreBytes() * REPLICA_SHARE) {
      throw new RegionBusyException(
          "The replicas of this server accept no changes until memstores have been flushed:"
              + " all memstores together, or those of replicas, are too large");
    }
    writtenBytes.addAndGet(bytes);
  }

  /** Returns the bytes of changes that the replicas here hold, as last measured. Thread-safe. */
  public long replicaBytes() {
    return last.replicaBytes();
  }

  /**
   * Returns the largest replicas, so many that flushes of their regions would free half of the
   * memory for replicas; none while that memory is not full. As of the last check. Thread-safe.
   */
  public List<HostedRegion> replicasToFlush() {
    return replicasToFlush;
  }

  private List<HostedRegion> replicasToFlush(List<Sized> replicas, long bytes) {
    double room = settings.globalMemStoreBytes() * REPLICA_SHARE;
    if (bytes <= room) {
      return List.of();
    }
    replicas.sort(Comparator.comparingLong(Sized::bytes).reversed());
    List<HostedRegion> largest = new ArrayList<>();
    long left = bytes;
    for (Sized replica : replicas) {
      if (left <= room / 2 || replica.bytes() == 0) {
        break;
      }
      largest.add(replica.region());
      left -= replica.bytes();
    }
    return largest;
  }

  @Override
  public boolean tryReserve(long bytes) {
    writtenBytes.addAndGet(bytes);
    if (pressure() > RECOVERED_SHARE) {
      writtenBytes.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  @Override
  public void release(long bytes) {
    writtenBytes.addAndGet(-bytes);
  }

  /**
   * Returns the bytes that all memstores hold: the last measurement plus the writes since, and what
   * is kept for writes in steps. Thread-safe.
   */
  public long heldBytes() {
    long kept = keptBytes.get(); // read first: see usedKept
    Measurement measured = last;
    return measured.heldBytes() + kept + Math.max(0, writtenBytes.get() - measured.writtenBytes());
  }

  /**
   * Returns how near all memstores together are to where the largest are flushed: 1 there. Any
   * number of threads.
   */
  public double pressure() {
    return heldBytes() / (settings.globalMemStoreBytes() * settings.globalMemStoreLowerShare());
  }

  /** Tells whether {@link #check} may find something that the last check did not. */
  public boolean isDue() {
    Measurement measured = last;
    return !measured.isCalm()
        || measured.writtenBytes() != writtenBytes.get()
        || measured.regionChanges() != regions.changes()
        || refusedBytes.get() > 0
        || flushes.pending() > 0
        || clock.nanoTime() - measured.atNanos() >= IDLE_NANOS;
  }

  private boolean mayFlushRecovered(long now) {
    if (!regions.isAnyOpening()) {
      openingSince = OptionalLong.empty();
      return true;
    }
    if (openingSince.isEmpty()) {
      openingSince = OptionalLong.of(now);
    }
    return now - openingSince.getAsLong() > OPENINGS_FIRST_NANOS;
  }

  /** Checks all regions once. */
  public void check() {
    long now = clock.nanoTime();
    long changes = regions.changes();
    long written = writtenBytes.get(); // read first: a write may be counted twice, but never missed
    long total = 0;
    long held = 0;
    long inUse = 0;
    long stuck = 0;
    Set<TableName> stuckTables = new HashSet<>();
    long ofReplicas = 0;
    boolean isCalm = true;
    boolean mayFlushRecovered = mayFlushRecovered(now);
    List<Sized> others = new ArrayList<>();
    List<Sized> replicas = new ArrayList<>();
    for (HostedRegion region : regions.open()) {
      long bytes = region.flushes().memStoreBytes();
      inUse += region.flushes().flushedBytesInUse();
      if (region.isReplica()) {
        ofReplicas += bytes; // The flushes of its region free it.
        replicas.add(new Sized(region, bytes));
        continue;
      }
      total += bytes;
      held += bytes;
      boolean isRecovered = region.flushes().hasRecoveredEdits();
      Optional<String> reason = reasonToFlush(region, bytes);
      isCalm &= reason.isEmpty() && !isRecovered;
      if (flushes.isHeld(region)) { // It keeps its memory, whether a flush has begun or not.
        stuck += bytes;
        stuckTables.add(region.info().table());
        total -= bytes;
        reason.ifPresent(text -> flushes.request(region, text));
        continue;
      }
      if (isRecovered
              && mayFlushRecovered
              && flushes.request(region, FlushScope.ALL, "it has recovered edits in memory")
          || reason.isPresent() && flushes.request(region, reason.get())) {
        total -= bytes;
      } else {
        others.add(new Sized(region, bytes));
      }
    }
    inUse += ofReplicas;
    isCalm &= stuckTables.isEmpty();
    heldTables = stuck > settings.globalMemStoreBytes() * HELD_SHARE ? stuckTables : Set.of();
    replicasToFlush = replicasToFlush(replicas, ofReplicas);
    long kept = keptBytes.get();
    long limit =
        Math.min(
                (long) (settings.globalMemStoreBytes() * settings.globalMemStoreLowerShare()),
                settings.globalMemStoreBytes() - kept - refusedBytes.getAndSet(0))
            - stuck;
    isCalm &= inUse == ofReplicas && total <= limit && flushes.pending() == 0;
    isCalm &= written == last.writtenBytes(); // otherwise a write may be between its two steps
    last = new Measurement(held + inUse, ofReplicas, written, changes, now, isCalm);
    if (held + inUse + kept <= settings.globalMemStoreBytes()) {
      blocked.end(now);
    }
    if (total + inUse <= limit) {
      return;
    }
    others.sort(Comparator.comparingLong(Sized::bytes).reversed());
    for (Sized largest : others) {
      long least = total > limit ? 1 : WORTH_A_FILE_BYTES;
      if (total + inUse <= limit || largest.bytes() < least) {
        return;
      }
      String reason = "all memstores together hold " + (total + inUse) + " bytes";
      if (flushes.requestUrgently(largest.region(), reason)) {
        total -= largest.bytes();
      }
    }
  }

  private Optional<String> reasonToFlush(HostedRegion region, long bytes) {
    if (bytes >= region.schema().memStoreFlushBytes().orElse(settings.regionFlushBytes())) {
      return Optional.of("its memstore holds " + bytes + " bytes");
    }
    return bytes > 0 && region.flushes().isFlushOverdue()
        ? Optional.of("a write has waited long")
        : Optional.empty();
  }

  /** Adds up the times during which something was blocked. Thread-safe. */
  public static final class BlockedTime {
    private boolean isBlocked; // guarded by this
    private long sinceNanos; // guarded by this
    private long pastNanos; // guarded by this

    /** Notes that the blocking has begun; does nothing if it had begun before. */
    public synchronized void begin(long nowNanos) {
      if (!isBlocked) {
        isBlocked = true;
        sinceNanos = nowNanos;
      }
    }

    /** Notes that the blocking has ended; does nothing if nothing was blocked. */
    public synchronized void end(long nowNanos) {
      pastNanos = nanos(nowNanos);
      isBlocked = false;
    }

    /** Returns how long something was blocked in total, in nanoseconds. */
    public synchronized long nanos(long nowNanos) {
      return pastNanos + (isBlocked ? Math.max(0, nowNanos - sinceNanos) : 0);
    }
  }
}
