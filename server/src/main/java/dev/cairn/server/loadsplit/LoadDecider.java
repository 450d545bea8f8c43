package dev.cairn.server.loadsplit;

import dev.cairn.server.loadsplit.LoadVerdict.LoadRate;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Decides, slice by slice, whether one region is split for its load. One thread.
 *
 * <p><b>When.</b> A region is <em>hot</em> while a rate (requests, bytes, processor time) is at
 * least half of its threshold. The decider collects slices while the region is hot, and drops them
 * when it is not. It gives a verdict once the slices cover the period and the average rate reaches
 * the threshold. It then drops the slices, so the next verdict comes a period later at the
 * earliest. The daughters of a split are new regions with new deciders.
 *
 * <p><b>Where.</b> {@link LoadCut} finds the row at which the load halves. The verdict is a split
 * if this relieves the busier half by the required share of the load. If not, it names the reason:
 *
 * <ul>
 *   <li>One row has too much of the load for a split to help.
 *   <li>The load moves through the rows, as with time-ordered rows. At each moment, one daughter
 *       would have all of it, and the next split would be due a period later. Such a table would
 *       get an endless series of small regions, but no more throughput. Other row keys are the
 *       remedy. The verdict names a row, because one split still separates the moving end from the
 *       older rows.
 *   <li>Most calls read rows on both sides of any cut; a split would only add calls.
 * </ul>
 */
public final class LoadDecider {
  /** With fewer samples, the halves are too uncertain. */
  static final int SAMPLES_MIN = 32;

  /** A region is hot above this share of the threshold, so that short pauses do not matter. */
  static final double HOT_PART = 0.5;

  private final LoadSplitSettings settings;
  private final byte[] regionStart;
  private final UnaryOperator<byte[]> allowed;
  private final Deque<LoadSlice> slices = new ArrayDeque<>();
  private long millis;
  private boolean hot;

  /**
   * Creates a decider for a region that was just opened.
   *
   * @param regionStart the region's first row; empty for the table's first region
   * @param allowed maps a row to the row at which the region may be split instead: the same row, or
   *     the start of a prefix that must stay in one region
   */
  public LoadDecider(
      LoadSplitSettings settings, byte[] regionStart, UnaryOperator<byte[]> allowed) {
    this.settings = settings;
    this.regionStart = regionStart;
    this.allowed = allowed;
  }

  /** Adds the next slice and returns the verdict. */
  public LoadVerdict next(LoadSlice slice) {
    hot = excess(slice) >= HOT_PART;
    if (!hot) {
      clear();
      return new LoadVerdict.Calm();
    }
    slices.addLast(slice);
    millis += slice.millis();
    while (millis - slices.getFirst().millis() >= settings.periodMillis()) {
      millis -= slices.removeFirst().millis();
    }
    if (millis < settings.periodMillis() || slices.size() < 2) {
      return new LoadVerdict.Watching();
    }
    LoadRate rate = rate();
    int samples = slices.stream().mapToInt(one -> one.samples().size()).sum();
    if (rate.perSecond() < settings.threshold(rate.measure()) || samples < SAMPLES_MIN) {
      return new LoadVerdict.Watching();
    }
    LoadVerdict verdict = judge(rate);
    clear();
    return verdict;
  }

  /** Tells whether the region was hot in the last slice. */
  public boolean isHot() {
    return hot;
  }

  private void clear() {
    slices.clear();
    millis = 0;
  }

  private LoadVerdict judge(LoadRate rate) {
    LoadCut.Search found =
        LoadCut.search(List.copyOf(slices), rate.measure(), allowed, regionStart);
    LoadCut best = found.best();
    if (found.hasCut() && best.reliefShare() >= settings.share()) {
      return new LoadVerdict.Split(best.row(), rate, best.lowerShare());
    }
    if (found.hasCut() && best.reliefShareAtOnce() >= settings.share()) {
      return new LoadVerdict.Moving(best.row(), rate);
    }
    double rowShare = found.heaviestLoad() / best.total();
    return rowShare > 1 - 2 * settings.share()
        ? new LoadVerdict.HotRow(found.heaviest(), rate, rowShare)
        : new LoadVerdict.Spanning(rate);
  }

  /** Returns the average rate over all slices that exceeds its threshold most. */
  private LoadRate rate() {
    LoadRate highest = new LoadRate(LoadMeasure.REQUESTS, 0);
    double excess = -1;
    for (LoadMeasure measure : LoadMeasure.values()) {
      double sum = slices.stream().mapToDouble(slice -> slice.sum(measure)).sum();
      double perSecond = sum * 1000 / millis;
      if (perSecond / settings.threshold(measure) > excess) {
        excess = perSecond / settings.threshold(measure);
        highest = new LoadRate(measure, perSecond);
      }
    }
    return highest;
  }

  /** Returns the highest rate of a slice, as a multiple of its threshold. */
  private double excess(LoadSlice slice) {
    return Arrays.stream(LoadMeasure.values())
        .mapToDouble(
            measure -> slice.sum(measure) * 1000 / slice.millis() / settings.threshold(measure))
        .max()
        .orElse(0);
  }
}
