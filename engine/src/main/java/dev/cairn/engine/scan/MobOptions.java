package dev.cairn.engine.scan;

/**
 * The options with which a read treats cells whose values lie in MOB files. HBase's clients send
 * them as attributes.
 *
 * @param references true to return cells as they are stored: with the name of the file in place of
 *     the value ({@code hbase.mob.scan.raw})
 * @param referencesOnly true to leave out all other cells, if the table has a MOB family ({@code
 *     hbase.mob.scan.ref.only})
 * @param cacheBlocks true to keep blocks of MOB files in the cache ({@code hbase.mob.cache.blocks})
 * @param emptyIfMissing true to return an empty value for one that no file has, instead of failing
 *     the read ({@code empty.value.on.mobcell.miss})
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
