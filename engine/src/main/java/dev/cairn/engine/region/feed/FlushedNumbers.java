package dev.cairn.engine.region.feed;

import dev.cairn.engine.region.state.Mvcc;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * For each family of a region, the number up to which all its changes are in store files. A number
 * stays valid: a compaction may drop cells, but it never moves them back to memory.
 *
 * @param families the families and their numbers
 */
public record FlushedNumbers(List<OfFamily> families) {
  /**
   * The number of one family.
   *
   * @param name the family's name
   * @param sequence all changes of the family up to this number are in store files
   */
  public record OfFamily(byte[] name, long sequence) {}

  /** Makes a copy of the list. */
  public FlushedNumbers {
    families = List.copyOf(families);
  }

  /** Returns the present numbers of a region that takes writes. */
  public static FlushedNumbers of(RegionStores stores, Mvcc mvcc) {
    // Read the read point first: later changes may not be in the memstores yet.
    long complete = mvcc.readPoint();
    List<OfFamily> families = new ArrayList<>();
    for (Store store : stores.all()) {
      families.add(
          new OfFamily(
              store.family().name(), Math.min(complete, store.oldestUnflushedSequence() - 1)));
    }
    return new FlushedNumbers(families);
  }

  /** Returns the number up to which all families are in store files, 0 without families. */
  public long ofRegion() {
    return families.stream().mapToLong(OfFamily::sequence).min().orElse(0);
  }

  /** Returns the number of a family, 0 if it is unknown. */
  public long of(byte[] family) {
    for (OfFamily one : families) {
      if (Arrays.equals(one.name(), family)) {
        return one.sequence();
      }
    }
    return 0;
  }
}
