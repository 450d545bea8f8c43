package dev.cairn.keys;

import dev.cairn.keys.type.KeyMismatchException;
import dev.cairn.keys.type.KeyOutput;
import java.util.Arrays;

/** Decides whether a key matches a pattern. Values are compared by their bytes. */
final class PatternMatch {
  private final KeyPattern pattern;

  PatternMatch(KeyPattern pattern) {
    this.pattern = pattern;
  }

  boolean test(byte[] key) {
    KeyValues values;
    try {
      values = pattern.format().decode(key);
    } catch (KeyMismatchException e) {
      return false;
    }
    for (ValuePart part : pattern.format().valueParts()) {
      Constraint constraint = pattern.constraints().get(part.name());
      if (constraint != null && !satisfies(part, values.get(part.name()), constraint)) {
        return false;
      }
    }
    return true;
  }

  private static boolean satisfies(ValuePart part, Object value, Constraint constraint) {
    if (constraint instanceof Constraint.OneOf choice) {
      return choice.values().stream().anyMatch(one -> compare(part, one, value) == 0);
    }
    Constraint.Between between = (Constraint.Between) constraint;
    return (between.from() == null || compare(part, between.from(), value) <= 0)
        && (between.to() == null || compare(part, value, between.to()) < 0);
  }

  private static int compare(ValuePart part, Object left, Object right) {
    int order = Arrays.compareUnsigned(bytes(part, left), bytes(part, right));
    return part.type().isReversed() ? -order : order;
  }

  private static byte[] bytes(ValuePart part, Object value) {
    KeyOutput out = new KeyOutput();
    part.type().write(value, out, true);
    return out.toBytes();
  }
}
