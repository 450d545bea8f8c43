package dev.cairn.bench.compare;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The settings that all sides share.
 *
 * @param heap of the server, as Java's {@code -Xmx} says it; it begins with as much
 * @param synced true if the log is synced to the device before a write is acknowledged, false if
 *     the operating system's cache suffices
 * @param more keys of {@code hbase-site.xml}
 * @param shared the URL of a folder on a shared file system, in which each server keeps its data in
 *     a folder of its own; empty for the local disk
 */
public record ServerSettings(
    String heap, boolean synced, Map<String, String> more, Optional<String> shared) {
  /** Creates settings for servers that keep their data on the local disk. */
  public ServerSettings(String heap, boolean synced, Map<String, String> more) {
    this(heap, synced, more, Optional.empty());
  }

  /** Copies the keys. */
  public ServerSettings {
    more = Map.copyOf(more);
  }

  /** Returns {@code hbase.rootdir} of a new server whose local files are in {@code folder}. */
  String rootDirectory(Path folder) {
    return shared
        .map(url -> url + "/" + folder.getFileName() + "-" + System.currentTimeMillis())
        .map(url -> url.replace(' ', '-'))
        .orElseGet(() -> local(folder).toUri().toString());
  }

  /** Returns the root directory of that server if it is on the local disk. */
  Optional<Path> dataFolder(Path folder) {
    return shared.isPresent() ? Optional.empty() : Optional.of(local(folder));
  }

  private static Path local(Path folder) {
    return folder.resolve("data");
  }
}
