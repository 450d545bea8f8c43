package dev.cairn.server.loadsplit;

/** The verdict on the load of a region at the end of a slice of time. */
public sealed interface LoadVerdict {
  /** The region is not hot. */
  record Calm() implements LoadVerdict {}

  /** The region is hot, but not for long enough, or it has too few samples. */
  record Watching() implements LoadVerdict {}

  /**
   * The region should be split.
   *
   * @param row the first row of the upper half
   * @param rate the load
   * @param lowerShare the share of the load on the lower half
   */
  record Split(byte[] row, LoadRate rate, double lowerShare) implements LoadVerdict {}

  /**
   * One row has too much of the load.
   *
   * @param row the row, or the prefix that the table keeps together with it
   * @param rate the load
   * @param rowShare the share of the load on that row
   */
  record HotRow(byte[] row, LoadRate rate, double rowShare) implements LoadVerdict {}

  /**
   * The load moves through the rows, so that at any moment all of it is on one side of a cut.
   *
   * @param row the first row of the upper half of the sampled load
   * @param rate the load
   */
  record Moving(byte[] row, LoadRate rate) implements LoadVerdict {}

  /**
   * Most calls read rows on both sides of any cut.
   *
   * @param rate the load
   */
  record Spanning(LoadRate rate) implements LoadVerdict {}

  /**
   * The load of a region, by the measure that exceeds its threshold most.
   *
   * @param measure how it is measured
   * @param perSecond the rate
   */
  record LoadRate(LoadMeasure measure, double perSecond) {
    @Override
    public String toString() {
      return measure.format(perSecond);
    }
  }
}
