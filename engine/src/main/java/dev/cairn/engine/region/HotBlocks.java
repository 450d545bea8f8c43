package dev.cairn.engine.region;

import java.util.Map;

/**
 * The data blocks of a region's store files that a server has in its cache.
 *
 * @param offsets the offsets of the blocks of each file, ascending
 */
public record HotBlocks(Map<File, long[]> offsets) {
  /** No blocks. */
  public static final HotBlocks NONE = new HotBlocks(Map.of());

  private static final long[] NO_OFFSETS = new long[0];

  /**
   * A store file.
   *
   * @param family the name of its family
   * @param name its name
   */
  public record File(String family, String name) {}

  /** Copies the map. */
  public HotBlocks {
    offsets = Map.copyOf(offsets);
  }

  /** Returns the offsets of the blocks of a file. */
  public long[] offsets(String family, String name) {
    return offsets.getOrDefault(new File(family, name), NO_OFFSETS);
  }

  /** Returns the number of blocks. */
  public int count() {
    return offsets.values().stream().mapToInt(file -> file.length).sum();
  }
}
