package dev.cairn.engine.scan;

import java.util.Arrays;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The part of one family that a scan selects.
 *
 * @param qualifiers the columns, in byte order; empty for all of them
 * @param timeRange the family's own time range, in place of the scan's
 */
public record FamilySelection(NavigableSet<byte[]> qualifiers, Optional<TimeRange> timeRange) {
  /** Every column. */
  public static final FamilySelection ALL =
      new FamilySelection(Collections.emptyNavigableSet(), Optional.empty());

  /** Creates a selection of single columns. */
  public static FamilySelection of(byte[]... qualifiers) {
    NavigableSet<byte[]> set = new TreeSet<>(Arrays::compareUnsigned);
    Collections.addAll(set, qualifiers);
    return new FamilySelection(set, Optional.empty());
  }

  /** Returns this selection with a time range of its own. */
  public FamilySelection within(TimeRange range) {
    return new FamilySelection(qualifiers, Optional.of(range));
  }
}
