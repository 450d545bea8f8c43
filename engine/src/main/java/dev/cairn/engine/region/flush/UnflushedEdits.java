package dev.cairn.engine.region.flush;

import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.storage.ScratchDirectory;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.wal.split.RecoveredEdits;
import java.io.IOException;
import java.util.List;

/**
 * Recovered edits of a region that are in its memstores, but not all in store files. The files of
 * the edits stay until a flush has written all of them. If the server dies before, the next one
 * replays them again. One thread at a time.
 */
public final class UnflushedEdits {
  private final RecoveredEdits edits;
  private final ScratchDirectory scratch;
  private final long sequence;
  private volatile List<Storage.FileInfo> files;

  /**
   * Creates it.
   *
   * @param scratch the directory of the region's owner
   * @param sequence the highest number that was replayed
   * @param files the replayed files, and the unfinished ones in the same directory
   */
  public UnflushedEdits(
      RecoveredEdits edits, ScratchDirectory scratch, long sequence, List<Storage.FileInfo> files) {
    this.edits = edits;
    this.scratch = scratch;
    this.sequence = sequence;
    this.files = files;
  }

  /** Tells whether a flush is still needed. */
  public boolean exist() {
    return !files.isEmpty();
  }

  /**
   * Deletes the edits if all of them are in store files. Must be called again if it fails.
   *
   * @param flushed the number up to which everything is in store files
   */
  public void flushed(long flushed, RegionStores stores) throws IOException {
    if (files.isEmpty() || flushed < sequence) {
      return;
    }
    // Edits without cells publish no file, so no publication has checked the owner.
    scratch.check();
    edits.delete(files);
    if (!stores.haveFlushed(sequence)) {
      edits.markFlushed(sequence);
    }
    files = List.of();
  }
}
