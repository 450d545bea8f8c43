package dev.cairn.keys;

import java.util.List;

/** What a pattern says about the value of one part. */
sealed interface Constraint {
  /** One of these values. */
  record OneOf(List<Object> values) implements Constraint {}

  /** From one value, and below another one; {@code null} for no limit. */
  record Between(Object from, Object to) implements Constraint {}
}
