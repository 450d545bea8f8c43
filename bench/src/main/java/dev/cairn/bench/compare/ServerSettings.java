package dev.cairn.bench.compare;

import java.util.Map;

/**
 * What all sides have in common.
 *
 * @param heap of the server, as Java's {@code -Xmx} says it; it begins with as much
 * @param synced whether the log is synced to the device before a write is acknowledged, or reaches
 *     the operating system's cache only
 * @param more keys of {@code hbase-site.xml}
 */
public record ServerSettings(String heap, boolean synced, Map<String, String> more) {
  /** Copies the keys. */
  public ServerSettings {
    more = Map.copyOf(more);
  }
}
