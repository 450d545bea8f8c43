package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.TWO_FAMILIES;
import static dev.cairn.engine.region.RegionHarness.putOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.state.NoSuchFamilyException;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.time.Waiting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests batches, atomic changes, conditions and counters of a region. */
class RegionWriteTest {
  @AutoClose private final RegionHarness harness = RegionHarness.ofTwoFamilies();
  private final AtomicBoolean failing = new AtomicBoolean();

  RegionWriteTest() throws IOException {} // as making a region does

  @Test
  void aBatchRefusesOnlyWhatCannotBeDone() throws IOException {
    List<MutationOutcome> outcomes =
        harness.mutate(
            List.of(
                putOf("a", F, "q", 1, "1"),
                putOf("b", Bytes.utf8("unknown"), "q", 1, "1"),
                putOf("c", F, "q", 1, "1")));

    assertThat(outcomes.get(0)).isInstanceOf(MutationOutcome.Done.class);
    assertThat(((MutationOutcome.Refused) outcomes.get(1)).cause())
        .isInstanceOf(NoSuchFamilyException.class)
        .hasMessageContaining("unknown");
    assertThat(harness.dump()).containsExactly("a/f:q=1", "c/f:q=1");
  }

  @Test
  void anAtomicChangeWithOneBadPartLeavesNothing() {
    assertThatThrownBy(
            () ->
                harness.mutateTogether(
                    List.of(
                        putOf("r", F, "q", 1, "1"),
                        putOf("r", Bytes.utf8("unknown"), "q", 1, "1"))))
        .isInstanceOf(NoSuchFamilyException.class);
    assertThatThrownBy(
            () -> harness.mutateTogether(List.of(putOf("r", F, "q", 1, "x".repeat(11 << 20)))))
        .isInstanceOf(InvalidMutationException.class)
        .hasMessageContaining("hbase.server.keyvalue.maxsize");
    assertThat(dumpQuietly()).isEmpty();
  }

  private List<String> dumpQuietly() {
    try {
      return harness.dump();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aLargeFirstCellDoesNotMakeABatchTakeItsRoomForEach() throws IOException {
    List<Mutation> batch = new ArrayList<>();
    batch.add(putOf("large", F, "q", 1, "x".repeat(9 << 20)));
    for (int i = 0; i < 300; i++) {
      batch.add(putOf("r" + i, F, "q", 1, "v"));
    }
    RegionHarness.done(harness.mutate(batch));
    assertThat(harness.get("r299", "q")).isEqualTo("v");
  }

  @Test
  void aChangeOfNothingIsRefusedAndHoldsNobodyUp() throws IOException {
    assertThatThrownBy(() -> harness.mutateTogether(List.of()))
        .isInstanceOf(InvalidMutationException.class);
    harness.put("r", "q", "v");
    assertThat(harness.get("r", "q")).isEqualTo("v");
  }

  @Test
  void aReadOnlyTableIsReadAndNotWritten() throws IOException {
    harness.put("r", "q", "kept");
    harness.makeReadOnly();
    assertThatThrownBy(() -> harness.put("r", "q", "new"))
        .isInstanceOf(InvalidMutationException.class)
        .hasMessageContaining("read only");
    assertThat(harness.get("r", "q")).isEqualTo("kept");
    harness.alter(TWO_FAMILIES);
    harness.put("r", "q", "new");
    assertThat(harness.get("r", "q")).isEqualTo("new");
  }

  @Test
  void aConditionDecidesUnderTheRowsLock() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<Boolean>> wins = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        String value = "v" + i;
        wins.add(threads.submit(() -> putIfAbsent("r", value)));
      }
      int won = 0;
      for (Future<Boolean> win : wins) {
        won += win.get() ? 1 : 0;
      }
      assertThat(won).isEqualTo(1);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aConditionalChangeFreesItsRowBeforeTheLogIsSafe() throws Exception {
    CountDownLatch syncing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    harness.closeCleanly();
    harness.failWith(
        (operation, path) -> {
          if (operation == StorageOperation.SYNC && failing.get()) {
            syncing.countDown();
            Waiting.until(go);
          }
          return false;
        });
    harness.open();
    failing.set(true);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<Boolean> first = threads.submit(() -> putIfAbsent("r", "1"));
      Waiting.until(syncing);
      CountDownLatch looked = new CountDownLatch(1);
      Future<?> second =
          threads.submit(
              () ->
                  harness.checkAndMutate(
                      new Condition(
                          ScanRequest.row(Bytes.utf8("r")).build(),
                          found -> {
                            looked.countDown();
                            return false;
                          }),
                      List.of(putOf("r", F, "q", 1, "2"))));
      Waiting.until(looked);
      assertThat(second.isDone()).as("told before what it saw is safe").isFalse();
      go.countDown();
      assertThat(first.get()).isTrue();
      second.get();
    } finally {
      go.countDown();
      threads.shutdownNow();
    }
  }

