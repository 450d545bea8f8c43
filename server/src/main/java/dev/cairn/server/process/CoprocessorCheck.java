package dev.cairn.server.process;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.hook.HookModule;
import dev.cairn.server.regionserver.hooked.HookTimes;

/** Checks the coprocessors that a site names, without a server. */
public final class CoprocessorCheck {
  private CoprocessorCheck() {}

  /**
   * Checks that all can be loaded from the class path of this process. Starts none.
   *
   * @throws ConfigException naming the key and the class, if a server does not start without it
   */
  public static void check(SiteConfig config, Clock clock) {
    try (HookModule hooks =
        new HookModule(Host.hookHost(config, () -> config, clock, new HookTimes(), () -> ""))) {
      hooks.checkWholeSite();
    }
  }
}
