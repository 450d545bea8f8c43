package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.feed.FlushedNumbers;
import dev.cairn.engine.region.feed.RegionFeed;
import dev.cairn.engine.region.feed.RegionOwner;
import java.util.Optional;

/** The state of an open region, as the messages to its replicas describe it. Thread-safe. */
public interface CopySource {
  /** Returns this opening of the region. */
  RegionOwner owner();

  /**
   * Returns the numbers up to which the families are in store files; empty once the region closes.
   */
  Optional<FlushedNumbers> flushedNumbers();

  /** Returns the logged changes; empty if replicas do not follow the log. */
  Optional<RegionFeed> feed();

  /** Returns the state of a region of the engine. */
  static CopySource of(Region region) {
    return new CopySource() {
      @Override
      public RegionOwner owner() {
        return region.owner();
      }

      @Override
      public Optional<FlushedNumbers> flushedNumbers() {
        return region.flushedNumbers();
      }

      @Override
      public Optional<RegionFeed> feed() {
        return region.feed();
      }
    };
  }
}
