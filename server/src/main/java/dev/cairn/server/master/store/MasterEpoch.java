package dev.cairn.server.master.store;

import dev.cairn.engine.cell.Bytes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The epoch of a master: the fencing token of its orders and writes, which HBase's protocol calls
 * {@code initiatingMasterActiveTime}. Each master that becomes active has a higher one than all
 * before it, even if the clock was set back. Kept in the master's store.
 */
public final class MasterEpoch {
  private static final byte[] ROW = Bytes.utf8("cairn/epoch");

  private MasterEpoch() {}

  /**
   * Returns the epoch of the store's new owner, which must {@link #begin} it.
   *
   * @param least the lowest possible epoch: the time in milliseconds since 1970, or a higher
   *     number. The result is higher if the store has an epoch that is as high
   */
  public static long next(MasterStore store, long least) throws IOException {
    long last = -1;
    for (MasterStore.Entry entry : store.read(MasterStore.Section.STATE)) {
      if (Bytes.utf8(entry.row()).equals(Bytes.utf8(ROW)) && entry.value().length == Long.BYTES) {
        last = Bytes.getLong(entry.value(), 0);
      }
    }
    return Math.max(least, last + 1);
  }

  /** Stores the epoch of the store's new owner; fails if there is another owner already. */
  public static void begin(MasterStore store, long epoch) throws IOException {
    store.apply(
        List.of(
            new MasterStore.Change(
                MasterStore.Section.STATE, ROW, Optional.of(Bytes.ofLong(epoch)))));
  }
}
