package dev.cairn.launcher.control;

import dev.cairn.launcher.process.ProcessIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The status of a process of a cluster, and its file format: lines of {@code key=value}.
 *
 * @param process the process that wrote it
 * @param servingMillis the time at which it began to serve, milliseconds since 1970
 * @param facts its addresses and other facts for users, by name; in the order of iteration
 */
public record RoleStatus(ProcessIdentity process, long servingMillis, Map<String, String> facts) {
  /** The name of the fact with the URL of the health report (JSON) for clients on this machine. */
  public static final String HEALTH = "health";

  private static final String PID = "pid";
  private static final String STARTED = "started";
  private static final String SERVING = "serving";

  /** Writes this to {@code file}, atomically. */
  void write(Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(PID, Long.toString(process.pid()));
    fields.put(STARTED, Long.toString(process.startMillis()));
    fields.put(SERVING, Long.toString(servingMillis));
    fields.putAll(facts);
    fields.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    Path partial = file.resolveSibling(file.getFileName() + ".tmp");
    Files.writeString(partial, text);
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Reads a status; empty if there is none, or the file is not valid. */
  static Optional<RoleStatus> read(Path file) {
    Map<String, String> facts = new LinkedHashMap<>();
    try {
      for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
        int equals = line.indexOf('=');
        if (equals > 0) {
          facts.put(line.substring(0, equals), line.substring(equals + 1));
        }
      }
      ProcessIdentity process =
          new ProcessIdentity(
              Long.parseLong(facts.remove(PID)), Long.parseLong(facts.remove(STARTED)));
      return Optional.of(new RoleStatus(process, Long.parseLong(facts.remove(SERVING)), facts));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }
}
