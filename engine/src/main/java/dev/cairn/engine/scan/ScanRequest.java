package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import java.util.Arrays;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The request for a scan of one region. Immutable; made by {@link #builder()}.
 *
 * @param startRow first row; empty for the region's first row (its last one, if reversed)
 * @param includeStart true if {@code startRow} itself belongs to the scan
 * @param stopRow last row; empty for the region's end (its beginning, if reversed)
 * @param includeStop true if {@code stopRow} itself belongs to the scan
 * @param reversed true if rows come in descending order; the cells of a row always ascend
 * @param families selection for each family; empty for all columns of every family
 * @param timeRange selected timestamps
 * @param maxVersions maximum number of versions of a column; the family's own limit applies, too
 * @param raw true to return delete markers and the cells that they hide, too
 * @param cacheBlocks true to keep blocks that are read in the cache
 * @param cellsPerFamilyLimit maximum number of cells of one row and family; -1 for all
 * @param cellsPerFamilyOffset number of cells of one row and family to skip first
 * @param filter decides about rows and cells
 * @param loadFamiliesOnDemand true to read families that the filter does not need only for rows
 *     that it accepts
 * @param readUncommitted true to see writes before they are acknowledged
 * @param resumedFrom read point at which the scan began, if it continues a lost scanner
 * @param mob treatment of cells whose values lie in MOB files
 * @param observer receives the scan's decisions
 * @param retention returns the family that a read takes a stored one for: {@link #AS_STORED}, or
 *     one with other VERSIONS, MIN_VERSIONS, TTL or KEEP_DELETED_CELLS. Cells that a flush or
 *     compaction has dropped stay lost. Must return the same each time, because a scan that
 *     continues asks again
 * @param hooks what else decides about cells and hears of rows
 * @param index whether secondary indexes are used
 */
public record ScanRequest(
    byte[] startRow,
    boolean includeStart,
    byte[] stopRow,
    boolean includeStop,
    boolean reversed,
    NavigableMap<byte[], FamilySelection> families,
    TimeRange timeRange,
    int maxVersions,
    boolean raw,
    boolean cacheBlocks,
    int cellsPerFamilyLimit,
    int cellsPerFamilyOffset,
    Optional<ScanFilter> filter,
    boolean loadFamiliesOnDemand,
    boolean readUncommitted,
    OptionalLong resumedFrom,
    MobOptions mob,
    Optional<ScanObserver> observer,
    UnaryOperator<FamilySchema> retention,
    Hooks hooks,
    IndexHint index) {
  /** Reads families as they are. */
  public static final UnaryOperator<FamilySchema> AS_STORED = family -> family;

  private static final NavigableMap<byte[], FamilySelection> NO_FAMILIES =
      Collections.unmodifiableNavigableMap(new TreeMap<>(Arrays::compareUnsigned));

  /** Checks that nothing is missing. */
  public ScanRequest {
    Objects.requireNonNull(startRow, "startRow");
    Objects.requireNonNull(stopRow, "stopRow");
    Objects.requireNonNull(timeRange, "timeRange");
    if (maxVersions < 1) {
      throw new IllegalArgumentException("maxVersions must be at least 1, not " + maxVersions);
    }
    families = families.isEmpty() ? NO_FAMILIES : Collections.unmodifiableNavigableMap(families);
  }

  /** Creates a request that reads families as they are stored. */
  public ScanRequest(
      byte[] startRow,
      boolean includeStart,
      byte[] stopRow,
      boolean includeStop,
      boolean reversed,
      NavigableMap<byte[], FamilySelection> families,
      TimeRange timeRange,
      int maxVersions,
      boolean raw,
      boolean cacheBlocks,
      int cellsPerFamilyLimit,
      int cellsPerFamilyOffset,
      Optional<ScanFilter> filter,
      boolean loadFamiliesOnDemand,
      boolean readUncommitted,
      OptionalLong resumedFrom,
      MobOptions mob,
      Optional<ScanObserver> observer) {
    this(
        startRow,
        includeStart,
        stopRow,
        includeStop,
        reversed,
        families,
        timeRange,
        maxVersions,
        raw,
        cacheBlocks,
        cellsPerFamilyLimit,
        cellsPerFamilyOffset,
        filter,
        loadFamiliesOnDemand,
        readUncommitted,
        resumedFrom,
        mob,
        observer,
        AS_STORED,
        Hooks.NONE,
        IndexHint.AUTO);
  }

  /** Returns a builder for a scan of everything, newest versions only. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder for a read of one row. */
  public static Builder row(byte[] row) {
    return new Builder().start(row, true).stop(row, true);
  }

  /** Returns a builder with the values of this request. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.startRow = startRow;
    builder.includeStart = includeStart;
    builder.stopRow = stopRow;
    builder.includeStop = includeStop;
    builder.reversed = reversed;
    builder.families = families;
    builder.timeRange = timeRange;
    builder.maxVersions = maxVersions;
    builder.raw = raw;
    builder.cacheBlocks = cacheBlocks;
    builder.cellsPerFamilyLimit = cellsPerFamilyLimit;
    builder.cellsPerFamilyOffset = cellsPerFamilyOffset;
    builder.filter = filter;
    builder.loadFamiliesOnDemand = loadFamiliesOnDemand;
    builder.readUncommitted = readUncommitted;
    builder.resumedFrom = resumedFrom;
    builder.mob = mob;
    builder.observer = observer;
    builder.retention = retention;
    builder.hooks = hooks;
    builder.index = index;
    return builder;
  }

  /** Tells whether the scan is of one row alone. */
  public boolean isSingleRow() {
    return includeStart && includeStop && startRow.length > 0 && Arrays.equals(startRow, stopRow);
  }

  /** Makes a {@link ScanRequest}. */
  public static final class Builder {
    private NavigableMap<byte[], FamilySelection> families = NO_FAMILIES;

    /** True if a request has the map, which must not change from then on. */
    private boolean shared = true;

    private byte[] startRow = Bytes.EMPTY;
    private boolean includeStart = true;
    private byte[] stopRow = Bytes.EMPTY;
    private boolean includeStop;
    private boolean reversed;
    private TimeRange timeRange = TimeRange.ALL;
    private int maxVersions = 1;
    private boolean raw;
    private boolean cacheBlocks = true;
    private int cellsPerFamilyLimit = -1;
    private int cellsPerFamilyOffset;
    private Optional<ScanFilter> filter = Optional.empty();
    private boolean loadFamiliesOnDemand;
    private boolean readUncommitted;
    private OptionalLong resumedFrom = OptionalLong.empty();
    private MobOptions mob = MobOptions.DEFAULT;
    private Optional<ScanObserver> observer = Optional.empty();
    private UnaryOperator<FamilySchema> retention = AS_STORED;
    private Hooks hooks = Hooks.NONE;
    private IndexHint index = IndexHint.AUTO;

    private Builder() {}

    /** Sets where the scan begins. */
    public Builder start(byte[] row, boolean include) {
      this.startRow = row;
      this.includeStart = include;
      return this;
    }

    /** Sets where the scan ends. */
    public Builder stop(byte[] row, boolean include) {
      this.stopRow = row;
      this.includeStop = include;
      return this;
    }

    /** Sets the direction. */
    public Builder reversed(boolean value) {
      this.reversed = value;
      return this;
    }

    /** Adds a family and the selection of its cells. */
    public Builder family(byte[] family, FamilySelection selection) {
      if (shared) {
        NavigableMap<byte[], FamilySelection> own = new TreeMap<>(Arrays::compareUnsigned);
        own.putAll(families);
        families = own;
        shared = false;
      }
      families.put(family, selection);
      return this;
    }

    /** Sets the time range. */
    public Builder timeRange(TimeRange value) {
      this.timeRange = value;
      return this;
    }

    /** Sets the number of versions. */
    public Builder maxVersions(int value) {
      this.maxVersions = value;
      return this;
    }

    /** Sets whether markers and hidden cells are wanted. */
    public Builder raw(boolean value) {
      this.raw = value;
      return this;
    }

    /** Sets whether blocks stay in the cache. */
    public Builder cacheBlocks(boolean value) {
      this.cacheBlocks = value;
      return this;
    }

    /** Sets how many cells of a row and family are wanted, and how many are passed over first. */
    public Builder cellsPerFamily(int limit, int offset) {
      this.cellsPerFamilyLimit = limit;
      this.cellsPerFamilyOffset = offset;
      return this;
    }

    /** Sets the filter. */
    public Builder filter(ScanFilter value) {
      this.filter = Optional.of(value);
      return this;
    }

    /** Sets whether families that the filter does not need are read late. */
    public Builder loadFamiliesOnDemand(boolean value) {
      this.loadFamiliesOnDemand = value;
      return this;
    }

    /** Sets whether writes are seen before they are acknowledged. */
    public Builder readUncommitted(boolean value) {
      this.readUncommitted = value;
      return this;
    }

    /** Sets the observer. */
    public Builder observer(ScanObserver value) {
      this.observer = Optional.of(value);
      return this;
    }

    /** Sets the families that stored ones are taken for. */
    public Builder retention(UnaryOperator<FamilySchema> value) {
      this.retention = value;
      return this;
    }

    /** Sets the hooks. */
    public Builder hooks(Hooks value) {
      this.hooks = value;
      return this;
    }

    /** Sets whether secondary indexes are used. */
    public Builder index(IndexHint value) {
      this.index = value;
      return this;
    }

    /** Sets the read point of the scan that this request resumes. */
    public Builder resumedFrom(long readPoint) {
      this.resumedFrom = OptionalLong.of(readPoint);
      return this;
    }

    /** Sets the handling of cells whose values lie in MOB files. */
    public Builder mob(MobOptions value) {
      this.mob = value;
      return this;
    }

    /** Returns the request. */
    public ScanRequest build() {
      shared = true;
      return new ScanRequest(
          startRow,
          includeStart,
          stopRow,
          includeStop,
          reversed,
          families,
          timeRange,
          maxVersions,
          raw,
          cacheBlocks,
          cellsPerFamilyLimit,
          cellsPerFamilyOffset,
          filter,
          loadFamiliesOnDemand,
          readUncommitted,
          resumedFrom,
          mob,
          observer,
          retention,
          hooks,
          index);
    }
  }

  /**
   * The hooks of a read.
   *
   * @param deletes how delete markers apply, except in a raw scan
   * @param dropped hears of rows that are not returned
   */
  public record Hooks(DeleteRules deletes, DroppedRows dropped) {
    /** The hooks of a read that has none. */
    public static final Hooks NONE = new Hooks(DeleteRules.OF_FAMILIES, DroppedRows.IGNORED);
  }

  /**
   * The options with which a read treats cells whose values lie in MOB files. HBase's clients send
   * them as attributes.
   *
   * @param references true to return cells as they are stored: with the name of the file in place
   *     of the value ({@code hbase.mob.scan.raw})
   * @param referencesOnly true to leave out all other cells, if the table has a MOB family ({@code
   *     hbase.mob.scan.ref.only})
   * @param cacheBlocks true to keep blocks of MOB files in the cache ({@code
   *     hbase.mob.cache.blocks})
   * @param emptyIfMissing true to return an empty value for one that no file has, instead of
   *     failing the read ({@code empty.value.on.mobcell.miss})
   */
  public record MobOptions(
      boolean references, boolean referencesOnly, boolean cacheBlocks, boolean emptyIfMissing) {
    /** The options of reads that set none. */
    public static final MobOptions DEFAULT = new MobOptions(false, false, false, false);

    /** The options of reads that ignore values. */
    public static final MobOptions KEYS = new MobOptions(true, false, false, false);

    /** Returns the same, for a read that leaves out no cells. */
    public MobOptions withAllCells() {
      return new MobOptions(references, false, cacheBlocks, emptyIfMissing);
    }
  }
}
