package dev.cairn.engine.region;

/**
 * Does, on threads of its own, what a region finds necessary while it serves. Must return at once.
 */
public interface RegionMaintenance {
  /** Does nothing: for regions whose owner flushes and compacts by itself. */
  RegionMaintenance NONE =
      new RegionMaintenance() {
        @Override
        public void flushWanted(Region region) {}

        @Override
        public void compactionWanted(Region region) {}
      };

  /**
   * The region's memstores have reached their size. May be called again and again until the region
   * is flushed.
   */
  void flushWanted(Region region);

  /** The region has store files worth merging. */
  void compactionWanted(Region region);
}
