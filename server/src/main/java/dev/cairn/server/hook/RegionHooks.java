package dev.cairn.server.hook;

import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.RegionFiles;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.RegionParts;
import java.io.IOException;

/**
 * Calls the hooks of one region. The thread that opens or closes the region calls these methods.
 * Thread-safe.
 */
public interface RegionHooks {
  /**
   * Returns the context of a region with its hooks in it. Called before the region's files are
   * read.
   */
  RegionContext over(RegionContext context);

  /**
   * Creates and starts the coprocessors, and calls their hooks before the region replays edits. If
   * it fails, it stops them.
   *
   * @throws HookFailedException if the region cannot be served with the table's coprocessors
   * @throws IOException if a coprocessor of the site, or a hook, does not let the region open now
   */
  void beforeOpening() throws IOException;

  /**
   * Sees the files of the region, after it has opened and before {@link #over(RegionParts)}.
   *
   * @throws HookFailedException if the region cannot be served with these coprocessors
   */
  void check(RegionFiles files) throws HookFailedException;

  /** Returns the region's parts, wrapped so that they call hooks. */
  RegionParts over(RegionParts below);

  /**
   * Calls the hooks that follow the opening of the region.
   *
   * @param region the region over its hooks
   */
  void opened(HostedRegion region);

  /** Stops the coprocessors after the region has failed to open. */
  void abandoned();
}
