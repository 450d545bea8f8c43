package dev.cairn.engine.scan;

/**
 * How a read treats cells whose values lie in MOB files. HBase's clients say so in attributes.
 *
 * @param references whether the cells are returned as they are stored: with the name of the file in
 *     place of the value ({@code hbase.mob.scan.raw})
 * @param referencesOnly whether all other cells are left out, if the table has a MOB family ({@code
 *     hbase.mob.scan.ref.only})
 * @param cacheBlocks whether blocks of MOB files stay in the cache ({@code hbase.mob.cache.blocks})
 * @param emptyIfMissing whether a value that is in no file is taken for an empty one, instead of
 *     failing the read ({@code empty.value.on.mobcell.miss})
 */
public record MobOptions(
    boolean references, boolean referencesOnly, boolean cacheBlocks, boolean emptyIfMissing) {
  /** What reads get that say nothing. */
  public static final MobOptions DEFAULT = new MobOptions(false, false, false, false);

  /** What reads need that do not look at values. */
  public static final MobOptions KEYS = new MobOptions(true, false, false, false);

  /** Returns the same, for a read that leaves out no cells. */
  public MobOptions withAllCells() {
    return new MobOptions(references, false, cacheBlocks, emptyIfMissing);
  }
}
