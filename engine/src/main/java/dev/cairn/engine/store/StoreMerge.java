package dev.cairn.engine.store;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.layout.Reference;
import dev.cairn.engine.layout.StoreDirectory;
import java.io.IOException;
import java.util.List;

/**
 * Gives the files of one store to the store of the merged region, without copying a cell: each gets
 * a reference that begins at the region's first row, as in HBase.
 *
 * <p>All must be done again if it is cut off; it can be, after the merged region's directory is
 * emptied. Nothing else may use the two stores.
 */
public final class StoreMerge {
  private final StoreContext context;
  private final StoreReferences references;
  private final CellComparator comparator;

  /** Creates a merge into the store {@code merged}, in the order {@code comparator}. */
  public StoreMerge(StoreContext context, CellComparator comparator, StoreDirectory merged) {
    this.context = context;
    this.references = new StoreReferences(context, merged);
    this.comparator = comparator;
  }

  /**
   * Adds the files of one of the parents. {@link #complete} then refers to them.
   *
   * @param startKey the first row of the parent
   * @return the highest sequence number of the parent's files, 0 if there are none
   * @throws IOException also if the parent itself has references, which have to be compacted first
   */
  public long add(StoreDirectory parent, byte[] startKey) throws IOException {
    List<StoreFile> owned = StoreFiles.openToRefer(context, parent.path(), comparator);
    try {
      long sequence = 0;
      for (StoreFile file : owned) {
        if (file.reader().info().entryCount() > 0) {
          references.refer(file, parent, Reference.top(startKey));
        }
        sequence = Math.max(sequence, file.maxSequence());
      }
      return sequence;
    } finally {
      owned.forEach(StoreFile::release);
    }
  }

  /** Makes the links and references to the files of all parents. */
  public void complete() throws IOException {
    references.write();
  }
}
