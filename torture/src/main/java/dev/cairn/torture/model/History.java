package dev.cairn.torture.model;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * One possible past of a row: all cells that were written to it and that housekeeping has not
 * certainly removed, in the order of writing. Immutable.
 */
record History(List<Version> versions) {
  /** The history in which nothing was written. */
  static final History EMPTY = new History(List.of());

  /** Keeps the list from being changed. */
  History {
    versions = List.copyOf(versions);
  }

  /** Returns the answer to a query, without regard to its rows. */
  List<Version> read(TableSchema schema, Query query, long now) {
    if (query.filter().isPresent()) {
      ValueFilter filter = query.filter().get();
      return filter.of(read(schema, filter.source(query), now), query.maxVersions());
    }
    List<Version> result = new ArrayList<>();
    for (FamilySchema family : schema.families()) {
      String name = Text.of(family.name());
      if (query.families().isEmpty() || query.families().containsKey(name)) {
        result.addAll(new FamilyReader(family, now).read(versionsOf(name), query));
      }
    }
    return result;
  }

  /** Returns this history followed by a write. */
  History with(List<Version> written) {
    List<Version> all = new ArrayList<>(versions);
    all.addAll(written);
    return new History(all);
  }

  /** Returns this history without some parts of writes, unless they are in a file. */
  History without(Set<Unit> units) {
    return units.isEmpty()
        ? this
        : keeping(version -> version.filed() || !units.contains(version.unit()));
  }

  /** Returns this with only some of the cells. */
  History keeping(Predicate<Version> kept) {
    return new History(versions.stream().filter(kept).toList());
  }

  /**
   * Returns this history with {@code file} applied to some of its cells, which moves them to files.
   */
  History filed(Predicate<Version> which, UnaryOperator<Version> file) {
    return new History(versions.stream().map(v -> which.test(v) ? file.apply(v) : v).toList());
  }

  /** Returns the cells of one family. */
  List<Version> versionsOf(String family) {
    return versions.stream().filter(version -> version.family().equals(family)).toList();
  }

  /**
   * Compares the actual cells with the possible ones: every cell that a raw scan shows must have
   * been written, and a missing one must be one that housekeeping may have removed.
   *
   * @param found the row, as a raw scan shows it
   * @param compacted the families from which a major compaction may have removed cells
   * @return what may be left of the history; nothing if that does not explain it
   */
  List<History> explaining(
      List<Version> found, TableSchema schema, long now, Predicate<String> compacted) {
    List<Version> unseen = new ArrayList<>(found);
    List<Version> left = new ArrayList<>(versions);
    List<Version> doubtful = new ArrayList<>();
    for (FamilySchema family : schema.families()) {
      String name = Text.of(family.name());
      List<Version> all = versionsOf(name);
      FamilyReader reader = new FamilyReader(family, now);
      Housekeeping housekeeping = new Housekeeping(reader, all, compacted.test(name));
      List<Version> before = all.stream().map(Version::asSeenBefore).toList();
      Housekeeping cutOff = new Housekeeping(reader, before, compacted.test(name));
      Predicate<Version> mayBeGone =
          v -> housekeeping.mayRemove(v) || cutOff.mayRemove(v.asSeenBefore());
      List<Version> shown = reader.read(all, Query.EVERYTHING);
      List<Version> gone = new ArrayList<>();
      List<Version> seen = new ArrayList<>();
      for (Version version : shown) {
        if (!takeOut(unseen, version, seen)) {
          if (!mayBeGone.test(version)) {
            return List.of();
          }
          gone.add(version);
          // What it had overwritten may lie in a file that nobody has rewritten since.
          overwritten(all, version).stream().anyMatch(older -> takeOut(unseen, older, seen));
        }
      }
      left.removeAll(gone);
      if (compacted.test(name)) {
        left.removeIf(
            v -> v.family().equals(name) && !seen.contains(v) && housekeeping.isGoneWith(v, gone));
        masked(all).stream().filter(mayBeGone).forEach(doubtful::add);
      }
    }
    // An expired file that could not be archived when it was dropped comes back with a crash.
    unseen.removeIf(cell -> mayComeBack(cell, schema, now));
    doubtful.retainAll(left);
    return unseen.isEmpty()
        ? withAndWithout(left, doubtful).stream().map(History::settled).toList()
        : List.of();
  }

  private History settled() {
    return new History(versions.stream().map(Version::asSettled).toList());
  }

  private static boolean mayComeBack(Version cell, TableSchema schema, long now) {
    FamilySchema family = schema.family(Text.bytes(cell.family())).orElseThrow();
    return family.minVersions() == 0 && cell.isExpired(family, now);
  }

  /**
   * Returns cells in files that no raw scan shows while a later write of the same key is in memory.
   * That write may be lost, with the process or by its time to live. A compaction sees only the
   * cells in files; its removals of these become visible when the reason is gone.
   */
  private static List<Version> masked(List<Version> all) {
    List<Version> masked = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Version cell = all.get(i);
      if (cell.filed()
          && all.subList(i + 1, all.size()).stream()
              .anyMatch(later -> !later.filed() && later.mayGo() && later.sameKey(cell))) {
        masked.add(cell);
      }
    }
    return masked;
  }

  private static List<History> withAndWithout(List<Version> sure, List<Version> doubtful) {
    List<History> all = List.of(new History(sure));
    for (Version cell : doubtful) {
      all =
          all.stream()
              .flatMap(with -> Stream.of(with, with.keeping(other -> !other.equals(cell))))
              .toList();
    }
    return all;
  }

  /** Returns earlier writes of the same key, the latest first. */
  private static List<Version> overwritten(List<Version> all, Version by) {
    List<Version> older =
        new ArrayList<>(all.stream().filter(v -> v.sameKey(by) && v != by).toList());
    Collections.reverse(older);
    return older;
  }

  /** Moves what looks like {@code version} out of {@code unseen}; false if nothing does. */
  private static boolean takeOut(List<Version> unseen, Version version, List<Version> seen) {
    for (int i = 0; i < unseen.size(); i++) {
      if (unseen.get(i).looksLike(version)) {
        unseen.remove(i);
        seen.add(version);
        return true;
      }
    }
    return false;
  }
}
