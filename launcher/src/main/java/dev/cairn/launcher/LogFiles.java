package dev.cairn.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The files that one server writes its output to. No two data folders share them. {@code
 * conf/logback.xml} says when the log rolls: then, as with each start, the last one gets {@code .1}
 * appended, that one's {@code .2} …
 *
 * <p>In a folder with a percent sign in its path, which Logback's patterns cannot have, the log is
 * part of the output and does not roll.
 *
 * @param log what the server logs
 * @param out whatever else its process prints: Java's own messages, and why it could not start
 */
record LogFiles(Path log, Path out) {
  /** The variable with the log's file, of a process that {@code cairn start} has started. */
  static final String LOG_VARIABLE = "CAIRN_LOG_FILE";

  private static final int KEPT = 5;

  /**
   * Returns the files of a server: {@code cairn.log} if it has the data folder beside {@code bin},
   * else the name tells its data folder.
   *
   * @param folder where they lie
   * @param home the folder above {@code bin}
   */
  static LogFiles of(Path folder, Optional<Path> home, Path dataFolder) {
    String name =
        home.map(path -> path.resolve("data")).filter(dataFolder::equals).isPresent()
            ? "cairn"
            : "cairn-" + word(dataFolder) + "-" + checksum(dataFolder);
    Path out = folder.resolve(name + ".out");
    return new LogFiles(rolls(folder) ? folder.resolve(name + ".log") : out, out);
  }

  private static boolean rolls(Path path) {
    return path.toString().indexOf('%') < 0;
  }

  private static String word(Path dataFolder) {
    Path name = dataFolder.getFileName();
    return name == null ? "root" : name.toString().replaceAll("[^A-Za-z0-9._]", "_");
  }

  private static String checksum(Path dataFolder) {
    CRC32 crc = new CRC32();
    crc.update(dataFolder.toString().getBytes(StandardCharsets.UTF_8));
    return String.format("%08x", crc.getValue());
  }

  /** Makes the folder, and keeps the files of earlier servers, up to a limit. */
  void rotate() throws IOException {
    Files.createDirectories(log.getParent());
    rotate(out);
    if (!log.equals(out)) {
      rotate(log);
    }
  }

  private static void rotate(Path file) throws IOException {
    for (int i = KEPT - 1; i >= 0; i--) {
      Path from = numbered(file, i);
      if (Files.exists(from)) {
        Files.move(from, numbered(file, i + 1), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static Path numbered(Path file, int number) {
    return number == 0 ? file : file.resolveSibling(file.getFileName() + "." + number);
  }

  /** Returns the variables that {@code logback.xml} takes: whether it logs to a file, and where. */
  Map<String, String> variables() {
    return rolls(log)
        ? Map.of(
            "CAIRN_LOG_TO", "file", LOG_VARIABLE, log.toString(), "CAIRN_LOG_ROLLED", log + ".%i")
        : Map.of(LOG_VARIABLE, log.toString());
  }
}
