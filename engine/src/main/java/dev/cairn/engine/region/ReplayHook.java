package dev.cairn.engine.region;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.util.List;

/**
 * Observes the recovered edits that an opening region replays, and may skip some. If the opening
 * fails and is repeated, the edits are replayed again. Called by the thread that opens the region.
 */
public interface ReplayHook {
  /** Restores everything. */
  ReplayHook NONE = new ReplayHook() {};

  /**
   * Called before the entries of files are replayed, if there are files.
   *
   * @param files the paths of the files with recovered edits
   * @throws IOException fails the opening
   */
  default void begins(RegionInfo region, List<String> files) throws IOException {}

  /**
   * Called for each entry that is replayed. The hook must not change it. An entry that is not
   * restored is lost, but its nonce stays known, and its sequence number counts as flushed.
   *
   * @return whether its cells are restored
   * @throws IOException fails the opening
   */
  default boolean restores(WalEntry entry) throws IOException {
    return true;
  }

  /** Called after the entry's cells are in the memstores. */
  default void restored(WalEntry entry) {}

  /** Called after all entries. */
  default void ends(RegionInfo region, List<String> files) {}
}