  private boolean putIfAbsent(String row, String value) throws IOException {
    ScanRequest read =
        ScanRequest.row(Bytes.utf8(row)).family(F, FamilySelection.of(Bytes.utf8("q"))).build();
    return harness.checkAndMutate(
        new Condition(read, Optional::isEmpty),
        List.of(putOf(row, F, "q", Cell.LATEST_TIMESTAMP, value)));
  }

  @Test
  void aRowThatOthersHoldCostsABatchOnlyWhatConcernsIt() throws Exception {
    harness.closeCleanly();
    harness.waitForRows(20);
    harness.open();
    CountDownLatch holds = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<?> holder =
          threads.submit(
              () ->
                  harness.checkAndMutate(
                      new Condition(
                          ScanRequest.row(Bytes.utf8("held")).build(),
                          found -> {
                            holds.countDown();
                            Waiting.until(release);
                            return false;
                          }),
                      List.of(putOf("held", F, "q", 1, "x"))));
      Waiting.until(holds);
      List<MutationOutcome> outcomes =
          harness.mutate(
              List.of(
                  incrementOf("counter", 1, Cell.LATEST_TIMESTAMP),
                  incrementOf("held", 1, Cell.LATEST_TIMESTAMP),
                  incrementOf("counter", 1, Cell.LATEST_TIMESTAMP),
                  putOf("held", F, "q", 1, "x")));
      assertThat(outcomes.get(0)).isInstanceOf(MutationOutcome.Done.class);
      assertThat(outcomes.get(1)).isInstanceOf(MutationOutcome.Refused.class);
      assertThat(outcomes.get(2)).isInstanceOf(MutationOutcome.Done.class);
      assertThat(((MutationOutcome.Refused) outcomes.get(3)).cause())
          .isInstanceOf(RegionBusyException.class);
      release.countDown();
      holder.get();
    } finally {
      release.countDown();
      threads.shutdownNow();
    }
    assertThat(increment("counter", 0).value()).isEqualTo(Bytes.ofLong(2));
  }

  @Test
  void countersAreExactUnderManyThreads() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        all.add(
            threads.submit(
                () -> {
                  for (int n = 0; n < 50; n++) {
                    increment("counter", 2);
                    if (n % 20 == 0) {
                      harness.region().flush();
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      assertThat(Bytes.getLong(increment("counter", 0).value(), 0)).isEqualTo(800);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void addingToWhatIsNoNumberIsRefused() throws IOException {
    harness.put("r", "q", "text");

    assertThatThrownBy(() -> increment("r", 1))
        .isInstanceOf(InvalidMutationException.class)
        .hasMessageContaining("not a long");
    assertThat(harness.get("r", "q")).isEqualTo("text");
  }

  private Cell increment(String row, long amount) throws IOException {
    return increment(row, amount, Cell.LATEST_TIMESTAMP);
  }

  private Cell increment(String row, long amount, long timestamp) throws IOException {
    List<MutationOutcome> outcomes = harness.mutate(List.of(incrementOf(row, amount, timestamp)));
    if (outcomes.get(0) instanceof MutationOutcome.Refused refused) {
      throw refused.cause();
    }
    return ((MutationOutcome.Done) outcomes.get(0)).cells().get(0);
  }

  private static Mutation incrementOf(String row, long amount, long timestamp) {
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8(row),
        F,
        Bytes.utf8("q"),
        timestamp,
        CellType.PUT.code(),
        Bytes.ofLong(amount),
        Bytes.EMPTY);
    return new Mutation(
        Mutation.Kind.INCREMENT,
        Bytes.utf8(row),
        cells,
        Mutation.Durability.USE_DEFAULT,
        TimeRange.ALL,
        true);
  }
}
