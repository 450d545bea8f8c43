package dev.cairn.engine.store;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.layout.HFileArchive;
import dev.cairn.engine.layout.Reference;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.List;

/**
 * Divides the files of one store between the stores of two daughter regions, without copying a
 * cell: a file that lies on one side of the border is linked to, one that has cells on both sides
 * is referred to from both. So HBase does it since 2.6.
 *
 * <p>All must be done again if it is cut off; it can be, after the daughters' directories are
 * emptied. Nothing else may use the three stores.
 */
public final class StoreSplit {
  private final StoreEnvironment environment;
  private final HFileArchive archive;
  private final CellComparator comparator;
  private final byte[] row;
  private final Cell border;

  /** Creates a split at {@code row}, the first of the upper daughter. */
  public StoreSplit(StoreEnvironment environment, CellComparator comparator, byte[] row) {
    this.environment = environment;
    this.archive = new HFileArchive(environment.storage());
    this.comparator = comparator;
    this.row = row;
    this.border = Cell.firstOnRow(row);
  }

  /**
   * Writes what the daughters need to own their parts of the parent's files.
   *
   * @return the highest sequence number of the parent's files, 0 if there are none
   * @throws IOException also if the parent itself has references, which have to be compacted first
   */
  public long split(StoreDirectory parent, StoreDirectory lower, StoreDirectory upper)
      throws IOException {
    Storage storage = environment.storage();
    storage.createDirectories(lower.path());
    storage.createDirectories(upper.path());
    List<StoreFile> files = StoreFiles.open(environment, parent.path(), comparator);
    try {
      long sequence = 0;
      for (StoreFile file : files) {
        divide(file, parent, lower, upper);
        sequence = Math.max(sequence, file.maxSequence());
      }
      return sequence;
    } finally {
      files.forEach(StoreFile::release);
    }
  }

  private void divide(
      StoreFile file, StoreDirectory parent, StoreDirectory lower, StoreDirectory upper)
      throws IOException {
    if (file.isReference()) {
      throw new IOException(
          file + " is a reference of an earlier split; compact the region before it is split");
    }
    if (file.reader().info().entryCount() == 0) {
      return;
    }
    Cell first = file.reader().info().firstKey().orElseThrow();
    Cell last = file.reader().info().lastKey().orElseThrow();
    if (comparator.compare(last, border) < 0) {
      link(file, parent, lower);
    } else if (comparator.compare(first, border) >= 0) {
      link(file, parent, upper);
    } else {
      refer(file, parent, lower, Reference.bottom(row));
      refer(file, parent, upper, Reference.top(row));
    }
  }

  private void link(StoreFile file, StoreDirectory parent, StoreDirectory daughter)
      throws IOException {
    StoreFileName.Link link =
        file.storeName() instanceof StoreFileName.Link same
            ? same
            : new StoreFileName.Link(parent.table(), parent.region(), file.name());
    checkReadable(file, link);
    archive.link(daughter, link);
  }

  private void refer(
      StoreFile file, StoreDirectory parent, StoreDirectory daughter, Reference reference)
      throws IOException {
    StoreFileName.Half name = new StoreFileName.Half(file.storeName(), parent.region());
    checkReadable(file, name);
    byte[] content = reference.toFile();
    try (AppendFile output = environment.storage().create(daughter.file(name.text()))) {
      output.write(content, 0, content.length);
      output.sync();
    }
  }

  /** A file with a name of its own kind could not be told from the name that leads to it. */
  private static void checkReadable(StoreFile file, StoreFileName name) throws IOException {
    if (!StoreFileName.parse(name.text()).equals(name)) {
      throw new IOException(
          file + " has a name that no link can lead to; compact the region before it is split");
    }
  }
}
