package dev.cairn.engine.region;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.StoreEnvironment;
import dev.cairn.engine.store.StoreMerge;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Merges regions that lie side by side into one. No cell is copied: the merged region refers to its
 * parents' files until its own compactions have rewritten them.
 *
 * <p>The steps, each harmless if done twice:
 *
 * <ol>
 *   <li>the parents are closed, with everything flushed;
 *   <li>{@link #write}: the merged region's directory appears beside theirs, with references to
 *       their files; its {@code .regioninfo} comes last;
 *   <li>a master decides, in {@code hbase:meta}, that it counts from now on and they do not;
 *   <li>it is opened. Its next compactions rewrite the references;
 *   <li>{@link RegionFamilyTree#retire} archives each parent when nothing refers to it any more.
 * </ol>
 *
 * Before the decision the parents can be opened again, and {@link #abandon} removes what there is
 * of the merged region. Not thread-safe.
 */
public final class RegionMerge {
  private final List<RegionInfo> parents;
  private final RegionInfo merged;

  private RegionMerge(List<RegionInfo> parents, long regionId) {
    this.parents = parents;
    RegionInfo last = parents.get(parents.size() - 1);
    this.merged = new RegionInfo(last.table(), parents.get(0).startKey(), last.endKey(), regionId);
  }

  /**
   * Plans to merge regions whose files hold all they have.
   *
   * @param regions at least two, in any order
   * @param nowMillis the time, milliseconds since 1970: the merged region's id, if it is above the
   *     parents'
   * @throws IllegalArgumentException if they are not of one table, or there is a gap between them,
   *     or they overlap, or one cannot be merged at all
   */
  public static RegionMerge plan(List<RegionInfo> regions, long nowMillis) {
    if (regions.size() < 2) {
      throw new IllegalArgumentException("It takes two regions to merge, not " + regions.size());
    }
    List<RegionInfo> sorted = new ArrayList<>(regions);
    sorted.sort((a, b) -> a.comparator().compareRows(a.startKey(), b.startKey()));
    long regionId = nowMillis;
    for (int i = 0; i < sorted.size(); i++) {
      RegionInfo region = sorted.get(i);
      if (region.table().isMeta() || region.replicaId() != 0 || region.split()) {
        throw new IllegalArgumentException(region + " cannot be merged");
      }
      if (i > 0) {
        checkAdjacent(sorted.get(i - 1), region);
      }
      regionId = Math.max(regionId, region.regionId() + 1);
    }
    return new RegionMerge(List.copyOf(sorted), regionId);
  }

  /**
   * Returns a merge that was planned before.
   *
   * @throws IllegalArgumentException as for {@link #plan}
   */
  public static RegionMerge planned(List<RegionInfo> parents, RegionInfo merged) {
    return plan(parents, merged.regionId());
  }

  /** Returns the regions that are merged, in the order of their rows. */
  public List<RegionInfo> parents() {
    return parents;
  }

  /** Returns the region that takes their place. */
  public RegionInfo merged() {
    return merged;
  }

  /**
   * Makes the merged region's directory. The parents are closed and everything they had is in their
   * files.
   *
   * @throws IOException also if a parent has something in {@code recovered.edits} or references: it
   *     has to be opened, or compacted, first
   */
  public void write(TableSchema schema, String dataDirectory, StoreEnvironment environment)
      throws IOException {
    abandon(dataDirectory, environment.storage());
    RegionCreation birth = new RegionCreation(dataDirectory, environment.storage());
    long sequence = 0;
    for (RegionInfo parent : parents) {
      sequence = Math.max(sequence, birth.checkFlushed(parent));
    }
    for (FamilySchema family : schema.families()) {
      StoreMerge merge =
          new StoreMerge(
              environment.of(schema, family), merged.comparator(), birth.store(merged, family));
      for (RegionInfo parent : parents) {
        sequence = Math.max(sequence, merge.add(birth.store(parent, family), parent.startKey()));
      }
      merge.complete();
    }
    birth.complete(merged, sequence);
  }

  /** Removes what {@link #write} wrote, whole or in part. */
  public void abandon(String dataDirectory, Storage storage) throws IOException {
    new RegionFamilyTree(merged.table(), dataDirectory, storage).discard(merged.encodedName());
  }

  private static void checkAdjacent(RegionInfo lower, RegionInfo upper) {
    if (!lower.table().equals(upper.table())) {
      throw new IllegalArgumentException(
          "Cannot merge regions of different tables: " + lower + " and " + upper);
    }
    if (!Arrays.equals(lower.endKey(), upper.startKey()) || upper.startKey().length == 0) {
      throw new IllegalArgumentException(
          "Unable to merge non-adjacent or overlapping regions " + lower + " and " + upper);
    }
  }

  @Override
  public String toString() {
    return parents + " into " + merged;
  }
}
