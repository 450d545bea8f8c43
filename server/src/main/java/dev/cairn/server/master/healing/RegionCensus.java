package dev.cairn.server.master.healing;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.RegionContents;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which regions a table has, from the listed regions and from all directories. Age alone
 * never decides: a directory with cells of its own is a region. The rules, for each directory that
 * is not listed:
 *
 * <ul>
 *   <li>It only refers to a region that serves: a split or merge that was not decided left it. It
 *       goes.
 *   <li>It has neither cells nor references, and others have its rows: it goes.
 *   <li>Others refer to it, and newer regions have all its rows: it was split or merged, and stays
 *       until nothing refers to it. A split or merge that may not have been decided counts if every
 *       file is referred to; else the heirs go, since the parent has all cells.
 *   <li>Else it is a region. If it overlaps others, a merge closes the overlap later.
 * </ul>
 *
 * A listed region that was split serves again where no other region has its rows. Rows that no
 * directory has get a new region. Has no state: the same input has the same result.
 */
final class RegionCensus {
  private final TableName table;
  private final Map<String, RegionInfo> serving = new LinkedHashMap<>();
  private final Map<String, RegionInfo> replaced;
  private final Map<String, RegionContents> directories = new LinkedHashMap<>();
  private final Map<String, List<RegionContents>> heirs = new HashMap<>();
  private final Set<String> listed;
  private final List<String> unreadable = new ArrayList<>();

  /**
   * A region that was split or merged.
   *
   * @param heirs the regions that refer to it, by first row
   */
  record Parent(RegionInfo region, List<RegionInfo> heirs) {}

  /**
   * The plan of repairs.
   *
   * @param adopted directories that become regions
   * @param revived regions that were split and serve again, because no other region has their rows
   * @param parents directories of regions that were split or merged and are still referred to
   * @param discarded directories that nothing refers to
   * @param created new regions for rows without a region
   * @param overlaps regions with common rows, which a merge must unite
   * @param unreadable directories that do not name their region
   */
  record Plan(
      List<RegionInfo> adopted,
      List<RegionInfo> revived,
      List<Parent> parents,
      List<RegionInfo> discarded,
      List<RegionInfo> created,
      List<List<RegionInfo>> overlaps,
      List<String> unreadable) {
    /** Tells whether there is nothing to be done. */
    boolean isEmpty() {
      return adopted.isEmpty()
          && revived.isEmpty()
          && parents.isEmpty()
          && discarded.isEmpty()
          && created.isEmpty();
    }

    /** Returns the regions that begin to serve. */
    List<RegionInfo> added() {
      List<RegionInfo> added = new ArrayList<>(adopted);
      added.addAll(revived);
      added.addAll(created);
      return added;
    }
  }

  /**
   * Creates a census.
   *
   * @param listed the regions that serve, as {@code hbase:meta} or the master has them
   * @param replaced those that were split or merged
   * @param directories all directories of the table's regions
   */
  RegionCensus(
      TableName table,
      Collection<RegionInfo> listed,
      Collection<RegionInfo> replaced,
      Collection<RegionContents> directories) {
    this.table = table;
    listed.forEach(region -> serving.put(region.encodedName(), region));
    this.listed = Set.copyOf(serving.keySet());
    this.replaced =
        replaced.stream()
            .collect(Collectors.toMap(RegionInfo::encodedName, RegionInfo::asServing, (a, b) -> a));
    for (RegionContents directory : directories) {
      if (directory.region().isPresent()) {
        this.directories.put(directory.name(), directory);
      } else if (!this.listed.contains(directory.name())
          && !this.replaced.containsKey(directory.name())) {
        unreadable.add(directory.name());
      }
      directory.references().stream()
          .map(RegionContents.Target::region)
          .distinct()
          .forEach(
              parent -> heirs.computeIfAbsent(parent, key -> new ArrayList<>()).add(directory));
    }
  }

  /** Tells whether directories are unknown or rows have no region, so that a plan is needed. */
  static boolean isNeeded(
      Collection<RegionInfo> listed, Collection<RegionInfo> replaced, Set<String> directories) {
    Set<String> known = new LinkedHashSet<>();
    listed.forEach(region -> known.add(region.encodedName()));
    replaced.forEach(region -> known.add(region.encodedName()));
    return !known.containsAll(directories) || !RowRanges.holes(listed).isEmpty();
  }

