package dev.cairn.coprocessor.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The folders for copies of jars. Each process has its own: HBase's class loader empties the folder
 * at its first use in a process, and others may read copies there. The servers of one process share
 * it, as they share HBase's class loaders.
 */
final class LocalCopies {
  private static final Map<Path, String> MADE = new ConcurrentHashMap<>();

  private LocalCopies() {}

  /**
   * Returns the process's folder below {@code parent}, which only its user may read, and which goes
   * at the process's end.
   */
  static String below(Path parent) {
    return MADE.computeIfAbsent(parent, LocalCopies::make);
  }

  private static String make(Path parent) {
    try {
      Path folder =
          Files.createTempDirectory(
              Files.createDirectories(parent),
              "coprocessors-" + ProcessHandle.current().pid() + "-");
      // In the order opposite to this one, after the copies, which HBase's class loader adds.
      for (Path one : new Path[] {folder, folder.resolve("jars"), folder.resolve("jars/tmp")}) {
        one.toFile().deleteOnExit();
      }
      return folder.toString();
    } catch (IOException e) {
      throw new UncheckedIOException("no folder for copies of jars can be made in " + parent, e);
    }
  }
}
