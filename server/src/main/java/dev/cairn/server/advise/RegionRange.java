package dev.cairn.server.advise;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * The rows of a region.
 *
 * @param start the first row; empty for the table's first
 * @param end the row after the last; empty for the table's end
 */
public record RegionRange(byte[] start, byte[] end) {
  /** Returns the first rows of regions, ascending and without repetitions. */
  static List<byte[]> starts(Collection<RegionRange> regions) {
    TreeSet<byte[]> starts = new TreeSet<>(Arrays::compareUnsigned);
    regions.forEach(region -> starts.add(region.start));
    return List.copyOf(starts);
  }

  /** Tells whether the regions cover all rows. */
  static boolean cover(Collection<RegionRange> regions) {
    byte[] end = new byte[0];
    for (RegionRange region : regions.stream().sorted(RegionRange::byStart).toList()) {
      if (Arrays.compareUnsigned(region.start, end) > 0) {
        return false; // No region has the rows between them.
      }
      if (region.end.length == 0) {
        return true;
      }
      end = Arrays.compareUnsigned(region.end, end) > 0 ? region.end : end;
    }
    return false;
  }

  private static int byStart(RegionRange a, RegionRange b) {
    return Arrays.compareUnsigned(a.start, b.start);
  }
}
