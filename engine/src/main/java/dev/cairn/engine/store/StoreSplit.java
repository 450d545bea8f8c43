package dev.cairn.engine.store;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.layout.Reference;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.time.SideBySide;
import java.io.IOException;
import java.util.List;

/**
 * Divides the files of one store between the stores of two daughter regions, without copying a
 * cell: a file on one side of the border gets a link, one with cells on both sides a reference from
 * both, as in HBase since 2.6.
 *
 * <p>All must be done again if it is cut off; it can be, after the daughters' directories are
 * emptied. Nothing else may use the three stores.
 */
public final class StoreSplit {
  private final StoreContext context;
  private final CellComparator comparator;
  private final byte[] row;
  private final Cell border;

  /** Creates a split at {@code row}, the first of the upper daughter. */
  public StoreSplit(StoreContext context, CellComparator comparator, byte[] row) {
    this.context = context;
    this.comparator = comparator;
    this.row = row;
    this.border = Cell.firstOnRow(row);
  }

  /**
   * Writes references, through which the daughters own their parts of the parent's files.
   *
   * @return the highest sequence number of the parent's files, 0 if there are none
   * @throws IOException also if the parent itself has references, which have to be compacted first
   */
  public long split(StoreDirectory parent, StoreDirectory lower, StoreDirectory upper)
      throws IOException {
    StoreReferences below = new StoreReferences(context, lower);
    StoreReferences above = new StoreReferences(context, upper);
    long sequence = 0;
    List<StoreFile> files = StoreFiles.openToRefer(context, parent.path(), comparator);
    try {
      for (StoreFile file : files) {
        divide(file, parent, below, above);
        sequence = Math.max(sequence, file.maxSequence());
      }
    } finally {
      files.forEach(StoreFile::release);
    }
    SideBySide.run(context.helpers(), List.of(below::write, above::write));
    return sequence;
  }

  private void divide(
      StoreFile file, StoreDirectory parent, StoreReferences below, StoreReferences above)
      throws IOException {
    if (file.reader().info().entryCount() == 0) {
      return;
    }
    Cell first = file.reader().info().firstKey().orElseThrow();
    Cell last = file.reader().info().lastKey().orElseThrow();
    if (comparator.compare(last, border) < 0) {
      below.link(file, parent);
    } else if (comparator.compare(first, border) >= 0) {
      above.link(file, parent);
    } else {
      below.refer(file, parent, Reference.bottom(row));
      above.refer(file, parent, Reference.top(row));
    }
  }
}
