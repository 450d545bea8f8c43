package dev.cairn.engine.storage;

import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.engine.storage.Storage.StorageSpace;
import java.io.IOException;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Accounts for the space of a disk with a limit. As on ext4, a file takes whole blocks of 4 KiB,
 * and none while it is empty; a directory takes none; deleting returns all of it; a name needs no
 * room, but none can be created on a full disk. Thread-safe.
 */
final class DiskSpace {
  private static final long BLOCK = 4096;

  private final boolean counts;
  private final NavigableMap<String, Use> files = new TreeMap<>(); // guarded by this
  private long used; // guarded by this
  private long limit = Long.MAX_VALUE; // guarded by this

  /**
   * Creates the books of an empty disk.
   *
   * @param counts whether to count bytes; if not, no limit is possible, and the disk seems empty
   */
  DiskSpace(boolean counts) {
    this.counts = counts;
  }

  /** The space of one file; it moves with the file when that is renamed. */
  static final class Use {
    private long bytes; // guarded by the space
    private boolean gone; // guarded by the space

    private long blocks() {
      return (bytes + BLOCK - 1) / BLOCK * BLOCK;
    }
  }

  /** Adds all existing files in {@code directory}. */
  synchronized void include(Storage storage, String directory) throws IOException {
    if (!counts) {
      return;
    }
    for (FileInfo file : storage.list(directory)) {
      if (file.directory()) {
        include(storage, file.path());
      } else {
        Use use = new Use();
        use.bytes = file.length();
        files.put(file.path(), use);
        used += use.blocks();
      }
    }
  }

  synchronized void limit(long bytes) {
    if (!counts) {
      throw new IllegalStateException("No limit is possible, because nothing is counted");
    }
    limit = bytes;
  }

  synchronized long used() {
    return used;
  }

  /** Returns the space under the limit; empty if there is no limit. */
  synchronized Optional<StorageSpace> limited() {
    return limit == Long.MAX_VALUE
        ? Optional.empty()
        : Optional.of(new StorageSpace(Math.max(0, limit - used), limit));
  }

  /** Checks that there is room for a name. */
  synchronized void checkRoom(String path) throws DiskFullException {
    if (used >= limit) {
      throw full(path);
    }
  }

  synchronized Use created(String path) {
    Use use = new Use();
    if (counts) {
      files.put(path, use);
    }
    return use;
  }

  /** Takes room for up to {@code wanted} bytes; returns for how many there was some. */
  synchronized int take(Use use, int wanted) {
    if (use.gone || !counts) {
      return wanted;
    }
    long free = Math.max(0, limit - used) / BLOCK * BLOCK;
    long inLastBlock = use.blocks() - use.bytes;
    int taken = (int) Math.min(wanted, limit == Long.MAX_VALUE ? wanted : free + inLastBlock);
    used -= use.blocks();
    use.bytes += taken;
    used += use.blocks();
    return taken;
  }

  synchronized void deleted(String path) {
    if (!counts) {
      return;
    }
    gone(files.remove(path));
    NavigableMap<String, Use> below = below(path);
    below.values().forEach(this::gone);
    below.clear();
  }

  synchronized void moved(String from, String to) {
    if (from.equals(to) || !counts) {
      return;
    }
    Use own = files.remove(from);
    if (own != null) {
      gone(files.put(to, own));
    }
    NavigableMap<String, Use> below = below(from);
    NavigableMap<String, Use> moved = new TreeMap<>();
    below.forEach((path, use) -> moved.put(to + path.substring(from.length()), use));
    below.clear();
    files.putAll(moved);
  }

  synchronized DiskFullException full(String path) {
    return new DiskFullException(path, "limited to " + limit + " bytes, " + used + " in use");
  }

  private void gone(Use use) {
    if (use != null && !use.gone) {
      use.gone = true;
      used -= use.blocks();
    }
  }

  private NavigableMap<String, Use> below(String path) {
    return files.subMap(path + "/", true, path + "0", false); // '0' follows '/'
  }
}
