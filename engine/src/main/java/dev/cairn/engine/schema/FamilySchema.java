package dev.cairn.engine.schema;

import dev.cairn.engine.cell.Bytes;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilySchema;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * One column family: the attributes that a client sent, kept as sent, and those that the engine
 * acts on, parsed. Immutable; the message and the arrays must not be changed.
 */
public final class FamilySchema {
  /** The treatment of cells that a delete marker hides. */
  public enum KeepDeletedCells {
    /** They go at the next major compaction. */
    FALSE,
    /** They stay, within the limits of versions and TTL, and so do markers. */
    TRUE,
    /** They stay until their TTL is over. */
    TTL
  }

  /** The keys that a store file's Bloom filter holds. */
  public enum BloomType {
    /** There is no filter. */
    NONE,
    /** Rows. */
    ROW,
    /** Rows with family and qualifier. */
    ROWCOL,
    /** The first bytes of rows. */
    ROWPREFIX_FIXED_LENGTH
  }

  /** The TTL of cells that never expire. */
  public static final long FOREVER_MILLIS = Long.MAX_VALUE;

  /** The attribute by which a family orders by write instead of by timestamp. */
  public static final String NEW_VERSION_BEHAVIOR = "NEW_VERSION_BEHAVIOR";

  private static final long DEFAULT_MOB_THRESHOLD = 100 * 1024;
  private static final String CONFIGURATION_PREFIX_LENGTH = "RowPrefixBloomFilter.prefix_length";

  private final ColumnFamilySchema message;
  private final byte[] name;
  private final Map<String, String> attributes;
  private final Map<String, String> configuration;
  private final int maxVersions;
  private final int minVersions;
  private final long timeToLiveMillis;
  private final KeepDeletedCells keepDeletedCells;
  private final boolean newVersionBehavior;
  private final BloomType bloomType;
  private final int blockSize;
  private final boolean blockCache;
  private final boolean inMemory;
  private final boolean mob;
  private final long mobThreshold;

  /**
   * Parses a family's message.
   *
   * @throws IllegalArgumentException naming the attribute whose value is impossible
   */
  public FamilySchema(ColumnFamilySchema message) {
    this.message = message;
    this.name = message.getName().toByteArray();
    this.attributes = new TreeMap<>();
    for (HBaseProtos.BytesBytesPair pair : message.getAttributesList()) {
      attributes.put(pair.getFirst().toStringUtf8(), pair.getSecond().toStringUtf8());
    }
    this.configuration = new TreeMap<>();
    for (HBaseProtos.NameStringPair pair : message.getConfigurationList()) {
      configuration.put(pair.getName(), pair.getValue());
    }
    this.maxVersions = (int) number("VERSIONS", 1, 1, Integer.MAX_VALUE);
    this.minVersions = (int) number("MIN_VERSIONS", 0, 0, Integer.MAX_VALUE);
    long ttlSeconds = number("TTL", Integer.MAX_VALUE, 1, Integer.MAX_VALUE);
    this.timeToLiveMillis = ttlSeconds == Integer.MAX_VALUE ? FOREVER_MILLIS : ttlSeconds * 1000;
    this.keepDeletedCells = choice("KEEP_DELETED_CELLS", KeepDeletedCells.FALSE);
    this.newVersionBehavior = flag(NEW_VERSION_BEHAVIOR, false);
    this.bloomType = choice("BLOOMFILTER", BloomType.ROW);
    this.blockSize = (int) number("BLOCKSIZE", 64 * 1024, 1, Integer.MAX_VALUE);
    this.blockCache = flag("BLOCKCACHE", true);
    this.inMemory = flag("IN_MEMORY", false);
    this.mob = attribute("IS_MOB").map(Boolean::parseBoolean).orElse(false);
    this.mobThreshold =
        number("MOB_THRESHOLD", DEFAULT_MOB_THRESHOLD, Long.MIN_VALUE, Long.MAX_VALUE);
    if (minVersions > maxVersions) {
      throw new IllegalArgumentException(
          "MIN_VERSIONS " + minVersions + " is more than VERSIONS " + maxVersions + where());
    }
    if (bloomType == BloomType.ROWPREFIX_FIXED_LENGTH && bloomPrefixLength() <= 0) {
      throw new IllegalArgumentException(
          "BLOOMFILTER ROWPREFIX_FIXED_LENGTH needs the configuration "
              + CONFIGURATION_PREFIX_LENGTH
              + where());
    }
  }

  /**
   * Creates a family from its name and attributes under HBase's names, for example {@code
   * VERSIONS}.
   */
  public static FamilySchema of(String name, Map<String, String> attributes) {
    ColumnFamilySchema.Builder builder =
        ColumnFamilySchema.newBuilder().setName(UnsafeByteOperations.unsafeWrap(Bytes.utf8(name)));
    new TreeMap<>(attributes)
        .forEach(
            (key, value) ->
                builder.addAttributes(
                    HBaseProtos.BytesBytesPair.newBuilder()
                        .setFirst(UnsafeByteOperations.unsafeWrap(Bytes.utf8(key)))
                        .setSecond(UnsafeByteOperations.unsafeWrap(Bytes.utf8(value)))));
    return new FamilySchema(builder.build());
  }

  /** Creates a family with HBase's defaults. */
  public static FamilySchema of(String name) {
    return of(name, Map.of());
  }

