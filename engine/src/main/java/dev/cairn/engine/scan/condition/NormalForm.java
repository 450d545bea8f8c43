package dev.cairn.engine.scan.condition;

import dev.cairn.engine.scan.condition.RowCondition.All;
import dev.cairn.engine.scan.condition.RowCondition.Any;
import dev.cairn.engine.scan.condition.RowCondition.AnyOf;
import dev.cairn.engine.scan.condition.RowCondition.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes and checks lists of conditions in the normal form of {@link RowCondition}. */
final class NormalForm {
  private NormalForm() {}

  static RowCondition all(List<RowCondition> conditions) {
    List<RowCondition> parts = new ArrayList<>();
    for (RowCondition condition : conditions) {
      if (condition.equals(RowCondition.NONE)) {
        return RowCondition.NONE;
      }
      if (condition instanceof All list) {
        parts.addAll(list.parts());
      } else if (!condition.equals(RowCondition.ANY)) {
        parts.add(condition);
      }
    }
    List<RowCondition> kept = new ArrayList<>();
    // The rest is left out, which makes the condition weaker.
    for (RowCondition part : parts.subList(0, Math.min(parts.size(), RowCondition.PARTS_MAX))) {
      if (kept.stream().noneMatch(other -> implies(other, part))) {
        kept.removeIf(other -> implies(part, other));
        kept.add(part);
      }
    }
    return kept.isEmpty() ? RowCondition.ANY : kept.size() == 1 ? kept.get(0) : new All(kept);
  }

  static RowCondition anyOf(List<RowCondition> conditions) {
    List<RowCondition> parts = new ArrayList<>();
    for (RowCondition condition : conditions) {
      if (condition.equals(RowCondition.ANY)) {
        return RowCondition.ANY;
      }
      if (condition instanceof AnyOf list) {
        parts.addAll(list.parts());
      } else {
        parts.add(condition);
      }
    }
    List<RowCondition> united = unite(parts);
    if (united.size() > RowCondition.PARTS_MAX) {
      return RowCondition.ANY;
    }
    List<RowCondition> kept = new ArrayList<>();
    for (RowCondition part : united) {
      if (kept.stream().noneMatch(other -> implies(part, other))) {
        kept.removeIf(other -> implies(other, part));
        kept.add(part);
      }
    }
    return kept.isEmpty() ? RowCondition.NONE : kept.size() == 1 ? kept.get(0) : new AnyOf(kept);
  }

  /** Returns the same parts, but each column once, with all its values, at its first place. */
  private static List<RowCondition> unite(List<RowCondition> parts) {
    Map<Object, List<RowCondition>> groups = new LinkedHashMap<>();
    for (RowCondition part : parts) {
      // A column without its values stands for the column.
      Object key =
          part instanceof Column column
              ? new Column(column.family(), column.qualifier(), ValueRanges.ALL)
              : List.of(part);
      groups.computeIfAbsent(key, any -> new ArrayList<>()).add(part);
    }
    List<RowCondition> united = new ArrayList<>();
    for (List<RowCondition> group : groups.values()) {
      if (group.size() > 1 && group.get(0) instanceof Column first) {
        ValueRanges values =
            ValueRanges.union(columns(group).stream().map(Column::values).toList());
        united.add(new Column(first.family(), first.qualifier(), values));
      } else {
        united.add(group.get(0));
      }
    }
    return united;
  }

  /**
   * Tells whether each row that fulfils {@code condition} fulfils {@code other}. May return false
   * although it is so, if that takes a combination of several parts.
   */
  private static boolean implies(RowCondition condition, RowCondition other) {
    if (other instanceof Any || condition.equals(RowCondition.NONE)) {
      return true;
    }
    if (condition instanceof AnyOf list) {
      return list.parts().stream().allMatch(part -> implies(part, other));
    }
    if (other instanceof All list) {
      return list.parts().stream().allMatch(part -> implies(condition, part));
    }
    if (condition instanceof Column mine && other instanceof Column column) {
      return mine.isSameColumn(column) && column.values().containsAll(mine.values());
    }
    return condition instanceof All mine
            && mine.parts().stream().anyMatch(part -> implies(part, other))
        || other instanceof AnyOf list
            && list.parts().stream().anyMatch(part -> implies(condition, part));
  }

  /** Returns the parts that are columns. */
  static List<Column> columns(List<RowCondition> parts) {
    return parts.stream().filter(Column.class::isInstance).map(Column.class::cast).toList();
  }

  /**
   * Checks the parts of a list.
   *
   * @param kind the class of the list
   * @throws IllegalArgumentException if there are too few or too many, or one may not be in the
   *     list
   */
  static void check(List<RowCondition> parts, int partsMin, Class<?> kind) {
    if (parts.size() < partsMin || parts.size() > RowCondition.PARTS_MAX) {
      throw new IllegalArgumentException("A list of " + parts.size() + " conditions");
    }
    for (RowCondition part : parts) {
      if (part instanceof Any || kind.isInstance(part) || part.equals(RowCondition.NONE)) {
        throw new IllegalArgumentException("A list contains: " + part);
      }
    }
  }
}
