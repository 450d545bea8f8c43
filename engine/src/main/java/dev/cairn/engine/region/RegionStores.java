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
    int index = indexOf(cell, 0);
    return index < 0 ? null : stores[index];
  }

  /**
   * Returns which store is that of the cell's family, -1 if none is; {@code likely} comes first.
   */
  private int indexOf(Cell cell, int likely) {
    if (likely < stores.length && isOf(cell, likely)) {
      return likely;
    }
    for (int i = 0; i < stores.length; i++) {
      if (isOf(cell, i)) {
        return i;
      }
    }
    return -1;
  }

  private boolean isOf(Cell cell, int index) {
    byte[] family = stores[index].family().name();
    int offset = cell.familyOffset();
    return Arrays.equals(
        family, 0, family.length, cell.bytes(), offset, offset + cell.familyLength());
  }

  /** Adds cells, all of known families, under one sequence number. */
  void add(CellBuffer cells, long sequence, long nowMillis) {
    int[] order = BatchSorter.of(cells);
    if (stores.length == 1) {
      stores[0].add(cells, order, sequence, nowMillis);
      return;
    }
    int[][] shares = shares(cells, order);
    for (int i = 0; i < stores.length; i++) {
      if (shares[i].length > 0) {
        stores[i].add(cells, shares[i], sequence, nowMillis);
      }
    }
  }

  /** Divides the indexes of cells among the stores whose families they have. */
  private int[][] shares(CellBuffer cells, int[] order) {
    Cell view = new Cell();
    int[] owners = new int[order.length];
    int[] counts = new int[stores.length];
    int owner = 0;
    for (int i = 0; i < order.length; i++) {
      owner = indexOf(cells.get(order[i], view, 0), owner);
      owners[i] = owner;
      counts[owner]++;
    }
    int[][] shares = new int[stores.length][];
    for (int i = 0; i < stores.length; i++) {
      shares[i] = new int[counts[i]];
      counts[i] = 0;
    }
    for (int i = 0; i < order.length; i++) {
      shares[owners[i]][counts[owners[i]]++] = order[i];
    }
    return shares;
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
