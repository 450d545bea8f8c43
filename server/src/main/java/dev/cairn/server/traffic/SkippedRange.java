package dev.cairn.server.traffic;

import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.traffic.sample.CallStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A range of rows in which scans look at rows that they do not return: deleted, expired or filtered
 * out. Estimated from the sampled calls.
 *
 * @param table the table's name
 * @param low the first row at which these scans looked
 * @param high the last one
 * @param scans the calls of scans that skipped rows there
 * @param rows the rows at which they looked
 * @param skipped the rows among them that were not returned
 */
public record SkippedRange(
    String table, byte[] low, byte[] high, double scans, double rows, double skipped) {
  /**
   * Returns the ranges of a table in which scans skip most rows, those with most first. Ranges that
   * overlap are put together.
   *
   * @param steps the sampled calls of the table
   * @param max the most ranges
   */
  static List<SkippedRange> of(String table, List<CallStep> steps, int max) {
    List<LoadSample> scans =
        steps.stream()
            .flatMap(step -> step.calls().stream())
            .filter(call -> call.kind() == LoadSample.Kind.SCAN && call.hidden() > 0)
            .sorted((a, b) -> Arrays.compareUnsigned(a.low(), b.low()))
            .toList();
    List<SkippedRange> ranges = new ArrayList<>();
    for (LoadSample scan : scans) {
      SkippedRange one =
          new SkippedRange(
              table, scan.low(), scan.high(), scan.requests(), scan.rows(), scan.hidden());
      int last = ranges.size() - 1;
      if (last >= 0 && Arrays.compareUnsigned(one.low, ranges.get(last).high) <= 0) {
        ranges.set(last, ranges.get(last).and(one));
      } else {
        ranges.add(one);
      }
    }
    return ranges.stream()
        .sorted(Comparator.comparingDouble(SkippedRange::skipped).reversed())
        .limit(max)
        .toList();
  }

  /** Returns the union of both ranges; the other one begins in this one. */
  private SkippedRange and(SkippedRange other) {
    return new SkippedRange(
        table,
        low,
        Arrays.compareUnsigned(high, other.high) >= 0 ? high : other.high,
        scans + other.scans,
        rows + other.rows,
        skipped + other.skipped);
  }

  /** Returns the share of the rows that were skipped, from 0 to 1. */
  public double share() {
    return rows == 0 ? 0 : Math.min(1, skipped / rows);
  }
}
