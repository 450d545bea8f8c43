package dev.cairn.torture.history;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A call on one row, which has one cell with a number, or no cell. Each call with its result is a
 * step of the sequential specification.
 */
public sealed interface RowCall {
  /**
   * Takes effect on a row.
   *
   * @param value the row's value; empty if there is no cell
   * @return the value afterwards; empty if the call cannot have had its result here. If the result
   *     is unknown, empty if the call changes nothing here
   */
  Optional<OptionalLong> apply(OptionalLong value);

  /** Returns the text that {@link RecordedHistory} writes. */
  String text();

  /** Reads the cell. The result of an unanswered read is of no interest: it is not recorded. */
  record Get(OptionalLong result) implements RowCall {
    @Override
    public Optional<OptionalLong> apply(OptionalLong value) {
      return value.equals(result) ? Optional.of(value) : Optional.empty();
    }

    @Override
    public String text() {
      return "get -> " + RowCall.text(result);
    }
  }

  /** Writes a value. */
  record Put(long value) implements RowCall {
    @Override
    public Optional<OptionalLong> apply(OptionalLong before) {
      return Optional.of(OptionalLong.of(value));
    }

    @Override
    public String text() {
      return "put " + value;
    }
  }

  /** Deletes the cell. */
  record Delete() implements RowCall {
    @Override
    public Optional<OptionalLong> apply(OptionalLong before) {
      return Optional.of(OptionalLong.empty());
    }

    @Override
    public String text() {
      return "delete";
    }
  }

  /**
   * Adds to the value. A missing cell counts as 0.
   *
   * @param result the value afterwards; empty if it is unknown
   */
  record Increment(long amount, OptionalLong result) implements RowCall {
    @Override
    public Optional<OptionalLong> apply(OptionalLong before) {
      long after = before.orElse(0) + amount;
      return result.isEmpty() || result.getAsLong() == after
          ? Optional.of(OptionalLong.of(after))
          : Optional.empty();
    }

    @Override
    public String text() {
      return "increment " + amount + (result.isPresent() ? " -> " + result.getAsLong() : "");
    }
  }

  /**
   * Writes a value if the row has another one.
   *
   * @param expected the other one; empty for no cell
   * @param result whether it wrote; empty if that is unknown
   */
  record CheckAndPut(OptionalLong expected, long value, Optional<Boolean> result)
      implements RowCall {
    @Override
    public Optional<OptionalLong> apply(OptionalLong before) {
      boolean fits = before.equals(expected);
      if (!fits && result.isEmpty() || result.isPresent() && result.get() != fits) {
        return Optional.empty();
      }
      return Optional.of(fits ? OptionalLong.of(value) : before);
    }

    @Override
    public String text() {
      return "check "
          + RowCall.text(expected)
          + " put "
          + value
          + result.map(wrote -> " -> " + wrote).orElse("");
    }
  }

  private static String text(OptionalLong value) {
    return value.isPresent() ? String.valueOf(value.getAsLong()) : "none";
  }
}
