package dev.cairn.server.regionserver;

import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.quota.QuotaKeys;
import dev.cairn.server.quota.Throttles;
import dev.cairn.server.regionserver.hosted.SpaceLimits;
import dev.cairn.server.regionserver.membership.ChoreService;
import dev.cairn.server.regionserver.quota.SpaceReports;
import dev.cairn.server.regionserver.quota.ThrottleRefresh;

/** The quotas as a server enforces them: limits on requests and on the space of tables. */
final class QuotaEnforcement {
  private final Throttles throttles;
  private final SpaceLimits space = new SpaceLimits();
  private final ThrottleRefresh refresh;
  private final SpaceReports reports;
  private final long refreshMillis;
  private final long reportMillis;

  /** Creates a server's quotas, with nothing in force. */
  QuotaEnforcement(SharedParts shared) {
    SiteConfig config = shared.config();
    boolean enabled = config.get(QuotaKeys.ENABLED);
    this.throttles = new Throttles(shared.clock());
    this.refresh =
        new ThrottleRefresh(
            shared.regions(), throttles, space, shared.context().cluster().quotas(), enabled);
    this.reports = new SpaceReports(shared.regions(), shared.master(), enabled);
    this.refreshMillis =
        Math.min(config.get(QuotaKeys.REFRESH_MILLIS), config.get(QuotaKeys.POLICY_MILLIS));
    this.reportMillis = config.get(QuotaKeys.REPORT_MILLIS);
  }

  /** Returns the limits on requests. */
  Throttles throttles() {
    return throttles;
  }

  /** Returns the limits on the space of tables. */
  SpaceLimits space() {
    return space;
  }

  /** Returns the reader of the settings in {@code hbase:quota}. */
  ThrottleRefresh refresh() {
    return refresh;
  }

  /** Reads the settings and reports the sizes of regions periodically. */
  void startChores(ChoreService chores) {
    chores.every(refreshMillis, "Looking at quotas", refresh::check);
    chores.every(reportMillis, "Reporting the sizes of regions", reports::check);
  }
}
