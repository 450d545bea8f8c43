package dev.cairn.server.process.health;

import dev.cairn.engine.storage.Storage;
import dev.cairn.server.health.HealthCheck;
import dev.cairn.server.health.HealthResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the damaged store files that reads have found, until their regions close or the files
 * are gone. Thread-safe.
 */
public final class DamagedFilesHealth implements HealthCheck {
  private static final int NAMED_MAX = 20;

  private final Storage storage;
  private final Map<String, Found> files = new ConcurrentHashMap<>();

  private record Found(String region, String message) {}

  /**
   * Creates a check without damaged files.
   *
   * @param storage has the files
   */
  public DamagedFilesHealth(Storage storage) {
    this.storage = storage;
  }

  /**
   * Adds a file.
   *
   * @param region the encoded name of the region whose reads need the file
   * @param message the damage and the remedy
   * @return whether the file was not known as damaged
   */
  public boolean add(String region, String path, String message) {
    return files.putIfAbsent(path, new Found(region, message)) == null;
  }

  /** Removes the files of a region. The next opening reads them again. */
  public void closed(String region) {
    files.values().removeIf(found -> found.region().equals(region));
  }

  @Override
  public String name() {
    return "files";
  }

  @Override
  public HealthResult check() throws IOException {
    List<String> lines = new ArrayList<>();
    for (Map.Entry<String, Found> file : new TreeMap<>(files).entrySet()) {
      if (lines.size() == NAMED_MAX) {
        lines.add("At most " + files.size() + " files are damaged; bin/cairn verify lists all.");
        break;
      }
      if (storage.exists(file.getKey())) {
        lines.add(file.getValue().message());
      }
    }
    return lines.isEmpty()
        ? HealthResult.ok("No read has found a damaged store file.")
        : HealthResult.warn(String.join("\n", lines));
  }
}
