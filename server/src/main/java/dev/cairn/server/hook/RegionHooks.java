package dev.cairn.server.hook;

import dev.cairn.server.regionserver.hosted.RegionParts;
import java.io.IOException;

/**
 * Calls the hooks of one region. The thread that opens or closes the region calls these methods.
 * Thread-safe.
 */
public interface RegionHooks {
  /**
   * Creates and starts the coprocessors, and calls their hooks before the region replays edits. If
   * it fails, it stops them.
   *
   * @throws HookFailedException if the region cannot be served with the table's coprocessors
   * @throws IOException if a coprocessor of the site, or a hook, does not let the region open now
   */
  void beforeOpening() throws IOException;

  /** Returns the region's parts, wrapped so that they call hooks. */
  RegionParts over(RegionParts below);

  /** Calls the hooks that follow the opening of the region. */
  void opened();

  /** Stops the coprocessors after the region has failed to open. */
  void abandoned();
}
