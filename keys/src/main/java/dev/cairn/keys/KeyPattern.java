package dev.cairn.keys;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keys of which some parts are given. {@link #ranges} and {@link #fuzzyKeys} say where such keys
 * are; {@link #matches} decides about one key. Immutable and safe for use by several threads.
 */
public final class KeyPattern {
  private final KeyFormat format;
  private final Map<String, Constraint> constraints;

  KeyPattern(KeyFormat format, Map<String, Constraint> constraints) {
    this.format = format;
    this.constraints = constraints;
  }

  /** Returns the pattern whose keys have this value, too. */
  public KeyPattern is(String part, Object value) {
    return with(part, new Constraint.OneOf(Collections.singletonList(value)));
  }

  /** Returns the pattern whose keys have one of these values, too. */
  public KeyPattern in(String part, Object... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("part " + part + ": no value is given");
    }
    return with(part, new Constraint.OneOf(new ArrayList<>(Arrays.asList(values))));
  }

  /**
   * Returns the pattern whose keys have a value in this interval, too.
   *
   * @param from the least value, or {@code null} for no limit
   * @param to the value after the greatest one, or {@code null} for no limit
   */
  public KeyPattern between(String part, Object from, Object to) {
    ValuePart declared = format.valueParts().get(format.indexOf(part));
    if (!declared.type().isOrdered()) {
      throw new IllegalArgumentException(
          "part " + part + ": keys of " + declared.type() + " do not sort as its values");
    }
    Object end = to == null ? null : declared.type().roundUp(to);
    return with(part, new Constraint.Between(from, end));
  }

  private KeyPattern with(String part, Constraint constraint) {
    format.indexOf(part);
    Map<String, Constraint> all = new LinkedHashMap<>(constraints);
    if (all.put(part, constraint) != null) {
      throw new IllegalArgumentException("part " + part + " is given twice");
    }
    return new KeyPattern(format, Collections.unmodifiableMap(all));
  }

  /** Returns the format of the keys. */
  public KeyFormat format() {
    return format;
  }

  Map<String, Constraint> constraints() {
    return constraints;
  }

  /**
   * Returns where the keys are, in order: the narrowest ranges that the first parts allow. Keys in
   * them may not match if {@link #rangesAreExact} is false.
   *
   * @throws IllegalArgumentException if there are more than 65,536 ranges, or a value is not one of
   *     its part
   */
  public List<KeyRange> ranges() {
    return new PatternRanges(this).ranges();
  }

  /** Returns whether all keys in the ranges match. */
  public boolean rangesAreExact() {
    PatternRanges ranges = new PatternRanges(this);
    ranges.ranges();
    return ranges.areExact();
  }

  List<KeyRange> exactRanges() {
    PatternRanges ranges = new PatternRanges(this);
    List<KeyRange> exact = ranges.ranges();
    if (!ranges.areExact()) {
      throw new IllegalArgumentException(
          "the keys are scattered, because a hash needs the values of more parts; give them, or"
              + " use fuzzyKeys of a pattern");
    }
    return exact;
  }

  /**
   * Returns the bytes that matching keys have, one for each choice of values; without bytes if none
   * are known. Other keys may have them, too, and {@link #matches} decides: intervals count as
   * free, and a string that ends the key matches longer ones.
   *
   * @throws IllegalArgumentException if a given part stands after a free one of variable length, or
   *     parts of bits that share a byte are neither all given nor all free
   */
  public List<FuzzyKey> fuzzyKeys() {
    return new PatternFuzzyKeys(this).keys();
  }

  /** Returns whether a key is one of the format and has what is given. */
  public boolean matches(byte[] key) {
    return new PatternMatch(this).test(key);
  }
}
