package dev.cairn.server.hook;

import dev.cairn.server.regionserver.hosted.RegionParts;
import java.io.IOException;

/** The hooks of one region, which the thread that opens or closes it calls. Thread-safe. */
public interface RegionHooks {
  /**
   * Makes and starts the coprocessors, and calls their hooks before the region replays edits. If it
   * fails, nothing of them runs.
   *
   * @throws HookFailedException if the region cannot be served with these coprocessors
   * @throws IOException if a hook does not let the region open now
   */
  void beforeOpening() throws IOException;

  /** Returns the region's parts with the hooks around them. */
  RegionParts over(RegionParts below);

  /** Calls the hooks after the region has opened. */
  void opened();

  /** Stops the coprocessors, because the region has not opened. */
  void abandoned();
}
