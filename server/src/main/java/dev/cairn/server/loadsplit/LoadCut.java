package dev.cairn.server.loadsplit;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Finds the row that divides a load in half, and estimates the effect of a split there.
 *
 * <p><b>The cut.</b> Every sampled row is a candidate. The best one has the most equal loads on
 * both sides.
 *
 * <p><b>The relief.</b> A split helps if both halves are loaded at the same time. The search
 * therefore divides the period in two. In each part, the relief is the total load minus that of the
 * busier side. A zipfian or uniform load has a relief of almost half. If one row has more than half
 * of the load, the relief is the load of all other rows. A load that moves through the rows, such
 * as appended rows or one long scan, is first below the cut and later above it. Its halves are
 * equal over the whole period, but its relief is about 0. Several such loads at once, or one that
 * passes all rows several times in the period, have relief.
 *
 * <p><b>Calls over several rows</b> count as a request on both sides of a cut between their rows,
 * so that requests that span most of the region give no relief. Without this, such a region would
 * be split again and again, and every split would add requests. Their bytes and processor time
 * count on the side of the sampled row.
 *
 * <p>The sums come from a few hundred to a thousand samples, so shares are accurate to a few
 * percent.
 *
 * @param row the first row above the cut
 * @param lower the load below the cut
 * @param upper the load above the cut
 * @param relief the load that a split takes off the busier side
 * @param total the load of the region
 */
record LoadCut(byte[] row, double lower, double upper, double relief, double total) {
  private static final int PARTS = 2;

  /**
   * The load on one row, and the calls over several rows that begin or end there, by part of the
   * period.
   */
  private static final class Place {
    private final double[] begun = new double[PARTS];
    private final double[] ended = new double[PARTS];
    private double own;
  }

  /**
   * The result of a search.
   *
   * @param best the cut with the most equal halves; {@code row} is empty if there is none
   * @param heaviest the row with the most load
   * @param heaviestLoad the load of that row
   */
  record Search(LoadCut best, byte[] heaviest, double heaviestLoad) {
    /** Tells whether there is a row to cut before. */
    boolean hasCut() {
      return best.row().length > 0;
    }
  }

  /**
   * Searches for the cut.
   *
   * @param slices the load, oldest first
   * @param allowed maps a row to the row at which the region may be split instead; to an empty row,
   *     or one outside the region, if there is none
   * @param regionStart the first row of the region, at which it cannot be split
   */
  static Search search(
      List<LoadSlice> slices,
      LoadMeasure measure,
      UnaryOperator<byte[]> allowed,
      byte[] regionStart) {
    NavigableMap<byte[], Place> places = new TreeMap<>(Arrays::compareUnsigned);
    double[] totals = new double[PARTS];
    for (int i = 0; i < slices.size(); i++) {
      int part = PARTS * i / slices.size();
      for (LoadSample sample : slices.get(i).samples()) {
        double load = measure.of(sample);
        boolean whole = measure.isOfWholeCall();
        byte[] low = allowed.apply(whole ? sample.low() : sample.row());
        byte[] high = allowed.apply(whole ? sample.high() : sample.row());
        Place begin = places.computeIfAbsent(low, any -> new Place());
        begin.begun[part] += load;
        places.computeIfAbsent(high, any -> new Place()).ended[part] += load;
        if (Arrays.equals(low, high)) {
          begin.own += load;
        }
        totals[part] += load;
      }
    }
    return walk(places, totals, regionStart);
  }

  private static Search walk(
      NavigableMap<byte[], Place> places, double[] totals, byte[] regionStart) {
    double total = Arrays.stream(totals).sum();
    LoadCut best = new LoadCut(new byte[0], total, 0, 0, total);
    double[] lower = new double[PARTS];
    double[] upper = totals.clone();
    byte[] heaviest = new byte[0];
    double heaviestLoad = 0;
    for (Map.Entry<byte[], Place> entry : places.entrySet()) {
      byte[] row = entry.getKey();
      Place place = entry.getValue();
      if (Arrays.compareUnsigned(row, regionStart) > 0) {
        LoadCut cut = at(row, lower, upper, totals);
        best = cut.imbalance() < best.imbalance() ? cut : best;
      }
      if (place.own > heaviestLoad) {
        heaviest = row;
        heaviestLoad = place.own;
      }
      for (int part = 0; part < PARTS; part++) {
        lower[part] += place.begun[part];
        upper[part] -= place.ended[part];
      }
    }
    return new Search(best, heaviest, heaviestLoad);
  }

  private static LoadCut at(byte[] row, double[] lower, double[] upper, double[] totals) {
    double relief = 0;
    for (int part = 0; part < PARTS; part++) {
      relief += totals[part] - Math.max(lower[part], upper[part]);
    }
    return new LoadCut(
        row,
        Arrays.stream(lower).sum(),
        Arrays.stream(upper).sum(),
        relief,
        Arrays.stream(totals).sum());
  }

  /** Returns the relief as a share of the load, 0 to 0.5. */
  double reliefShare() {
    return total == 0 ? 0 : relief / total;
  }

  /** Returns {@link #reliefShare} as if all of the load came at the same moment. */
  double reliefShareAtOnce() {
    return total == 0 ? 0 : (total - Math.max(lower, upper)) / total;
  }

  /** Returns the share of the load on the lower side. */
  double lowerShare() {
    return lower + upper == 0 ? 0 : lower / (lower + upper);
  }

  private double imbalance() {
    return Math.abs(lower - upper);
  }
}
