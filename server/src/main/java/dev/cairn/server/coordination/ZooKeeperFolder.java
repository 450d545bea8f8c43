package dev.cairn.server.coordination;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder of the embedded ZooKeeper's snapshots and logs. Cairn can create all its znodes again,
 * so a damaged folder is set aside instead of repaired. Not thread-safe.
 *
 * @param path the folder, which need not exist
 */
record ZooKeeperFolder(Path path) {
  private static final int PROBE_BYTES = 64 << 10;

  /**
   * Tells whether every file can be read and a new file can be written. If so, an error of
   * ZooKeeper means damaged content, not a problem of the disk or of permissions.
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
   * @return the new path, beside the old one
   */
  Path setAside() throws IOException {
    Path aside = path.resolveSibling(path.getFileName() + ".damaged");
    for (int number = 2; Files.exists(aside); number++) {
      aside = path.resolveSibling(path.getFileName() + ".damaged" + number);
    }
    return Files.move(path, aside);
  }
}
