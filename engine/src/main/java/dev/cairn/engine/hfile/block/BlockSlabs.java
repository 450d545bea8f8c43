package dev.cairn.engine.hfile.block;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Holds the data blocks that stay in the cache, one after another in large arrays.
 *
 * <p>A copying collector such as G1 copies each block with its own array once or twice, during
 * pauses. After a compaction, all blocks of its result enter the cache within seconds. Without
 * slabs, those blocks are most of the bytes that collections then copy. The collector never copies
 * an array that fills whole regions. So the reading thread copies a block that will stay into such
 * a slab, once. While 100,000 rows of 1 KB are read for the first time, collections copy 31 MB
 * instead of 433.
 *
 * <p>Bytes in a slab are never overwritten, so readers may hold a block for any time, like any
 * object. A block that leaves the cache leaves a gap, and a slab that consists of gaps is dropped.
 * If gaps take more than 1/{@link #GAPS_PART} of the cache, the emptiest slab is emptied: its
 * blocks move. In a full cache, where blocks come and go, no block goes into slabs: filling their
 * gaps would cost more copying than it saves the collector.
 *
 * <p>Thread-safe. The lock is held for a few instructions, and nothing else is called under it.
 */
public final class BlockSlabs {
  /** Gaps may take this fraction of the cache: 1/8 of its bytes. */
  private static final int GAPS_PART = 8;

  /** A block that takes more than this part of a slab stays alone. */
  private static final int BLOCK_PART = 8;

  /** A cache that holds fewer slabs has none: each may be held by a single block. */
  private static final int SLABS_MIN = 64;

  private final int slabBytes;
  private final long gapBytesMax;
  private final Set<Slab> slabs = new HashSet<>(); // guarded by this, as are the next ones
  private Slab current; // null before the first
  private long gapBytes; // in all slabs but the current one

  /** True if there are too many gaps; written under the lock. */
  private volatile boolean wasteful;

  /**
   * Creates an empty place.
   *
   * @param slabBytes the length of a slab; 0 for none
   * @param capacityBytes the capacity of the cache, bytes
   */
  public BlockSlabs(int slabBytes, long capacityBytes) {
    boolean few = slabBytes == 0 || capacityBytes / slabBytes < SLABS_MIN;
    this.slabBytes = few ? 0 : slabBytes;
    this.gapBytesMax = capacityBytes / GAPS_PART;
  }

  /** Tells whether there are any. */
  public boolean exist() {
    return slabBytes > 0;
  }

  /** Tells whether a block of so many bytes belongs into a slab. */
  public boolean takes(int length) {
    return length <= slabBytes / BLOCK_PART;
  }

  /** Returns an array of a block's own as its place. */
  public static Slice alone(int length) {
    return new Slice(new Slab(length), 0, length);
  }

  /**
   * Allocates room for a block that is about to be put into the cache. The caller must {@link
   * #release} it if the block is not put there, or when it leaves.
   *
   * @param resident where the block will be found
   * @param length its bytes, for which {@link #takes} is true
   */
  public Slice reserve(Resident resident, int length) {
    return reserveInCurrent(resident, length)
        // Made without the lock, for it takes long to clear; and it may find no memory.
        .orElseGet(() -> reserve(resident, length, new Slab(slabBytes)));
  }

  private synchronized Optional<Slice> reserveInCurrent(Resident resident, int length) {
    return current == null || slabBytes - current.used < length
        ? Optional.empty()
        : Optional.of(current.reserve(resident, length));
  }

  /** Reserves in {@code fresh}, unless another thread has put a new slab there meanwhile. */
  private synchronized Slice reserve(Resident resident, int length, Slab fresh) {
    Optional<Slice> inCurrent = reserveInCurrent(resident, length);
    if (inCurrent.isPresent()) {
      return inCurrent.get();
    }
    if (current != null && current.live > 0) {
      slabs.add(current);
      gapBytes += current.gaps();
    }
    current = fresh;
    return fresh.reserve(resident, length);
  }

  /** Adds a user of a block's slice, for another form of the same block. */
  public void retain(Slice slice) {
    add(slice, slice.length);
  }

  /** Takes note that a block has left the cache. */
  public void release(Slice slice) {
    add(slice, -slice.length);
  }

  private synchronized void add(Slice slice, int length) {
    Slab slab = slice.slab;
    slab.live += length;
    if (slabs.contains(slab)) {
      gapBytes -= length;
      if (slab.live == 0) {
        forget(slab);
      }
      wasteful = gapBytes > gapBytesMax;
    }
  }

  /** Moves blocks together if there are too many gaps. To be called with no lock held. */
  public void tidy() {
    if (wasteful) {
      emptiest().ifPresent(Slab::moveResidents);
    }
  }

  /** Returns the memory that all slabs take, bytes. */
  public synchronized long bytes() {
    return (slabs.size() + (current == null ? 0L : 1L)) * slabBytes;
  }

  /** Gives up the slab that is left with the least. */
  private synchronized Optional<Slab> emptiest() {
    Optional<Slab> found =
        wasteful
            ? slabs.stream().min(Comparator.comparingInt(slab -> slab.live))
            : Optional.empty(); // another thread has done it
    found.ifPresent(this::forget);
    wasteful = gapBytes > gapBytesMax;
    return found;
  }

  private void forget(Slab slab) {
    slabs.remove(slab);
    gapBytes -= slab.gaps();
  }

  /** Resolves a block's position. */
  public interface Resident {
    /** Moves the block to another slab if it is still in the cache and in this slab. */
    void moveFrom(Slab slab);
  }

  /** A large array, filled from its beginning. */
  public static final class Slab {
    private final byte[] bytes;
    private final List<Resident> residents = new ArrayList<>(); // full slabs do not change any more
    private int used; // guarded by the slabs, as is the next one
    private int live;

    private Slab(int size) {
      this.bytes = new byte[size];
    }

    private Slice reserve(Resident resident, int length) {
      Slice slice = new Slice(this, used, length);
      residents.add(resident); // before it counts: it may find no memory
      used += length;
      live += length;
      return slice;
    }

    private int gaps() {
      return used - live;
    }

    private void moveResidents() {
      // A block that is being put into the cache just now is not found, and stays: so may its slab.
      residents.forEach(resident -> resident.moveFrom(this));
    }
  }

  /**
   * A part of a slab, for one block.
   *
   * @param slab the slab, or an array for this block alone
   * @param offset where the part begins
   * @param length its bytes
   */
  public record Slice(Slab slab, int offset, int length) {
    /** The slice of a block that is not in a slab. */
    public static final Slice NONE = new Slice(new Slab(0), 0, 0);

    byte[] bytes() {
      return slab.bytes;
    }
  }
}
