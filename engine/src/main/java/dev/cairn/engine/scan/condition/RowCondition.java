package dev.cairn.engine.scan.condition;

import dev.cairn.engine.cell.Bytes;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A condition that a row fulfils or not, by the puts that are stored of it. It counts every stored
 * put: an old version, a deleted one, and an expired one, too. So a row may fulfil a condition
 * without being part of a scan's result. Immutable.
 *
 * <p>The factory methods return conditions in a normal form, which the constructors check:
 *
 * <ul>
 *   <li>{@link All} and {@link AnyOf} do not contain {@link #ANY}, {@link #NONE}, or a list of
 *       their own kind. They have 2 to {@link #PARTS_MAX} parts. {@link #NONE} is the only list
 *       without parts.
 *   <li>{@link AnyOf} contains each column once, with all its values. {@link All} may contain a
 *       column more often, because different cells may have the values.
 *   <li>No part of a list is implied by another one, as far as a comparison of single parts can
 *       tell.
 * </ul>
 *
 * <p>If a list would have more parts, the methods return a weaker condition, which the exact one
 * implies.
 */
public sealed interface RowCondition {
  /** The greatest number of parts of a list. */
  int PARTS_MAX = 64;

  /** Each row fulfils it: nothing is known. */
  RowCondition ANY = new Any();

  /** No row fulfils it. */
  RowCondition NONE = new AnyOf(List.of());

  /** Each row fulfils it. Use {@link #ANY}. */
  record Any() implements RowCondition {
    @Override
    public boolean isFulfilled(Predicate<Column> columns) {
      return true;
    }

    @Override
    public String toString() {
      return "any row";
    }
  }

  /**
   * The row has a put of a column with one of some values.
   *
   * @param family the column's family
   * @param qualifier the column's qualifier
   * @param values the values; not empty
   */
  record Column(byte[] family, byte[] qualifier, ValueRanges values) implements RowCondition {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if there are none
     */
    public Column {
      if (values.isEmpty()) {
        throw new IllegalArgumentException("No row has one of no values");
      }
    }

    /** Tells whether another condition is about the same column. */
    public boolean isSameColumn(Column other) {
      return Arrays.equals(family, other.family) && Arrays.equals(qualifier, other.qualifier);
    }

    @Override
    public boolean isFulfilled(Predicate<Column> columns) {
      return columns.test(this);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Column column && isSameColumn(column) && values.equals(column.values);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * Arrays.hashCode(family) + Arrays.hashCode(qualifier)) + values.hashCode();
    }

    @Override
    public String toString() {
      String name = Bytes.toStringBinary(family) + ":" + Bytes.toStringBinary(qualifier);
      if (values.isAll()) {
        return name + " exists";
      }
      boolean equality = values.ranges().size() == 1 && values.ranges().get(0).isPoint();
      return name + (equality ? " = " : " in ") + values;
    }
  }

  /**
   * The row fulfils all parts, each by any of its cells.
   *
   * @param parts at least two
   */
  record All(List<RowCondition> parts) implements RowCondition {
    /**
     * Checks the normal form.
     *
     * @throws IllegalArgumentException if the parts are not in it
     */
    public All {
      parts = List.copyOf(parts);
      NormalForm.check(parts, 2, All.class);
    }

    @Override
    public boolean isFulfilled(Predicate<Column> columns) {
      return parts.stream().allMatch(part -> part.isFulfilled(columns));
    }

    @Override
    public String toString() {
      return join(parts, " and ");
    }
  }

  /**
   * The row fulfils one of the parts.
   *
   * @param parts none, or at least two
   */
  record AnyOf(List<RowCondition> parts) implements RowCondition {
    /**
     * Checks the normal form.
     *
     * @throws IllegalArgumentException if the parts are not in it
     */
    public AnyOf {
      parts = List.copyOf(parts);
      NormalForm.check(parts, parts.isEmpty() ? 0 : 2, AnyOf.class);
      List<Column> columns = NormalForm.columns(parts);
      for (int i = 1; i < columns.size(); i++) {
        if (columns.subList(0, i).stream().anyMatch(columns.get(i)::isSameColumn)) {
          throw new IllegalArgumentException(columns.get(i) + " is there twice");
        }
      }
    }

    @Override
    public boolean isFulfilled(Predicate<Column> columns) {
      return parts.stream().anyMatch(part -> part.isFulfilled(columns));
    }

    @Override
    public String toString() {
      return parts.isEmpty() ? "no row" : join(parts, " or ");
    }
  }

  /**
   * Tells whether a row fulfils the condition.
   *
   * @param columns tells whether the row has a put of the column with one of the values
   */
  boolean isFulfilled(Predicate<Column> columns);

  /** Returns the condition that a row has a put of a column with one of {@code values}. */
  static RowCondition column(byte[] family, byte[] qualifier, ValueRanges values) {
    return values.isEmpty() ? NONE : new Column(family, qualifier, values);
  }

  /** Returns the condition that a row fulfils all of {@code conditions}; without any, each does. */
  static RowCondition all(List<RowCondition> conditions) {
    return NormalForm.all(conditions);
  }

  /** Returns the condition that a row fulfils one of {@code conditions}; without any, none does. */
  static RowCondition anyOf(List<RowCondition> conditions) {
    return NormalForm.anyOf(conditions);
  }

  private static String join(List<RowCondition> parts, String word) {
    return parts.stream()
        .map(
            part ->
                part instanceof Column column && column.values.ranges().size() == 1
                    ? part.toString()
                    : "(" + part + ")")
        .collect(Collectors.joining(word));
  }
}
