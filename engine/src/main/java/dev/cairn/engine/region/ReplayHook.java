package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

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
   * Called for each entry that is replayed. Cells that are not restored are lost, but the entry's
   * nonce stays known, and its sequence number counts as flushed.
   *
   * @param entry the entry, which stays as it is
   * @return the cells to restore, which belong to the region: the entry's own or others; empty to
   *     leave out the entry
   * @throws IOException fails the opening
   */
  default Optional<CellBuffer> restores(WalEntry entry) throws IOException {
    return Optional.of(entry.cells());
  }

  /**
   * Called after the restored cells are in the memstores.
   *
   * @param cells what {@link #restores} has returned
   * @throws IOException fails the opening
   */
  default void restored(WalEntry entry, CellBuffer cells) throws IOException {}

  /**
   * Called after all entries.
   *
   * @throws IOException fails the opening
   */
  default void ends(RegionInfo region, List<String> files) throws IOException {}
}
