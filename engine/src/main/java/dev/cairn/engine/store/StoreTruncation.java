package dev.cairn.engine.store;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.layout.HFileArchive;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.tracking.StoreFileTracking;
import java.io.IOException;
import java.util.List;

/** Empties stores of closed regions. Both methods are harmless if called twice. */
public final class StoreTruncation {
  private final StoreContext context;
  private final CellComparator comparator;

  /** Creates it for stores in the order {@code comparator}. */
  public StoreTruncation(StoreContext context, CellComparator comparator) {
    this.context = context;
    this.comparator = comparator;
  }

  /** Returns the highest sequence number of the store's files, 0 if there are none. */
  public long highestSequence(StoreDirectory store) throws IOException {
    List<StoreFile> files = StoreFiles.open(context, store.path(), comparator);
    try {
      return files.stream().mapToLong(StoreFile::maxSequence).max().orElse(0);
    } finally {
      files.forEach(StoreFile::release);
    }
  }

  /**
   * Moves the store's files to the archive. A store with a list of its files keeps an empty list:
   * it is written first, so that a crash at any moment leaves a store that can be opened.
   */
  public void archive(StoreDirectory store) throws IOException {
    context.tracker(store.path()).begin(List.of());
    if (context.settings().tracking().equals(StoreFileTracking.DEFAULT)) {
      new HFileArchive(context.storage()).archiveFamily(store.path(), store);
      context.storage().createDirectories(store.path());
    }
  }
}
