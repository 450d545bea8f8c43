package dev.cairn.server.traffic;

import dev.cairn.server.config.ConfigKey;
import java.util.List;

/** The keys of {@code hbase-site.xml} about traffic. */
public final class TrafficKeys {
  /** {@code cairn.traffic.enabled}. */
  public static final ConfigKey<Boolean> ENABLED =
      ConfigKey.flag(
          "cairn.traffic.enabled",
          true,
          "Whether a region server records its traffic: hot rows and prefixes, callers, and"
              + " the heat maps of tables. If false, those pages and bin/cairn top are empty"
              + " for its regions.");

  private TrafficKeys() {}

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(ENABLED);
  }
}
