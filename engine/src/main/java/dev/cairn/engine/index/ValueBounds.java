package dev.cairn.engine.index;

import java.util.Arrays;
import java.util.Optional;

/**
 * The stored values that may stand for a value of a wanted range; they are cut at {@link
 * IndexEntry#VALUE_BYTES_MAX}. Immutable.
 *
 * @param low the least value
 * @param includeLow whether {@code low} belongs to the range
 * @param high the greatest value; empty if there is none
 * @param includeHigh whether {@code high} belongs to the range
 */
public record ValueBounds(
    byte[] low, boolean includeLow, Optional<byte[]> high, boolean includeHigh) {
  /** Returns the bounds of what an index stores for values in a range. */
  public static ValueBounds of(
      byte[] low, boolean includeLow, Optional<byte[]> high, boolean includeHigh) {
    int most = IndexEntry.VALUE_BYTES_MAX;
    boolean highIsCut = high.isPresent() && high.get().length > most;
    return new ValueBounds(
        low.length > most ? Arrays.copyOf(low, most) : low,
        includeLow || low.length >= most,
        highIsCut ? Optional.of(Arrays.copyOf(high.get(), most)) : high,
        includeHigh || highIsCut);
  }

  /** Returns the only value within the bounds; empty if there may be more. */
  public Optional<byte[]> single() {
    if (!includeLow || high.isEmpty()) {
      return Optional.empty();
    }
    byte[] end = high.get();
    boolean isSame = includeHigh && Arrays.equals(low, end);
    boolean isNext = // the string directly after the lower bound
        !includeHigh
            && end.length == low.length + 1
            && end[low.length] == 0
            && Arrays.equals(low, 0, low.length, end, 0, low.length);
    return isSame || isNext ? Optional.of(low) : Optional.empty();
  }

  /** Tells whether the range begins after a stored value. */
  public boolean beginsAfter(byte[] value) {
    int order = Arrays.compareUnsigned(value, low);
    return order < 0 || order == 0 && !includeLow;
  }

  /** Tells whether the range ends before a stored value. */
  public boolean endsBefore(byte[] value) {
    if (high.isEmpty()) {
      return false;
    }
    int order = Arrays.compareUnsigned(value, high.get());
    return order > 0 || order == 0 && !includeHigh;
  }
}
