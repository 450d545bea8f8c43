package dev.cairn.torture.model;

import dev.cairn.engine.schema.TableSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * One row: every past that it may have. Most of the time there is one; a crash or an error makes
 * more, and answers make them fewer.
 */
final class RowModel {
  private final TableSchema schema;
  private Set<History> possible = Set.of(History.EMPTY);

  /** The parts of the pasts that are not certain to last, by number, in write order. */
  private final Map<Unit, Fate> uncertain = new TreeMap<>();

  RowModel(TableSchema schema) {
    this.schema = schema;
  }

  /** Returns all values of a column in any past, deleted or not, in ascending order. */
  List<String> values(String family, String qualifier) {
    TreeSet<String> values = new TreeSet<>();
    for (History past : possible) {
      for (Version version : past.versionsOf(family)) {
        if (version.isPut() && version.qualifier().equals(qualifier)) {
          values.add(version.value());
        }
      }
    }
    return List.copyOf(values);
  }

  /** Returns the number of pasts. */
  int uncertainty() {
    return possible.size() << Math.min(20, uncertain.size());
  }

  /** Keeps the pasts that {@code kept} accepts; false, without a change, if there are none. */
  boolean narrow(Predicate<History> kept) {
    return become(possible.stream().filter(kept).toList());
  }

  /**
   * As {@link #narrow}, by the cells that a refused write found. It reads unsafe cells and does not
   * wait, so open parts may have been there or not, and stay open.
   */
  boolean narrowUnsafe(Predicate<History> explains) {
    List<Set<Unit>> absences = subsets(unitsOf(Fate.OPEN));
    return narrow(
        past -> absences.stream().anyMatch(absent -> explains.test(past.without(absent))));
  }

  /** Replaces each past by its successor, if it has one; false if none has, as above. */
  boolean change(Function<History, Optional<History>> change) {
    return branch(past -> change.apply(past).stream().toList());
  }

  /** As {@link #change}, where several pasts may come of one. */
  boolean branch(Function<History, List<History>> change) {
    return become(possible.stream().map(change).flatMap(List::stream).toList());
  }

  /**
   * As {@link #change}, if {@code change} depends on the physical cells, and may turn one past into
   * several: open parts may be absent, and may come later.
   */
  boolean settle(Function<History, List<History>> change) {
    List<Unit> open = unitsOf(Fate.OPEN);
    List<History> left = new ArrayList<>();
    for (History past : possible) {
      for (Set<Unit> absent : subsets(open)) {
        List<Version> later =
            past.versions().stream().filter(v -> absent.contains(v.unit())).toList();
        change.apply(past.without(absent)).forEach(found -> left.add(found.with(later)));
      }
    }
    return become(left);
  }

  private boolean become(List<History> pasts) {
    if (!pasts.isEmpty()) {
      possible = new LinkedHashSet<>(pasts);
    }
    return !pasts.isEmpty();
  }

  /** Marks the newest write as made, or as failed. */
  void markNewest(long write, boolean failed) {
    for (History past : possible) {
      for (Version version : past.versions()) {
        if (version.write() == write) {
          mark(version.unit(), failed ? Fate.OPEN : version.unit().lasting());
        }
      }
    }
  }

  private void mark(Unit unit, Fate fate) {
    if (fate != Fate.SAFE) {
      uncertain.put(unit, fate);
    }
  }

  /**
   * Narrows by an answer. Open parts may be there or not, now and later; a part that has been seen
   * is there.
   */
  boolean narrowSeen(Predicate<History> explains) {
    List<Unit> open = unitsOf(Fate.OPEN);
    Set<History> left = new LinkedHashSet<>();
    Set<Unit> everAbsent = new HashSet<>();
    for (History past : possible) {
      for (Set<Unit> absent : subsets(open)) {
        if (explains.test(past.without(absent))) {
          left.add(past);
          everAbsent.addAll(absent);
        }
      }
    }
    if (left.isEmpty()) {
      return false;
    }
    open.stream().filter(unit -> !everAbsent.contains(unit)).forEach(this::made);
    return become(List.copyOf(left));
  }

