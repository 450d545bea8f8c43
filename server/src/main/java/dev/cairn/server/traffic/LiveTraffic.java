package dev.cairn.server.traffic;

import dev.cairn.server.traffic.Traffic.Caller;
import dev.cairn.server.traffic.heatmap.HeatRecorder.OpenRegion;
import dev.cairn.server.traffic.heatmap.TrafficMetric;
import dev.cairn.server.traffic.sketch.HotKeys;
import dev.cairn.server.traffic.sketch.SpaceSaving;
import dev.cairn.server.traffic.sketch.SpaceSaving.HeavyKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The traffic of the last {@value #WINDOW_MILLIS} to twice as many milliseconds. Each region has
 * two windows; when the newer one is full, it replaces the older one. A region without traffic has
 * none.
 *
 * <p>Memory: about 27 KB for each window of a region; at most {@value #REGIONS_MAX} regions have
 * windows, the others are not shown. Thread-safe.
 */
final class LiveTraffic {
  static final long WINDOW_MILLIS = 15_000;

  /** The most regions with windows. */
  static final int REGIONS_MAX = 256;

  /** The counters for callers; see {@link SpaceSaving}. */
  static final int CALLERS = 64;

  private static final class Windows {
    private final OpenRegion region;
    private TrafficWindow older;
    private TrafficWindow newer;

    Windows(OpenRegion region, long nowMillis) {
      this.region = region;
      this.older = new TrafficWindow(nowMillis);
      this.newer = new TrafficWindow(nowMillis);
    }
  }

  private final Map<String, Windows> regions = new HashMap<>();
  private SpaceSaving<Caller> callersBefore = new SpaceSaving<>(CALLERS);
  private SpaceSaving<Caller> callers = new SpaceSaving<>(CALLERS);
  private long callersBeforeMillis;
  private long callersMillis;

  /**
   * Adds to a row of a region.
   *
   * @param sinceMillis the start of the time in which the traffic was measured
   */
  synchronized void add(
      OpenRegion region, byte[] row, double[] values, long sinceMillis, long nowMillis) {
    Windows windows = regions.get(region.encodedName());
    if (windows == null) {
      if (regions.size() >= REGIONS_MAX) {
        return;
      }
      windows = new Windows(region, sinceMillis);
      regions.put(region.encodedName(), windows);
    }
    if (nowMillis - windows.newer.beganMillis() > WINDOW_MILLIS) {
      windows.older = isIdle(windows, nowMillis) ? new TrafficWindow(sinceMillis) : windows.newer;
      windows.newer = new TrafficWindow(sinceMillis);
    }
    windows.newer.add(row, values);
  }

  /** Adds the calls of a caller. */
  synchronized void called(Caller caller, double calls, long nowMillis) {
    rollCallers(nowMillis);
    callers.add(caller, calls);
  }

  private void rollCallers(long nowMillis) {
    if (callersMillis == 0) {
      callersBeforeMillis = nowMillis;
      callersMillis = nowMillis;
    } else if (nowMillis - callersMillis >= WINDOW_MILLIS) {
      boolean isOld = nowMillis - callersMillis >= 2 * WINDOW_MILLIS;
      callersBefore = isOld ? new SpaceSaving<>(CALLERS) : callers;
      callersBeforeMillis = isOld ? nowMillis - WINDOW_MILLIS : callersMillis;
      callers = new SpaceSaving<>(CALLERS);
      callersMillis = nowMillis;
    }
  }

  /** Forgets regions that are not open or have no traffic. */
  synchronized void retain(Collection<OpenRegion> open, long nowMillis) {
    Set<String> names = open.stream().map(OpenRegion::encodedName).collect(Collectors.toSet());
    regions
        .values()
        .removeIf(one -> isIdle(one, nowMillis) || !names.contains(one.region.encodedName()));
  }

  private static boolean isIdle(Windows windows, long nowMillis) {
    return nowMillis - windows.newer.beganMillis() >= 2 * WINDOW_MILLIS;
  }

  /** Returns the traffic of the regions that have some. */
  synchronized List<RegionTraffic> regions(long nowMillis) {
    List<RegionTraffic> readings = new ArrayList<>();
    for (Windows windows : regions.values()) {
      if (!isIdle(windows, nowMillis)) {
        readings.add(reading(windows, nowMillis));
      }
    }
    return readings;
  }

  private static RegionTraffic reading(Windows windows, long nowMillis) {
    double[] sums = new double[TrafficMetric.COUNT];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = windows.older.sums()[i] + windows.newer.sums()[i];
    }
    // A copy: the windows go on.
    HotKeys hot = windows.older.hot().merge(windows.newer.hot());
    return new RegionTraffic(
        windows.region.table(),
        windows.region.encodedName(),
        windows.region.start(),
        windows.region.end(),
        Math.max(1_000, nowMillis - windows.older.beganMillis()),
        sums,
        hot);
  }

  /** Returns the callers with their calls per second, the busiest first. */
  synchronized List<HeavyKey<Caller>> callers(int max, long nowMillis) {
    rollCallers(nowMillis);
    double seconds = Math.max(1, (nowMillis - callersBeforeMillis) / 1e3);
    return callersBefore.merge(callers).top(max).stream()
        .map(one -> new HeavyKey<>(one.key(), one.count() / seconds, one.error() / seconds))
        .toList();
  }
}
