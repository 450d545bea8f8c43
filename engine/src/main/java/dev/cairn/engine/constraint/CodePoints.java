package dev.cairn.engine.constraint;

import java.util.ArrayList;
import java.util.List;

/**
 * A set of characters, as ascending ranges that do not touch. Immutable.
 *
 * @param ranges the first and the last character of each range, in turn
 */
record CodePoints(List<Integer> ranges) {
  static final CodePoints DIGITS = of('0', '9');
  static final CodePoints WORD = of('0', '9', 'A', 'Z', '_', '_', 'a', 'z');
  static final CodePoints SPACE = of('\t', '\r', ' ', ' ');

  /** All characters but the end of a line. */
  static final CodePoints ANY = of('\n', '\n').negated();

  /** Returns the set of the ranges, which ascend. */
  static CodePoints of(int... ends) {
    List<Integer> ranges = new ArrayList<>();
    for (int end : ends) {
      ranges.add(end);
    }
    return new CodePoints(ranges);
  }

  /** Returns the characters of both sets. */
  CodePoints with(CodePoints other) {
    List<int[]> all = new ArrayList<>();
    addTo(all);
    other.addTo(all);
    all.sort((a, b) -> Integer.compare(a[0], b[0]));
    List<Integer> joined = new ArrayList<>();
    for (int[] range : all) {
      int last = joined.size() - 1;
      if (last > 0 && range[0] <= joined.get(last) + 1) {
        joined.set(last, Math.max(joined.get(last), range[1]));
      } else {
        joined.add(range[0]);
        joined.add(range[1]);
      }
    }
    return new CodePoints(joined);
  }

  private void addTo(List<int[]> all) {
    for (int i = 0; i < ranges.size(); i += 2) {
      all.add(new int[] {ranges.get(i), ranges.get(i + 1)});
    }
  }

  /** Returns all other characters. */
  CodePoints negated() {
    List<Integer> others = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < ranges.size(); i += 2) {
      if (ranges.get(i) > next) {
        others.add(next);
        others.add(ranges.get(i) - 1);
      }
      next = ranges.get(i + 1) + 1;
    }
    if (next <= Character.MAX_CODE_POINT) {
      others.add(next);
      others.add(Character.MAX_CODE_POINT);
    }
    return new CodePoints(others);
  }

  /** Tells whether the set has the character. */
  boolean contains(int character) {
    for (int i = 0; i < ranges.size(); i += 2) {
      if (character >= ranges.get(i) && character <= ranges.get(i + 1)) {
        return true;
      }
    }
    return false;
  }
}
