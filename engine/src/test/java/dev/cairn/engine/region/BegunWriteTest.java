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
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.StorageOperation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writes that are begun by threads which must not wait ({@link Region#tryMutate}). */
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
      return !disk.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Region region() {
    return harness.region();
  }

  private static Mutation put(String row, String value) {
    return putOf(row, F, "q", Cell.LATEST_TIMESTAMP, value);
  }

  @Test
  void isUnseenUntilTheLogIsSafe() throws Exception {
    disk = new CountDownLatch(1);
    List<CompletableFuture<Void>> begun = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      begun.add(region().tryMutate(put("r" + i, "v")).orElseThrow());
    }
    assertThat(begun).noneMatch(CompletableFuture::isDone);
    assertThat(harness.dump()).isEmpty();
    disk.countDown();
    for (int i = 0; i < 20; i++) {
      begun.get(i).get(30, TimeUnit.SECONDS);
      assertThat(harness.get("r" + i, "q")).isEqualTo("v");
    }
  }

  @Test
  void laterWritesOfARowBuildOnIt() throws Exception {
    CompletableFuture<Void> last = null;
    for (int i = 0; i < 500; i++) {
      last = region().tryMutate(put("r", "v" + i)).orElseThrow();
    }
    last.get(30, TimeUnit.SECONDS);
    assertThat(harness.get("r", "q")).isEqualTo("v499");
    region()
        .tryMutate(deleteOf("r", F, "q", Cell.LATEST_TIMESTAMP, CellType.DELETE_COLUMN))
        .orElseThrow()
        .get(30, TimeUnit.SECONDS);
    assertThat(harness.get("r", "q")).isNull();
    harness.kill();
    assertThat(harness.get("r", "q")).isNull();
  }

  @Test
  void whatHasToReadIsNotBegun() throws Exception {
    harness.put("r", "q", "v");
    assertThat(region().tryMutate(deleteOf("r", F, "q", Cell.LATEST_TIMESTAMP, CellType.DELETE)))
        .isEmpty();
    CellBuffer amount = new CellBuffer();
    amount.add(
        Bytes.utf8("r"), F, Bytes.utf8("n"), Cell.LATEST_TIMESTAMP, 4, new byte[8], Bytes.EMPTY);
    assertThat(
            region()
                .tryMutate(
                    new Mutation(
                        Mutation.Kind.INCREMENT,
                        Bytes.utf8("r"),
                        amount,
                        Mutation.Durability.USE_DEFAULT,
                        TimeRange.ALL,
                        true)))
        .isEmpty();
    assertThat(harness.dump()).containsExactly("r/f:q=v");
  }

  @Test
  void isRefusedAsOthersAre() {
    assertThatThrownBy(() -> region().tryMutate(putOf("r", Bytes.utf8("g"), "q", 1, "v")))
        .isInstanceOf(NoSuchFamilyException.class);
    assertThatThrownBy(() -> region().tryMutate(putOf("r", F, "q", -1, "v")))
        .isInstanceOf(InvalidMutationException.class);
  }

  @Test
  void aFlushThatWaitsIsNotOvertaken() throws Exception {
    ReentrantReadWriteLock updates = new ReentrantReadWriteLock();
    assertThat(RegionWriter.lock(updates.readLock(), false)).isTrue();
    Thread flush = new Thread(() -> updates.writeLock().lock());
    flush.start();
    while (!updates.hasQueuedThread(flush)) {
      Thread.onSpinWait();
    }
    assertThat(
            CompletableFuture.supplyAsync(
                    () -> RegionWriter.lock(updates.readLock(), false), threads)
                .get(30, TimeUnit.SECONDS))
        .isFalse();
    updates.readLock().unlock();
    flush.join();
  }

  @Test
  void aClosedRegionBeginsNone() throws Exception {
    Region closed = region();
    closed.close(false);
    assertThat(closed.tryMutate(put("r", "v"))).isEmpty();
  }

  @Test
  void closingWaitsForWhatIsBegun() throws Exception {
    disk = new CountDownLatch(1);
    CompletableFuture<Void> begun = region().tryMutate(put("r", "v")).orElseThrow();
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
    assertThat(closed.get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(begun).isCompleted();
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
                      RegionHarness.done(region().mutate(List.of(mutation)));
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
