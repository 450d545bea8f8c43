package dev.cairn.engine.region;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.store.Store;
import java.util.Arrays;
import java.util.List;

/** The stores of one region, in the order of their families. Immutable. */
final class RegionStores {
  private final Store[] stores;
  private final List<Store> all;

  RegionStores(List<Store> stores) {
    this.stores = stores.toArray(new Store[0]);
    this.all = List.copyOf(stores);
  }

  /** Returns all stores. */
  List<Store> all() {
    return all;
  }

  /** Returns the store of the cell's family, or null if there is none. */
  Store find(Cell cell) {
    for (Store store : stores) {
      byte[] family = store.family().name();
      int offset = cell.familyOffset();
      if (Arrays.equals(
          family, 0, family.length, cell.bytes(), offset, offset + cell.familyLength())) {
        return store;
      }
    }
    return null;
  }

  /** Adds cells, all of known families, under one sequence number. */
  void add(CellBuffer cells, long sequence, long nowMillis) {
    Cell view = new Cell();
    for (int i = 0; i < cells.size(); i++) {
      cells.get(i, view, sequence);
      find(view).add(view, sequence, nowMillis);
    }
  }

  /**
   * Tells whether every store has a file that stands for {@code sequence}. If not, the region has
   * to write the number down when it has flushed up to there: the family whose file has it may be
   * removed. If numbers were handed out twice, the log would take new entries for those that were
   * flushed long ago; and a family that is added again would be given its old entries.
   */
  boolean haveFlushed(long sequence) {
    for (Store store : stores) {
      if (store.flushedSequence() < sequence) {
        return false;
      }
    }
    return true;
  }

  /** Returns the highest timestamp in a file, {@link Long#MIN_VALUE} if there are no cells. */
  long newestTimestamp() {
    return all.stream()
        .flatMap(store -> store.view().files().stream())
        .filter(file -> file.reader().info().entryCount() > 0)
        .mapToLong(file -> file.reader().info().maxTimestamp())
        .max()
        .orElse(Long.MIN_VALUE);
  }

  /** Returns the bytes of heap that all memstores take. */
  long memStoreBytes() {
    long bytes = 0;
    for (Store store : stores) {
      bytes += store.memStoreBytes();
    }
    return bytes;
  }

  /** Returns the bytes of cells in all memstores. */
  long memStoreDataBytes() {
    long bytes = 0;
    for (Store store : stores) {
      bytes += store.memStoreDataBytes();
    }
    return bytes;
  }
}
