package dev.cairn.launcher.process;

import dev.cairn.engine.storage.FilePermissions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The status that a serving process writes to the file {@code cairn.status} of its data folder:
 * lines of key, equals sign and value. The file appears whole when the server serves, and is
 * removed when the server stops in order; a file without a process means a crash.
 *
 * @param process the process
 * @param servingMillis start of its service, milliseconds since 1970
 * @param addresses its addresses
 * @param log its log file, if {@code cairn start} set one
 */
public record ServerStatus(
    ProcessIdentity process, long servingMillis, Addresses addresses, Optional<Path> log) {
  private static final String FILE = "cairn.status";

  /** Writes this into {@code dataFolder}, in one step. */
  public void write(Path dataFolder, FilePermissions permissions) throws IOException {
    StringBuilder text = new StringBuilder();
    fields().forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    Path whole = dataFolder.resolve(FILE);
    Path partial = dataFolder.resolve(FILE + ".tmp");
    permissions.write(partial, text);
    Files.move(partial, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private Map<String, String> fields() {
    Map<String, String> fields =
        new TreeMap<>(
            Map.of(
                "pid", Long.toString(process.pid()),
                "started", Long.toString(process.startMillis()),
                "serving", Long.toString(servingMillis),
                "master", addresses.master(),
                "regionserver", addresses.regionServer(),
                "zookeeper", addresses.zooKeeper()));
    addresses.web().ifPresent(url -> fields.put("web", url));
    addresses.regionServerWeb().ifPresent(url -> fields.put("regionserverweb", url));
    addresses.health().ifPresent(url -> fields.put("health", url));
    log.ifPresent(file -> fields.put("log", file.toString()));
    return fields;
  }

  /** Reads the status of {@code dataFolder}; empty if there is none, or none that makes sense. */
  public static Optional<ServerStatus> read(Path dataFolder) {
    Map<String, String> fields = new TreeMap<>();
    try {
      for (String line : Files.readAllLines(dataFolder.resolve(FILE), StandardCharsets.UTF_8)) {
        int equals = line.indexOf('=');
        if (equals > 0) {
          fields.put(line.substring(0, equals), line.substring(equals + 1));
        }
      }
      return Optional.of(
          new ServerStatus(
              new ProcessIdentity(number(fields, "pid"), number(fields, "started")),
              number(fields, "serving"),
              new Addresses(
                  text(fields, "master"),
                  text(fields, "regionserver"),
                  text(fields, "zookeeper"),
                  Optional.ofNullable(fields.get("web")),
                  Optional.ofNullable(fields.get("regionserverweb")),
                  Optional.ofNullable(fields.get("health"))),
              Optional.ofNullable(fields.get("log")).map(Path::of)));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Removes the status of {@code dataFolder}, if there is one. */
  public static void delete(Path dataFolder) throws IOException {
    Files.deleteIfExists(dataFolder.resolve(FILE));
  }

  private static long number(Map<String, String> fields, String key) {
    return Long.parseLong(text(fields, key));
  }

  private static String text(Map<String, String> fields, String key) {
    return Optional.ofNullable(fields.get(key))
        .orElseThrow(() -> new IllegalArgumentException("no " + key));
  }
}
