package dev.cairn.engine.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.Waiting;
import dev.cairn.engine.wal.Wal.DurabilityListener;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.split.LogSplitter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GroupCommitWalTest {
  private static final String DIRECTORY = "WALs/host,16020,1";
  private static final String ARCHIVE = "oldWALs";
  private static final String OTHER_REGION = "ffffffffffffffffffffffffffffffff";

  private final MemoryStorage memory = new MemoryStorage(Clock.SYSTEM);
  private final ExecutorService executor = Executors.newCachedThreadPool();

  @AfterEach
  void stopThreads() {
    executor.shutdownNow();
  }

  private static WalConfig config(SyncLevel syncLevel, long rollSizeBytes, int filesMax) {
    return new WalConfig(
        DIRECTORY, ARCHIVE, "host%2C16020%2C1", syncLevel, rollSizeBytes, filesMax);
  }

  private static GroupCommitWal open(Storage storage, WalConfig config, WalListener listener)
      throws IOException {
    return GroupCommitWal.open(storage, config, Clock.SYSTEM, Thread::new, listener);
  }

  private GroupCommitWal open(SyncLevel syncLevel) throws IOException {
    return open(memory, config(syncLevel, 10_000, 1000), WalListener.NONE);
  }

  private static List<String> logged(Storage storage) throws IOException {
    return Entries.readAll(storage, List.of(ARCHIVE, DIRECTORY));
  }

  @Test
  void whatIsAppendedIsInTheFileInOrder() throws IOException {
    List<String> expected = new ArrayList<>();
    try (GroupCommitWal wal = open(SyncLevel.SYNCED)) {
      long last = 0;
      for (int i = 1; i <= 100; i++) {
        WalEntry entry = Entries.of(Entries.REGION, i, "value " + i);
        expected.add(Entries.text(entry));
        long txid = wal.append(entry);
        assertThat(txid).isGreaterThan(last);
        last = txid;
        if (i % 10 == 0) {
          wal.sync(txid);
          assertThat(logged(memory.afterPowerCut())).isEqualTo(expected);
        }
      }
      assertThat(wal.lastTxid()).isEqualTo(last);
    }
    assertThat(logged(memory)).isEqualTo(expected);
  }

  @Test
  void noSyncedEntryOfManyThreadsIsLostInAPowerCut() throws Exception {
    try (GroupCommitWal wal = open(SyncLevel.SYNCED)) {
      assertNoneLost(wal, SyncLevel.SYNCED, true);
    }
  }

  @Test
  void noFlushedEntryOfManyThreadsIsLostInAKill() throws Exception {
    try (GroupCommitWal wal = open(SyncLevel.FLUSHED)) {
      assertNoneLost(wal, SyncLevel.FLUSHED, false);
    }
  }

  @Test
  void whoeverAsksForMoreThanTheConfiguredSafetyGetsIt() throws Exception {
    try (GroupCommitWal wal = open(SyncLevel.FLUSHED)) {
      assertNoneLost(wal, SyncLevel.SYNCED, true);
    }
  }

  /** The log keeps entries until they are synced, in case the file fails. */
  @Test
  void aLogThatOnlyFlushesSyncsWhenMuchHasGatheredWhateverItConsistsOf() throws IOException {
    WalConfig small =
        new WalConfig(
            DIRECTORY, ARCHIVE, "p", SyncLevel.FLUSHED, 1 << 20, 32, 10_000, 1_000_000_000L);
    try (GroupCommitWal wal = open(memory, small, WalListener.NONE)) {
      for (int i = 1; i <= 200; i++) {
        wal.sync(wal.append(new WalEntry(Entries.REGION, Entries.TABLE, i, 1, new CellBuffer())));
      }
      assertThat(logged(memory.afterPowerCut())).hasSizeGreaterThan(100);
    }
  }

  /** Eight threads write; crashes are taken meanwhile; each must hold what was safe before. */
  private void assertNoneLost(GroupCommitWal wal, SyncLevel syncLevel, boolean powerCut)
      throws Exception {
    Set<String> safe = ConcurrentHashMap.newKeySet();
    AtomicBoolean stop = new AtomicBoolean();
    List<Future<?>> writers = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      String region = "%032x".formatted(t);
      writers.add(
          executor.submit(
              () -> {
                for (long sequence = 1; !stop.get() && sequence <= 500; sequence++) {
                  WalEntry entry = Entries.of(region, sequence, "x".repeat(30));
                  wal.sync(wal.append(entry), syncLevel);
                  safe.add(Entries.text(entry));
                }
                return null;
              }));
    }
    for (int crash = 0; crash < 8; crash++) {
      int soFar = safe.size();
      Waiting.until(() -> safe.size() > soFar + 100 || safe.size() == 8 * 500);
      List<String> expected = List.copyOf(safe);
      MemoryStorage after =
          powerCut ? memory.afterPowerCut(new java.util.Random(crash)) : memory.afterKill();
      Set<String> found = Set.copyOf(logged(after));
      for (String entry : expected) {
        assertThat(found.contains(entry)).as("crash %d, %s", crash, entry).isTrue();
      }
    }
    stop.set(true);
    for (Future<?> writer : writers) {
      writer.get();
    }
    assertThat(memory.list(DIRECTORY)).hasSizeGreaterThan(1);
    assertRegionsInOrder(logged(memory));
  }

  private static void assertRegionsInOrder(List<String> entries) {
    ConcurrentHashMap<String, Long> last = new ConcurrentHashMap<>();
    for (String entry : entries) {
      String[] words = entry.split(" ");
      assertThat(Long.parseLong(words[2])).isEqualTo(last.getOrDefault(words[1], 0L) + 1);
      last.put(words[1], Long.parseLong(words[2]));
    }
  }

  @Test
  void manyWaitersShareOneSync() throws Exception {
    AtomicInteger syncs = new AtomicInteger();
    CountDownLatch firstSyncRuns = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Storage slow =
        new FaultyStorage(
            memory,
            (operation, path) -> {
              if (operation == StorageOperation.SYNC && syncs.incrementAndGet() == 2) {
                firstSyncRuns.countDown();
                Waiting.until(go);
              }
              return false;
            });
    try (GroupCommitWal wal = open(slow, config(SyncLevel.SYNCED, 1 << 20, 32), WalListener.NONE)) {
      List<Future<?>> waiting = new ArrayList<>();
      waiting.add(executor.submit(() -> appendAndSync(wal, 1)));
      Waiting.until(firstSyncRuns);
      List<Long> txids = new ArrayList<>();
      for (int i = 2; i <= 50; i++) {
        txids.add(wal.append(Entries.of(Entries.REGION, i, "x")));
      }
      for (long txid : txids) {
        waiting.add(
            executor.submit(
                () -> {
                  wal.sync(txid);
                  return null;
                }));
      }
      go.countDown();
      for (Future<?> waiter : waiting) {
        waiter.get();
      }
      assertThat(syncs.get()).as("header, first entry, all others").isEqualTo(3);
    }
  }

  private static Void appendAndSync(Wal wal, long sequence) throws IOException {
    wal.sync(wal.append(Entries.of(Entries.REGION, sequence, "x")));
    return null;
  }

  @Test
  void anEntryThatNobodyWaitsForIsWrittenSoon() throws IOException {
    List<Integer> groups = Collections.synchronizedList(new ArrayList<>());
    WalListener counting =
        new WalListener() {
          @Override
          public void groupCommitted(int entries, long bytes, long nanos) {
            groups.add(entries);
          }
        };
    try (GroupCommitWal wal = open(memory, config(SyncLevel.SYNCED, 1 << 20, 32), counting)) {
      for (int i = 1; i <= 3; i++) {
        int round = i;
        wal.append(Entries.of(Entries.REGION, i, "x"));
        Waiting.until(() -> groups.size() == round);
      }
      assertThat(logged(memory.afterPowerCut())).hasSize(3);
    }
  }

  @Test
  void whatIsAskedForInARowIsMadeSafeTogetherOnceItIsHurried() throws Exception {
    WalConfig patient =
        new WalConfig(
            DIRECTORY, ARCHIVE, "p", SyncLevel.SYNCED, 1 << 20, 32, 1 << 20, 3_600_000_000_000L);
    List<Integer> groups = new CopyOnWriteArrayList<>();
    WalListener counting =
        new WalListener() {
          @Override
          public void groupCommitted(int entries, long bytes, long nanos) {
            groups.add(entries);
          }
        };
    AtomicReference<Thread> writer = new AtomicReference<>();
    try (GroupCommitWal wal =
        GroupCommitWal.open(memory, patient, Clock.SYSTEM, noted(writer), counting)) {
      do {
        wal.sync(wal.append(Entries.of(Entries.REGION, 1, "first")));
        Waiting.until(() -> rests(writer.get()));
      } while (sleepsDeeply(writer.get()));
      groups.clear();
      List<CompletableFuture<Void>> asked = new ArrayList<>();
      for (int i = 2; i <= 50; i++) {
        long txid = wal.append(Entries.of(Entries.REGION, i, "x"));
        asked.add(durable(wal, txid));
      }
      wal.requestSync();
      for (CompletableFuture<Void> one : asked) {
        one.get(60, TimeUnit.SECONDS);
      }
    }
    assertThat(groups).containsExactly(49);
  }

  @Test
  void anEntryThatIsFlushedAlreadyIsSyncedForWhoeverAsks_alsoWhenTheWriterSleeps()
      throws Exception {
    AtomicReference<Thread> writer = new AtomicReference<>();
    try (GroupCommitWal wal =
        GroupCommitWal.open(
            memory,
            config(SyncLevel.FLUSHED, 10_000, 1000),
            Clock.SYSTEM,
            noted(writer),
            WalListener.NONE)) {
      long txid = wal.append(Entries.of(Entries.REGION, 1, "x"));
      wal.sync(txid);
      Waiting.until(() -> sleepsDeeply(writer.get()));
      durable(wal, txid).get(60, TimeUnit.SECONDS);
      assertThat(logged(memory.afterPowerCut())).hasSize(1);
    }
  }

  private static CompletableFuture<Void> durable(Wal wal, long txid) {
    CompletableFuture<Void> durable = new CompletableFuture<>();
    wal.whenDurable(
        txid,
        SyncLevel.SYNCED,
        new DurabilityListener() {
          @Override
          public void durable() {
            durable.complete(null);
          }

          @Override
          public void notDurable(IOException cause) {
            durable.completeExceptionally(cause);
          }
        });
    return durable;
  }

  private static ThreadFactory noted(AtomicReference<Thread> writer) {
    return task -> {
      writer.set(new Thread(task));
      return writer.get();
    };
  }

  private static boolean rests(Thread writer) {
    return writer.getState() == Thread.State.TIMED_WAITING || sleepsDeeply(writer);
  }

  /** Tells whether the writer waits without a limit: an append wakes it then. */
  private static boolean sleepsDeeply(Thread writer) {
    return writer.getState() == Thread.State.WAITING;
  }

  @Test
  void aLogThatCannotKeepUpSlowsItsWritersDown() throws Exception {
    WalConfig small =
        new WalConfig(
            DIRECTORY, ARCHIVE, "p", SyncLevel.SYNCED, 1 << 20, 32, 10_000, 1_000_000_000_000L);
    try (GroupCommitWal wal = open(memory, small, WalListener.NONE)) {
      for (int i = 1; i <= 1000; i++) {
        wal.append(Entries.of(Entries.REGION, i, "x".repeat(1000)));
      }
      wal.sync(wal.lastTxid());
    }
    assertThat(logged(memory)).hasSize(1000);
  }

  @Test
  void filesNobodyNeedsMoveToTheArchive() throws IOException {
    try (GroupCommitWal wal = open(SyncLevel.SYNCED)) {
      appendAndSync(wal, 1);
      wal.roll();
      wal.sync(wal.append(Entries.of(OTHER_REGION, 1, "x")));
      appendAndSync(wal, 2);
      wal.roll();
      assertThat(memory.list(DIRECTORY)).hasSize(3);
      wal.flushed(Entries.REGION, 1);
      assertThat(memory.list(DIRECTORY)).hasSize(2);
      assertThat(memory.list(ARCHIVE)).hasSize(1);
      wal.flushed(Entries.REGION, 2);
      assertThat(memory.list(DIRECTORY)).hasSize(2);
      wal.regionClosed(OTHER_REGION);
      assertThat(memory.list(DIRECTORY)).hasSize(1);
      assertThat(logged(memory)).hasSize(3);
    }
    assertThat(memory.exists(DIRECTORY)).isFalse();
  }

  @Test
  void aRollWithoutEntriesDoesNothing() throws IOException {
    try (GroupCommitWal wal = open(SyncLevel.SYNCED)) {
      String path = wal.currentPath();
      wal.roll();
      assertThat(wal.currentPath()).isEqualTo(path);
    }
  }

  @Test
  void tooManyFilesNameTheRegionsToFlush() throws IOException {
    try (GroupCommitWal wal =
        open(memory, config(SyncLevel.SYNCED, 1 << 20, 2), WalListener.NONE)) {
      wal.sync(wal.append(Entries.of(OTHER_REGION, 1, "x")));
      wal.roll();
      assertThat(wal.regionsToFlush()).isEmpty();
      appendAndSync(wal, 1);
      wal.roll();
      assertThat(wal.regionsToFlush()).containsExactly(java.util.Map.entry(OTHER_REGION, 1L));
      wal.flushed(OTHER_REGION, 1);
      assertThat(wal.regionsToFlush()).isEmpty();
    }
  }

  @Test
  void aClosedLogKeepsWhatIsNotFlushed() throws IOException {
    GroupCommitWal wal = open(SyncLevel.FLUSHED);
    appendAndSync(wal, 1);
    long unsynced = wal.append(Entries.of(Entries.REGION, 2, "x"));
    wal.close();
    wal.close();
    wal.sync(unsynced, SyncLevel.SYNCED);
    assertThatThrownBy(() -> wal.append(Entries.of(Entries.REGION, 3, "x")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("closed");
    assertThat(logged(memory.afterPowerCut())).hasSize(2);
  }

  @Test
  void aServerWhoseLogIsBeingRecoveredStopsAtItsNextFile() throws IOException {
    GroupCommitWal wal = open(SyncLevel.SYNCED);
    appendAndSync(wal, 1);
    memory.rename(DIRECTORY, DIRECTORY + LogSplitter.SPLITTING_SUFFIX);
    assertThatThrownBy(wal::roll)
        .isInstanceOf(WalFailedException.class)
        .hasMessageContaining("declared dead");
    assertThatThrownBy(() -> appendAndSync(wal, 2)).isInstanceOf(WalFailedException.class);
  }

  @Test
  void anInterruptedWriterStillLearnsTheOutcome() throws Exception {
    try (GroupCommitWal wal = open(SyncLevel.SYNCED)) {
      Future<Boolean> interrupted =
          executor.submit(
              () -> {
                Thread.currentThread().interrupt();
                appendAndSync(wal, 1);
                return Thread.interrupted();
              });
      assertThat(interrupted.get()).isTrue();
      assertThat(logged(memory.afterPowerCut())).hasSize(1);
    }
  }
}
