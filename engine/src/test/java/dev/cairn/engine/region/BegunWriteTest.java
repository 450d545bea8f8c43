package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.deleteOf;
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
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.PutBatch;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteListener;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.region.write.WriteStaging;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.time.Waiting;
import dev.cairn.engine.wal.file.Nonce;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes that are begun by threads which must not wait ({@link WriteBudget#AT_ONCE}). */
@Timeout(60)
class BegunWriteTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));

  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Whoever writes or syncs a file waits for it; open from the beginning. */
  private volatile CountDownLatch disk = new CountDownLatch(0);

  private RegionHarness harness;

  @BeforeEach
  void open() throws IOException {
    harness = new RegionHarness(SCHEMA);
    harness.closeCleanly();
    harness.failWith(this::fails);
    harness.open();
  }

  @AfterEach
  void close() throws IOException {
    disk.countDown();
    threads.shutdownNow();
    harness.close();
  }

  private boolean fails(StorageOperation operation, String path) {
    try {
      return !disk.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Region region() {
    return harness.region();
  }

  private Optional<CompletableFuture<CellBuffer>> begin(Mutation mutation) throws IOException {
    return RegionHarness.begin(region(), mutation);
  }

  private static Mutation put(String row, String value) {
    return putOf(row, F, "q", Cell.LATEST_TIMESTAMP, value);
  }

  @Test
  void isUnseenUntilTheLogIsSafe() throws Exception {
    disk = new CountDownLatch(1);
    List<CompletableFuture<CellBuffer>> begun = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      begun.add(begin(put("r" + i, "v")).orElseThrow());
    }
    assertThat(begun).noneMatch(CompletableFuture::isDone);
    assertThat(harness.dump()).isEmpty();
    disk.countDown();
    for (int i = 0; i < 20; i++) {
      begun.get(i).get(60, TimeUnit.SECONDS);
      assertThat(harness.get("r" + i, "q")).isEqualTo("v");
    }
  }

  @Test
  void laterWritesOfARowBuildOnIt() throws Exception {
    CompletableFuture<CellBuffer> last = null;
    for (int i = 0; i < 500; i++) {
      last = begin(put("r", "v" + i)).orElseThrow();
    }
    last.get(60, TimeUnit.SECONDS);
    assertThat(harness.get("r", "q")).isEqualTo("v499");
    begin(deleteOf("r", F, "q", Cell.LATEST_TIMESTAMP, CellType.DELETE_COLUMN))
        .orElseThrow()
        .get(60, TimeUnit.SECONDS);
    assertThat(harness.get("r", "q")).isNull();
    harness.kill();
    assertThat(harness.get("r", "q")).isNull();
  }

  @Test
  void countersAndAppendsBuildOnWhatIsNotSafeYet() throws Exception {
    disk = new CountDownLatch(1);
    List<CompletableFuture<CellBuffer>> begun = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      begun.add(begunAtOnce(change(Kind.INCREMENT, "n", Bytes.ofLong(3))));
      begun.add(begunAtOnce(change(Kind.APPEND, "a", Bytes.utf8("x"))));
    }
    assertThat(begun).noneMatch(CompletableFuture::isDone);
    assertThat(harness.dump()).isEmpty();
    disk.countDown();
    for (int i = 0; i < 20; i++) {
      CellBuffer sum = begun.get(2 * i).get(60, TimeUnit.SECONDS);
      assertThat(sum.get(0).value()).isEqualTo(Bytes.ofLong(3 * (i + 1)));
      CellBuffer text = begun.get(2 * i + 1).get(60, TimeUnit.SECONDS);
      assertThat(Bytes.utf8(text.get(0).value())).isEqualTo("x".repeat(i + 1));
    }
    harness.kill();
    assertThat(harness.get("r", "a")).isEqualTo("x".repeat(20));
    assertThat(harness.get("r", "n")).isEqualTo(Bytes.utf8(Bytes.ofLong(60)));
  }

  @Test
  void noResultComesOfAnIncrementThatWantsNone() throws Exception {
    CompletableFuture<CellBuffer> begun =
        begunAtOnce(change(Kind.INCREMENT, "n", Bytes.ofLong(1), false));
    assertThat(begun.get(60, TimeUnit.SECONDS).isEmpty()).isTrue();
    assertThat(harness.get("r", "n")).isEqualTo(Bytes.utf8(Bytes.ofLong(1)));
  }

  @Test
  void whatBuildsOnAFileThatIsNotInMemoryIsNotBegun() throws Exception {
    harness.put("r", "q", "v");
    RegionHarness.done(harness.mutate(List.of(change(Kind.INCREMENT, "n", Bytes.ofLong(1)))));
    region().flush();
    harness.kill(); // and with it the cache
    List<Mutation> reading =
        List.of(
            change(Kind.INCREMENT, "n", Bytes.ofLong(1)),
            change(Kind.APPEND, "q", Bytes.utf8("w")),
            deleteOf("r", F, "q", Cell.LATEST_TIMESTAMP, CellType.DELETE));
    for (Mutation mutation : reading) {
      assertThat(begin(mutation)).isEmpty();
    }
    assertThat(harness.get("r", "q")).isEqualTo("v");
    assertThat(harness.get("r", "n")).isEqualTo(Bytes.utf8(Bytes.ofLong(1)));
    begunAtOnce(change(Kind.INCREMENT, "n", Bytes.ofLong(1))); // now it is in the cache
  }

  @Test
  void theNewestVersionOfWhatIsInMemoryIsDeleted() throws Exception {
    harness.put("r", "q", "v");
    begunAtOnce(deleteOf("r", F, "q", Cell.LATEST_TIMESTAMP, CellType.DELETE))
        .get(60, TimeUnit.SECONDS);
    assertThat(harness.dump()).isEmpty();
  }

  @Test
  void whatSpeaksAgainstAnIncrementIsToldOnceItIsSafe() throws Exception {
    disk = new CountDownLatch(1);
    begin(putOf("r", F, "n", Cell.LATEST_TIMESTAMP, "no number")).orElseThrow();
    CompletableFuture<CellBuffer> begun = begunAtOnce(change(Kind.INCREMENT, "n", Bytes.ofLong(1)));
    assertThat(begun).isNotDone();
    disk.countDown();
    assertThatThrownBy(() -> begun.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(InvalidMutationException.class);
  }

  @Test
  void aConditionIsAnsweredOnceWhatItSawIsSafe() throws Exception {
    disk = new CountDownLatch(1);
    begin(put("r", "v")).orElseThrow();
    harness.clock.stop();
    Condition absent = new Condition(ScanRequest.row(Bytes.utf8("r")).build(), Optional::isEmpty);
    PendingWrite pending =
        region()
            .write(
                new WriteRequest.Atomic(List.of(absent), List.of(put("s", "v"))),
                WriteBudget.AT_ONCE);
    CompletableFuture<MutationOutcome> answer =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return pending.outcome();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            },
            threads);
    assertThat(answer).isNotDone();
    disk.countDown();
    assertThat(answer.get(60, TimeUnit.SECONDS)).isInstanceOf(MutationOutcome.NotMet.class);
    assertThat(harness.dump()).hasSize(1);
  }

  @Test
  void putsInOnePieceAreBegun() throws Exception {
    disk = new CountDownLatch(1);
    CellBuffer cells = new CellBuffer();
    cells.addAll(put("r", "v").cells());
    cells.addAll(put("s", "v").cells());
    CompletableFuture<CellBuffer> begun =
        RegionHarness.begin(
                region(), new PutBatch(cells, new int[] {1, 2}, Mutation.Durability.USE_DEFAULT))
            .orElseThrow();
    assertThat(begun).isNotDone();
    assertThat(harness.dump()).isEmpty();
    disk.countDown();
    begun.get(60, TimeUnit.SECONDS);
    assertThat(harness.dump()).hasSize(2);
  }

  @Test
  void ofSeveralMutationsEachOnItsOwnNoneIsBegunWithoutWaiting() throws Exception {
    WriteRequest several = new WriteRequest.Batch(List.of(put("r", "v"), put("s", "v")));
    assertThat(RegionHarness.begin(region(), several)).isEmpty();
    assertThat(harness.dump()).isEmpty();
  }

  @Test
  void theOutcomesOfABatchAreToldTogether() throws Exception {
    disk = new CountDownLatch(1);
    PendingWrite pending =
        region()
            .write(
                new WriteRequest.Batch(
                    List.of(
                        put("r", "v"),
                        putOf("r", Bytes.utf8("g"), "q", 1, "v"),
                        change(Kind.INCREMENT, "n", Bytes.ofLong(7)),
                        put("s", "v"))),
                WriteBudget.UNLIMITED);
    CompletableFuture<List<MutationOutcome>> told = new CompletableFuture<>();
    pending.whenDone(
        new WriteListener() {
          @Override
          public void done(List<MutationOutcome> outcomes) {
            told.complete(outcomes);
          }

          @Override
          public void failed(Throwable cause) {
            told.completeExceptionally(cause);
          }
        });
    pending.requestSync().run();
    assertThat(told).isNotDone();
    disk.countDown();
    List<MutationOutcome> outcomes = told.get(60, TimeUnit.SECONDS);
    assertThat(outcomes.get(0)).isInstanceOf(MutationOutcome.Done.class);
    assertThat(outcomes.get(1)).isInstanceOf(MutationOutcome.Refused.class);
    assertThat(outcomes.get(2).cells().get(0).value()).isEqualTo(Bytes.ofLong(7));
    assertThat(outcomes.get(3)).isInstanceOf(MutationOutcome.Done.class);
    assertThat(harness.dump()).hasSize(3);
  }

  /** The clock ticks so much that the begun parts of the batch complete again and again. */
  @Test
  void aBatchWhoseLogFailsHalfWayLeavesNothingLocked() throws Exception {
    harness.closeCleanly();
    AtomicInteger changesLeft = new AtomicInteger(Integer.MAX_VALUE);
    harness.failWith(
        (operation, path) -> path.startsWith("WALs") && changesLeft.decrementAndGet() < 0);
    harness.open();
    Mutation increment = change(Kind.INCREMENT, "n", Bytes.ofLong(1));
    List<Mutation> batch = Collections.nCopies(50, increment);
    changesLeft.set(3);
    assertThatThrownBy(() -> region().write(new WriteRequest.Batch(batch), WriteBudget.UNLIMITED))
        .as("fails before it has begun as a whole")
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> harness.mutate(List.of(increment)))
        .as("is refused at once, and does not wait for the row")
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(RegionBusyException.class);
  }

  @Test
  void aLongValueIsAppendedToByThoseWhoMayTakeTheirTime() throws Exception {
    String value = "v".repeat(150_000);
    harness.put("r", "q", value);
    harness.clock.stop();
    assertThat(begin(change(Kind.APPEND, "q", Bytes.utf8("w")))).isEmpty();
    RegionHarness.done(harness.mutate(List.of(change(Kind.APPEND, "q", Bytes.utf8("w")))));
    assertThat(harness.get("r", "q").equals(value + "w")).isTrue();
  }

  @Test
  void longValuesCountTogether() throws Exception {
    for (int i = 0; i < 4; i++) {
      harness.put("r", "q" + i, "v".repeat(20_000));
    }
    harness.clock.stop();
    assertThat(begin(ofColumns(Kind.APPEND, 4, CellType.PUT, Bytes.utf8("w")))).isEmpty();
    begunAtOnce(ofColumns(Kind.APPEND, 3, CellType.PUT, Bytes.utf8("w"))).get(60, TimeUnit.SECONDS);
    assertThat(harness.get("r", "q2")).hasSize(20_001);
    assertThat(harness.get("r", "q3")).hasSize(20_000);
  }

  @Test
  void manyColumnsAreIncrementedByThoseWhoMayTakeTheirTime() throws Exception {
    harness.clock.stop();
    assertThat(begin(increments(1000))).isEmpty();
    assertThat(harness.dump()).isEmpty();
    RegionHarness.done(harness.mutate(List.of(increments(1000))));
    assertThat(harness.dump()).hasSize(1000);
    assertThat(harness.get("r", "q999")).isEqualTo(Bytes.utf8(Bytes.ofLong(1)));
  }

  @Test
  void columnsThatAreNotThereTakeTimeToo() throws Exception {
    assertThat(begin(increments(2))).as("each read takes a millisecond").isEmpty();
    begunAtOnce(increments(2)).get(60, TimeUnit.SECONDS);
  }

  @Test
  void manyNewestVersionsAreDeletedByThoseWhoMayTakeTheirTime() throws Exception {
    CellBuffer cells = ofColumns(Kind.PUT, 1000, CellType.PUT, Bytes.utf8("v")).cells();
    RegionHarness.done(harness.mutate(List.of(Mutation.put(Bytes.utf8("r"), cells))));
    harness.put("r", "stays", "v");
    harness.clock.stop();
    assertThat(begin(newestDeleted(1000))).isEmpty();
    assertThat(harness.dump()).hasSize(1001);
    RegionHarness.done(harness.mutate(List.of(newestDeleted(1000))));
    assertThat(harness.dump()).hasSize(1);
    assertThat(harness.get("r", "stays")).isEqualTo("v");
  }

  @Test
  void manyColumnsAreDeletedAtOnceWhereNothingHasToBeRead() throws Exception {
    CellBuffer cells = ofColumns(Kind.PUT, 1000, CellType.PUT, Bytes.utf8("v")).cells();
    begunAtOnce(Mutation.put(Bytes.utf8("r"), cells)).get(60, TimeUnit.SECONDS);
    begunAtOnce(ofColumns(Kind.DELETE, 1000, CellType.DELETE_COLUMN, Bytes.EMPTY))
        .get(60, TimeUnit.SECONDS);
    assertThat(harness.dump()).isEmpty();
  }

  @Test
  void isNotBegunIfItHasManyCells() throws Exception {
    CellBuffer cells = ofColumns(Kind.PUT, 1001, CellType.PUT, Bytes.utf8("v")).cells();
    assertThat(begin(Mutation.put(Bytes.utf8("r"), cells))).isEmpty();
    assertThat(harness.dump()).isEmpty();
  }

  private static Mutation increments(int columns) {
    return ofColumns(Kind.INCREMENT, columns, CellType.PUT, Bytes.ofLong(1));
  }

  private static Mutation newestDeleted(int columns) {
    return ofColumns(Kind.DELETE, columns, CellType.DELETE, Bytes.EMPTY);
  }

  private static Mutation ofColumns(Kind kind, int columns, CellType type, byte[] value) {
    CellBuffer cells = new CellBuffer();
    byte[] row = Bytes.utf8("r");
    for (int i = 0; i < columns; i++) {
      byte[] column = Bytes.utf8("q" + i);
      cells.add(row, F, column, Cell.LATEST_TIMESTAMP, type.code(), value, Bytes.EMPTY);
    }
    return new Mutation(
        kind, row, cells, Mutation.Durability.USE_DEFAULT, TimeRange.ALL, true, Nonce.NONE);
  }

  /** Begins what reads, in no time: if that takes long, it is not begun, either. */
  private CompletableFuture<CellBuffer> begunAtOnce(Mutation mutation) throws IOException {
    harness.clock.stop();
    return begin(mutation).orElseThrow();
  }

  private static Mutation change(Kind kind, String qualifier, byte[] value) {
    return change(kind, qualifier, value, true);
  }

  private static Mutation change(Kind kind, String qualifier, byte[] value, boolean returnsResult) {
    CellBuffer cells = new CellBuffer();
    byte[] row = Bytes.utf8("r");
    byte[] column = Bytes.utf8(qualifier);
    cells.add(row, F, column, Cell.LATEST_TIMESTAMP, CellType.PUT.code(), value, Bytes.EMPTY);
    return new Mutation(
        kind,
        row,
        cells,
        Mutation.Durability.USE_DEFAULT,
        TimeRange.ALL,
        returnsResult,
        Nonce.NONE);
  }

  @Test
  void isRefusedAsOthersAre() {
    assertThatThrownBy(() -> begin(putOf("r", Bytes.utf8("g"), "q", 1, "v")))
        .isInstanceOf(NoSuchFamilyException.class);
    assertThatThrownBy(() -> begin(putOf("r", F, "q", -1, "v")))
        .isInstanceOf(InvalidMutationException.class);
  }

  @Test
  void aFlushThatWaitsIsNotOvertaken() throws Exception {
    ReentrantReadWriteLock updates = new ReentrantReadWriteLock();
    assertThat(WriteStaging.lock(updates.readLock(), false)).isTrue();
    Thread flush = new Thread(() -> updates.writeLock().lock());
    flush.start();
    Waiting.until(() -> updates.hasQueuedThread(flush));
    assertThat(
            CompletableFuture.supplyAsync(
                    () -> WriteStaging.lock(updates.readLock(), false), threads)
                .get(60, TimeUnit.SECONDS))
        .isFalse();
    updates.readLock().unlock();
    flush.join();
  }

  @Test
  void aClosedRegionBeginsNone() throws Exception {
    Region closed = region();
    closed.close(false);
    assertThat(RegionHarness.begin(closed, put("r", "v"))).isEmpty();
  }

  @Test
  void closingWaitsForWhatIsBegun() throws Exception {
    disk = new CountDownLatch(1);
    CompletableFuture<CellBuffer> begun = begin(put("r", "v")).orElseThrow();
    CompletableFuture<Boolean> closed =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return region().close(false);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            },
            threads);
    assertThat(begun).isNotDone();
    disk.countDown();
    assertThat(closed.get(60, TimeUnit.SECONDS)).isTrue();
    begun.get(60, TimeUnit.SECONDS); // another thread tells its writer, after the region has closed
    harness.kill();
    assertThat(harness.get("r", "q")).isEqualTo("v");
  }

  @Test
  void writersOfBothKindsMixedLoseNothing() throws Exception {
    int writers = 4;
    int perWriter = 400;
    List<CompletableFuture<Void>> work = new ArrayList<>();
    for (int w = 0; w < writers; w++) {
      int writer = w;
      work.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int i = 0; i < perWriter; i++) {
                    Mutation mutation = put("r" + i % 7 + "-" + writer, "v" + i);
                    if ((i + writer) % 3 == 0) {
                      RegionHarness.done(harness.mutate(List.of(mutation)));
                    } else {
                      RegionHarness.done(List.of(RegionHarness.begun(region(), mutation)));
                    }
                    assertThat(harness.get("r" + i % 7 + "-" + writer, "q")).isEqualTo("v" + i);
                    if (i % 100 == 99) {
                      region().flush();
                    }
                  }
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              },
              threads));
    }
    for (CompletableFuture<Void> one : work) {
      one.get(60, TimeUnit.SECONDS);
    }
    List<String> before = harness.dump();
    assertThat(before).hasSize(7 * writers);
    harness.kill();
    assertThat(harness.dump()).isEqualTo(before);
  }
}
