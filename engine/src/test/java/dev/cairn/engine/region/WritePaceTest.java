package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.CompactionProgress;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.ThroughputController;
import dev.cairn.engine.time.Waiting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests which writes of a region follow the rate of flushes and compactions, and the pressure that
 * it reports.
 */
class WritePaceTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));

  private final RecordedPace flushes = new RecordedPace();
  private final RecordedPace compactions = new RecordedPace();
  @AutoClose private RegionHarness harness;

  @BeforeEach
  void open() throws IOException {
    harness = new RegionHarness(SCHEMA);
    harness.paceWith(new StoreContext.Paces(flushes, compactions));
    harness.closeCleanly();
    harness.open();
  }

  @Test
  void flushesAndCompactionsKeepToTheirOwnPaces() throws IOException {
    flushed("a");
    flushed("b");
    assertThat(flushes.runs).containsExactly(1, 1);
    assertThat(compactions.runs).isEmpty();
    harness.region().compact(true);
    assertThat(flushes.runs).hasSize(2);
    assertThat(compactions.runs).containsExactly(2);
    assertThat(flushes.hurried + compactions.hurried).isZero();
    assertThat(flushes.open + compactions.open).isZero();
  }

  @Test
  void aRunningCompactionTellsHowFarItHasCome() throws IOException {
    int rows = 600;
    for (int file = 0; file < 2; file++) {
      for (int i = 0; i < rows; i++) {
        harness.put("row" + i, "q", "v" + file); // the second file hides the first
      }
      harness.region().flush();
    }
    List<CompactionProgress> seen = new ArrayList<>();
    compactions.onCell = () -> seen.add(harness.region().stores().get(0).compactions().get(0));
    harness.region().compact(true);
    assertThat(harness.region().stores().get(0).compactions()).isEmpty();
    CompactionProgress last = seen.get(rows - 1);
    assertThat(last.family()).isEqualTo("f");
    assertThat(last.major()).isTrue();
    assertThat(last.files()).isEqualTo(2);
    assertThat(last.inputCells()).isEqualTo(2L * rows);
    assertThat(last.readCells()).isBetween(2L * 400, 2L * rows);
    assertThat(last.writtenCells()).isBetween(400L, (long) rows);
    assertThat(last.writtenBytes()).isGreaterThan(20 * last.writtenCells());
    assertThat(last.share()).isBetween(0.6, 1.0);
    assertThat(seen.get(0).remainingNanos()).as("nothing is known yet").isEqualTo(-1);
    assertThat(last.remainingNanos()).isBetween(0L, last.nanos());
    assertThat(seen).extracting(CompactionProgress::readCells).isSorted();
  }

  @Test
  void aClosingIsNotHeldUp() throws IOException {
    harness.put("a", "q", "v");
    harness.region().close(false);
    assertThat(flushes.runs).containsExactly(1);
    assertThat(flushes.hurried).isEqualTo(1);
  }

  @Test
  void aFlushThatIsHeldUpHurriesOnceTheRegionCloses() throws Exception {
    harness.put("a", "q", "v");
    flushes.waitForHurry = true;
    List<Throwable> failures = new ArrayList<>();
    Thread flush = thread(failures, () -> harness.region().flush());
    Waiting.until(flushes.waiting);
    harness.region().close(false);
    flush.join();
    assertThat(failures).isEmpty();
  }

  @Test
  void aRegionTellsItsNeedUntilItIsClosed() throws IOException {
    assertThat(flushes.watched).hasSize(1);
    double before = flushes.need();
    harness.put("a", "q", "v".repeat(100_000));
    assertThat(flushes.need()).isGreaterThan(before + 0.1);
    assertThat(compactions.watched).hasSize(1);
    assertThat(compactions.need()).isZero();
    for (int i = 0; i < 5; i++) {
      flushed("row" + i);
    }
    assertThat(compactions.need()).isGreaterThan(0);
    harness.region().close(false);
    assertThat(flushes.watched).isEmpty();
    assertThat(compactions.watched).isEmpty();
  }

  private void flushed(String row) throws IOException {
    harness.put(row, "q", "v");
    harness.region().flush();
  }

  private interface Work {
    void run() throws IOException;
  }

  private static Thread thread(List<Throwable> failures, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException | RuntimeException | AssertionError e) {
                failures.add(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static final class RecordedPace implements ThroughputController {
    private final Set<DoubleSupplier> watched = ConcurrentHashMap.newKeySet();
    private final List<Integer> runs = new ArrayList<>();
    private final CountDownLatch waiting = new CountDownLatch(1);
    private volatile boolean waitForHurry;
    private Runnable onCell = () -> {};
    private int hurried;
    private int open;

    double need() {
      return watched.iterator().next().getAsDouble();
    }

    @Override
    public void watch(DoubleSupplier pressure) {
      watched.add(pressure);
    }

    @Override
    public void forget(DoubleSupplier pressure) {
      watched.remove(pressure);
    }

    @Override
    public Run begin() {
      open++;
      return new Run() {
        private int cells;

        @Override
        public void wrote(int bytes, BooleanSupplier hurry) {
          cells++;
          onCell.run();
          if (waitForHurry) {
            waiting.countDown();
            Waiting.until(hurry);
          }
          hurried += hurry.getAsBoolean() ? 1 : 0;
        }

        @Override
        public void close() {
          runs.add(cells);
          open--;
        }
      };
    }
  }
}
