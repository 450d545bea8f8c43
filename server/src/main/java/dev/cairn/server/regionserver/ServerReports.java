package dev.cairn.server.regionserver;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.metrics.MetricKeys;
import dev.cairn.server.regionserver.client.OpenScanners;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.membership.ChoreService;
import dev.cairn.server.regionserver.report.LoadReports;
import dev.cairn.server.regionserver.report.Localities;
import dev.cairn.server.regionserver.report.OperationTimes;
import dev.cairn.server.regionserver.report.RegionServerMetrics;

/**
 * What a server measures and reports.
 *
 * @param times the times of operations, by table
 * @param localities the shares of the regions' blocks that are on this machine
 * @param loads describes the load for the master
 * @param metrics the metrics of the regions, tables and operations
 */
record ServerReports(
    OperationTimes times, Localities localities, LoadReports loads, RegionServerMetrics metrics) {
  private static final long LOCALITY_CHECK_MILLIS = 10_000;

  /** Creates the reports of a server without regions. */
  static ServerReports of(SharedParts shared, OpenScanners scanners, Maintenance maintenance) {
    OnlineRegions regions = shared.regions();
    Clock clock = shared.clock();
    RegionServerContext context = shared.context();
    OperationTimes times = new OperationTimes(MetricKeys.timesTables(shared.config()));
    Localities localities = new Localities(shared.state().serverName().host(), clock);
    return new ServerReports(
        times,
        localities,
        new LoadReports(
            regions,
            maintenance.compactions(),
            localities,
            clock,
            context.memory().heap(),
            context.calls().load().processNanos(),
            context.calls().hooks().names(),
            context.cluster().infoPort()),
        new RegionServerMetrics(
            shared.state().serverName(),
            regions,
            scanners,
            maintenance.splits(),
            maintenance.compactions(),
            maintenance.flushes(),
            maintenance.pressure(),
            localities,
            times,
            clock,
            shared.config().get(MetricKeys.SLOW_MILLIS)));
  }

  /** Looks for the locations of blocks periodically. */
  void startChores(ChoreService chores, OnlineRegions regions) {
    chores.every(
        LOCALITY_CHECK_MILLIS,
        "Looking for the locations of blocks",
        () -> localities.check(regions.open().stream().map(HostedRegion::files).toList()));
  }
}