  /**
   * Decides.
   *
   * @param newId returns an id for new regions, above the one that it is given
   */
  Plan plan(LongUnaryOperator newId) {
    Map<String, RegionInfo> unknown = new LinkedHashMap<>();
    directories.values().stream()
        .filter(directory -> !listed.contains(directory.name()))
        .filter(directory -> !replaced.containsKey(directory.name()))
        .map(directory -> directory.region().orElseThrow())
        .sorted(Comparator.comparing(RegionInfo::regionId).reversed())
        .forEach(region -> unknown.put(region.encodedName(), region));
    List<RegionInfo> discarded =
        new ArrayList<>(unknown.values().stream().filter(this::isUndecided).toList());
    discarded.forEach(region -> unknown.remove(region.encodedName()));

    List<Parent> parents = new ArrayList<>();
    List<RegionInfo> empty = new ArrayList<>();
    List<RegionInfo> adopted = new ArrayList<>();
    for (RegionInfo region : unknown.values()) { // the newest first
      RegionContents directory = directories.get(region.encodedName());
      List<RegionInfo> named = heirsOf(region, discarded);
      if (!named.isEmpty() && RowRanges.cover(region, newer(region, unknown))) {
        parents.add(new Parent(region, named));
      } else if (!directory.hasCells() && directory.references().isEmpty()) {
        empty.add(region);
      } else {
        adopted.add(region);
        serving.put(region.encodedName(), region);
      }
    }
    for (RegionInfo region : empty) {
      if (serving.values().stream().anyMatch(region::overlaps)) {
        discarded.add(region);
      } else {
        adopted.add(region);
        serving.put(region.encodedName(), region);
      }
    }
    List<RegionInfo> revived =
        replaced.values().stream()
            .filter(region -> directories.containsKey(region.encodedName()))
            .filter(region -> !RowRanges.cover(region, serving.values()))
            .toList();
    revived.forEach(region -> serving.put(region.encodedName(), region));
    List<RegionInfo> created = unreadable.isEmpty() ? fill(newId) : List.of();
    created.forEach(region -> serving.put(region.encodedName(), region));
    return new Plan(
        adopted,
        revived,
        parents,
        discarded,
        created,
        RowRanges.overlaps(serving.values()),
        unreadable);
  }

  /** Tells whether a split or merge made the region and was not decided. */
  private boolean isUndecided(RegionInfo region) {
    RegionContents directory = directories.get(region.encodedName());
    return !directory.hasCells()
        && directory.references().stream()
            .map(RegionContents.Target::region)
            .distinct()
            .anyMatch(this::countsBeforeItsHeirs);
  }

  /** Tells whether a region that others refer to counts, and not the others. */
  private boolean countsBeforeItsHeirs(String parent) {
    if (listed.contains(parent)) {
      return true;
    }
    RegionContents directory = directories.get(parent);
    if (directory == null || replaced.containsKey(parent)) {
      return false;
    }
    boolean isDecided =
        heirs.get(parent).stream()
            .anyMatch(heir -> heir.hasCells() || listed.contains(heir.name()));
    return !isDecided && !isWhollyReferredTo(directory);
  }

  /** Tells whether the region's heirs have all its rows and refer to all its files. */
  private boolean isWhollyReferredTo(RegionContents parent) {
    Set<RegionContents.Target> referred =
        heirs.get(parent.name()).stream()
            .flatMap(heir -> heir.references().stream())
            .collect(Collectors.toSet());
    return !parent.hasEdits()
        && parent.files().stream()
            .allMatch(file -> referred.contains(new RegionContents.Target(parent.name(), file)))
        && RowRanges.cover(
            parent.region().orElseThrow(),
            heirs.get(parent.name()).stream().flatMap(heir -> heir.region().stream()).toList());
  }

  private List<RegionInfo> heirsOf(RegionInfo region, List<RegionInfo> discarded) {
    return RowRanges.sorted(
        heirs.getOrDefault(region.encodedName(), List.of()).stream()
            .flatMap(heir -> heir.region().stream())
            .filter(heir -> !discarded.contains(heir))
            .toList());
  }

  /** Returns the newer regions, listed or not. */
  private List<RegionInfo> newer(RegionInfo region, Map<String, RegionInfo> unknown) {
    List<RegionInfo> newer = new ArrayList<>();
    for (RegionInfo other : serving.values()) {
      if (other.regionId() > region.regionId()) {
        newer.add(other);
      }
    }
    for (RegionInfo other : unknown.values()) {
      if (other.regionId() > region.regionId()) {
        newer.add(other);
      }
    }
    return newer;
  }

  /** Returns new regions for the holes, with an id that no region of the table has had. */
  private List<RegionInfo> fill(LongUnaryOperator newId) {
    List<RowRanges.Hole> holes = RowRanges.holes(serving.values());
    if (holes.isEmpty()) {
      return List.of();
    }
    long known =
        Stream.concat(serving.values().stream(), replaced.values().stream())
            .mapToLong(RegionInfo::regionId)
            .reduce(0, Math::max);
    long id = newId.applyAsLong(known);
    return holes.stream().map(hole -> new RegionInfo(table, hole.start(), hole.end(), id)).toList();
  }
}
