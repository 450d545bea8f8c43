package dev.cairn.server.quota;

import dev.cairn.server.config.ConfigKey;
import java.util.List;

/** The keys about quotas. */
public final class QuotaKeys {
  /** Whether there are quotas. */
  public static final ConfigKey<Boolean> ENABLED =
      ConfigKey.flag(
          "hbase.quota.enabled",
          false,
          "Whether there are quotas: throttles, which lie in hbase:quota, and the limits that"
              + " namespaces set on their tables and regions.");

  /** The time between two looks at the settings. */
  public static final ConfigKey<Long> REFRESH_MILLIS =
      ConfigKey.number(
          "hbase.quota.refresh.period",
          300_000,
          10,
          Integer.MAX_VALUE,
          "The milliseconds after which a changed throttle is in force.");

  private QuotaKeys() {}

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(ENABLED, REFRESH_MILLIS);
  }
}
