package dev.cairn.server.loadsplit;

import dev.cairn.engine.schema.SchemaSettings;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The settings for splits by load; a table can override each setting under the same key.
 *
 * @param enabled whether regions are split for their load
 * @param requests threshold in requests per second; 0 for none
 * @param bytes threshold in bytes per second; 0 for none
 * @param cpuMillis threshold in milliseconds of processor time per second; 0 for none
 * @param periodMillis how long the load must last
 * @param share the least share of the load that a cut takes off the busier side, above 0 to 0.5
 * @param hotRegionsMax the number of hot regions above which a server splits no more regions for
 *     load; 0 for twice the processors
 */
public record LoadSplitSettings(
    boolean enabled,
    long requests,
    long bytes,
    long cpuMillis,
    long periodMillis,
    double share,
    long hotRegionsMax) {

  static final ConfigKey<Boolean> ENABLED =
      ConfigKey.flag(
          "cairn.loadsplit.enabled",
          true,
          "Whether hot regions are split at the row that halves their load, whatever their"
              + " size. A table can override this and the other settings of cairn.loadsplit,"
              + " except cairn.loadsplit.hot.regions.max.");

  static final ConfigKey<Long> REQUESTS =
      ConfigKey.number(
          "cairn.loadsplit.requests",
          3_000,
          0,
          Integer.MAX_VALUE,
          "Minimum requests per second of a hot region: gets, mutations and calls of scans; 0"
              + " ignores requests.");

  static final ConfigKey<Long> BYTES =
      ConfigKey.number(
          "cairn.loadsplit.bytes",
          30L << 20,
          0,
          Long.MAX_VALUE,
          "Minimum cell bytes per second, read or written, of a hot region; 0 ignores bytes.");

  static final ConfigKey<Long> CPU_MILLIS =
      ConfigKey.number(
          "cairn.loadsplit.cpu",
          250,
          0,
          Integer.MAX_VALUE,
          "Minimum processor time of a hot region, in milliseconds per second over all"
              + " threads; 0 ignores processor time.");

  static final ConfigKey<Long> PERIOD_MILLIS =
      ConfigKey.number(
          "cairn.loadsplit.period",
          10_000,
          2_000,
          3_600_000,
          "Time for which a region must be hot before it is split, in milliseconds. It starts"
              + " when the region opens, at the earliest.");

  static final ConfigKey<Double> SHARE =
      new ConfigKey<>(
          "cairn.loadsplit.share",
          "0.25",
          "a number from 0.01 to 0.5",
          "Minimum share of a region's load that a split must move out of the busier half. If"
              + " no row achieves it, as with a single hot row, the region is not split.",
          Double::parseDouble,
          LoadSplitSettings::isShare);

  static final ConfigKey<Long> HOT_REGIONS_MAX =
      ConfigKey.number(
          "cairn.loadsplit.hot.regions.max",
          0,
          0,
          Integer.MAX_VALUE,
          "Number of hot regions on a server at which load splits stop, because the"
              + " processors are busy anyway. 0 means twice the number of processors.");

  /** Returns the settings of a site. */
  public static LoadSplitSettings of(SiteConfig config) {
    return new LoadSplitSettings(
        config.get(ENABLED),
        config.get(REQUESTS),
        config.get(BYTES),
        config.get(CPU_MILLIS),
        config.get(PERIOD_MILLIS),
        config.get(SHARE),
        config.get(HOT_REGIONS_MAX));
  }

  /**
   * Returns these settings with the table's own.
   *
   * @throws IllegalArgumentException naming the table's key whose value is impossible
   */
  public LoadSplitSettings forTable(TableSchema schema) {
    SchemaSettings own = SchemaSettings.of(schema);
    return new LoadSplitSettings(
        own.flag(ENABLED.name(), enabled),
        own.number(REQUESTS.name(), requests, 0, Integer.MAX_VALUE),
        own.number(BYTES.name(), bytes, 0, Long.MAX_VALUE),
        own.number(CPU_MILLIS.name(), cpuMillis, 0, Integer.MAX_VALUE),
        own.number(PERIOD_MILLIS.name(), periodMillis, 2_000, 3_600_000),
        own.fraction(SHARE.name(), share, 0.01, 0.5),
        hotRegionsMax);
  }

  /**
   * Checks the settings of a table.
   *
   * @throws IllegalArgumentException naming the table's key whose value is impossible
   */
  public static void check(TableSchema schema) {
    of(new SiteConfig(Map.of())).forTable(schema);
  }

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> keys() {
    return List.of(ENABLED, REQUESTS, BYTES, CPU_MILLIS, PERIOD_MILLIS, SHARE, HOT_REGIONS_MAX);
  }

  /**
   * Tells whether regions with this total load may be merged. With more, the merged region would be
   * hot again, and split.
   */
  public boolean allowsMerge(RegionRates total) {
    return !enabled
        || Arrays.stream(LoadMeasure.values())
            .allMatch(measure -> total.of(measure) < LoadDecider.HOT_PART * threshold(measure));
  }

  /** Returns the threshold per second of a measure; infinite if there is none. */
  double threshold(LoadMeasure measure) {
    double rate =
        switch (measure) {
          case REQUESTS -> requests;
          case BYTES -> bytes;
          case CPU -> cpuMillis * 1e6;
        };
    return rate > 0 ? rate : Double.POSITIVE_INFINITY;
  }

  private static boolean isShare(double value) {
    return value >= 0.01 && value <= 0.5;
  }
}
