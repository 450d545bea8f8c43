package dev.cairn.server.coordination;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder in which the embedded ZooKeeper keeps its snapshots and logs. All znodes of the
 * cluster can be made again, so a damaged folder is set aside and not repaired. Not thread-safe.
 *
 * @param path the folder; need not exist
 */
record ZooKeeperFolder(Path path) {
  private static final int PROBE_BYTES = 64 << 10;

  /**
   * Tells whether every file can be read and a new one written: then an error of ZooKeeper is about
   * what the files hold, and not about the disk or permissions.
   */
  boolean isAccessible() {
    try (Stream<Path> files = Files.walk(path)) {
      List<Path> regular = files.filter(Files::isRegularFile).toList();
      for (Path file : regular) {
        Files.copy(file, OutputStream.nullOutputStream());
      }
      Path probe = Files.createTempFile(path, "probe", ".tmp");
      Files.write(probe, new byte[PROBE_BYTES]);
      Files.delete(probe);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Renames the folder, so that the next start begins with an empty one.
   *
   * @return its new place, beside the old one
   */
  Path setAside() throws IOException {
    Path aside = path.resolveSibling(path.getFileName() + ".damaged");
    for (int number = 2; Files.exists(aside); number++) {
      aside = path.resolveSibling(path.getFileName() + ".damaged" + number);
    }
    return Files.move(path, aside);
  }
}
