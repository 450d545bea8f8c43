package dev.cairn.bench.compare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Folders of servers that run. */
final class DataFolder {
  private DataFolder() {}

  /** Returns the length of all files in a folder; a file that goes meanwhile may count or not. */
  static long bytes(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.mapToLong(DataFolder::length).sum();
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof NoSuchFileException) {
        return bytes(folder); // a folder went while it was listed
      }
      throw e.getCause();
    }
  }

  private static long length(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      return 0; // gone
    }
  }
}
