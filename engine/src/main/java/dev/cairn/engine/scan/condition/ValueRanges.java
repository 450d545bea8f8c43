package dev.cairn.engine.scan.condition;

import dev.cairn.engine.cell.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A set of byte strings: a sorted list of disjoint ranges, in the order of unsigned bytes, in which
 * a string comes directly before all its extensions. Immutable; callers do not change the arrays
 * that they pass or get.
 *
 * <p>Every range includes its lower bound and excludes its upper one. This covers all kinds of
 * bounds, because the string directly after {@code x} is {@code x} followed by a zero byte. Ranges
 * that touch are one. So equal sets have equal ranges.
 */
public final class ValueRanges {
  /** All byte strings. */
  public static final ValueRanges ALL =
      new ValueRanges(List.of(new Range(Bytes.EMPTY, Optional.empty())));

  /** No byte string. */
  public static final ValueRanges NONE = new ValueRanges(List.of());

  /** The number of ranges that {@link #toString} shows. */
  private static final int SHOWN_RANGES = 8;

  /** The number of bytes of a bound that {@link #toString} shows. */
  private static final int SHOWN_BYTES = 64;

  private final List<Range> ranges;

  /**
   * A range that is not empty.
   *
   * @param low the least string in the range
   * @param high the least string after the range; empty if there is none
   */
  public record Range(byte[] low, Optional<byte[]> high) {
    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if the range is empty
     */
    public Range {
      if (high.isPresent() && Arrays.compareUnsigned(low, high.get()) >= 0) {
        throw new IllegalArgumentException(
            "Empty range from " + quoted(low) + " to " + quoted(high.get()));
      }
    }

    /** Tells whether the range contains a part of an array. */
    private boolean contains(byte[] bytes, int from, int to) {
      return Arrays.compareUnsigned(low, 0, low.length, bytes, from, to) <= 0
          && (high.isEmpty()
              || Arrays.compareUnsigned(bytes, from, to, high.get(), 0, high.get().length) < 0);
    }

    /** Tells whether {@link #low} is the only string in the range. */
    public boolean isPoint() {
      return high.isPresent() && isAfter(high.get(), low);
    }

    /** Tells whether a lower bound is within the range or directly after it. */
    private boolean reaches(byte[] bound) {
      return high.isEmpty() || Arrays.compareUnsigned(bound, high.get()) <= 0;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Range range
          && Arrays.equals(low, range.low)
          && compareHigh(high, range.high) == 0;
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(low) + high.map(Arrays::hashCode).orElse(0);
    }

    /**
     * Returns a point as {@code "x"}, a range as {@code ["x", "y")}, and one without an upper bound
     * as {@code ["x", ...)}.
     */
    @Override
    public String toString() {
      if (isPoint()) {
        return quoted(low);
      }
      boolean exclusive = endsWithZero(low);
      String begin = (exclusive ? "(" : "[") + quoted(exclusive ? before(low) : low) + ", ";
      if (high.isEmpty()) {
        return begin + "...)";
      }
      boolean inclusive = endsWithZero(high.get());
      return begin + (inclusive ? quoted(before(high.get())) + "]" : quoted(high.get()) + ")");
    }
  }

  private ValueRanges(List<Range> ranges) {
    this.ranges = ranges;
  }

  /** Returns the set of one string. */
  public static ValueRanges of(byte[] value) {
    return halfOpen(value, Optional.of(after(value)));
  }

  /** Returns the set of the strings that begin with {@code prefix}. */
  public static ValueRanges prefix(byte[] prefix) {
    return halfOpen(prefix, afterPrefix(prefix));
  }

  /** Returns the set of the strings from {@code low}. */
  public static ValueRanges atLeast(byte[] low) {
    return halfOpen(low, Optional.empty());
  }

  /** Returns the set of the strings after {@code low}. */
  public static ValueRanges greaterThan(byte[] low) {
    return halfOpen(after(low), Optional.empty());
  }

  /** Returns the set of the strings up to {@code high}. */
  public static ValueRanges atMost(byte[] high) {
    return halfOpen(Bytes.EMPTY, Optional.of(after(high)));
  }

  /** Returns the set of the strings before {@code high}. */
  public static ValueRanges lessThan(byte[] high) {
    return halfOpen(Bytes.EMPTY, Optional.of(high));
  }

  /**
   * Returns the set of the strings between two bounds, which is empty if {@code high} is before
   * {@code low}.
   *
   * @param includeLow whether {@code low} is in the set
   * @param includeHigh whether {@code high} is in the set
   */
  public static ValueRanges between(
      byte[] low, boolean includeLow, byte[] high, boolean includeHigh) {
    return halfOpen(includeLow ? low : after(low), Optional.of(includeHigh ? after(high) : high));
  }

  private static ValueRanges halfOpen(byte[] low, Optional<byte[]> high) {
    return high.isPresent() && Arrays.compareUnsigned(low, high.get()) >= 0
        ? NONE
        : new ValueRanges(List.of(new Range(low, high)));
  }

  /** Returns the strings that are in any of some sets. */
  public static ValueRanges union(Collection<ValueRanges> sets) {
    List<Range> sorted = new ArrayList<>();
    sets.forEach(set -> sorted.addAll(set.ranges));
    sorted.sort((a, b) -> Arrays.compareUnsigned(a.low, b.low));
    List<Range> united = new ArrayList<>();
    for (Range range : sorted) {
      int last = united.size() - 1;
      if (last < 0 || !united.get(last).reaches(range.low)) {
        united.add(range);
      } else if (compareHigh(range.high, united.get(last).high) > 0) {
        united.set(last, new Range(united.get(last).low, range.high));
      }
    }
    return new ValueRanges(List.copyOf(united));
  }

