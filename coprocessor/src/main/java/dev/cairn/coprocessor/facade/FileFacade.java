package dev.cairn.coprocessor.facade;

import dev.cairn.engine.store.StoreFileHook.Candidate;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/**
 * A store file as coprocessors see it. Methods that are not overridden here throw {@link
 * UnsupportedOperationException}. Two objects with the same path are equal. Immutable.
 */
public class FileFacade extends HStoreFile {
  private static final Allocation<FileFacade> ALLOCATION =
      Allocation.of(FileFacade.class, HStoreFile.class);

  /** All of the object's state: fields cannot be final, as no constructor runs. */
  private Parts parts;

  private record Parts(Path path, Candidate file, CellComparator comparator) {}

  /** Never runs. */
  private FileFacade() {
    super(null, null, null);
  }

  /**
   * Returns the facade of a file.
   *
   * @param folder the folder of its family
   * @param comparator the order of its cells
   */
  static FileFacade of(Path folder, Candidate file, CellComparator comparator) {
    FileFacade facade = ALLOCATION.object();
    facade.parts = new Parts(new Path(folder, file.name()), file, comparator);
    return facade;
  }

  /** Returns the file. */
  public Candidate file() {
    return parts.file();
  }

  @Override
  public Path getPath() {
    return parts.path();
  }

  @Override
  public Path getQualifiedPath() {
    return parts.path();
  }

  @Override
  public boolean isReference() {
    return parts.file().isReference();
  }

  @Override
  public boolean isHFile() {
    return !parts.file().isReference();
  }

  @Override
  public long getMaxSequenceId() {
    return parts.file().sequence();
  }

  @Override
  public CellComparator getComparator() {
    return parts.comparator();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FileFacade same && same.getPath().equals(getPath());
  }

  @Override
  public int hashCode() {
    return getPath().hashCode();
  }

  @Override
  public String toString() {
    return parts.path().toString();
  }

  @Override
  public String toStringDetailed() {
    return toString();
  }
}
