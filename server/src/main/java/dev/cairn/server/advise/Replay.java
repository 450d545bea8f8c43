package dev.cairn.server.advise;

import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import dev.cairn.server.traffic.sample.CallStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Replays calls with other keys, and with other borders of regions. Borders that depend on the keys
 * are chosen from the earlier half of the calls, as splits would be, and the load is measured in
 * the later half: so borders do not help against a load that moves. Stateless.
 */
final class Replay {
  private static final double TOO_BUSY = 2.5;
  private static final double DEVIATIONS = 5;
  private static final double ALMOST_ALL = 0.9;

  private Replay() {}

  /**
   * Returns the busiest region's share of the requests of the later half.
   *
   * @param regions the number of regions
   */
  static double busiest(List<CallStep> steps, KeyChange keys, int regions) {
    return busiest(later(steps), keys, borders(steps, keys, regions));
  }

  /** Returns the borders that suit the keys: of the earlier half, if they depend on the calls. */
  static List<byte[]> borders(List<CallStep> steps, KeyChange keys, int regions) {
    List<byte[]> fixed = keys.borders(regions);
    return fixed.isEmpty() ? bordersOf(earlier(steps), keys, regions) : fixed;
  }

  /** Returns the borders at which all calls divide into equal parts. */
  static List<byte[]> bordersOfAll(List<CallStep> steps, int regions) {
    return bordersOf(all(steps), new KeyChange.Same(), regions);
  }

  private static List<byte[]> bordersOf(List<LoadSample> calls, KeyChange keys, int regions) {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      rows.add(keys.apply(calls.get(i).row(), i));
    }
    rows.sort(Arrays::compareUnsigned);
    List<byte[]> borders = new ArrayList<>();
    for (int i = 1; i < regions && !rows.isEmpty(); i++) {
      byte[] row = rows.get((int) ((long) rows.size() * i / regions));
      if (borders.isEmpty() || !Arrays.equals(borders.get(borders.size() - 1), row)) {
        borders.add(row);
      }
    }
    return borders;
  }

  /** Returns the busiest region's share of the requests of the later half. */
  static double busiestOfLater(List<CallStep> steps, List<byte[]> borders) {
    return busiest(later(steps), new KeyChange.Same(), borders);
  }

  private static double busiest(List<LoadSample> calls, KeyChange keys, List<byte[]> borders) {
    double[] load = new double[borders.size() + 1];
    for (int i = 0; i < calls.size(); i++) {
      LoadSample call = calls.get(i);
      if (call.kind() == Kind.SCAN && keys.places() > 1) {
        for (int place = 0; place < load.length; place++) {
          load[place] += call.requests();
        }
      } else {
        load[region(keys.apply(call.row(), i), borders)] += call.requests();
      }
    }
    double total = Arrays.stream(load).sum();
    return total == 0 ? 0 : Arrays.stream(load).max().orElse(0) / total;
  }

  /**
   * Returns the share at which a region is too busy: two and a half times its fair share, and more
   * than chance explains.
   *
   * @param samples how many calls the share is computed from
   */
  static double tooBusy(int regions, int samples) {
    double part = 1.0 / regions;
    double chance = DEVIATIONS * Math.sqrt(part / Math.max(1, samples));
    return Math.min(ALMOST_ALL, Math.max(TOO_BUSY * part, part + chance));
  }

  /** Returns the place of the region that has a row. */
  static int region(byte[] row, List<byte[]> borders) {
    int low = 0;
    int high = borders.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(borders.get(middle), row) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static List<LoadSample> all(List<CallStep> steps) {
    return steps.stream().flatMap(step -> step.calls().stream()).toList();
  }

  private static List<LoadSample> earlier(List<CallStep> steps) {
    return steps.size() < 2 ? all(steps) : all(steps.subList(0, steps.size() / 2));
  }

  private static List<LoadSample> later(List<CallStep> steps) {
    return steps.size() < 2 ? all(steps) : all(steps.subList(steps.size() / 2, steps.size()));
  }
}
