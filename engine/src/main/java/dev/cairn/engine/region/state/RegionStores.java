package dev.cairn.engine.region.state;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreView;
import dev.cairn.engine.wal.file.Nonce;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The stores of one region, in the order of their families. Immutable. */
public final class RegionStores {
  private final Store[] stores;
  private final List<Store> all;

  /**
   * A counter that grows when files of several stores begin to become visible, and again when all
   * are visible; odd in between.
   */
  private volatile int publications;

  public RegionStores(List<Store> stores) {
    this.stores = stores.toArray(new Store[0]);
    this.all = List.copyOf(stores);
  }

  /** Returns all stores. */
  public List<Store> all() {
    return all;
  }

  /**
   * Publishes views of several stores together. A read that finds {@link #publications} changed
   * takes its views again. One thread at a time.
   *
   * @param publish publishes the stores' views and does nothing else
   */
  public void publishTogether(Runnable publish) {
    publications++;
    try {
      publish.run();
    } finally {
      publications++;
    }
  }

  /** Returns a number that changes whenever views of several stores are published together. */
  public int publications() {
    int number = publications;
    while ((number & 1) != 0) {
      Thread.onSpinWait();
      number = publications;
    }
    return number;
  }

  /**
   * Tells whether views are being published together, or were since {@link #publications} returned
   * {@code number}.
   */
  public boolean hasPublishedSince(int number) {
    return publications != number;
  }

  /** Returns the store of a family, or null if there is none. */
  public Store find(byte[] family) {
    for (Store store : stores) {
      if (Arrays.equals(store.family().name(), family)) {
        return store;
      }
    }
    return null;
  }

  /** Returns the store of the cell's family, or null if there is none. */
  public Store find(Cell cell) {
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

  /**
   * Adds the cells of one change under one sequence number. All their families must exist.
   *
   * @param nonce the change's nonce, if it has one
   */
  public void add(CellBuffer cells, Nonce nonce, long sequence, long nowMillis) {
    int[] order = BatchSorter.of(cells);
    if (stores.length == 1) {
      stores[0].add(cells, order, sequence, nowMillis);
      addNonce(stores[0], nonce, nowMillis);
      return;
    }
    int[][] shares = shares(cells, order);
    for (int i = 0; i < stores.length; i++) {
      if (shares[i].length > 0) {
        stores[i].add(cells, shares[i], sequence, nowMillis);
        addNonce(stores[i], nonce, nowMillis);
      }
    }
  }

  private static void addNonce(Store store, Nonce nonce, long nowMillis) {
    if (nonce.isPresent()) {
      store.addNonce(nonce.group(), nonce.number(), nowMillis);
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
   * Tells whether every store has a file with the number {@code sequence}. If not, the region must
   * record the number itself when it has flushed up to it, because the family whose file has it may
   * be removed. If numbers were used twice, the log would take new entries for flushed ones, and a
   * family that is added again would get its old entries.
   */
  public boolean haveFlushed(long sequence) {
    for (Store store : stores) {
      if (store.flushedSequence() < sequence) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the highest timestamp of a cell, {@link Long#MIN_VALUE} if there are no cells. Ignores
   * files that do not state theirs, as most that were made for bulk loading: no server gave their
   * cells a timestamp. Ignores a file with a cell of the latest timestamp, too.
   */
  public long newestTimestamp() {
    long unflushed =
        all.stream()
            .flatMap(store -> store.view().segments().stream())
            .mapToLong(MemStoreSegment::maxTimestamp)
            .max()
            .orElse(Long.MIN_VALUE);
    return Math.max(unflushed, newestFlushedTimestamp());
  }

  private long newestFlushedTimestamp() {
    return all.stream()
        .flatMap(store -> store.view().files().stream())
        .filter(file -> file.reader().info().entryCount() > 0)
        .mapToLong(file -> file.reader().info().maxTimestamp())
        .filter(timestamp -> timestamp != Cell.LATEST_TIMESTAMP)
        .max()
        .orElse(Long.MIN_VALUE);
  }

  /**
   * Returns the row in the middle of the largest file of the largest store that has such a row
   * strictly within the file.
   *
   * @param wanted tells whether the row can be used
   */
  public Optional<byte[]> middle(Predicate<byte[]> wanted) throws IOException {
    List<Store> bySize = new ArrayList<>(all);
    bySize.sort(Comparator.comparingLong(Store::fileBytes).reversed());
    for (Store store : bySize) {
      Optional<byte[]> middle = middle(store).filter(wanted);
      if (middle.isPresent()) {
        return middle;
      }
    }
    return Optional.empty();
  }

  private static Optional<byte[]> middle(Store store) throws IOException {
    StoreView view = store.pin();
    try {
      Optional<StoreFile> largest =
          view.files().stream().max(Comparator.comparingLong(StoreFile::length));
      if (largest.isEmpty()) {
        return Optional.empty();
      }
      HFileReader reader = largest.get().reader();
      return reader
          .midRow()
          .filter(
              row ->
                  Stream.concat(reader.info().firstKey().stream(), reader.info().lastKey().stream())
                      .noneMatch(key -> Arrays.equals(row, key.row())));
    } finally {
      view.release();
    }
  }

  /** Returns the bytes of flushed memstores that running reads still use. */
  public long flushedBytesInUse() {
    long bytes = 0;
    for (Store store : stores) {
      bytes += store.flushedBytesInUse();
    }
    return bytes;
  }

  /** Returns the bytes of heap that all memstores take. */
  public long memStoreBytes() {
    long bytes = 0;
    for (Store store : stores) {
      bytes += store.memStoreBytes();
    }
    return bytes;
  }

  /** Returns the bytes of all store files. */
  public long storeFileBytes() {
    long bytes = 0;
    for (Store store : stores) {
      for (StoreFile file : store.view().files()) {
        bytes += file.length();
      }
    }
    return bytes;
  }

  /** Returns the bytes of cells in all memstores. */
  public long memStoreDataBytes() {
    long bytes = 0;
    for (Store store : stores) {
      bytes += store.memStoreDataBytes();
    }
    return bytes;
  }
}
