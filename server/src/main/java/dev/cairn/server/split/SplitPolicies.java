package dev.cairn.server.split;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.SchemaSettings;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.split.SplitPolicy.ConstantSize;
import dev.cairn.server.split.SplitPolicy.Increasing;
import dev.cairn.server.split.SplitPolicy.Prefix;
import dev.cairn.server.split.SplitPolicy.Sizes;
import dev.cairn.server.split.SplitPolicy.Stepping;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the split policies and restrictions of regions from settings. Thread-safe. */
public final class SplitPolicies {
  private static final Logger LOG = LoggerFactory.getLogger(SplitPolicies.class);
  private static final String POLICY_PACKAGE = "org.apache.hadoop.hbase.regionserver.";
  private static final String PREFIX_LENGTH = "KeyPrefixRegionSplitPolicy.prefix_length";
  private static final String OLD_PREFIX_LENGTH = "prefix_split_key_policy.prefix_length";
  private static final String DELIMITER = "DelimitedKeyPrefixRegionSplitPolicy.delimiter";

  private final SplitSettings settings;

  /** HBase's policies. */
  public enum Name {
    BUSY("BusyRegionSplitPolicy"),
    CONSTANT_SIZE("ConstantSizeRegionSplitPolicy"),
    DELIMITED_KEY_PREFIX("DelimitedKeyPrefixRegionSplitPolicy"),
    DISABLED("DisabledRegionSplitPolicy"),
    INCREASING("IncreasingToUpperBoundRegionSplitPolicy"),
    KEY_PREFIX("KeyPrefixRegionSplitPolicy"),
    STEPPING("SteppingSplitPolicy");

    private final String simpleName;

    Name(String simpleName) {
      this.simpleName = simpleName;
    }

    /** Returns the name of HBase's class. */
    public String className() {
      return POLICY_PACKAGE + simpleName;
    }

    /**
     * Returns the policy with this class name, with or without its package.
     *
     * @throws IllegalArgumentException if it is none of HBase's
     */
    public static Name require(String className) {
      return find(className)
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      className
                          + " is none of HBase's split policies, which are "
                          + Arrays.stream(values()).map(name -> name.simpleName).toList()));
    }

    /** Returns HBase's policy with this class name, with or without its package. */
    static Optional<Name> find(String className) {
      return Arrays.stream(values())
          .filter(name -> className.equals(name.className()) || className.equals(name.simpleName))
          .findFirst();
    }
  }

  /** Creates policies; {@code settings} apply to tables that do not override them. */
  public SplitPolicies(SplitSettings settings) {
    this.settings = settings;
  }

  /**
   * Checks the split settings of a table.
   *
   * @throws IllegalArgumentException naming the table's key whose value is impossible
   */
  public void check(TableSchema schema) {
    settings.forTable(schema).restriction().parse();
  }

  /** Tells whether a table's policy allows no splits. */
  public boolean areDisabledFor(TableSchema schema) {
    return settings(schema).policy() == Name.DISABLED && classOfUser(schema).isEmpty();
  }

  /** Returns the class of the policy that a table names, if it is none of HBase's. */
  public static Optional<String> classOfUser(TableSchema schema) {
    return SplitSettings.policyClass(schema).filter(name -> Name.find(name).isEmpty());
  }

  /** Tells whether {@link #classOfUser} depends on a table's attribute of this name. */
  public static boolean namesPolicy(String attribute) {
    return SplitSettings.namesPolicy(attribute);
  }

  /**
   * Returns a policy for a newly opened region. That of a table with a {@linkplain #classOfUser
   * class of the user's own} is disabled; the class itself takes its place where it can be loaded.
   *
   * @param nowMillis the time, milliseconds since 1970
   */
  public SplitPolicy policy(RegionInfo region, TableSchema schema, long nowMillis) {
    if (classOfUser(schema).isPresent()) {
      return SplitPolicy.DISABLED; // also if another setting of the table is invalid
    }
    SplitSettings own = settings(schema);
    long initial = own.initialBytes() > 0 ? own.initialBytes() : 2 * own.flushBytes();
    Sizes sizes = new Sizes(jittered(own, region), initial, own.overallFiles());
    Increasing increasing = new Increasing(sizes);
    return switch (own.policy()) {
      case BUSY -> new BusySplitPolicy(increasing, own.busy(), nowMillis);
      case CONSTANT_SIZE -> new ConstantSize(sizes);
      case DELIMITED_KEY_PREFIX -> new Prefix(increasing, delimited(schema));
      case DISABLED -> SplitPolicy.DISABLED;
      case INCREASING -> increasing;
      case KEY_PREFIX -> new Prefix(increasing, keyPrefix(schema));
      case STEPPING -> new Stepping(sizes);
    };
  }

  /** Returns the restriction of a table, which also applies to splits on request. */
  public SplitRestriction restriction(TableSchema schema) {
    return settings(schema).restriction().parse();
  }

  /** A table from HBase may have invalid settings; the site's settings then apply. */
  private SplitSettings settings(TableSchema schema) {
    try {
      check(schema);
      return settings.forTable(schema);
    } catch (IllegalArgumentException e) {
      LOG.warn("The site's settings for splits apply: {}", e.getMessage());
      return settings;
    }
  }

  /** A region has the same jitter each time it is opened. */
  private static long jittered(SplitSettings settings, RegionInfo region) {
    double share = new SplittableRandom(region.encodedName().hashCode()).nextDouble() - 0.5;
    double bytes = settings.maxBytes() * (1 + share * settings.jitter());
    return bytes >= Long.MAX_VALUE ? Long.MAX_VALUE : (long) bytes;
  }

  private static SplitRestriction keyPrefix(TableSchema schema) {
    SchemaSettings own = SchemaSettings.of(schema);
    String text = own.find(PREFIX_LENGTH).or(() -> own.find(OLD_PREFIX_LENGTH)).orElse("");
    try {
      return SplitRestriction.KeyPrefix.parse(PREFIX_LENGTH, text);
    } catch (IllegalArgumentException e) {
      return ignored(schema, e.getMessage());
    }
  }

  private static SplitRestriction delimited(TableSchema schema) {
    try {
      return SplitRestriction.DelimitedKeyPrefix.parse(
          DELIMITER, schema.attribute(DELIMITER).orElse(""));
    } catch (IllegalArgumentException e) {
      return ignored(schema, e.getMessage());
    }
  }

  /** Like HBase, ignores a policy's prefix that is not set. */
  private static SplitRestriction ignored(TableSchema schema, String reason) {
    LOG.warn("Table {} is split without regard to a prefix: {}", schema.name(), reason);
    return new SplitRestriction.None();
  }
}