  /** Whatever is still open has been decided by now, though not yet seen. */
  void decide() {
    List<Unit> open = unitsOf(Fate.OPEN);
    split(open, absent -> true);
    open.forEach(this::made);
  }

  private boolean isOpen(Version version) {
    return uncertain.get(version.unit()) == Fate.OPEN;
  }

  private void made(Unit unit) {
    uncertain.remove(unit);
    if (unit.lasting() != Fate.SAFE) {
      mark(unit, unit.lasting());
    }
  }

  /** Records that writes without waiters are in the log by now. */
  void synced() {
    uncertain.values().removeIf(fate -> fate == Fate.UNSYNCED);
  }

  /** Everything in memory of some families was written to files. */
  void filed(Predicate<String> families) {
    filed(families, Version::asFiled);
  }

  /**
   * Like {@link #filed}, for a flush during a compaction, at the end of a process or the start of
   * the next.
   */
  void filedLate(Predicate<String> families) {
    filed(families, Version::asFiledLate);
  }

  private void filed(Predicate<String> families, UnaryOperator<Version> file) {
    if (uncertain.isEmpty() && hasAllFiled(families)) {
      return; // as in most rows of a large table
    }
    change(past -> Optional.of(past.filed(v -> families.test(v.family()) && !isOpen(v), file)));
    Set<Unit> unfiled = new HashSet<>();
    for (History past : possible) {
      past.versions().stream().filter(v -> !v.filed()).forEach(v -> unfiled.add(v.unit()));
    }
    uncertain
        .entrySet()
        .removeIf(e -> e.getValue() == Fate.UNLOGGED && !unfiled.contains(e.getKey()));
  }

  private boolean hasAllFiled(Predicate<String> families) {
    for (History past : possible) {
      for (Version version : past.versions()) {
        if (!version.filed() && families.test(version.family())) {
          return false;
        }
      }
    }
    return true;
  }

  /** Loses the process: unsafe parts may be lost. */
  void crash() {
    List<Unit> unsynced = unitsOf(Fate.UNSYNCED);
    // A log is lost from some entry on.
    split(
        List.copyOf(uncertain.keySet()),
        lost -> unsynced.stream().dropWhile(unit -> !lost.contains(unit)).allMatch(lost::contains));
  }

  /** Makes of each past all that it may be without some of {@code units}. */
  private void split(List<Unit> units, Predicate<Set<Unit>> plausible) {
    Set<History> all = new LinkedHashSet<>();
    for (Set<Unit> lost : subsets(units)) {
      if (plausible.test(lost)) {
        possible.forEach(past -> all.add(past.without(lost)));
      }
    }
    units.forEach(uncertain::remove);
    possible = all;
  }

  /** Returns every answer that is possible now. */
  List<List<Version>> answers(Query query, long now) {
    Set<List<Version>> answers = new LinkedHashSet<>();
    for (History past : possible) {
      for (Set<Unit> absent : subsets(unitsOf(Fate.OPEN))) {
        answers.add(past.without(absent).read(schema, query, now));
      }
    }
    return List.copyOf(answers);
  }

  /** Tells whether an answer is a possible one. */
  static boolean looksLike(List<Version> expected, List<Version> found) {
    if (expected.size() != found.size()) {
      return false;
    }
    for (int i = 0; i < found.size(); i++) {
      if (!expected.get(i).looksLike(found.get(i))) {
        return false;
      }
    }
    return true;
  }

  private List<Unit> unitsOf(Fate fate) {
    return uncertain.entrySet().stream()
        .filter(entry -> entry.getValue() == fate)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static List<Set<Unit>> subsets(List<Unit> units) {
    List<Set<Unit>> all = new ArrayList<>();
    for (int mask = 0; mask < 1 << units.size(); mask++) {
      Set<Unit> subset = new HashSet<>();
      for (int i = 0; i < units.size(); i++) {
        if ((mask >> i & 1) == 1) {
          subset.add(units.get(i));
        }
      }
      all.add(subset);
    }
    return all;
  }

  @Override
  public String toString() {
    return possible.size()
        + " possible pasts, uncertain "
        + uncertain
        + ", such as "
        + possible.iterator().next();
  }
}