  /** Creates a family that keeps cells by other rules. */
  private FamilySchema(
      FamilySchema stored,
      int maxVersions,
      int minVersions,
      long timeToLiveMillis,
      KeepDeletedCells keepDeletedCells) {
    this.message = stored.message;
    this.name = stored.name;
    this.attributes = stored.attributes;
    this.configuration = stored.configuration;
    this.maxVersions = maxVersions;
    this.minVersions = minVersions;
    this.timeToLiveMillis = timeToLiveMillis;
    this.keepDeletedCells = keepDeletedCells;
    this.newVersionBehavior = stored.newVersionBehavior;
    this.bloomType = stored.bloomType;
    this.blockSize = stored.blockSize;
    this.blockCache = stored.blockCache;
    this.inMemory = stored.inMemory;
    this.mob = stored.mob;
    this.mobThreshold = stored.mobThreshold;
  }

  /**
   * Returns the same family with other rules for the cells that it keeps. The message and the
   * attributes stay those of the family.
   *
   * @param maxVersions at least 1
   * @param minVersions at least 0; may be more than the maximum
   * @param timeToLiveMillis positive; {@link #FOREVER_MILLIS} for no limit
   */
  public FamilySchema keeping(
      int maxVersions, int minVersions, long timeToLiveMillis, KeepDeletedCells keepDeletedCells) {
    return new FamilySchema(this, maxVersions, minVersions, timeToLiveMillis, keepDeletedCells);
  }

  /** Returns the family as it was sent. */
  public ColumnFamilySchema message() {
    return message;
  }

  /** Returns the family's name; not to be changed. */
  public byte[] name() {
    return name;
  }

  /** Returns the name for people, and for the family's directory. */
  public String nameAsString() {
    return Bytes.utf8(name);
  }

  /** Returns the maximum number of versions of a column, at least 1. */
  public int maxVersions() {
    return maxVersions;
  }

  /** Returns the minimum number of versions that stay after their TTL. */
  public int minVersions() {
    return minVersions;
  }

  /** Returns the time to live of a cell after its timestamp, or {@link #FOREVER_MILLIS}. */
  public long timeToLiveMillis() {
    return timeToLiveMillis;
  }

  /** Returns the family's policy for deleted cells. */
  public KeepDeletedCells keepDeletedCells() {
    return keepDeletedCells;
  }

  /** Tells whether order of writing, not timestamp alone, decides what a marker hides. */
  public boolean newVersionBehavior() {
    return newVersionBehavior;
  }

  /** Returns the kind of Bloom filter of the family's files. */
  public BloomType bloomType() {
    return bloomType;
  }

  /**
   * Returns the length of row prefixes in a {@link BloomType#ROWPREFIX_FIXED_LENGTH} filter, 0 if
   * not set.
   */
  public int bloomPrefixLength() {
    String value =
        configuration.getOrDefault(
            CONFIGURATION_PREFIX_LENGTH, attributes.get(CONFIGURATION_PREFIX_LENGTH));
    try {
      return value == null ? 0 : Integer.parseInt(value.trim());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          CONFIGURATION_PREFIX_LENGTH + " must be a number, not <" + value + ">" + where(), e);
    }
  }

  /** Returns the size of a data block before compression at which a new one begins, bytes. */
  public int blockSize() {
    return blockSize;
  }

  /**
   * Returns the name of the compression of the family's files, upper case; NONE if there is none.
   */
  public String compression() {
    return attribute("COMPRESSION").orElse("NONE").toUpperCase(Locale.ROOT);
  }

  /**
   * Returns the name of the encoding of the family's data blocks, upper case; NONE if there is
   * none.
   */
  public String dataBlockEncoding() {
    return attribute("DATA_BLOCK_ENCODING").orElse("NONE").toUpperCase(Locale.ROOT);
  }

  /** Tells whether blocks of the family are cached when they are read. */
  public boolean blockCache() {
    return blockCache;
  }

  /** Tells whether blocks of the family are the last that the cache gives up. */
  public boolean inMemory() {
    return inMemory;
  }

  /** Tells whether values above {@link #mobThreshold} go to MOB files. */
  public boolean isMob() {
    return mob;
  }

  /**
   * Returns the length up to which values of a MOB family stay in its store files, bytes; below 0
   * none do.
   */
  public long mobThreshold() {
    return mobThreshold;
  }

  /** Returns an attribute as text, under HBase's name for it. */
  public Optional<String> attribute(String key) {
    return Optional.ofNullable(attributes.get(key));
  }

  /** Returns all attributes as text, ordered by name. */
  public Map<String, String> attributes() {
    return java.util.Collections.unmodifiableMap(attributes);
  }

  /** Returns the family's configuration, ordered by key. */
  public Map<String, String> configuration() {
    return java.util.Collections.unmodifiableMap(configuration);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FamilySchema that && message.equals(that.message);
  }

  @Override
  public int hashCode() {
    return message.hashCode();
  }

  @Override
  public String toString() {
    return nameAsString() + attributes;
  }

  private boolean flag(String key, boolean otherwise) {
    return attribute(key).map(value -> Boolean.parseBoolean(value.trim())).orElse(otherwise);
  }

  private long number(String key, long otherwise, long least, long most) {
    String value = attributes.get(key);
    if (value == null) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(value.trim());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number out of range.
    }
    throw new IllegalArgumentException(
        key
            + " must be a number from "
            + least
            + " to "
            + most
            + ", not <"
            + value
            + ">"
            + where());
  }

  private <E extends Enum<E>> E choice(String key, E otherwise) {
    String value = attributes.get(key);
    if (value == null) {
      return otherwise;
    }
    for (E candidate : otherwise.getDeclaringClass().getEnumConstants()) {
      if (candidate.name().equalsIgnoreCase(value.trim())) {
        return candidate;
      }
    }
    throw new IllegalArgumentException(key + " has the unknown value <" + value + ">" + where());
  }

  private String where() {
    return ", in family " + nameAsString();
  }
}
