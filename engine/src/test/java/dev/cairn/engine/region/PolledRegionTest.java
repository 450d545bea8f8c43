package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.mob.MobSettings;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.SyncLevel;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A region and its log in one thread: tasks that others would run are queued, time stands still
 * until the test moves it, and nothing that the region does parks or blocks the thread.
 */
@Timeout(60)
class PolledRegionTest {
  private static final RegionInfo INFO =
      new RegionInfo(TableName.parse("t"), Bytes.EMPTY, Bytes.EMPTY, 1);
  private static final TableSchema SCHEMA =
      TableSchema.of(
          INFO.table(),
          FamilySchema.of("f", Map.of("VERSIONS", "3", "COMPRESSION", "GZ", "BLOCKSIZE", "1024")));
  private static final byte[] F = Bytes.utf8("f");
  private static final int ROWS = 300;
  private static final long ROW_WAIT_MILLIS = 60_000;

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final PolledClock clock = new PolledClock();
  private final MemoryStorage storage = new MemoryStorage(clock);
  private long fileNames;
  private GroupCommitWal wal;
  private Region region;
  private long waitsBefore;

  /** Time that stands still; a thread that would park polls the log instead. */
  private final class PolledClock implements Clock {
    private long nanos = 1_000_000_000_000L;

    void advance(long millis) {
      nanos += millis * 1_000_000;
    }

    @Override
    public long currentTimeMillis() {
      return nanos / 1_000_000;
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public void park(long limitNanos) {
      boolean worked = wal.poll(nanos) == 0;
      if (limitNanos < Long.MAX_VALUE) {
        nanos += limitNanos;
      } else if (!worked) {
        throw new AssertionError("The wait cannot end: the log has nothing to do");
      }
    }
  }

  @BeforeEach
  void open() throws IOException {
    waitsBefore = waits();
    WalConfig config = new WalConfig("WALs/s", "oldWALs", "s", SyncLevel.SYNCED, 16 << 10, 4);
    wal = GroupCommitWal.open(storage, config, clock, WalListener.NONE);
    region = Region.open(INFO, SCHEMA, context());
  }

  @AfterEach
  void nothingHasWaited() {
    assertThat(waits()).isEqualTo(waitsBefore);
  }

  private RegionContext context() {
    StoreContext stores =
        new StoreContext(
            storage,
            new BlockCache(1 << 20, tasks::add),
            clock,
            () -> "%032x".formatted(++fileNames),
            EngineListener.NONE,
            new StoreSettings(3, 10, 1.2, 1, Long.MAX_VALUE, 0),
            Optional.of(tasks::add),
            MobSettings.DEFAULTS);
    RegionSettings settings = new RegionSettings(1 << 20, 4, ROW_WAIT_MILLIS, 1 << 20);
    return new RegionContext("data", wal, stores, settings);
  }

  /** Returns how often this thread has waited for anything. */
  private static long waits() {
    ThreadInfo thread =
        ManagementFactory.getThreadMXBean().getThreadInfo(Thread.currentThread().getId());
    return thread.getWaitedCount() + thread.getBlockedCount();
  }

  private void poll() {
    while (wal.poll(clock.nanoTime()) == 0) {
      clock.advance(1);
    }
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  private CompletableFuture<CellBuffer> begin(int row, String value) throws IOException {
    Mutation put = RegionHarness.putOf("%03d".formatted(row), F, "q", Cell.LATEST_TIMESTAMP, value);
    PendingWrite pending = region.write(put, WriteBudget.AT_ONCE);
    assertThat(pending.isBegun()).isTrue();
    CompletableFuture<CellBuffer> done = RegionHarness.future(pending);
    pending.requestSync().run();
    return done;
  }

  private List<CompletableFuture<CellBuffer>> beginAll(String value) throws IOException {
    List<CompletableFuture<CellBuffer>> begun = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      begun.add(begin(row, value));
    }
    return begun;
  }

  private void putAll(String value) throws IOException {
    List<CompletableFuture<CellBuffer>> begun = beginAll(value);
    poll();
    assertThat(begun).allMatch(CompletableFuture::isDone);
  }

