package dev.cairn.engine.storage;

import java.io.IOException;

/** The rule of {@link Storage}'s paths, in one place for every implementation. */
public final class StoragePaths {
  private StoragePaths() {}

  /**
   * Checks a path that may be the root.
   *
   * @throws IOException naming the path, if it could leave the storage or is not in its plain form
   */
  public static void check(String path) throws IOException {
    if (path.isEmpty()) {
      return;
    }
    int start = 0;
    while (start <= path.length()) {
      int end = path.indexOf('/', start);
      if (end < 0) {
        end = path.length();
      }
      checkPart(path, start, end);
      start = end + 1;
    }
  }

  /**
   * Checks a path that must not be the root.
   *
   * @throws IOException naming the path, as {@link #check} does, or because it is the root
   */
  public static void checkBelowRoot(String path) throws IOException {
    if (path.isEmpty()) {
      throw new IOException("The storage's root itself cannot be created, moved or deleted");
    }
    check(path);
  }

  private static void checkPart(String path, int start, int end) throws IOException {
    int length = end - start;
    if (length == 0) {
      throw new IOException("Path <" + path + "> has an empty part; write it as a/b/c");
    }
    if (path.startsWith(".", start)
        && (length == 1
            || (length == 2 && path.charAt(end - 2) == '.' && path.charAt(end - 1) == '.'))) {
      throw new IOException("Path <" + path + "> has a part . or .., which storages do not follow");
    }
    for (int i = start; i < end; i++) {
      char c = path.charAt(i);
      if (c == '\\' || c == 0) {
        throw new IOException("Path <" + path + "> has a character that storages do not take");
      }
    }
  }
}
