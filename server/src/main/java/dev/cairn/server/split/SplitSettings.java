package dev.cairn.server.split;

import dev.cairn.engine.schema.SchemaSettings;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The site's settings for splits of regions; a table may override them under the same keys.
 *
 * @param policy the policy of tables that name none
 * @param maxBytes the size of a region above which it is split
 * @param jitter the share of that size by which the limit of a region may differ, up or down
 * @param initialBytes the size above which a table's first regions are split; 0 or less for twice
 *     the size at which a memstore is flushed
 * @param flushBytes the size at which a memstore is flushed
 * @param overallFiles whether the sizes of all families are added up
 * @param busy when {@code BusyRegionSplitPolicy} considers a region busy
 * @param restriction the restriction of tables that name none
 * @param regionsMax number of open regions from which a server requests no more splits
 * @param ignoresBlocking whether regions with too many store files are also split
 */
public record SplitSettings(
    SplitPolicies.Name policy,
    long maxBytes,
    double jitter,
    long initialBytes,
    long flushBytes,
    boolean overallFiles,
    BusySplitPolicy.Limits busy,
    Restriction restriction,
    long regionsMax,
    boolean ignoresBlocking) {

  /**
   * A restriction by name, with its optional parameters as strings.
   *
   * @param type {@code None}, {@code KeyPrefix} or {@code DelimitedKeyPrefix}
   */
  record Restriction(String type, String prefixLength, String delimiter) {
    /**
     * Returns the restriction.
     *
     * @throws IllegalArgumentException naming the key that is missing or impossible
     */
    SplitRestriction parse() {
      return switch (type) {
        case "None" -> new SplitRestriction.None();
        case "KeyPrefix" ->
            SplitRestriction.KeyPrefix.parse(RESTRICTION_PREFIX_LENGTH.name(), prefixLength);
        case "DelimitedKeyPrefix" ->
            SplitRestriction.DelimitedKeyPrefix.parse(RESTRICTION_DELIMITER.name(), delimiter);
        default ->
            throw new IllegalArgumentException(
                RESTRICTION_TYPE.name()
                    + " must be "
                    + RESTRICTION_TYPE.range()
                    + ", not <"
                    + type
                    + ">");
      };
    }
  }

  private static final String POLICY_ATTRIBUTE = "SPLIT_POLICY";
  private static final String MAX_BYTES_ATTRIBUTE = "MAX_FILESIZE";
  private static final String RESTRICTION = "hbase.regionserver.region.split_restriction.";

  static final ConfigKey<SplitPolicies.Name> POLICY =
      new ConfigKey<>(
          "hbase.regionserver.region.split.policy",
          SplitPolicies.Name.STEPPING.className(),
          "a split policy of HBase, with its package or without it",
          "Policy that decides when regions are split. A table can override it (SPLIT_POLICY).",
          SplitPolicies.Name::require,
          value -> true);

  static final ConfigKey<Long> MAX_BYTES =
      ConfigKey.number(
          "hbase.hregion.max.filesize",
          10L << 30,
          1,
          Long.MAX_VALUE,
          "Size of the store files of a region's largest family above which the region is"
              + " split, in bytes. A table can override it (MAX_FILESIZE).");

  static final ConfigKey<Double> JITTER =
      fraction(
          "hbase.hregion.max.filesize.jitter",
          "0.25",
          "Random deviation of a region's split size, as a fraction of"
              + " hbase.hregion.max.filesize: up to half of it up or down. It keeps the regions"
              + " of a table from splitting all at once.");

  static final ConfigKey<Long> INITIAL_BYTES =
      ConfigKey.number(
          "hbase.increasing.policy.initial.size",
          -1,
          Long.MIN_VALUE,
          Long.MAX_VALUE,
          "Size above which the first region of a table is split, in bytes; 0 or less means"
              + " twice the table's flush size. ConstantSizeRegionSplitPolicy ignores it.");

  static final ConfigKey<Boolean> OVERALL_FILES =
      ConfigKey.flag(
          "hbase.hregion.split.overallfiles",
          false,
          "Whether the split size applies to the store files of all families together, and"
              + " not only to those of the largest family.");

  static final ConfigKey<Double> BUSY_SHARE =
      fraction(
          "hbase.busy.policy.blockedRequests",
          "0.2",
          "Minimum share of writes refused because of full memstores at which"
              + " BusyRegionSplitPolicy splits a region.");

  static final ConfigKey<Long> BUSY_AGE_MILLIS =
      ConfigKey.number(
          "hbase.busy.policy.minAge",
          600_000,
          1,
          Long.MAX_VALUE,
          "Minimum time since a region opened before BusyRegionSplitPolicy splits it for"
              + " refused writes, in milliseconds.");

  static final ConfigKey<Long> BUSY_WINDOW_MILLIS =
      ConfigKey.number(
          "hbase.busy.policy.aggWindow",
          300_000,
          1,
          Long.MAX_VALUE,
          "Time window over which BusyRegionSplitPolicy counts refused writes, in milliseconds.");

  static final ConfigKey<String> RESTRICTION_TYPE =
      new ConfigKey<>(
          RESTRICTION + "type",
          "None",
          "None, KeyPrefix or DelimitedKeyPrefix",
          "Restriction of the rows at which regions may be split, also on request: KeyPrefix"
              + " and DelimitedKeyPrefix keep rows with the same prefix in one region.",
          text -> text,
          List.of("None", "KeyPrefix", "DelimitedKeyPrefix")::contains);

  static final ConfigKey<String> RESTRICTION_PREFIX_LENGTH =
      ConfigKey.text(
          RESTRICTION + "prefix_length",
          "",
          "Length of the prefix of the restriction KeyPrefix, in bytes.");

  static final ConfigKey<String> RESTRICTION_DELIMITER =
      ConfigKey.text(
          RESTRICTION + "delimiter",
          "",
          "Delimiter that ends the prefix of the restriction DelimitedKeyPrefix.");

  static final ConfigKey<Long> REGIONS_MAX =
      ConfigKey.number(
          "hbase.regionserver.regionSplitLimit",
          1000,
          1,
          Integer.MAX_VALUE,
          "Maximum open regions; from this number on, a region server requests no splits.");

  static final ConfigKey<Boolean> IGNORE_BLOCKING =
      ConfigKey.flag(
          "hbase.hregion.split.ignore.blocking.enabled",
          false,
          "Whether a region is split although it has so many store files that flushes wait for"
              + " compactions.");

  /** HBase's defaults. */
  public static final SplitSettings DEFAULTS = of(new SiteConfig(Map.of()), 128L << 20);

  /**
   * Reads the settings of a site.
   *
   * @param flushBytes the size at which a memstore is flushed
   * @throws ConfigException if a restriction has no parameter
   */
  public static SplitSettings of(SiteConfig config, long flushBytes) {
    SplitSettings settings = read(config, flushBytes);
    try {
      settings.restriction().parse();
      return settings;
    } catch (IllegalArgumentException e) {
      throw new ConfigException(e.getMessage(), e);
    }
  }

  private static SplitSettings read(SiteConfig config, long flushBytes) {
    return new SplitSettings(
        config.get(POLICY),
        config.get(MAX_BYTES),
        config.get(JITTER),
        config.get(INITIAL_BYTES),
        flushBytes,
        config.get(OVERALL_FILES),
        new BusySplitPolicy.Limits(
            config.get(BUSY_SHARE), config.get(BUSY_AGE_MILLIS), config.get(BUSY_WINDOW_MILLIS)),
        new Restriction(
            config.get(RESTRICTION_TYPE),
            config.get(RESTRICTION_PREFIX_LENGTH),
            config.get(RESTRICTION_DELIMITER)),
        config.get(REGIONS_MAX),
        config.get(IGNORE_BLOCKING));
  }

  /** Returns the class name of the policy that a table names. */
  static Optional<String> policyClass(TableSchema schema) {
    SchemaSettings own = SchemaSettings.of(schema);
    return own.find(POLICY_ATTRIBUTE)
        .filter(text -> !text.isEmpty())
        .or(() -> own.find(POLICY.name()).filter(text -> !text.isEmpty()));
  }

  static boolean namesPolicy(String attribute) {
    return attribute.equals(POLICY_ATTRIBUTE) || attribute.equals(POLICY.name());
  }

  /**
   * Returns these settings with a table's overrides.
   *
   * @throws IllegalArgumentException naming the table's key whose value is impossible
   */
  SplitSettings forTable(TableSchema schema) {
    SchemaSettings own = SchemaSettings.of(schema);
    long tableMax = own.number(MAX_BYTES_ATTRIBUTE, 0, Long.MIN_VALUE, Long.MAX_VALUE);
    return new SplitSettings(
        policyClass(schema)
            .map(name -> SplitPolicies.Name.find(name).orElse(SplitPolicies.Name.DISABLED))
            .orElse(policy),
        tableMax > 0 ? tableMax : own.number(MAX_BYTES.name(), maxBytes, 1, Long.MAX_VALUE),
        own.fraction(JITTER.name(), jitter, 0, 1),
        own.number(INITIAL_BYTES.name(), initialBytes, Long.MIN_VALUE, Long.MAX_VALUE),
        schema.memStoreFlushBytes().orElse(flushBytes),
        own.flag(OVERALL_FILES.name(), overallFiles),
        new BusySplitPolicy.Limits(
            own.fraction(BUSY_SHARE.name(), busy.blockedShare(), 0, 1),
            own.number(BUSY_AGE_MILLIS.name(), busy.minAgeMillis(), 1, Long.MAX_VALUE),
            own.number(BUSY_WINDOW_MILLIS.name(), busy.windowMillis(), 1, Long.MAX_VALUE)),
        new Restriction(
            own.find(RESTRICTION_TYPE.name()).orElse(restriction.type()),
            own.find(RESTRICTION_PREFIX_LENGTH.name()).orElse(restriction.prefixLength()),
            schema.attribute(RESTRICTION_DELIMITER.name()).orElse(restriction.delimiter())),
        regionsMax,
        ignoresBlocking);
  }

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> keys() {
    return List.of(
        POLICY,
        MAX_BYTES,
        JITTER,
        INITIAL_BYTES,
        OVERALL_FILES,
        BUSY_SHARE,
        BUSY_AGE_MILLIS,
        BUSY_WINDOW_MILLIS,
        RESTRICTION_TYPE,
        RESTRICTION_PREFIX_LENGTH,
        RESTRICTION_DELIMITER,
        REGIONS_MAX,
        IGNORE_BLOCKING);
  }

  private static ConfigKey<Double> fraction(String name, String text, String sentence) {
    return new ConfigKey<>(
        name,
        text,
        "a number from 0 to 1",
        sentence,
        Double::parseDouble,
        value -> value >= 0 && value <= 1);
  }
}
