package dev.cairn.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The sides are comparable only if each reads every byte that was written. */
class RowStoreTest {
  private static final int ROWS = 1000;
  private static final long SHORT_NANOS = 20_000_000;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"1, false, false", "10, true, false", "10, false, true"})
  void allSidesReadTheSameBytes(int columns, boolean snappy, boolean synced) throws IOException {
    Setting setting = setting(columns, snappy, synced);
    Map<Side, Long> sums = new EnumMap<>(Side.class);
    for (Side side : Side.values()) {
      Path own = Files.createDirectory(folder.resolve(side.name()));
      try (RowStore store = side.open(setting, own)) {
        EngineRun run = new EngineRun(store, ROWS, 0, SHORT_NANOS);
        run.measure(Phase.LOAD, 2);
        run.measure(Phase.MIXED, 2);
        long inMemoryToo = run.checksum();
        store.settle();
        store.compact();
        assertThat(run.checksum()).as("%s in files", side).isEqualTo(inMemoryToo);
        sums.put(side, inMemoryToo);
      }
    }
    assertThat(sums.values()).as("%s", sums).containsOnly(sums.get(Side.SKIP_LIST));
  }

  @ParameterizedTest
  @EnumSource(Side.class)
  void readsAreOfTheRowsThatAreAskedFor(Side side) throws IOException {
    try (RowStore store = side.open(setting(10, false, false), folder)) {
      RowStore.Session session = store.session();
      session.putAll(new int[] {0, 1, 2, 3, 4}, 5);
      session.put(5);
      assertThat(cells(taker -> session.get(3, taker))).isEqualTo(10);
      assertThat(cells(taker -> session.get(6, taker))).isZero();
      assertThat(cells(session::scanAll)).isEqualTo(60);
      store.settle();
      assertThat(cells(taker -> session.get(3, taker))).isEqualTo(10);
      assertThat(cells(taker -> session.get(6, taker))).isZero();
      long behindAll = 0;
      for (int row = 0; row < 6; row++) {
        int from = row;
        long found = cells(taker -> session.scan(from, 2, taker));
        assertThat(found).isIn(10L, 20L);
        behindAll += 20 - found;
      }
      assertThat(behindAll).as("only from the last row there is no second one").isEqualTo(10);
      assertThat(store.fileBytes()).isGreaterThanOrEqualTo(0);
      session.close();
    }
  }

  @ParameterizedTest
  @EnumSource(Phase.class)
  void everyPhaseCountsWhatItDoes(Phase phase) throws IOException {
    try (RowStore store = Side.CAIRN.open(setting(1, false, false), folder)) {
      EngineRun run = new EngineRun(store, ROWS, 0, SHORT_NANOS);
      PhaseCost load = run.measure(Phase.LOAD, 1);
      PhaseCost cost = phase == Phase.LOAD ? load : run.measure(phase, 1);
      assertThat(cost.operations()).isPositive();
      assertThat(cost.wallNanos()).isPositive();
      assertThat(cost.cpuNanos()).as("told in steps of ten milliseconds").isNotNegative();
      assertThat(cost.threadNanos()).isPositive();
      assertThat(cost.allocatedBytes()).isPositive();
      assertThat(PhaseCost.ofLine(cost.toLine())).isEqualTo(cost);
      assertThat(load.operations()).isEqualTo(ROWS - ROWS / 4);
    }
  }

  private interface Read {
    void into(Taker taker) throws IOException;
  }

  private static long cells(Read read) throws IOException {
    Taker taker = new Taker();
    read.into(taker);
    return taker.cells();
  }

  private static Setting setting(int columns, boolean snappy, boolean synced) {
    return new Setting(ROWS, columns, 100, snappy, synced, 16 << 20, 16 << 10, 1 << 20);
  }
}
