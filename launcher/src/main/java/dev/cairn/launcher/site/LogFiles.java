package dev.cairn.launcher.site;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The output files of one server. Each data folder has its own. The log rolls at each start and
 * when {@code conf/logback.xml} says so: the file gets the suffix {@code .1}, the file {@code .1}
 * becomes {@code .2}, and so on.
 *
 * <p>Logback's patterns do not allow a percent sign in a path. In such a folder the log goes to the
 * output file and rolls only at a start.
 *
 * @param log the server's log
 * @param out all other output of the process, such as Java's messages and a failed start's reason
 */
public record LogFiles(Path log, Path out) {
  /** The variable in which {@code cairn start} names the log file to the server. */
  public static final String LOG_VARIABLE = "CAIRN_LOG_FILE";

  private static final int KEPT = 5;

  /**
   * Returns the files of a server. They are named {@code cairn} for the data folder beside {@code
   * bin}; other names contain the name of the data folder.
   *
   * @param folder the folder of the files
   * @param home the folder above {@code bin}
   */
  public static LogFiles of(Path folder, Optional<Path> home, Path dataFolder) {
    String name =
        home.map(path -> path.resolve("data")).filter(dataFolder::equals).isPresent()
            ? "cairn"
            : "cairn-" + word(dataFolder) + "-" + checksum(dataFolder);
    return named(folder, name);
  }

  /** Returns the files with the name {@code name} in {@code folder}. */
  public static LogFiles named(Path folder, String name) {
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

  /** Creates the folder, and renames the files of earlier starts. Keeps five of each. */
  public void rotate() throws IOException {
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

  /** Returns the environment variables that {@code logback.xml} reads. */
  public Map<String, String> variables() {
    return rolls(log)
        ? Map.of(
            "CAIRN_LOG_TO", "file", LOG_VARIABLE, log.toString(), "CAIRN_LOG_ROLLED", log + ".%i")
        : Map.of(LOG_VARIABLE, log.toString());
  }
}
