package dev.cairn.engine.store;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.BlockCache;
import dev.cairn.engine.hfile.HFileInfo;
import dev.cairn.engine.hfile.HFileReader;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HFile of a store, shared by all views that list it. It counts them: when the last one lets
 * go, the file is closed, and deleted if a compaction has replaced it. Thread-safe.
 */
public final class StoreFile {
  private static final Logger LOG = LoggerFactory.getLogger(StoreFile.class);

  private final Storage storage;
  private final HFileReader reader;
  private final String path;
  private final AtomicInteger users = new AtomicInteger(1);
  private volatile boolean replaced;

  private StoreFile(Storage storage, String path, HFileReader reader) {
    this.storage = storage;
    this.path = path;
    this.reader = reader;
  }

  /** Opens the file at {@code path}, with its opener as the first user. */
  public static StoreFile open(
      Storage storage, String path, BlockCache cache, CellComparator comparator)
      throws IOException {
    return new StoreFile(storage, path, HFileReader.open(storage, path, cache, comparator));
  }

  /** Returns the file's path. */
  public String path() {
    return path;
  }

  /** Returns the file's name within its family's directory. */
  public String name() {
    return Storage.name(path);
  }

  /** Returns the open file. */
  public HFileReader reader() {
    return reader;
  }

  /** Returns the file's length in bytes. */
  public long length() {
    return reader.length();
  }

  /**
   * Returns the highest sequence number that the file stands for: every write up to it was flushed.
   */
  public long maxSequence() {
    return reader.info().maxSequence();
  }

  /**
   * Returns when the major compaction that made the file ended, milliseconds since 1970; 0 if none
   * did.
   */
  public long majorCompactionMillis() {
    HFileInfo info = reader.info();
    return info.majorCompaction() ? info.createdMillis() : 0;
  }

  /** Counts one more user. The caller holds a view that lists the file. */
  void retain() {
    users.incrementAndGet();
  }

  /** Counts one user less. */
  void release() {
    if (users.decrementAndGet() > 0) {
      return;
    }
    try {
      reader.close();
      if (replaced) {
        storage.delete(path);
      }
    } catch (IOException e) {
      // The file stays behind; the next opening of the region sweeps it, as its replacement names
      // it.
      LOG.warn("Could not remove the compacted store file {}: {}", path, e.toString());
    }
  }

  /**
   * Says that a compaction's result stands for this file: it is to be deleted after its last use.
   */
  void markReplaced() {
    replaced = true;
  }

  @Override
  public String toString() {
    return path;
  }
}
