package dev.cairn.server.regionserver.maintenance;

import com.sun.management.OperatingSystemMXBean;
import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.loadsplit.LoadDecider;
import dev.cairn.server.loadsplit.LoadSampler;
import dev.cairn.server.loadsplit.LoadSlice;
import dev.cairn.server.loadsplit.LoadSplitSettings;
import dev.cairn.server.loadsplit.LoadVerdict;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.RegionParts;
import dev.cairn.server.split.SplitPolicy;
import dev.cairn.server.traffic.Traffic;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits regions for their load. Gives each region a sampler when it is opened, and regularly asks
 * its {@link LoadDecider}. Reports loads that a split cannot spread, once for each cause.
 *
 * <p>A server splits for load only while few of its regions are hot. More hot regions than its
 * processors can serve bring no gain. Regions that move to other servers can be split there.
 *
 * <p>A load that moves through the rows splits a region only if it is the table's only one on this
 * server. The first split separates the moving end from the older rows; further splits bring no
 * gain.
 *
 * <p>{@link #opened} and {@link #notices} are thread-safe. One thread at a time calls {@link
 * #check}.
 */
public final class LoadSplits {

  /** Requests splits at given rows from the master. Thread-safe. */
  public interface SplitRequests {
    /**
     * Requests a split at a row, or at the start of the row's prefix if the table keeps that
     * together.
     *
     * @param reason a clause for the log
     * @return whether the master is asked; false if the region cannot be split there or now, or the
     *     master has not answered an earlier request
     */
    boolean request(HostedRegion region, byte[] row, String reason);

    /**
     * Returns a function from a row to the row at which the table allows a split: the same row, or
     * the prefix that the table keeps together.
     *
     * @throws IllegalArgumentException if the table's settings are invalid
     */
    UnaryOperator<byte[]> allowedRows(TableSchema schema, SplitPolicy policy);
  }

  /**
   * Measures the load of calls, which are sampled at random. Simulated servers get one of their
   * own, so that a run can be repeated. Thread-safe.
   *
   * @param threadNanos returns the processor time of the calling thread
   * @param processNanos returns the processor time of the process; 0 if it is not known
   * @param random returns evenly distributed numbers
   * @param processors the number of processors
   */
  public record LoadMeter(
      LongSupplier threadNanos, LongSupplier processNanos, IntSupplier random, int processors) {
    /** Returns the meter of this process. */
    public static LoadMeter ofProcess() {
      return new LoadMeter(
          ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime,
          ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)::getProcessCpuTime,
          () -> ThreadLocalRandom.current().nextInt(),
          Runtime.getRuntime().availableProcessors());
    }
  }

  /** The interval between two checks. */
  public static final long CHECK_MILLIS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(LoadSplits.class);

  /**
   * The maximum number of periods before a refused request is repeated; it grows by one with each
   * refusal.
   */
  private static final int REFUSED_MAX = 60;

  private final OnlineRegions regions;
  private final LoadSplitSettings settings;
  private final SplitRequests requests;
  private final Traffic traffic;
  private final Clock clock;
  private final LoadMeter meter;
  private final long hotRegionsMax;
  private final Map<HostedRegion, Watch> watches = new HashMap<>();
  private volatile List<String> notices = List.of();

  /** Tells whether the last check found no hot region. */
  private volatile boolean isCalm;

  /** The value of {@link OnlineRegions#changes} at the last check. */
  private volatile long checkedChanges;

  /**
   * Creates it.
   *
   * @param traffic receives the samples of all regions, too
   * @param meter measures the load of calls
   */
  public LoadSplits(
      OnlineRegions regions,
      LoadSplitSettings settings,
      SplitRequests requests,
      Traffic traffic,
      Clock clock,
      LoadMeter meter) {
    this.regions = regions;
    this.settings = settings;
    this.requests = requests;
    this.traffic = traffic;
    this.clock = clock;
    this.meter = meter;
    this.hotRegionsMax =
        settings.hotRegionsMax() > 0 ? settings.hotRegionsMax() : 2L * meter.processors();
  }

  /** The state of one region. */
  private static final class Watch {
    /** Empty if the region is not split for its load. */
    private final Optional<LoadDecider> decider;

    /** Describes a load that a split cannot spread; otherwise empty. */
    private Optional<String> notice = Optional.empty();

    /** The cause that was logged last; the same one is not logged again. */
    private Optional<Object> logged = Optional.empty();

    private int requested;
    private int verdictsToSkip;

    Watch(Optional<LoadDecider> decider) {
      this.decider = decider;
    }
  }

  /**
   * Lays a sampler over a region that is about to go online, if its table enables splits by load,
   * or if traffic is recorded. System tables are never split, nor recorded.
   */
  public RegionParts over(RegionInfo info, TableSchema schema, RegionParts below) {
    boolean isSystem = info.table().namespace().equals(TableName.SYSTEM_NAMESPACE);
    return !isSystem && (traffic.isOn() || isSplit(info, schema, below.splitPolicy()))
        ? below.sampledBy(new LoadSampler(clock, meter.threadNanos(), meter.random()))
        : below;
  }

  private boolean isSplit(RegionInfo info, TableSchema schema, SplitPolicy policy) {
    return settings(schema).enabled() && hasAllowedRows(info, schema, policy);
  }

  private boolean hasAllowedRows(RegionInfo region, TableSchema schema, SplitPolicy policy) {
    try {
      requests.allowedRows(schema, policy);
      return true;
    } catch (IllegalArgumentException e) {
      LOG.warn("{} is not split for its load: {}", region, e.getMessage());
      return false;
    }
  }

  /**
   * Tells whether {@link #check} may find something: a region has samples, was hot or has a notice,
   * or regions came or left. Does not block. After a while without checks, the first slice of a
   * region covers that time, so its load shows one slice later.
   */
  public boolean isDue() {
    if (!isCalm || checkedChanges != regions.changes()) {
      return true;
    }
    for (HostedRegion region : regions.open()) {
      if (region.load().isPresent() && !region.load().get().isIdle()) {
        return true;
      }
    }
    return false;
  }

  /** Checks all regions and requests splits. */
  public void check() {
    checkedChanges = regions.changes();
    Collection<HostedRegion> open = regions.open();
    traffic.regions(open.stream().map(HostedRegion::info).toList());
    watches.keySet().retainAll(new HashSet<>(open));
    for (HostedRegion region : open) {
      region.load().ifPresent(load -> check(region, load));
    }
    notices = watches.values().stream().flatMap(watch -> watch.notice.stream()).sorted().toList();
    isCalm = notices.isEmpty() && hotRegions() == 0;
  }

  /** Returns a sentence for each region whose load a split cannot spread. */
  public List<String> notices() {
    return notices;
  }

  private void check(HostedRegion region, LoadSampler load) {
    check(region, load.next());
    load.setNotice(watches.get(region).notice);
  }

  private void check(HostedRegion region, LoadSlice slice) {
    traffic.add(region.info(), slice);
    Watch watch = watches.computeIfAbsent(region, this::watch);
    if (watch.decider.isEmpty()) {
      return;
    }
    LoadVerdict verdict = watch.decider.get().next(slice);
    if (verdict instanceof LoadVerdict.Watching) {
      return; // A notice stays while the region is hot.
    }
    watch.notice = Optional.empty();
    if (verdict instanceof LoadVerdict.Split split) {
      String reason =
          String.format(
              Locale.ROOT,
              "%s, of which %.0f %% are below this row",
              split.rate(),
              100 * split.lowerShare());
      request(region, watch, split.row(), reason);
    } else if (verdict instanceof LoadVerdict.Moving moving) {
      if (isAlone(region)) {
        request(region, watch, moving.row(), moving.rate() + ", which move through the rows");
      } else {
        report(
            watch,
            "moving",
            String.format(
                "The load of %s, %s, moves through its rows. A split would not spread it. If these"
                    + " are writes, let rows begin with something that does not grow with time.",
                region, moving.rate()));
      }
    } else if (verdict instanceof LoadVerdict.HotRow hot) {
      String row = Bytes.toStringBinary(hot.row());
      report(
          watch,
          row,
          String.format(
              Locale.ROOT,
              "The row <%s> has %.0f %% of the load of %s, %s. A split would not spread it. Divide"
                  + " the row, or cache it in clients.",
              row,
              100 * hot.rowShare(),
              region,
              hot.rate()));
    } else if (verdict instanceof LoadVerdict.Spanning spanning) {
      report(
          watch,
          "spanning",
          String.format(
              "The load of %s, %s, consists of scans over most of its rows. A split would not"
                  + " spread it.",
              region, spanning.rate()));
    }
  }

  private void request(HostedRegion region, Watch watch, byte[] row, String reason) {
    if (watch.verdictsToSkip > 0) {
      watch.verdictsToSkip--;
      return;
    }
    if (hotRegions() < hotRegionsMax && requests.request(region, row, reason)) {
      watch.verdictsToSkip = watch.requested;
      watch.requested = Math.min(REFUSED_MAX, watch.requested + 1);
    }
  }

  private static void report(Watch watch, Object cause, String notice) {
    watch.notice = Optional.of(notice);
    if (!watch.logged.equals(Optional.of(cause))) {
      watch.logged = Optional.of(cause);
      LOG.warn("{}", notice);
    }
  }

  private long hotRegions() {
    return watches.values().stream()
        .filter(watch -> watch.decider.map(LoadDecider::isHot).orElse(false))
        .count();
  }

  private boolean isAlone(HostedRegion region) {
    TableName table = region.info().table();
    return regions.open().stream()
        .noneMatch(one -> one != region && one.info().table().equals(table));
  }

  private Watch watch(HostedRegion region) {
    return new Watch(
        isSplit(region.info(), region.schema(), region.splitPolicy())
            ? Optional.of(
                new LoadDecider(
                    settings(region.schema()),
                    region.info().startKey(),
                    requests.allowedRows(region.schema(), region.splitPolicy())))
            : Optional.empty());
  }

  /** The site's settings apply if those of the table, perhaps created by HBase, are invalid. */
  private LoadSplitSettings settings(TableSchema schema) {
    try {
      return settings.forTable(schema);
    } catch (IllegalArgumentException e) {
      LOG.warn("The site's settings for splits for load apply: {}", e.getMessage());
      return settings;
    }
  }
}
