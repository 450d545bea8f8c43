package dev.cairn.keys;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The choices of values for the parts of a pattern that have some. */
final class Assignments {
  /** More ranges than this are a mistake, or a job for a full scan. */
  static final int MOST = 1 << 16;

  private Assignments() {}

  /** Returns all combinations of the values of these parts, by their names. */
  static List<Map<String, Object>> of(KeyPattern pattern, Set<String> names) {
    List<Map<String, Object>> assignments = List.of(Map.of());
    for (ValuePart part : pattern.format().valueParts()) {
      if (names.contains(part.name())
          && pattern.constraints().get(part.name()) instanceof Constraint.OneOf choice) {
        List<Map<String, Object>> longer = new ArrayList<>();
        checkSize((long) assignments.size() * choice.values().size());
        for (Map<String, Object> shorter : assignments) {
          for (Object value : choice.values()) {
            Map<String, Object> next = new HashMap<>(shorter);
            next.put(part.name(), value);
            longer.add(next);
          }
        }
        assignments = longer;
      }
    }
    return assignments;
  }

  static void checkSize(long size) {
    if (size > MOST) {
      throw new IllegalArgumentException(
          "the pattern has more than " + MOST + " combinations; give fewer values");
    }
  }
}
