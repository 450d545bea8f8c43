package dev.cairn.engine.store;

import dev.cairn.engine.scan.DeleteRules;
import dev.cairn.engine.scan.retention.CompactionCursor;
import dev.cairn.engine.scan.retention.ReadHorizon;
import dev.cairn.engine.scan.retention.RetainedCells;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/**
 * Sees the flushes and compactions of stores, those of a recovery too, and may change what they
 * keep. A store has one hook ({@link StoreContext#hooked}), of its region or of all regions of a
 * server; a hook of several others calls each. Without a hook a rewrite costs nothing more.
 * Thread-safe.
 *
 * <p>The calls for one rewrite come from one thread: {@link #begin}, {@link #retention}, {@link
 * #wrap}, then either {@link #end} or {@link #abandoned}. A rewrite that fails early is not
 * wrapped. The rewrites of a region's flush lie between {@link #flushBegins} and {@link
 * #flushEnds}, except for those of a recovery and of a closing.
 */
public interface StoreFileHook {
  /** Sees nothing. */
  StoreFileHook NONE =
      new StoreFileHook() {
        @Override
        public boolean changesCells() {
          return false;
        }
      };

  /**
   * A flush or compaction of one store.
   *
   * @param region the region
   * @param family the store's family
   * @param mode whether it is a flush, a minor or a major compaction
   * @param inputs the files that are merged, oldest first; empty for a flush
   * @param requester the user who asked for the compaction; empty if the server began it, and for a
   *     flush
   * @param oldest the oldest read that the new file must serve
   */
  record Rewrite(
      RegionInfo region,
      FamilySchema family,
      CompactionCursor.Mode mode,
      List<Candidate> inputs,
      Optional<String> requester,
      ReadHorizon oldest) {
    /** Tells whether memory is written, and not files. */
    public boolean isFlush() {
      return mode == CompactionCursor.Mode.FLUSH;
    }
  }

  /**
   * A store file.
   *
   * @param sequence every write up to it is in this file or an older one
   * @param isReference whether it is a part of a split region's file; such files hold up splits
   */
  record Candidate(String name, long bytes, long sequence, boolean isReference) {}

  /**
   * The rules by which a rewrite keeps cells.
   *
   * @param family the family with its VERSIONS, MIN_VERSIONS, TTL and KEEP_DELETED_CELLS
   * @param purgeDeletesAfterMillis how old a delete marker must be before a major compaction drops
   *     it
   * @param deletes how delete markers apply; not used in families with NEW_VERSION_BEHAVIOR
   */
  record Retention(FamilySchema family, long purgeDeletesAfterMillis, DeleteRules deletes) {
    /** Creates rules by which delete markers apply as the family says. */
    public Retention(FamilySchema family, long purgeDeletesAfterMillis) {
      this(family, purgeDeletesAfterMillis, DeleteRules.OF_FAMILIES);
    }

    /** Returns the same with other rules for delete markers. */
    public Retention deleting(DeleteRules others) {
      return new Retention(family, purgeDeletesAfterMillis, others);
    }
  }

  /**
   * Tells whether {@link #select} is to be called. If so, the compactions of a store follow each
   * other, so that each may choose of all files. Asked at each compaction.
   */
  default boolean choosesFiles() {
    return false;
  }

  /**
   * Tells whether {@link #wrap} or {@link #retention} may change a rewrite. If so, a file has room
   * for tags, and does not tell that it has all cells. Asked at each rewrite.
   */
  default boolean changesCells() {
    return true;
  }

  /**
   * Chooses the files of a compaction, while no other one can take them. Called if it {@link
   * #choosesFiles}.
   *
   * @param candidates the free files, oldest first
   * @param major whether the compaction is to merge all files
   * @param requester the user who asked for the compaction; empty if the server began it
   * @param policy returns the files that the store would choose of candidates in a row
   * @return neighbours among the candidates, in their order; empty to merge none now
   * @throws IOException fails the compaction
   */
  default List<Candidate> select(
      RegionInfo region,
      FamilySchema family,
      List<Candidate> candidates,
      boolean major,
      Optional<String> requester,
      UnaryOperator<List<Candidate>> policy)
      throws IOException {
    return policy.apply(candidates);
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
   * Returns the rules by which the rewrite keeps cells: the store's, or others for the same family.
   * Cells that an open read needs are kept in any case. Reads judge the cells that are kept by the
   * store's rules or their own ({@link dev.cairn.engine.scan.ScanRequest#retention}). A file of
   * which all cells have expired by the store's rules is dropped without a rewrite.
   *
   * @param stored the rules of the store
   * @throws IOException fails the rewrite; the cells stay where they are
   */
  default Retention retention(Rewrite rewrite, Retention stored) throws IOException {
    return stored;
  }

  /**
   * Returns the cells to write. They are of the same family and region and in the same order. A
   * cell that is left out is lost. In a family with MOB, values that lie in MOB files are
   * references to them. While the region closes, reading the retained cells of a compaction throws;
   * the compaction then ends as abandoned.
   *
   * @param retained the cells that the store would write; the result closes them
   */
  default RetainedCells wrap(Rewrite rewrite, RetainedCells retained) throws IOException {
    return retained;
  }

  /**
   * Called when the new file is durable and visible to reads.
   *
   * @param file the new file
   */
  default void end(Rewrite rewrite, Candidate file) {}

  /**
   * Called before a flush of some of a region's families, even if their memstores are empty, unless
   * the region closes. Must not flush the region, which would wait for this flush.
   *
   * @throws IOException refuses the flush, which fails with this error. The server tries again
   */
  default void flushBegins(RegionInfo region, List<FamilySchema> families) throws IOException {}

  /**
   * Called after a flush that was not refused.
   *
   * @param files the number of files that it wrote; empty if it failed
   */
  default void flushEnds(RegionInfo region, List<FamilySchema> families, OptionalInt files) {}

  /**
   * A file of a bulk load.
   *
   * @param from its path before the load, in the region's storage
   * @param to its path in the store
   */
  record Move(String from, String to) {}

  /**
   * Called for each family of a bulk load before its files come into the store.
   *
   * @throws IOException fails the load; no file of any family is loaded
   */
  default void loadBegins(RegionInfo region, FamilySchema family, List<Move> files)
      throws IOException {}

  /** Called for each file of a bulk load once reads see it. */
  default void loadEnds(RegionInfo region, FamilySchema family, Move file) {}

  /**
   * Called when a new or a loaded file is open, before reads see it. Not called for the files that
   * a region has when it opens.
   *
   * @throws IOException fails the rewrite or the load
   */
  default void opened(RegionInfo region, FamilySchema family, Candidate file) throws IOException {}

  /** Called if a rewrite failed, or stopped because the region closes; the store is as before. */
  default void abandoned(Rewrite rewrite) {}
}