  private int rows() throws IOException {
    try (RegionRead scan = region.read(ScanRequest.builder().build(), ReadBudget.WHOLE_ROWS)) {
      int rows = 0;
      while (scan.next(new CellBuffer(), ReadBudget.WHOLE_ROWS) == ScanProgress.ROW_DONE) {
        rows++;
      }
      return rows;
    }
  }

  @Test
  void writesThatAreBegunTogetherAreDoneByOnePoll() throws IOException {
    List<CompletableFuture<CellBuffer>> begun = beginAll("one");
    assertThat(begun).noneMatch(CompletableFuture::isDone);
    assertThat(rows()).isZero();
    assertThat(wal.poll(clock.nanoTime())).isZero();
    assertThat(begun).allMatch(done -> done.isDone() && !done.isCompletedExceptionally());
    assertThat(rows()).isEqualTo(ROWS);
  }

  @Test
  void aWriteThatIsWaitedForIsDoneByWhoWaits() throws IOException {
    Mutation put = RegionHarness.putOf("row", F, "q", Cell.LATEST_TIMESTAMP, "value");
    assertThat(region.write(put, WriteBudget.UNLIMITED).outcome())
        .isInstanceOf(MutationOutcome.Done.class);
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void aRowThatAnotherWriteHoldsIsWaitedForAsLongAsTheBudgetAndTheClockAllow() throws IOException {
    Mutation put = RegionHarness.putOf("row", F, "q", Cell.LATEST_TIMESTAMP, "value");
    long begunNanos = clock.nanoTime();
    List<Throwable> thrown = new ArrayList<>();
    Condition meanwhile =
        new Condition(
            ScanRequest.row(Bytes.utf8("row")).build(),
            found -> {
              thrown.add(catchThrowable(() -> region.write(put, WriteBudget.UNLIMITED)));
              thrown.add(
                  catchThrowable(
                      () ->
                          assertThat(region.write(put, WriteBudget.AT_ONCE).isBegun()).isFalse()));
              return true;
            });
    WriteRequest request = new WriteRequest.Atomic(List.of(meanwhile), List.of(put));
    region.write(request, WriteBudget.UNLIMITED).join();
    assertThat(thrown).hasSize(2);
    assertThat(thrown.get(0)).isInstanceOf(RegionBusyException.class);
    assertThat(thrown.get(1)).isNull();
    assertThat(clock.nanoTime() - begunNanos).isEqualTo(ROW_WAIT_MILLIS * 1_000_000);
  }

  @Test
  void aFlushMakesTheWritesSafeThatItTakes() throws IOException {
    List<CompletableFuture<CellBuffer>> begun = beginAll("one");
    assertThat(region.flush()).isTrue();
    assertThat(begun).allMatch(CompletableFuture::isDone);
    assertThat(region.statistics().storeFiles()).isEqualTo(1);
  }

  @Test
  void flushesCompactionsAndScansFollowEachOther() throws IOException {
    for (int round = 0; round < 4; round++) {
      putAll("round " + round);
      region.flush();
      clock.advance(1000);
    }
    List<CompletableFuture<CellBuffer>> begun = beginAll("last");
    region.compact(true);
    assertThat(region.statistics().storeFiles()).isEqualTo(1);
    assertThat(begun).noneMatch(CompletableFuture::isDone);
    poll();
    assertThat(begun).allMatch(CompletableFuture::isDone);
    assertThat(rows()).isEqualTo(ROWS);
  }

  @Test
  void closingFlushesWhatHasBegunAndRefusesTheRest() throws IOException {
    List<CompletableFuture<CellBuffer>> begun = beginAll("one");
    assertThat(region.close(false)).isTrue();
    assertThat(begun).allMatch(CompletableFuture::isDone);
    assertThatThrownBy(() -> region.flush()).isInstanceOf(RegionClosedException.class);
    wal.roll();
    wal.close();
    assertThat(wal.poll(clock.nanoTime())).isEqualTo(GroupCommitWal.ENDED);
    assertThat(storage.exists("WALs/s")).isFalse();
  }
}
