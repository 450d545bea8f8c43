package dev.cairn.engine.store;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Store files that are open ahead of their region, with blocks in the cache. The region that opens
 * takes them over. Files never change under a name, so it does not matter that another server may
 * own the region meanwhile. Thread-safe.
 */
final class WarmFiles {
  private final Map<String, StoreFile> byPath = new ConcurrentHashMap<>();

  /** Takes over a file, unless one with its path is here. Returns whether it did. */
  boolean add(StoreFile file) {
    return byPath.putIfAbsent(file.path(), file) == null;
  }

  /** Returns the file at {@code path}, which stays here, with the caller as one more user. */
  Optional<StoreFile> use(String path) {
    return Optional.ofNullable(
        byPath.computeIfPresent(
            path,
            (same, file) -> {
              file.retain();
              return file;
            }));
  }

  /** Gives away the file at {@code path}. The caller must release it. */
  Optional<StoreFile> take(String path) {
    return Optional.ofNullable(byPath.remove(path));
  }

  /** Closes the file, unless it has been taken. */
  void drop(StoreFile file) {
    if (byPath.remove(file.path(), file)) {
      file.release();
    }
  }
}
