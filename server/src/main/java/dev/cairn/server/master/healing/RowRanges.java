package dev.cairn.server.master.healing;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.schema.RegionInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Compares the rows that regions of one table cover. */
final class RowRanges {
  private RowRanges() {}

  /** A range of rows that no region has; an empty end has no bound. */
  record Hole(byte[] start, byte[] end) {}

  /** Returns the regions in the order of their first rows, of equal ones the older first. */
  static List<RegionInfo> sorted(Collection<RegionInfo> regions) {
    List<RegionInfo> sorted = new ArrayList<>(regions);
    sorted.sort(
        Comparator.comparing(
                RegionInfo::startKey, (one, two) -> CellComparator.USER.compareRows(one, two))
            .thenComparing(RegionInfo::regionId));
    return sorted;
  }

  /** Tells whether a region has no rows at all: its end is not after its start. */
  static boolean isDegenerate(RegionInfo region) {
    return region.endKey().length > 0
        && region.comparator().compareRows(region.startKey(), region.endKey()) >= 0;
  }

  /** Returns the ranges of rows that none of the regions has. */
  static List<Hole> holes(Collection<RegionInfo> regions) {
    List<Hole> holes = new ArrayList<>();
    Optional<byte[]> reach = Optional.of(Bytes.EMPTY);
    for (RegionInfo region : sorted(regions)) {
      if (reach.isEmpty()) {
        break;
      }
      if (isDegenerate(region)) {
        continue;
      }
      if (region.comparator().compareRows(region.startKey(), reach.get()) > 0) {
        holes.add(new Hole(reach.get(), region.startKey()));
      }
      reach = later(region, reach.get());
    }
    reach.ifPresent(end -> holes.add(new Hole(end, Bytes.EMPTY)));
    return holes;
  }

  /** Returns the first row after {@code region} and {@code reach}; empty if there is none. */
  private static Optional<byte[]> later(RegionInfo region, byte[] reach) {
    if (region.endKey().length == 0) {
      return Optional.empty();
    }
    boolean further = region.comparator().compareRows(region.endKey(), reach) > 0;
    return Optional.of(further ? region.endKey() : reach);
  }

  /** Tells whether the regions have all rows of {@code region}. */
  static boolean cover(RegionInfo region, Collection<RegionInfo> regions) {
    return holes(regions).stream().noneMatch(hole -> overlaps(region, hole));
  }

  private static boolean overlaps(RegionInfo region, Hole hole) {
    boolean beginsBefore =
        hole.end().length == 0
            || region.comparator().compareRows(region.startKey(), hole.end()) < 0;
    boolean endsAfter =
        region.endKey().length == 0
            || region.comparator().compareRows(region.endKey(), hole.start()) > 0;
    return beginsBefore && endsAfter;
  }

  /**
   * Returns the groups of regions that have rows in common, directly or through others of the
   * group. A region without rows belongs to the group of the region at its start.
   */
  static List<List<RegionInfo>> overlaps(Collection<RegionInfo> regions) {
    List<List<RegionInfo>> groups = new ArrayList<>();
    List<RegionInfo> group = new ArrayList<>();
    Optional<byte[]> reach = Optional.of(Bytes.EMPTY);
    for (RegionInfo region : sorted(regions)) {
      boolean joins =
          !group.isEmpty()
              && (reach.isEmpty()
                  || region.comparator().compareRows(region.startKey(), reach.get()) < 0
                  || isDegenerate(group.get(group.size() - 1)) && group.size() == 1);
      if (!joins) {
        addIfSeveral(group, groups);
        group = new ArrayList<>();
        reach = Optional.of(region.startKey());
      }
      group.add(region);
      reach = reach.flatMap(end -> later(region, end));
    }
    addIfSeveral(group, groups);
    return groups;
  }

  private static void addIfSeveral(List<RegionInfo> group, List<List<RegionInfo>> groups) {
    if (group.size() > 1) {
      groups.add(List.copyOf(group));
    }
  }
}
