package dev.cairn.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Keeps the output of earlier servers, up to a limit. */
final class LogFiles {
  private static final int KEPT = 5;

  private LogFiles() {}

  /**
   * Makes room for a new {@code log}: the last one gets {@code .1} appended, that one's {@code .2}
   * …
   */
  static void rotate(Path log) throws IOException {
    for (int i = KEPT - 1; i >= 0; i--) {
      Path from = numbered(log, i);
      if (Files.exists(from)) {
        Files.move(from, numbered(log, i + 1), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static Path numbered(Path log, int number) {
    return number == 0 ? log : log.resolveSibling(log.getFileName() + "." + number);
  }
}
