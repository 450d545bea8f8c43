package dev.cairn.server.regionserver;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import dev.cairn.server.regionserver.membership.MasterLink;
import dev.cairn.server.regionserver.membership.ServerState;
import java.util.function.Consumer;

/**
 * What all parts of a region server share.
 *
 * @param settings the settings of the background work
 * @param fatal receives the reason why the server must end; does not block
 */
record SharedParts(
    ServerState state,
    OnlineRegions regions,
    LiveConfig live,
    MaintenanceSettings settings,
    Clock clock,
    RegionServerContext context,
    RegionServerExecutors executors,
    Consumer<Throwable> fatal) {
  /** Returns the present settings. */
  SiteConfig config() {
    return live.current();
  }

  /** Returns the way to the active master. */
  MasterLink master() {
    return context.cluster().master();
  }
}
