package dev.cairn.engine.store;

/**
 * How urgently a store needs a compaction. To compute this, the files of a compaction are selected.
 *
 * @param hasFiles whether there are files that a compaction would merge or drop
 * @param hasTooManyFiles whether there are more files than a flush should add to
 * @param pressure see {@link Store#compactionPressure}
 */
public record CompactionNeed(boolean hasFiles, boolean hasTooManyFiles, double pressure) {
  /** The need of a store without files. */
  public static final CompactionNeed NONE = new CompactionNeed(false, false, 0);
}
