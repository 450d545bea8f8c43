package dev.cairn.server.traffic;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSlice;
import dev.cairn.server.traffic.heatmap.HeatFile;
import dev.cairn.server.traffic.heatmap.HeatFiles;
import dev.cairn.server.traffic.heatmap.HeatRecorder;
import dev.cairn.server.traffic.heatmap.HeatRecorder.OpenRegion;
import dev.cairn.server.traffic.heatmap.TrafficMetric;
import dev.cairn.server.traffic.sample.CallHistory;
import dev.cairn.server.traffic.sample.Thinning;
import dev.cairn.server.traffic.sketch.SpaceSaving.HeavyKey;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The traffic of one region server: live rates with the hottest rows and prefixes, and the recorder
 * of heat maps. Fed once a second with the samples of each region ({@link LoadSlice}), so that a
 * get, a put or a scanned row pays nothing. Uses at most {@value #SAMPLES_MAX} samples of a
 * region's slice, which bounds the processor time to about 0.4 ms per second and busy region
 * (bench/NOTES.md).
 *
 * <p>All values are estimates: sums of weighted samples. For a value of {@code n} requests of which
 * one in {@code s} was sampled, the standard deviation is {@code sqrt(s * n)}. System tables are
 * not sampled. Thread-safe.
 */
public final class Traffic {

  /**
   * A caller of a server.
   *
   * @param user the name that the connection gave; not authenticated
   * @param host the address of its machine
   */
  public record Caller(String user, InetAddress host) {}

  /**
   * The most samples of a region that are used for each slice, of each kind of {@link Thinning}.
   */
  static final int SAMPLES_MAX = 64;

  /** The last digits of the time choose where {@link Thinning} begins. */
  private static final int PLACES = 997;

  private final boolean isOn;
  private final String server;
  private final Clock clock;
  private final HeatRecorder heat;
  private final LiveTraffic live = new LiveTraffic();
  private final CallHistory calls = new CallHistory();

  private Traffic(boolean isOn, String server, Clock clock, Optional<HeatFiles> files) {
    this.isOn = isOn;
    this.server = server;
    this.clock = clock;
    this.heat = new HeatRecorder(server, files);
  }

  /**
   * Returns traffic that is recorded.
   *
   * @param server the server, {@code host,port}: the same after a restart
   * @param storage the root directory, for the files of heat maps
   */
  public static Traffic recorded(String server, Clock clock, Storage storage) {
    return new Traffic(true, server, clock, Optional.of(new HeatFiles(storage)));
  }

  /** Returns traffic that is not recorded. */
  public static Traffic off(Clock clock) {
    return new Traffic(false, "", clock, Optional.empty());
  }

  /** Tells whether traffic is recorded. */
  public boolean isOn() {
    return isOn;
  }

  /** Returns the server, {@code host,port}. */
  public String server() {
    return server;
  }

  /** Adds the samples of a region. */
  public void add(RegionInfo info, LoadSlice slice) {
    List<LoadSample> samples = slice.samples();
    if (!isOn || samples.isEmpty()) {
      return;
    }
    OpenRegion region = region(info);
    long now = clock.currentTimeMillis();
    long since = now - Math.min(slice.millis(), LiveTraffic.WINDOW_MILLIS);
    List<LoadSample> used = new ArrayList<>(SAMPLES_MAX);
    double place = now % PLACES / (double) PLACES;
    for (Thinning.Chosen chosen : Thinning.of(samples, SAMPLES_MAX, place)) {
      LoadSample sample = chosen.sample();
      double[] values = values(sample, chosen.times());
      heat.add(region.table(), sample.row(), values, now);
      live.add(region, sample.row(), values, since, now);
      used.add(sample.times(chosen.times()));
    }
    calls.add(region.table(), used, now);
  }

  private static double[] values(LoadSample sample, double times) {
    double[] values = new double[TrafficMetric.COUNT];
    boolean writes = sample.kind() == LoadSample.Kind.WRITE;
    values[(writes ? TrafficMetric.WRITES : TrafficMetric.READS).ordinal()] =
        times * sample.requests();
    values[TrafficMetric.ROWS.ordinal()] = times * sample.rows();
    values[TrafficMetric.BYTES.ordinal()] = times * sample.bytes();
    values[TrafficMetric.TIME.ordinal()] = times * sample.nanos();
    values[TrafficMetric.ERRORS.ordinal()] = sample.kind() == LoadSample.Kind.FAILED ? times : 0;
    return values;
  }

  /** Takes note of the regions that are open now. */
  public void regions(Collection<RegionInfo> open) {
    if (isOn) {
      List<OpenRegion> regions =
          open.stream()
              .filter(info -> info.replicaId() == 0)
              .filter(info -> !info.table().namespace().equals(TableName.SYSTEM_NAMESPACE))
              .map(Traffic::region)
              .toList();
      heat.regions(regions, clock.currentTimeMillis());
      live.retain(regions, clock.currentTimeMillis());
    }
  }

  /**
   * Adds calls.
   *
   * @param calls how many calls this one represents
   */
  public void called(Caller caller, double calls) {
    live.called(caller, calls, clock.currentTimeMillis());
  }

  /** Tells whether {@link #save} has something to do. Does not block for long. */
  public boolean isDue() {
    return isOn && heat.isDue(clock.currentTimeMillis());
  }

  /** Saves the heat maps. One thread at a time. */
  public void save() throws IOException {
    if (isOn) {
      heat.save(clock.currentTimeMillis());
    }
  }

  /** Returns the heat maps of the present hour on this server. */
  public HeatFile recording() {
    return heat.recording();
  }

  /** Returns the latest traffic of the regions that have some. */
  public List<RegionTraffic> regions() {
    return live.regions(clock.currentTimeMillis());
  }

  /** Returns some of the sampled calls of each table, ordered in time. */
  public CallHistory calls() {
    return calls;
  }

  /**
   * Returns the ranges in which scans skip most rows, those with most first.
   *
   * @param max the most ranges of one table
   */
  public List<SkippedRange> skippedRanges(int max) {
    return calls().tables().stream()
        .flatMap(table -> SkippedRange.of(table, calls().steps(table), max).stream())
        .toList();
  }

  /** Returns the callers with their calls per second, the busiest first. */
  public List<HeavyKey<Caller>> callers(int max) {
    return live.callers(max, clock.currentTimeMillis());
  }

  private static OpenRegion region(RegionInfo info) {
    return new OpenRegion(
        info.table().toString(), info.encodedName(), info.startKey(), info.endKey());
  }
}
