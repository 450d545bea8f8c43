package dev.cairn.server.master.ddl;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.master.store.MasterStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Gives ids to new regions: the time, in milliseconds since 1970, or a higher number. A region's
 * name has its table, start key and id. A new region must not have the name of a deleted one:
 * otherwise, after a crash, the deleted region's logged changes would be applied to the new region,
 * or the new region's changes would be dropped as already flushed.
 *
 * <p>Ids may be far ahead of the time, and nothing else tells of a region that was deleted. So the
 * master's store has the highest id, which is written together with the records of procedures. A
 * procedure takes its ids before its record is first written, and uses them afterwards. Ids that
 * HBase's own master has given out in between are known only while their regions exist.
 * Thread-safe.
 */
public final class RegionIds {
  private static final byte[] ROW = Bytes.utf8("cairn/region-id");

  private final Clock clock;

  // Guarded by this.
  private long last;
  private long stored;

  /**
   * Creates the ids of a master.
   *
   * @param epoch the master's epoch, which is above the epochs of all masters before it
   * @param state the entries of {@link MasterStore.Section#STATE} in the master's store
   */
  public RegionIds(Clock clock, long epoch, List<MasterStore.Entry> state) {
    this.clock = clock;
    this.stored =
        state.stream()
            .filter(entry -> Arrays.equals(entry.row(), ROW))
            .mapToLong(RegionIds::stored)
            .findFirst()
            .orElse(-1);
    this.last = Math.max(epoch, stored);
  }

  private static long stored(MasterStore.Entry entry) {
    if (entry.value().length != Long.BYTES) {
      throw new IllegalStateException(
          "The master's store has "
              + entry.value().length
              + " bytes under "
              + Bytes.utf8(ROW)
              + " instead of the 8 of a region id");
    }
    return Bytes.getLong(entry.value(), 0);
  }

  /** Returns an id that is above {@code known} and above all that any master gave out before. */
  public long next(long known) {
    return next(known, 0);
  }

  /** As {@link #next(long)}; the {@code further} ids after the result are given out, too. */
  public synchronized long next(long known, long further) {
    long next = Math.max(clock.currentTimeMillis(), Math.max(known, last) + 1);
    last = next + further;
    return next;
  }

  /** Takes note of a present region's id, in case the store was lost. */
  public synchronized void seen(long id) {
    last = Math.max(last, id);
  }

  /**
   * Writes records of procedures to the store, together with the highest id if the store lacks it.
   * One call at a time; waits.
   *
   * @throws IOException as {@link MasterStore#apply}
   */
  public void apply(MasterStore store, List<MasterStore.Change> records) throws IOException {
    long highest;
    List<MasterStore.Change> changes = new ArrayList<>(records);
    synchronized (this) {
      highest = last;
      if (highest > stored) {
        changes.add(
            new MasterStore.Change(
                MasterStore.Section.STATE, ROW, Optional.of(Bytes.ofLong(highest))));
      }
    }
    store.apply(changes);
    synchronized (this) {
      stored = Math.max(stored, highest);
    }
  }
}
