package dev.cairn.server.page;

import dev.cairn.server.config.ConfigKey;
import java.util.List;

/** The keys of {@code hbase-site.xml} about the web pages. */
public final class PageKeys {
  /** {@code cairn.web.actions.enabled}. */
  public static final ConfigKey<Boolean> ACTIONS =
      ConfigKey.flag(
              "cairn.web.actions.enabled",
              false,
              "Whether the web pages may change something: end scanners and calls, and set"
                  + " logger levels. Anybody who reaches their port can then do so, because"
                  + " Cairn has no authentication yet.")
          .atRunTime();

  private PageKeys() {}

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(ACTIONS);
  }
}
