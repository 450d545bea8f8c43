package dev.cairn.server.master.normalizer;

import dev.cairn.engine.schema.SchemaSettings;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.loadsplit.LoadSplitSettings;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The site's settings of the normalizer; a table may override them.
 *
 * @param period the time between two runs
 * @param enabled whether tables without the attribute are normalized
 * @param splits whether large regions are split
 * @param merges whether small regions are merged
 * @param mergeMinRegions the number of a table's regions from which merges are allowed
 * @param mergeMinAge the minimum age of a region to merge
 * @param mergeMinMb the minimum size of a region to merge, MB
 * @param mergeMaxRegions the maximum number of regions in one merge
 * @param plansMaxMb the maximum total size of the regions that one run changes in a table, MB
 * @param bytesPerSecond the maximum total size of the regions changed per second
 * @param load the settings for splits by load; hot regions are not merged
 */
public record NormalizerSettings(
    Duration period,
    boolean enabled,
    boolean splits,
    boolean merges,
    int mergeMinRegions,
    Duration mergeMinAge,
    long mergeMinMb,
    int mergeMaxRegions,
    long plansMaxMb,
    long bytesPerSecond,
    LoadSplitSettings load) {
  static final ConfigKey<Long> PERIOD_MILLIS =
      ConfigKey.number(
          "hbase.normalizer.period",
          300_000,
          100,
          Integer.MAX_VALUE,
          "Time between two runs of the region normalizer, in milliseconds.");

  static final ConfigKey<Boolean> ENABLED =
      ConfigKey.flag(
          "hbase.table.normalization.enabled",
          false,
          "Whether the normalizer splits and merges the regions of tables without"
              + " NORMALIZATION_ENABLED, so that they become about equally large.");

  static final ConfigKey<Boolean> SPLITS =
      ConfigKey.flag(
          "hbase.normalizer.split.enabled",
          true,
          "Whether the normalizer splits regions that are more than twice as large as the average.");

  static final ConfigKey<Boolean> MERGES =
      ConfigKey.flag(
          "hbase.normalizer.merge.enabled",
          true,
          "Whether the normalizer merges neighbouring regions that together are no larger"
              + " than the average.");

  static final ConfigKey<Long> MERGE_MIN_REGIONS =
      ConfigKey.number(
          "hbase.normalizer.merge.min.region.count",
          3,
          1,
          Integer.MAX_VALUE,
          "Minimum regions of a table in which the normalizer merges regions.");

  static final ConfigKey<Long> OLD_MERGE_MIN_REGIONS =
      ConfigKey.number(
          "hbase.normalizer.min.region.count",
          3,
          1,
          Integer.MAX_VALUE,
          "Older name of hbase.normalizer.merge.min.region.count; used if that is not set.");

  static final ConfigKey<Long> MERGE_MIN_AGE_DAYS =
      ConfigKey.number(
          "hbase.normalizer.merge.min_region_age.days",
          3,
          0,
          Integer.MAX_VALUE,
          "Minimum age of a region that the normalizer merges, in days.");

  static final ConfigKey<Long> MERGE_MIN_MB =
      ConfigKey.number(
          "hbase.normalizer.merge.min_region_size.mb",
          1,
          0,
          Integer.MAX_VALUE,
          "Minimum size of a region that the normalizer merges, in MB; 0 means that it merges"
              + " empty regions, too.");

  static final ConfigKey<Long> MERGE_MAX_REGIONS =
      ConfigKey.number(
          "hbase.normalizer.merge.merge_request_max_number_of_regions",
          100,
          2,
          Integer.MAX_VALUE,
          "Maximum regions that the normalizer merges into one.");

  static final ConfigKey<Long> PLANS_MAX_MB =
      ConfigKey.number(
          "hbase.normalizer.plans_size_limit.mb",
          Long.MAX_VALUE,
          1,
          Long.MAX_VALUE,
          "Maximum total size of the regions that one run of the normalizer changes in a"
              + " table, in MB.");

  static final ConfigKey<Long> BYTES_PER_SECOND =
      new ConfigKey<>(
          "hbase.normalizer.throughput.max_bytes_per_sec",
          Long.toString(Long.MAX_VALUE),
          "at least 1 MB, with a unit (k, m, g) or without one",
          "Maximum total size of the regions that the normalizer changes per second, in bytes.",
          NormalizerSettings::bytes,
          value -> value >= 1_000_000);

  /** HBase's defaults. */
  public static final NormalizerSettings DEFAULTS = of(new SiteConfig(Map.of()));

  /** Reads the settings of a site. */
  public static NormalizerSettings of(SiteConfig config) {
    long minRegions =
        config.find(MERGE_MIN_REGIONS).orElseGet(() -> config.get(OLD_MERGE_MIN_REGIONS));
    return new NormalizerSettings(
        Duration.ofMillis(config.get(PERIOD_MILLIS)),
        config.get(ENABLED),
        config.get(SPLITS),
        config.get(MERGES),
        (int) minRegions,
        Duration.ofDays(config.get(MERGE_MIN_AGE_DAYS)),
        config.get(MERGE_MIN_MB),
        config.get(MERGE_MAX_REGIONS).intValue(),
        config.get(PLANS_MAX_MB),
        config.get(BYTES_PER_SECOND),
        LoadSplitSettings.of(config));
  }

  /**
   * Returns these settings with a table's overrides.
   *
   * @throws IllegalArgumentException naming the table's key whose value is impossible
   */
  NormalizerSettings of(TableSchema schema) {
    SchemaSettings own = SchemaSettings.of(schema);
    long oldMinRegions =
        own.number(OLD_MERGE_MIN_REGIONS.name(), mergeMinRegions, 1, Integer.MAX_VALUE);
    return new NormalizerSettings(
        period,
        own.flag("NORMALIZATION_ENABLED", enabled),
        own.flag(SPLITS.name(), splits),
        own.flag(MERGES.name(), merges),
        (int) own.number(MERGE_MIN_REGIONS.name(), oldMinRegions, 1, Integer.MAX_VALUE),
        Duration.ofDays(
            own.number(MERGE_MIN_AGE_DAYS.name(), mergeMinAge.toDays(), 0, Integer.MAX_VALUE)),
        own.number(MERGE_MIN_MB.name(), mergeMinMb, 0, Integer.MAX_VALUE),
        mergeMaxRegions,
        plansMaxMb,
        bytesPerSecond,
        load.forTable(schema));
  }

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> keys() {
    return List.of(
        PERIOD_MILLIS,
        ENABLED,
        SPLITS,
        MERGES,
        MERGE_MIN_REGIONS,
        OLD_MERGE_MIN_REGIONS,
        MERGE_MIN_AGE_DAYS,
        MERGE_MIN_MB,
        MERGE_MAX_REGIONS,
        PLANS_MAX_MB,
        BYTES_PER_SECOND);
  }

  private static long bytes(String text) {
    String number = text.toLowerCase(Locale.ROOT);
    int unit = "kmgt".indexOf(number.charAt(number.length() - 1)) + 1;
    String digits = unit > 0 ? number.substring(0, number.length() - 1) : number;
    return Math.multiplyExact(Long.parseLong(digits), 1L << (10 * unit));
  }
}
