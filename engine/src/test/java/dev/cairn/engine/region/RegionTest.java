package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static dev.cairn.engine.region.RegionHarness.deleteOf;
import static dev.cairn.engine.region.RegionHarness.putOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanLimits;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.wal.Nonce;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RegionTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(
          TableName.parse("t"),
          FamilySchema.of("f", Map.of("VERSIONS", "3")),
          FamilySchema.of("g"));

  private RegionHarness harness;

  @BeforeEach
  void open() throws IOException {
    harness = new RegionHarness(SCHEMA);
  }

  @AfterEach
  void close() throws IOException {
    harness.close();
  }

  @Test
  void whatIsPutIsRead() throws IOException {
    harness.put("r", "q", "v");

    assertThat(harness.get("r", "q")).isEqualTo("v");
    assertThat(harness.get("r", "other")).isNull();
    assertThat(harness.get("other", "q")).isNull();
  }

  @Test
  void answersDoNotChangeWithFlushCompactionAndReopening() throws IOException {
    for (int round = 0; round < 4; round++) {
      for (int row = 0; row < 20; row++) {
        harness.put("r" + row, "q" + round % 2, "v" + round);
        harness.put("r" + row, G, "q", Cell.LATEST_TIMESTAMP, "w" + round);
      }
      harness
          .region()
          .mutate(
              List.of(
                  deleteOf("r" + round, F, "q0", Cell.LATEST_TIMESTAMP, CellType.DELETE_COLUMN)));
      harness.region().flush();
    }
    List<String> before = harness.dump();
    assertThat(harness.region().statistics().storeFiles()).isEqualTo(8);

    harness.region().compact(false);
    assertThat(harness.dump()).isEqualTo(before);
    assertThat(harness.region().statistics().storeFiles()).isEqualTo(2);
    harness.region().compact(true);
    assertThat(harness.dump()).isEqualTo(before);
    harness.closeCleanly();
    harness.open();
    assertThat(harness.dump()).isEqualTo(before);
  }

  @Test
  void extremeCellsAreTheSameInEveryShape() throws IOException {
    String longRow = "r".repeat(Cell.MAX_ROW_LENGTH);
    harness.put("a", "", "");
    harness.put(longRow, "q", "v");
    harness.put(longRow, "", "");
    harness.put("z", "q".repeat(40_000), "v");
    harness.put("large", "q", "x".repeat(5 << 20));
    List<String> before = harness.dump();
    assertThat(before).hasSize(5).contains("a/f:=", longRow + "/f:=", longRow + "/f:q=v");

    harness.kill();
    assertThat(harness.dump().equals(before)).as("replayed").isTrue();
    harness.region().flush();
    harness.region().compact(true);
    assertThat(harness.dump().equals(before)).as("compacted").isTrue();
    assertThat(harness.get(longRow, "q")).isEqualTo("v");
    ScanRequest backwards = ScanRequest.builder().reversed(true).build();
    assertThat(harness.dump(backwards)).hasSize(5).last().isEqualTo("a/f:=");
  }

  @Test
  void aStoreWhoseCellsAreAllGoneGoesOn() throws IOException {
    harness.put("r", "q", "v");
    harness.region().mutate(List.of(Mutation.delete(Bytes.utf8("r"), new CellBuffer())));
    harness.region().flush();
    harness.region().compact(true);
    assertThat(harness.dump()).isEmpty();
    harness.closeCleanly();
    harness.open();
    assertThat(harness.dump()).isEmpty();
    harness.put("r", "q", "new");
    harness.kill();
    assertThat(harness.dump()).containsExactly("r/f:q=new");
  }

  @Test
  void aScanSeesTheMomentAtWhichItBegan() throws IOException {
    for (int row = 0; row < 10; row++) {
      harness.put("r" + row, "q", "old");
    }
    try (RegionScanner scanner = harness.region().scan(ScanRequest.builder().build())) {
      for (int row = 0; row < 10; row++) {
        harness.put("r" + row, "q", "new");
      }
      harness.region().flush();
      harness.region().compact(true);
      CellBuffer out = new CellBuffer();
      while (scanner.next(out, ScanLimits.NONE) != ScanProgress.END) {}
      assertThat(out.size()).isEqualTo(10);
      for (int i = 0; i < 10; i++) {
        assertThat(out.get(i).value()).isEqualTo(Bytes.utf8("old"));
      }
    }
    assertThat(harness.get("r3", "q")).isEqualTo("new");
  }

  @Test
  void deletingTheNewestVersionShowsTheOneBefore() throws IOException {
    harness.put("r", F, "q", 1, "v1");
    harness.put("r", F, "q", 2, "v2");
    harness.region().mutate(List.of(deleteOf("r", F, "q", Cell.LATEST_TIMESTAMP, CellType.DELETE)));

    assertThat(harness.get("r", "q")).isEqualTo("v1");
  }

  @Test
  void aMarkerWithATimeOfItsOwnIsNotCountedAsOneForTheNewestVersion() throws IOException {
    harness.put("r", F, "q", 1, "v1");
    harness.put("r", F, "q", 2, "v2");
    CellBuffer markers = new CellBuffer();
    for (long timestamp : new long[] {5, Cell.LATEST_TIMESTAMP}) {
      markers.add(
          Bytes.utf8("r"),
          F,
          Bytes.utf8("q"),
          timestamp,
          CellType.DELETE.code(),
          Bytes.EMPTY,
          Bytes.EMPTY);
    }
    harness.region().mutate(List.of(Mutation.delete(Bytes.utf8("r"), markers)));

    assertThat(harness.get("r", "q")).isEqualTo("v1");
  }

  @Test
  void aDeleteWithoutCellsDeletesTheRow() throws IOException {
    harness.put("r", "q", "v");
    harness.put("r", G, "q", Cell.LATEST_TIMESTAMP, "v");
    harness.region().mutate(List.of(Mutation.delete(Bytes.utf8("r"), new CellBuffer())));

    assertThat(harness.dump()).isEmpty();
  }

  @Test
  void aBatchRefusesOnlyWhatCannotBeDone() throws IOException {
    List<MutationOutcome> outcomes =
        harness
            .region()
            .mutate(
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
                harness
                    .region()
                    .mutateAtomically(
                        List.of(
                            putOf("r", F, "q", 1, "1"),
                            putOf("r", Bytes.utf8("unknown"), "q", 1, "1"))))
        .isInstanceOf(NoSuchFamilyException.class);
    assertThatThrownBy(
            () ->
                harness
                    .region()
                    .mutateAtomically(List.of(putOf("r", F, "q", 1, "x".repeat(11 << 20)))))
        .isInstanceOf(InvalidMutationException.class)
        .hasMessageContaining("hbase.server.keyvalue.maxsize");
    assertThat(dumpQuietly()).isEmpty();
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
                  harness
                      .region()
                      .checkAndMutate(
                          new Condition(
                              ScanRequest.row(Bytes.utf8("held")).build(),
                              found -> {
                                holds.countDown();
                                awaitQuietly(release);
                                return false;
                              }),
                          List.of(putOf("held", F, "q", 1, "x"))));
      holds.await();
      List<MutationOutcome> outcomes =
          harness
              .region()
              .mutate(
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
  void aCountersOwnTimestampCountsOnlyWhereNothingStood() throws IOException {
    assertThat(increment("r", 1, 999).timestamp()).isEqualTo(999);
    long second = increment("r", 1, 999).timestamp();
    assertThat(second).isGreaterThan(1_000_000);
    long inTheFuture = Long.MAX_VALUE / 2;
    increment("s", 1, inTheFuture);
    assertThat(increment("s", 1).timestamp()).isEqualTo(inTheFuture + 1);
  }

  @Test
  void addingToWhatIsNoNumberIsRefused() throws IOException {
    harness.put("r", "q", "text");

    assertThatThrownBy(() -> increment("r", 1))
        .isInstanceOf(InvalidMutationException.class)
        .hasMessageContaining("not a long");
    assertThat(harness.get("r", "q")).isEqualTo("text");
  }

  @Test
  void aChangeOfNothingIsRefusedAndHoldsNobodyUp() throws IOException {
    assertThatThrownBy(() -> harness.region().mutateAtomically(List.of()))
        .isInstanceOf(InvalidMutationException.class);
    harness.put("r", "q", "v");
    assertThat(harness.get("r", "q")).isEqualTo("v");
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
            awaitQuietly(go);
          }
          return false;
        });
    harness.open();
    failing.set(true);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<Boolean> first = threads.submit(() -> putIfAbsent("r", "1"));
      awaitQuietly(syncing);
      CountDownLatch looked = new CountDownLatch(1);
      Future<?> second =
          threads.submit(
              () ->
                  harness
                      .region()
                      .checkAndMutate(
                          new Condition(
                              ScanRequest.row(Bytes.utf8("r")).build(),
                              found -> {
                                looked.countDown();
                                return false;
                              }),
                          List.of(putOf("r", F, "q", 1, "2"))));
      awaitQuietly(looked);
      assertThat(second.isDone()).as("told before what it saw is safe").isFalse();
      go.countDown();
      assertThat(first.get()).isTrue();
      second.get();
    } finally {
      go.countDown();
      threads.shutdownNow();
    }
  }

  @Test
  void aClosedRegionRefuses() throws IOException {
    RegionScanner scanner = harness.region().scan(ScanRequest.builder().build());
    harness.region().close(false);

    assertThatThrownBy(() -> harness.put("r", "q", "v")).isInstanceOf(RegionClosedException.class);
    assertThatThrownBy(() -> harness.get("r", "q")).isInstanceOf(RegionClosedException.class);
    assertThatThrownBy(() -> scanner.next(new CellBuffer(), ScanLimits.NONE))
        .isInstanceOf(RegionClosedException.class);
    scanner.close();
  }

  @Test
  void unflushedWritesSurviveAKillAndAPowerCut() throws IOException {
    harness.put("a", "q", "1");
    harness.kill();
    assertThat(harness.get("a", "q")).isEqualTo("1");
    harness.put("b", "q", "2");
    harness.powerCut(new java.util.Random(5));
    assertThat(harness.dump()).containsExactly("a/f:q=1", "b/f:q=2");
  }

  @Test
  void aWriteWithoutTheLogIsSeenAndNotPromised() throws IOException {
    CellBuffer cells = putOf("r", F, "q", 1, "v").cells();
    harness
        .region()
        .mutate(
            List.of(
                new Mutation(
                    Mutation.Kind.PUT,
                    Bytes.utf8("r"),
                    cells,
                    Mutation.Durability.SKIP_WAL,
                    TimeRange.ALL,
                    false)));
    assertThat(harness.get("r", "q")).isEqualTo("v");
    harness.kill();
    assertThat(harness.get("r", "q")).isNull();
  }

  @Test
  void aReadOnlyTableIsReadAndNotWritten() throws IOException {
    harness.put("r", "q", "kept");
    HBaseProtos.BytesBytesPair readOnly =
        HBaseProtos.BytesBytesPair.newBuilder()
            .setFirst(ByteString.copyFromUtf8("READONLY"))
            .setSecond(ByteString.copyFromUtf8("true"))
            .build();
    harness.alter(new TableSchema(SCHEMA.message().toBuilder().addAttributes(readOnly).build()));
    assertThatThrownBy(() -> harness.put("r", "q", "new"))
        .isInstanceOf(InvalidMutationException.class)
        .hasMessageContaining("read only");
    assertThat(harness.get("r", "q")).isEqualTo("kept");
    harness.alter(SCHEMA);
    harness.put("r", "q", "new");
    assertThat(harness.get("r", "q")).isEqualTo("new");
  }

  @Test
  void afterAFamilyIsRemovedTheLogStillKeepsWhatIsNotFlushed() throws IOException {
    for (int i = 0; i < 20; i++) {
      harness.put("r", G, "q", Cell.LATEST_TIMESTAMP, "v" + i);
    }
    harness.alter(TableSchema.of(SCHEMA.name(), SCHEMA.family(F).orElseThrow()));
    harness.put("r", "q", "new");
    harness.rollLog();
    harness.kill();

    assertThat(harness.get("r", "q")).isEqualTo("new");
  }

  @Test
  void aFamilyThatIsAddedAgainIsEmptyEvenAfterAKill() throws IOException {
    harness.put("r", "q", "kept");
    harness.put("r", G, "q", Cell.LATEST_TIMESTAMP, "removed");
    harness.alter(TableSchema.of(SCHEMA.name(), SCHEMA.family(F).orElseThrow()));
    harness.alter(SCHEMA);
    harness.kill();

    assertThat(harness.dump()).containsExactly("r/f:q=kept");
  }

  @Test
  void aBatchLogsOnlyWhatIsNotToSkipTheLog() throws IOException {
    List<Mutation> batch = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Mutation put = putOf("r" + i, F, "q", 1, "v");
      Mutation.Durability durability =
          i % 2 == 0 ? Mutation.Durability.SKIP_WAL : Mutation.Durability.SYNC_WAL;
      batch.add(new Mutation(put.kind(), put.row(), put.cells(), durability, TimeRange.ALL, false));
    }
    batch.add(Mutation.delete(Bytes.utf8("r1"), new CellBuffer()));
    RegionHarness.done(harness.region().mutate(batch));
    assertThat(harness.dump())
        .containsExactly("r0/f:q=v", "r2/f:q=v", "r3/f:q=v", "r4/f:q=v", "r5/f:q=v");

    harness.kill();
    assertThat(harness.dump()).containsExactly("r3/f:q=v", "r5/f:q=v");
  }

  @Test
  void aLargeFirstCellDoesNotMakeABatchTakeItsRoomForEach() throws IOException {
    List<Mutation> batch = new ArrayList<>();
    batch.add(putOf("large", F, "q", 1, "x".repeat(9 << 20)));
    for (int i = 0; i < 300; i++) {
      batch.add(putOf("r" + i, F, "q", 1, "v"));
    }
    RegionHarness.done(harness.region().mutate(batch));
    assertThat(harness.get("r299", "q")).isEqualTo("v");
  }

  @Test
  void aRowThatDidNotWaitForTheLogIsWholeAfterHalfAFlush() throws IOException {
    harness.closeCleanly();
    harness.failWith((operation, path) -> path.contains(".tmp/g"));
    harness.open();
    long opened = harness.region().statistics().flushedSequence();
    for (byte[] family : List.of(F, G)) {
      harness
          .region()
          .mutate(
              List.of(
                  new Mutation(
                      Mutation.Kind.PUT,
                      Bytes.utf8("r"),
                      putOf("r", family, "q", 1, "v").cells(),
                      Mutation.Durability.ASYNC_WAL,
                      TimeRange.ALL,
                      false)));
    }

    assertThatThrownBy(() -> harness.region().flush()).hasMessageContaining(".tmp/g");
    assertThat(harness.region().statistics().flushedSequence()).isEqualTo(opened);
    harness.failWith((operation, path) -> false);
    harness.kill();
    assertThat(harness.dump()).containsExactly("r/f:q=v", "r/g:q=v");
  }

  @Test
  void afterTheLogFailsNothingIsAcknowledgedOrSeen() throws IOException {
    harness.put("a", "q", "1");
    harness.closeCleanly();
    harness.failWith((operation, path) -> path.startsWith("WALs") && failing.get());
    harness.open();
    failing.set(true);

    assertThatThrownBy(() -> harness.put("b", "q", "2")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> harness.put("c", "q", "2")).isInstanceOf(IOException.class);
    assertThat(harness.dump()).containsExactly("a/f:q=1");
  }

  private final java.util.concurrent.atomic.AtomicBoolean failing =
      new java.util.concurrent.atomic.AtomicBoolean();

  private List<String> dumpQuietly() {
    try {
      return harness.dump();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private boolean putIfAbsent(String row, String value) throws IOException {
    ScanRequest read =
        ScanRequest.row(Bytes.utf8(row)).family(F, FamilySelection.of(Bytes.utf8("q"))).build();
    return harness
        .region()
        .checkAndMutate(
            new Condition(read, Optional::isEmpty),
            List.of(putOf(row, F, "q", Cell.LATEST_TIMESTAMP, value)))
        .isPresent();
  }

  private Cell increment(String row, long amount) throws IOException {
    return increment(row, amount, Cell.LATEST_TIMESTAMP);
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

  private Cell increment(String row, long amount, long timestamp) throws IOException {
    List<MutationOutcome> outcomes =
        harness.region().mutate(List.of(incrementOf(row, amount, timestamp)));
    if (outcomes.get(0) instanceof MutationOutcome.Refused refused) {
      throw refused.cause();
    }
    return ((MutationOutcome.Done) outcomes.get(0)).cells().get(0);
  }

  @Test
  void theNumberOfAChangeIsKnownAfterOneCrashAndAfterAnother() throws IOException {
    Nonce nonce = new Nonce(-7, Long.MIN_VALUE);
    RegionHarness.done(
        harness.region().mutate(List.of(putOf("a", F, "q", 1, "v").numbered(nonce))));
    harness.kill();
    assertThat(harness.recovered()).containsExactly(nonce);
    harness.kill();
    assertThat(harness.recovered()).containsExactly(nonce);
    harness.put("b", "q", "w");
    harness.kill();
    assertThat(harness.recovered()).containsExactly(nonce);
    assertThat(harness.get("b", "q")).isEqualTo("w");
    harness.region().flush();
    harness.kill();
    assertThat(harness.get("a", "q")).isEqualTo("v");
  }

  @Test
  void aFlushThatACrashCutOffIsMadeUpForWhateverTheReplayNeedsToFlushMeanwhile()
      throws IOException {
    harness.closeCleanly();
    harness.failWith((operation, path) -> path.contains("/g/") && failing.get());
    harness.open();
    String value = "v".repeat(10_000);
    for (int row = 10; row < 40; row++) {
      RegionHarness.done(
          harness
              .region()
              .mutate(
                  List.of(putOf("r" + row, F, "q", 1, "v"), putOf("r" + row, G, "q", 1, value))));
    }
    failing.set(true);
    assertThatThrownBy(() -> harness.region().flush()).isInstanceOf(IOException.class);
    failing.set(false);
    harness.kill();

    assertThat(harness.dump()).hasSize(60);
  }
}
