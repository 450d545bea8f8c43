package dev.cairn.server.loadsplit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.loadsplit.SimulatedLoad.Zipfian;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests when and where a region is split for its load, in simulated time. */
class LoadDeciderTest {
  private static final LoadSplitSettings SETTINGS =
      new LoadSplitSettings(true, 3_000, 30 << 20, 250, 10_000, 0.25, 0);

  private static final int PERIOD_SECONDS = 10;
  private static final int ROWS = 10_000;

  private final long seed = Long.getLong("cairn.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final SimulatedLoad load = new SimulatedLoad(random, 5_000);
  private LoadDecider decider = decider(Bytes.EMPTY, row -> row);

  @BeforeEach
  void printSeed() {
    System.out.println("seed " + seed);
  }

  private static LoadDecider decider(byte[] start, UnaryOperator<byte[]> allowed) {
    return new LoadDecider(SETTINGS, start, allowed);
  }

  /** Runs a load until there is a verdict, at most for two periods. */
  private LoadVerdict verdict(IntSupplier rows) {
    LoadVerdict verdict = new LoadVerdict.Watching();
    for (int i = 0; i < 2 * PERIOD_SECONDS && verdict instanceof LoadVerdict.Watching; i++) {
      verdict = decider.next(load.second(rows));
    }
    return verdict;
  }

  private static LoadVerdict.Split split(LoadVerdict verdict) {
    assertThat(verdict).isInstanceOf(LoadVerdict.Split.class);
    return (LoadVerdict.Split) verdict;
  }

  @Test
  void cutsUniformLoadInTheMiddle() {
    LoadVerdict.Split split = split(verdict(() -> random.nextInt(ROWS)));
    assertThat(SimulatedLoad.number(split.row())).isCloseTo(ROWS / 2, within(ROWS / 10));
    assertThat(split.lowerShare()).isCloseTo(0.5, within(0.01));
    assertThat(split.rate().perSecond()).isCloseTo(5_000, within(1_000.0));
  }

  @Test
  void cutsZipfianLoadWhereItHalves() {
    Zipfian zipfian = new Zipfian(random, ROWS);
    LoadVerdict.Split split = split(verdict(zipfian));
    assertThat(split.lowerShare()).isCloseTo(0.5, within(0.08)); // the most popular row has 10 %
    double below = zipfian.shareBelow(SimulatedLoad.number(split.row()));
    assertThat(below).isCloseTo(split.lowerShare(), within(0.07));
  }

  @Test
  void splitsZipfianLoadUntilEachRegionIsCold() {
    Zipfian zipfian = new Zipfian(random, ROWS);
    int cut = SimulatedLoad.number(split(verdict(zipfian)).row());
    // The lower daughter gets its part of the same load.
    decider = decider(Bytes.EMPTY, row -> row);
    SimulatedLoad half = new SimulatedLoad(random, 2_500);
    for (int i = 0; i < 2 * PERIOD_SECONDS; i++) {
      LoadVerdict verdict = decider.next(half.second(() -> below(zipfian, cut)));
      assertThat(verdict).isInstanceOfAny(LoadVerdict.Watching.class, LoadVerdict.Calm.class);
    }
  }

  private static int below(IntSupplier rows, int cut) {
    int row = rows.getAsInt();
    while (row >= cut) {
      row = rows.getAsInt();
    }
    return row;
  }

  @Test
  void separatesTwoHotRows() {
    LoadVerdict.Split split = split(verdict(() -> random.nextInt(2)));
    assertThat(split.row()).isEqualTo(SimulatedLoad.row(1));
  }

  @Test
  void cutsSequentialLoadThatPassesAllRowsInThePeriod() {
    AtomicInteger next = new AtomicInteger();
    LoadVerdict.Split split = split(verdict(() -> next.getAndIncrement() % ROWS));
    assertThat(SimulatedLoad.number(split.row())).isCloseTo(ROWS / 2, within(ROWS / 10));
    assertThat(split.lowerShare()).isCloseTo(0.5, within(0.01));
  }

  @Test
  void cutsBetweenClientsThatEachWriteTheirRowsInOrder() {
    int clients = 4;
    AtomicInteger next = new AtomicInteger();
    LoadVerdict.Split split =
        split(
            verdict(
                () -> {
                  int i = next.getAndIncrement();
                  return i % clients * 10_000_000 + i / clients;
                }));
    assertThat(split.lowerShare()).isCloseTo(0.5, within(0.01));
  }

  @Test
  void doesNotSplitForAppendedRows() {
    AtomicInteger next = new AtomicInteger();
    assertThat(verdict(next::getAndIncrement)).isInstanceOf(LoadVerdict.Moving.class);
  }

  @Test
  void doesNotSplitForDescendingRows() {
    AtomicInteger next = new AtomicInteger(10_000_000);
    assertThat(verdict(next::getAndDecrement)).isInstanceOf(LoadVerdict.Moving.class);
  }

  @Test
  void splitsIfOlderRowsAreReadWhileRowsAreAppended() {
    AtomicInteger next = new AtomicInteger(1_000_000);
    LoadVerdict.Split split =
        split(verdict(() -> random.nextBoolean() ? next.getAndIncrement() : random.nextInt(ROWS)));
    assertThat(SimulatedLoad.number(split.row())).isBetween(ROWS * 8 / 10, 1_010_000);
  }

  @Test
  void namesTheOnlyHotRow() {
    LoadVerdict.HotRow hot = (LoadVerdict.HotRow) verdict(() -> 77);
    assertThat(hot.row()).isEqualTo(SimulatedLoad.row(77));
    assertThat(hot.rowShare()).isEqualTo(1);
  }

  @Test
  void namesARowWithMostOfTheLoad() {
    LoadVerdict.HotRow hot =
        (LoadVerdict.HotRow)
            verdict(() -> random.nextInt(100) < 85 ? ROWS / 2 : random.nextInt(ROWS));
    assertThat(hot.row()).isEqualTo(SimulatedLoad.row(ROWS / 2));
    assertThat(hot.rowShare()).isCloseTo(0.85, within(0.07));
  }

  @Test
  void isolatesAHotRowIfTheOthersAreAThirdOfTheLoad() {
    LoadVerdict.Split split =
        split(verdict(() -> random.nextInt(3) > 0 ? ROWS : random.nextInt(ROWS)));
    assertThat(split.row()).isEqualTo(SimulatedLoad.row(ROWS));
  }

  @Test
  void doesNotSplitAtTheFirstRowOfTheRegion() {
    decider = decider(SimulatedLoad.row(0), row -> row);
    LoadVerdict.HotRow hot =
        (LoadVerdict.HotRow) verdict(() -> random.nextInt(10) > 0 ? 0 : random.nextInt(ROWS));
    assertThat(hot.row()).isEqualTo(SimulatedLoad.row(0));
  }

  @Test
  void keepsPrefixesTogether() {
    decider = decider(Bytes.EMPTY, row -> Arrays.copyOf(row, 8)); // 1,000 rows have one prefix
    LoadVerdict.Split split = split(verdict(() -> random.nextInt(ROWS)));
    assertThat(Bytes.utf8(split.row())).isIn("row00004", "row00005", "row00006");
    decider = decider(Bytes.EMPTY, row -> Arrays.copyOf(row, 4));
    LoadVerdict.HotRow hot = (LoadVerdict.HotRow) verdict(() -> random.nextInt(ROWS));
    assertThat(hot.row()).isEqualTo(Bytes.utf8("row0"));
  }

  @Test
  void doesNotSplitForScansOfWholeRegions() {
    LoadSplitSettings requests = new LoadSplitSettings(true, 3_000, 0, 0, 10_000, 0.25, 0);
    decider = new LoadDecider(requests, Bytes.EMPTY, row -> row);
    SimulatedLoad scans = new SimulatedLoad(random, 4_000);
    LoadVerdict verdict = new LoadVerdict.Watching();
    for (int i = 0; i < PERIOD_SECONDS; i++) {
      verdict = decider.next(scans.secondOfScans(() -> 0, 20));
    }
    assertThat(verdict).isInstanceOf(LoadVerdict.Spanning.class);
  }

  @Test
  void splitsForTheBytesOfScans() {
    SimulatedLoad scans = new SimulatedLoad(random, 50);
    LoadVerdict verdict = new LoadVerdict.Watching();
    for (int i = 0; i < PERIOD_SECONDS; i++) {
      verdict = decider.next(scans.secondOfScans(() -> random.nextInt(ROWS), ROWS));
    }
    LoadVerdict.Split split = split(verdict);
    assertThat(split.rate().measure()).isNotEqualTo(LoadMeasure.REQUESTS);
    assertThat(SimulatedLoad.number(split.row())).isCloseTo(ROWS, within(ROWS / 5));
  }

  @Test
  void doesNotSplitForOneLongScan() {
    AtomicInteger next = new AtomicInteger();
    SimulatedLoad scan = new SimulatedLoad(random, 30);
    LoadVerdict verdict = new LoadVerdict.Watching();
    for (int i = 0; i < PERIOD_SECONDS; i++) {
      verdict = decider.next(scan.secondOfScans(() -> next.getAndAdd(ROWS * 2), ROWS * 2));
    }
    assertThat(verdict).isInstanceOf(LoadVerdict.Moving.class);
  }

  @Test
  void takesNoNoticeOfShortBursts() {
    SimulatedLoad quiet = new SimulatedLoad(random, 200);
    for (int i = 0; i < 5; i++) {
      for (int second = 1; second < PERIOD_SECONDS; second++) {
        assertThat(decider.next(load.second(() -> random.nextInt(ROWS))))
            .isInstanceOf(LoadVerdict.Watching.class);
        assertThat(decider.isHot()).isTrue();
      }
      assertThat(decider.next(quiet.second(() -> random.nextInt(ROWS))))
          .isInstanceOf(LoadVerdict.Calm.class);
      assertThat(decider.isHot()).isFalse();
    }
  }

  @Test
  void bridgesASecondOfLessLoad() {
    SimulatedLoad less = new SimulatedLoad(random, 2_200);
    for (int i = 1; i < PERIOD_SECONDS; i++) {
      decider.next((i == 5 ? less : load).second(() -> random.nextInt(ROWS)));
    }
    split(decider.next(load.second(() -> random.nextInt(ROWS))));
  }

  @Test
  void judgesOnceInAPeriod() {
    verdict(() -> 77);
    for (int i = 1; i < PERIOD_SECONDS; i++) {
      assertThat(decider.next(load.second(() -> 77))).isInstanceOf(LoadVerdict.Watching.class);
      assertThat(decider.isHot()).isTrue();
    }
    assertThat(decider.next(load.second(() -> 77))).isInstanceOf(LoadVerdict.HotRow.class);
  }
}
