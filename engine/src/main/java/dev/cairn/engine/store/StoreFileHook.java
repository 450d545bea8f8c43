package dev.cairn.engine.store;

import dev.cairn.engine.scan.retention.CompactionCursor;
import dev.cairn.engine.scan.retention.ReadHorizon;
import dev.cairn.engine.scan.retention.RetainedCells;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import java.io.IOException;
import java.util.List;

/**
 * Sees the flushes and compactions of stores, those of a recovery too, and may change their cells.
 * A store has one hook ({@link StoreContext#hooked}); a hook of several others calls each. Without
 * a hook a rewrite costs nothing more. Thread-safe.
 *
 * <p>The calls for one rewrite come from one thread: {@link #begin}, {@link #wrap}, then either
 * {@link #end} or {@link #abandoned}. A rewrite that fails early is not wrapped.
 */
public interface StoreFileHook {
  /** Sees nothing. */
  StoreFileHook NONE = new StoreFileHook() {};

  /**
   * A flush or compaction of one store.
   *
   * @param region the region
   * @param family the store's family
   * @param mode whether it is a flush, a minor or a major compaction
   * @param inputs the names of the files that are merged, oldest first; empty for a flush
   * @param oldest the oldest read that the new file must serve
   */
  record Rewrite(
      RegionInfo region,
      FamilySchema family,
      CompactionCursor.Mode mode,
      List<String> inputs,
      ReadHorizon oldest) {
    /** Tells whether memory is written, and not files. */
    public boolean isFlush() {
      return mode == CompactionCursor.Mode.FLUSH;
    }
  }

  /**
   * Called before a rewrite creates its file. Must not begin a major compaction of the store, which
   * would wait for this rewrite.
   *
   * @throws IOException refuses the rewrite, which fails with this error. The cells stay where they
   *     are, and the server tries again
   */
  default void begin(Rewrite rewrite) throws IOException {}

  /**
   * Returns the cells to write. They are of the same family and region and in the same order. A
   * cell that is left out is lost. In a family with MOB, values that lie in MOB files are
   * references to them.
   *
   * @param retained the cells that the store would write; the result closes them
   */
  default RetainedCells wrap(Rewrite rewrite, RetainedCells retained) throws IOException {
    return retained;
  }

  /**
   * Called when the new file is durable and visible to reads.
   *
   * @param file its name
   */
  default void end(Rewrite rewrite, String file) {}

  /** Called if a rewrite failed, or stopped because the region closes; the store is as before. */
  default void abandoned(Rewrite rewrite) {}
}
