package dev.cairn.engine.region.state;

import dev.cairn.engine.schema.SchemaSettings;
import dev.cairn.engine.schema.TableSchema;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Numbers that say which families of a region are flushed and when, each under HBase's key for it.
 *
 * @param policy policy if the caller names no families ({@code hbase.regionserver.flush.policy}; of
 *     a table {@code FLUSH_POLICY})
 * @param lowerBoundMinBytes minimum size of a family that {@link FlushPolicy#LARGE} selects; the
 *     region's flush size divided by the number of families applies if it is larger ({@code
 *     hbase.hregion.percolumnfamilyflush.size.lower.bound.min})
 * @param ownLowerBoundBytes that size, if the table sets it ({@code
 *     hbase.hregion.percolumnfamilyflush.size.lower.bound})
 * @param intervalMillis how long a write waits at most, 0 or less for any time ({@code
 *     hbase.regionserver.optionalcacheflushinterval})
 * @param changesMax number of a region's writes after which the oldest must be in a file ({@code
 *     hbase.regionserver.flush.per.changes})
 */
public record FlushSettings(
    FlushPolicy policy,
    long lowerBoundMinBytes,
    OptionalLong ownLowerBoundBytes,
    long intervalMillis,
    long changesMax) {
  /** The key of the least size of a family, in {@code hbase-site.xml} or of a table. */
  public static final String LOWER_BOUND_MIN_KEY =
      "hbase.hregion.percolumnfamilyflush.size.lower.bound.min";

  /** The key of the time that a write waits at most. */
  public static final String INTERVAL_KEY = "hbase.regionserver.optionalcacheflushinterval";

  /** The key of the number of writes. */
  public static final String CHANGES_KEY = "hbase.regionserver.flush.per.changes";

  /** The most that the number of writes may be. */
  public static final long CHANGES_LIMIT = 1_000_000_000;

  /** A table's attribute that names a policy. */
  public static final String POLICY_ATTRIBUTE = "FLUSH_POLICY";

  private static final String LOWER_BOUND_KEY =
      "hbase.hregion.percolumnfamilyflush.size.lower.bound";

  /** As HBase: {@code hbase:meta} and its like are flushed after five minutes. */
  private static final long SYSTEM_INTERVAL_MILLIS = 300_000;

  private static final Logger LOG = LoggerFactory.getLogger(FlushSettings.class);

  /** HBase's defaults. */
  public static final FlushSettings DEFAULTS =
      new FlushSettings(FlushPolicy.LARGE, 16L << 20, OptionalLong.empty(), 3_600_000, 30_000_000);

  /**
   * Returns these settings with the table's own values.
   *
   * @throws IllegalArgumentException naming the table's key whose value is impossible
   */
  FlushSettings forTable(TableSchema schema) {
    SchemaSettings own = SchemaSettings.of(schema);
    long interval = own.number(INTERVAL_KEY, intervalMillis, Long.MIN_VALUE, Long.MAX_VALUE);
    return new FlushSettings(
        schema.attribute(POLICY_ATTRIBUTE).map(name -> known(name, schema)).orElse(policy),
        own.number(LOWER_BOUND_MIN_KEY, lowerBoundMinBytes, Long.MIN_VALUE, Long.MAX_VALUE),
        own.find(LOWER_BOUND_KEY).isPresent()
            ? OptionalLong.of(own.number(LOWER_BOUND_KEY, 0, Long.MIN_VALUE, Long.MAX_VALUE))
            : ownLowerBoundBytes,
        schema.name().namespace().equals("hbase") ? SYSTEM_INTERVAL_MILLIS : interval,
        own.number(CHANGES_KEY, changesMax, Long.MIN_VALUE, CHANGES_LIMIT));
  }

  /** As HBase does where it cannot find the class: a table must not be lost for its policy. */
  private FlushPolicy known(String name, TableSchema schema) {
    return FlushPolicy.of(name)
        .orElseGet(
            () -> {
              LOG.warn(
                  "{} of table {} is {}, which is not known here; {} is used instead",
                  POLICY_ATTRIBUTE,
                  schema.name(),
                  name,
                  policy);
              return policy;
            });
  }

  /** Returns the size in bytes of memory above which a family is large. */
  public long lowerBoundBytes(long flushBytes, int families) {
    return ownLowerBoundBytes.orElse(
        Math.max(lowerBoundMinBytes, flushBytes / Math.max(1, families)));
  }
}
