package dev.cairn.server.traffic.heatmap;

import dev.cairn.server.traffic.heatmap.HeatRecorder.OpenRegion;
import dev.cairn.server.traffic.heatmap.RegionEvent.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Compares the open regions of a server at successive moments, and finds openings, closings, splits
 * and merges. The parent of a split closes some time before its daughters open, and these may open
 * one after the other. So closed regions are remembered for {@value #REMEMBERED_MILLIS} ms. Not
 * thread-safe.
 */
final class RegionChanges {
  /** The time after its closing for which a region can be the parent of another. */
  static final long REMEMBERED_MILLIS = 60_000;

  /**
   * The opening or closing of a region.
   *
   * @param replaced the regions that were split or merged into it, if it was opened
   */
  record Change(OpenRegion region, Kind kind, List<OpenRegion> replaced) {}

  private record Left(OpenRegion region, long atMillis) {}

  private Map<String, OpenRegion> open = Map.of();
  private List<Left> left = new ArrayList<>();

  /** Returns the regions that were open at the last moment. */
  Collection<OpenRegion> open() {
    return open.values();
  }

  /** Returns the changes since the last moment. */
  List<Change> update(Collection<OpenRegion> regions, long nowMillis) {
    Map<String, OpenRegion> now = new HashMap<>();
    regions.forEach(region -> now.put(region.encodedName(), region));
    List<OpenRegion> gone =
        open.values().stream().filter(one -> !now.containsKey(one.encodedName())).toList();
    left.removeIf(
        one ->
            now.containsKey(one.region.encodedName())
                || nowMillis - one.atMillis > REMEMBERED_MILLIS);
    gone.forEach(region -> left.add(new Left(region, nowMillis)));
    List<Change> changes = new ArrayList<>();
    Set<OpenRegion> replaced = new HashSet<>();
    for (OpenRegion region : regions) {
      if (!open.containsKey(region.encodedName())) {
        Change change = arrival(region);
        replaced.addAll(change.replaced);
        changes.add(change);
      }
    }
    for (OpenRegion region : gone) {
      if (!replaced.contains(region)) {
        changes.add(new Change(region, Kind.CLOSED, List.of()));
      }
    }
    open = now;
    return changes;
  }

  private Change arrival(OpenRegion region) {
    List<OpenRegion> parents = parents(outer -> isPartOf(region, outer), region.table());
    if (!parents.isEmpty()) {
      return new Change(region, Kind.SPLIT, parents);
    }
    parents = parents(inner -> isPartOf(inner, region), region.table());
    return new Change(region, parents.isEmpty() ? Kind.OPENED : Kind.MERGED, parents);
  }

  private List<OpenRegion> parents(Predicate<OpenRegion> isParent, String table) {
    return left.stream()
        .map(Left::region)
        .filter(one -> one.table().equals(table))
        .filter(isParent)
        .toList();
  }

  /** Tells whether all rows of a region are rows of another. */
  private static boolean isPartOf(OpenRegion inner, OpenRegion outer) {
    int end =
        outer.end().length == 0 || inner.end().length == 0
            ? Integer.compare(outer.end().length == 0 ? 1 : 0, inner.end().length == 0 ? 1 : 0)
            : Arrays.compareUnsigned(outer.end(), inner.end());
    int start = Arrays.compareUnsigned(outer.start(), inner.start());
    return start <= 0 && end >= 0 && (start != 0 || end != 0);
  }
}