  /** Returns the strings that are in this set or in {@code other}. */
  public ValueRanges union(ValueRanges other) {
    return union(List.of(this, other));
  }

  /** Returns the strings that are in this set and in {@code other}. */
  public ValueRanges intersection(ValueRanges other) {
    List<Range> common = new ArrayList<>();
    int mine = 0;
    int others = 0;
    while (mine < ranges.size() && others < other.ranges.size()) {
      Range a = ranges.get(mine);
      Range b = other.ranges.get(others);
      byte[] low = Arrays.compareUnsigned(a.low, b.low) >= 0 ? a.low : b.low;
      int order = compareHigh(a.high, b.high);
      Optional<byte[]> high = order <= 0 ? a.high : b.high;
      if (high.isEmpty() || Arrays.compareUnsigned(low, high.get()) < 0) {
        common.add(new Range(low, high));
      }
      if (order <= 0) {
        mine++;
      }
      if (order >= 0) {
        others++;
      }
    }
    return new ValueRanges(List.copyOf(common));
  }

  /** Returns the strings that are not in this set. */
  public ValueRanges complement() {
    List<Range> gaps = new ArrayList<>();
    Optional<byte[]> begin = Optional.of(Bytes.EMPTY);
    for (Range range : ranges) {
      if (range.low.length > 0) {
        gaps.add(new Range(begin.orElseThrow(), Optional.of(range.low)));
      }
      begin = range.high;
    }
    begin.ifPresent(low -> gaps.add(new Range(low, Optional.empty())));
    return new ValueRanges(List.copyOf(gaps));
  }

  /** Tells whether a string is in the set. */
  public boolean contains(byte[] value) {
    return contains(value, 0, value.length);
  }

  /** As {@link #contains(byte[])}, of {@code length} bytes from {@code offset}. */
  public boolean contains(byte[] bytes, int offset, int length) {
    int to = offset + length;
    int first = 0;
    int end = ranges.size();
    while (first < end) {
      int middle = (first + end) >>> 1;
      byte[] low = ranges.get(middle).low;
      if (Arrays.compareUnsigned(low, 0, low.length, bytes, offset, to) <= 0) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return first > 0 && ranges.get(first - 1).contains(bytes, offset, to);
  }

  /** Tells whether all strings of {@code other} are in this set. */
  public boolean containsAll(ValueRanges other) {
    return intersection(other).equals(other);
  }

  /** Tells whether no string is in the set. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** Tells whether all strings are in the set. */
  public boolean isAll() {
    return equals(ALL);
  }

  /** Returns the ranges: in ascending order, disjoint, with strings between them. */
  public List<Range> ranges() {
    return ranges;
  }

  /** Returns the strings of the set, in ascending order, if each of its ranges is a point. */
  public Optional<List<byte[]>> points() {
    return ranges.stream().allMatch(Range::isPoint)
        ? Optional.of(ranges.stream().map(Range::low).toList())
        : Optional.empty();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ValueRanges set && ranges.equals(set.ranges);
  }

  @Override
  public int hashCode() {
    return ranges.hashCode();
  }

  /** Returns the first ranges, and how many follow. */
  @Override
  public String toString() {
    String shown =
        ranges.stream()
            .limit(SHOWN_RANGES)
            .map(Range::toString)
            .collect(Collectors.joining(" or "));
    int rest = ranges.size() - SHOWN_RANGES;
    return isEmpty() ? "nothing" : rest > 0 ? shown + " or " + rest + " more" : shown;
  }

  /** Returns the string directly after {@code value}. */
  private static byte[] after(byte[] value) {
    return Arrays.copyOf(value, value.length + 1);
  }

  private static boolean isAfter(byte[] next, byte[] value) {
    return next.length == value.length + 1
        && next[value.length] == 0
        && Arrays.equals(next, 0, value.length, value, 0, value.length);
  }

  private static boolean endsWithZero(byte[] bound) {
    return bound.length > 0 && bound[bound.length - 1] == 0;
  }

  /** Returns the string directly before one that {@linkplain #endsWithZero ends with a zero}. */
  private static byte[] before(byte[] bound) {
    return Arrays.copyOf(bound, bound.length - 1);
  }

  /** Returns the least string after all that begin with {@code prefix}; empty if there is none. */
  private static Optional<byte[]> afterPrefix(byte[] prefix) {
    int length = prefix.length;
    while (length > 0 && prefix[length - 1] == (byte) 0xFF) {
      length--;
    }
    if (length == 0) {
      return Optional.empty();
    }
    byte[] next = Arrays.copyOf(prefix, length);
    next[length - 1]++;
    return Optional.of(next);
  }

  /** Compares upper bounds; the missing one is the greatest. */
  private static int compareHigh(Optional<byte[]> a, Optional<byte[]> b) {
    return a.isPresent() && b.isPresent()
        ? Arrays.compareUnsigned(a.get(), b.get())
        : Boolean.compare(a.isEmpty(), b.isEmpty());
  }

  private static String quoted(byte[] bytes) {
    int shown = Math.min(bytes.length, SHOWN_BYTES);
    return '"'
        + Bytes.toStringBinary(bytes, 0, shown).replace("\"", "\\x22")
        + (shown < bytes.length ? "\"..." : "\"");
  }
}
