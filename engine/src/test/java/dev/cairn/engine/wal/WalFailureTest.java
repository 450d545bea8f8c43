package dev.cairn.engine.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.DiskFullException;
import dev.cairn.engine.storage.FaultRule;
import dev.cairn.engine.storage.FaultRule.Manner;
import dev.cairn.engine.storage.Faults;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.Waiting;
import dev.cairn.engine.wal.WalConfig.WalRecovery;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.split.LogSplitter;
import dev.cairn.engine.wal.split.RecoveredEdits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests a log whose disk fails or is full. */
@Timeout(60)
class WalFailureTest {
  private static final String DIRECTORY = "WALs/host,16020,1";
  private static final String ARCHIVE = "oldWALs";
  private static final WalRecovery QUICK = new WalRecovery(3, 1_000_000, 1_000_000);

  private final MemoryStorage memory = new MemoryStorage(Clock.SYSTEM);
  private final Faults faults = new Faults(new SplittableRandom(7));
  private final FaultyStorage storage = new FaultyStorage(memory, faults);
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final Told told = new Told();

  /** The events that the log reported. */
  private static final class Told implements WalListener {
    final List<String> events = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void fileFailed(String path, Throwable cause) {
      events.add("file failed");
    }

    @Override
    public void beginFailed(String directory, Throwable cause) {
      events.add("begin failed");
    }

    @Override
    public void rollFailed(String path, Throwable cause) {
      events.add("roll failed");
    }

    @Override
    public void stalled(WalStalledException cause) {
      events.add("stalled");
    }

    @Override
    public void resumed() {
      events.add("resumed");
    }

    @Override
    public void failed(WalFailedException failure) {
      events.add("failed");
    }
  }

  @AfterEach
  void stopThreads() {
    executor.shutdownNow();
  }

  private GroupCommitWal open(SyncLevel syncLevel) throws IOException {
    WalConfig config =
        new WalConfig(DIRECTORY, ARCHIVE, "host%2C16020%2C1", syncLevel, 1 << 20, 32);
    return GroupCommitWal.open(
        storage, config.withRecovery(QUICK), Clock.SYSTEM, Thread::new, told);
  }

  private static WalEntry entry(long sequence) {
    return Entries.of(Entries.REGION, sequence, "value " + sequence);
  }

  private static void appendAndSync(Wal wal, long sequence) throws IOException {
    wal.sync(wal.append(entry(sequence)));
  }

  private static List<String> texts(long... sequences) {
    List<String> texts = new ArrayList<>();
    for (long sequence : sequences) {
      texts.add(Entries.text(entry(sequence)));
    }
    return texts;
  }

  /** Returns what a recovery finds in all files, from the oldest to the newest. */
  private static List<String> logged(Storage left) throws IOException {
    return Entries.readAll(left, List.of(ARCHIVE, DIRECTORY));
  }

  @ParameterizedTest
  @EnumSource(
      value = Manner.class,
      names = {"NOT_DONE", "PARTLY", "DONE"})
  void afterAFailedSyncTheLogGoesOnInANewFileWithWhatWasNotSafe(Manner manner) throws IOException {
    goesOnAfter(StorageOperation.SYNC, manner);
  }

  @ParameterizedTest
  @EnumSource(
      value = Manner.class,
      names = {"NOT_DONE", "PARTLY", "DONE"})
  void afterAFailedWriteTheLogGoesOnInANewFileWithWhatWasNotSafe(Manner manner) throws IOException {
    goesOnAfter(StorageOperation.WRITE, manner);
  }

  @Test
  void theTimeForWhichTheLogTakesNothingCountsOverAllFilesThatFail() throws Exception {
    WalConfig config =
        new WalConfig(DIRECTORY, ARCHIVE, "host%2C16020%2C1", SyncLevel.SYNCED, 1 << 20, 32)
            .withRecovery(new WalRecovery(Integer.MAX_VALUE, 1_000_000, 1_000_000));
    GroupCommitWal wal = GroupCommitWal.open(storage, config, Clock.SYSTEM, Thread::new, told);
    appendAndSync(wal, 1);
    assertThat(wal.waitNanos()).isZero();

    faults.add(FaultRule.of(StorageOperation.SYNC));
    Future<?> write =
        executor.submit(
            () -> {
              appendAndSync(wal, 2);
              return null;
            });
    Waiting.until(() -> wal.waitNanos() >= TimeUnit.MILLISECONDS.toNanos(100));
    assertThat(wal.commitNanos()).isLessThan(wal.waitNanos());
    faults.heal();
    write.get(60, TimeUnit.SECONDS);
    assertThat(wal.waitNanos()).isZero();
    wal.close();
  }

  @Test
  void aFirstFileThatCannotBeBegunIsTriedAgain() throws IOException {
    faults.add(FaultRule.of(StorageOperation.SYNC).nth(1));
    faults.add(FaultRule.of(StorageOperation.SYNC).nth(2));
    GroupCommitWal wal = open(SyncLevel.SYNCED);
    appendAndSync(wal, 1);
    assertThat(logged(memory.afterPowerCut())).isEqualTo(texts(1));
    assertThat(told.events).containsExactly("begin failed");
    wal.close();
  }

  @Test
  void aLogWhoseFirstFileCannotBeBegunFailsAfterAllTries() throws IOException {
    faults.add(FaultRule.of(StorageOperation.SYNC));
    assertThatThrownBy(() -> open(SyncLevel.SYNCED)).isInstanceOf(IOException.class);
    assertThat(memory.list(DIRECTORY)).as("no litter of the tries").isEmpty();
  }

  private void goesOnAfter(StorageOperation operation, Manner manner) throws IOException {
    GroupCommitWal wal = open(SyncLevel.SYNCED);
    appendAndSync(wal, 1);
    String first = wal.currentPath();
    faults.add(FaultRule.of(operation).nth(1).how(manner));
    appendAndSync(wal, 2);
    assertThat(wal.currentPath()).isNotEqualTo(first);
    assertThat(logged(memory.afterPowerCut())).isEqualTo(texts(1, 2));
    assertThat(memory.exists(first)).as("the failed file stays").isTrue();
    appendAndSync(wal, 3);
    assertThat(Set.copyOf(logged(memory.afterPowerCut()))).containsAll(texts(1, 2, 3));
    assertThat(told.events).containsExactly("file failed");
    wal.flushed(Entries.REGION, 1);
    assertThat(memory.exists(first)).as("it may hold entry 2").isTrue();
    wal.flushed(Entries.REGION, 2);
    assertThat(memory.exists(first)).isFalse();
    wal.close();
    assertThat(Set.copyOf(logged(memory))).isEqualTo(Set.copyOf(texts(1, 2, 3)));
  }

  @Test
  void aNextFileThatFailsAsWellIsNotTheLast() throws IOException {
    GroupCommitWal wal = open(SyncLevel.SYNCED);
    appendAndSync(wal, 1);
    faults.add(FaultRule.of(StorageOperation.SYNC).nth(1));
    faults.add(FaultRule.of(StorageOperation.CREATE).nth(1).how(Manner.DONE));
    faults.add(FaultRule.of(StorageOperation.SYNC).nth(3)); // the entries of the second attempt
    appendAndSync(wal, 2);
    assertThat(logged(memory.afterPowerCut())).containsExactlyElementsOf(texts(1, 2));
    assertThat(memory.list(DIRECTORY)).as("attempts are removed").hasSize(2);
    wal.close();
  }

  @Test
  void entriesThatWereOnlyFlushedAreWrittenAgainToo() throws IOException {
    GroupCommitWal wal = open(SyncLevel.FLUSHED);
    appendAndSync(wal, 1);
    appendAndSync(wal, 2);
    faults.add(FaultRule.of(StorageOperation.SYNC).nth(1));
    long third = wal.append(entry(3));
    wal.sync(third, SyncLevel.SYNCED);
    assertThat(logged(memory.afterPowerCut())).isEqualTo(texts(1, 2, 3));
    wal.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = StorageOperation.class,
      names = {"CREATE", "WRITE", "SYNC"})
  void aLogThatCannotGoOnAnywhereFailsForGood(StorageOperation operation) throws IOException {
    GroupCommitWal wal = open(SyncLevel.SYNCED);
    appendAndSync(wal, 1);
    faults.add(FaultRule.of(StorageOperation.SYNC).nth(1));
    faults.add(FaultRule.of(operation).how(Manner.NOT_DONE));
    long second = wal.append(entry(2));
    CompletableFuture<Void> settled = wal.settled(second, SyncLevel.SYNCED);
    assertThatThrownBy(() -> wal.sync(second))
        .isInstanceOf(WalFailedException.class)
        .hasMessageContaining(DIRECTORY)
        .hasMessageContaining("Injected fault");
    assertThatThrownBy(() -> wal.sync(second)).isInstanceOf(WalFailedException.class);
    assertThatThrownBy(() -> wal.append(entry(3))).isInstanceOf(WalFailedException.class);
    assertThatThrownBy(wal::checkWritable).isInstanceOf(WalFailedException.class);
    assertThatThrownBy(wal::roll).isInstanceOf(WalFailedException.class);
    assertThat(settled).isCompletedExceptionally();
    wal.sync(1);
    faults.heal();
    assertThatThrownBy(wal::close).isInstanceOf(WalFailedException.class);
    assertThat(told.events).containsExactly("file failed", "failed");
    assertThat(logged(memory.afterPowerCut())).isEqualTo(texts(1));
  }

  @Test
  void everyOneOfManyWaitersLearnsOfTheEnd() throws Exception {
    GroupCommitWal wal = open(SyncLevel.SYNCED);
    faults.add(FaultRule.of(StorageOperation.SYNC).fromNth(20));
    Set<String> safe = ConcurrentHashMap.newKeySet();
    for (Future<?> writer : writers(wal, safe)) {
      assertThatThrownBy(writer::get).hasCauseInstanceOf(WalFailedException.class);
    }
    assertThatThrownBy(wal::close).isInstanceOf(WalFailedException.class);
    assertThat(Set.copyOf(logged(memory.afterPowerCut()))).containsAll(safe);
  }

  /** Each goes on after a stall, and counts as safe what it was told is. */
  private List<Future<?>> writers(Wal wal, Set<String> safe) {
    List<Future<?>> writers = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      String region = "%032x".formatted(t);
      writers.add(
          executor.submit(
              () -> {
                for (long sequence = 1; sequence <= 300; sequence++) {
                  WalEntry entry = Entries.of(region, sequence, "x");
                  long txid = wal.append(entry);
                  try {
                    wal.sync(txid);
                  } catch (WalStalledException e) {
                    wal.settled(txid, SyncLevel.SYNCED).get();
                    wal.sync(txid);
                  }
                  safe.add(Entries.text(entry));
                }
                return null;
              }));
    }
    return writers;
  }

  @Test
  void whateverFailsNowAndThenNothingSafeIsLostAndNothingIsInvented() throws Exception {
    GroupCommitWal wal = open(SyncLevel.SYNCED);
    faults.add(FaultRule.of(StorageOperation.SYNC, StorageOperation.WRITE).withProbability(0.1));
    faults.add(FaultRule.of(StorageOperation.CREATE, StorageOperation.DELETE).withProbability(0.1));
    Set<String> safe = ConcurrentHashMap.newKeySet();
    List<Future<?>> writers = writers(wal, safe);
    for (int cut = 0; cut < 20 && !writers.stream().allMatch(Future::isDone); cut++) {
      int soFar = safe.size();
      Waiting.until(() -> safe.size() > soFar || writers.stream().allMatch(Future::isDone));
      List<String> expected = List.copyOf(safe);
      assertThat(Set.copyOf(logged(memory.afterPowerCut(new SplittableRandom(cut)))))
          .containsAll(expected);
    }
    for (Future<?> writer : writers) {
      try {
        writer.get();
      } catch (java.util.concurrent.ExecutionException e) {
        assertThat(e).hasCauseInstanceOf(WalFailedException.class); // three failures in a row
      }
    }
    faults.heal();
    Set<String> found = Set.copyOf(logged(memory.afterPowerCut()));
    assertThat(found).containsAll(safe);
    Set<String> possible = new HashSet<>();
    for (int t = 0; t < 8; t++) {
      for (long sequence = 1; sequence <= 300; sequence++) {
        possible.add(Entries.text(Entries.of("%032x".formatted(t), sequence, "x")));
      }
    }
    assertThat(possible).containsAll(found);
  }

  @Test
  void onAFullDiskTheLogStallsAndGoesOnByItself() throws Exception {
    GroupCommitWal wal = open(SyncLevel.SYNCED);
    appendAndSync(wal, 1);
    storage.limitTo(storage.usedBytes());
    long second = wal.append(Entries.of(Entries.REGION, 2, "x".repeat(10_000)));
    assertThatThrownBy(() -> wal.sync(second))
        .isInstanceOf(WalStalledException.class)
        .hasMessageContaining(DIRECTORY)
        .hasMessageContaining("full")
        .hasRootCauseInstanceOf(DiskFullException.class);
    CompletableFuture<Void> settled = wal.settled(second, SyncLevel.SYNCED);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> wal.append(entry(3))).isInstanceOf(WalStalledException.class);
      assertThatThrownBy(() -> wal.sync(second)).isInstanceOf(WalStalledException.class);
      assertThatThrownBy(wal::checkWritable).isInstanceOf(WalStalledException.class);
      assertThatThrownBy(wal::roll).hasRootCauseInstanceOf(DiskFullException.class);
    }
    wal.sync(1);
    assertThat(settled).isNotDone();
    assertThat(wal.lastTxid()).isEqualTo(second);
    storage.limitTo(Long.MAX_VALUE);
    settled.get(60, TimeUnit.SECONDS);
    wal.sync(second);
    Waiting.until(() -> told.events.contains("resumed"));
    appendAndSync(wal, 3);
    assertThat(told.events).containsExactly("file failed", "stalled", "resumed");
    assertThat(logged(memory.afterPowerCut())).hasSize(3);
    assertThat(memory.list(DIRECTORY)).as("no litter of probes").hasSize(2);
    wal.close();
  }

  @Test
  void whoWaitsToAppendIsSentAwayByAFullDisk() throws Exception {
    WalConfig small =
        new WalConfig(
            DIRECTORY, ARCHIVE, "p", SyncLevel.SYNCED, 1 << 20, 32, 10_000, 1_000_000_000L);
    GroupCommitWal wal =
        GroupCommitWal.open(
            storage, small.withRecovery(QUICK), Clock.SYSTEM, Thread::new, WalListener.NONE);
    storage.limitTo(storage.usedBytes());
    assertThatThrownBy(
            () -> {
              for (int i = 1; i <= 1000; i++) {
                wal.append(Entries.of(Entries.REGION, i, "x".repeat(1000)));
              }
            })
        .isInstanceOf(WalStalledException.class);
    long last = wal.lastTxid();
    assertThat(last).as("what waits in memory is bounded").isLessThan(50);
    storage.limitTo(Long.MAX_VALUE);
    wal.settled(last, SyncLevel.SYNCED).get(60, TimeUnit.SECONDS);
    assertThat(Set.copyOf(logged(memory.afterPowerCut()))).hasSize((int) last);
    wal.close();
  }

  @Test
  void aLogThatIsClosedOnAFullDiskSaysThatItFailed() throws Exception {
    GroupCommitWal wal = open(SyncLevel.SYNCED);
    appendAndSync(wal, 1);
    storage.limitTo(storage.usedBytes());
    long second = wal.append(Entries.of(Entries.REGION, 2, "x".repeat(10_000)));
    assertThatThrownBy(() -> wal.sync(second)).isInstanceOf(WalStalledException.class);
    CompletableFuture<Void> settled = wal.settled(second, SyncLevel.SYNCED);
    assertThatThrownBy(wal::close).isInstanceOf(WalFailedException.class);
    assertThat(settled).isCompletedExceptionally();
    assertThat(logged(memory.afterPowerCut())).isEqualTo(texts(1));
  }

  @Test
  void aRollThatCannotBeginAFileLeavesTheLogInTheOneItHas() throws IOException {
    GroupCommitWal wal = open(SyncLevel.SYNCED);
    appendAndSync(wal, 1);
    String first = wal.currentPath();
    faults.add(FaultRule.of(StorageOperation.CREATE).how(Manner.DISK_FULL));
    assertThatThrownBy(wal::roll)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(first)
        .hasRootCauseInstanceOf(DiskFullException.class);
    appendAndSync(wal, 2);
    assertThat(wal.currentPath()).isEqualTo(first);
    faults.heal();
    wal.roll();
    assertThat(wal.currentPath()).isNotEqualTo(first);
    assertThat(told.events).containsExactly("roll failed");
    assertThat(logged(memory.afterPowerCut())).isEqualTo(texts(1, 2));
    wal.close();
  }

  @Test
  void aFileThatLosesItsTrailerIsAsGood() throws IOException {
    GroupCommitWal wal = open(SyncLevel.SYNCED);
    appendAndSync(wal, 1);
    faults.add(FaultRule.of(StorageOperation.CLOSE));
    wal.roll();
    appendAndSync(wal, 2);
    wal.close();
    assertThat(logged(memory.afterPowerCut())).isEqualTo(texts(1, 2));
    assertThat(told.events).containsOnly("file failed");
  }

  @Test
  void aServerWhoseLogIsBeingRecoveredDoesNotGoOnAfterAFailure() throws IOException {
    GroupCommitWal wal = open(SyncLevel.SYNCED);
    appendAndSync(wal, 1);
    memory.rename(DIRECTORY, DIRECTORY + LogSplitter.SPLITTING_SUFFIX);
    faults.add(FaultRule.of(StorageOperation.SYNC).nth(1));
    assertThatThrownBy(() -> appendAndSync(wal, 2))
        .isInstanceOf(WalFailedException.class)
        .hasMessageContaining("declared dead");
    assertThat(memory.list(DIRECTORY)).isEmpty();
    assertThatThrownBy(wal::close).isInstanceOf(WalFailedException.class);
  }

  @RepeatedTest(10)
  void whatTwoFilesHoldIsRecoveredOnceHoweverOftenTheSplitStops() throws IOException {
    long seed = Long.getLong("cairn.seed", new Random().nextLong());
    SplittableRandom random = new SplittableRandom(seed);
    String region = "data/space/table/" + Entries.REGION;
    memory.createDirectories(region);
    GroupCommitWal wal = open(SyncLevel.SYNCED);
    faults.add(FaultRule.of(StorageOperation.SYNC, StorageOperation.WRITE).withProbability(0.2));
    int count = 1 + random.nextInt(40);
    List<Long> expected = new ArrayList<>();
    long safe = 0;
    try {
      for (long sequence = 1; sequence <= count; sequence++) {
        expected.add(sequence);
        long txid = wal.append(entry(sequence));
        if (random.nextInt(3) == 0) {
          wal.sync(txid);
          safe = sequence;
        }
      }
    } catch (WalFailedException e) {
      assertThat(e).hasMessageContaining("Injected fault"); // three failures in a row
    }
    MemoryStorage left = random.nextBoolean() ? memory.afterPowerCut(random) : memory.afterKill();
    faults.heal();
    for (int steps = 3; ; steps += 5) {
      try {
        Storage mortal = new FaultyStorage(left, FaultyStorage.Fault.stopAfter(steps));
        new LogSplitter(mortal, "data", ARCHIVE).split(DIRECTORY);
        break;
      } catch (IOException stopped) {
        left = left.afterPowerCut(random);
      }
    }
    List<Long> replayed = new ArrayList<>();
    new RecoveredEdits(left, region).replay(0, entry -> replayed.add(entry.sequence()));
    assertThat(replayed).as("seed %d", seed).isEqualTo(expected.subList(0, replayed.size()));
    assertThat((long) replayed.size()).as("seed %d", seed).isGreaterThanOrEqualTo(safe);
    try {
      wal.close();
    } catch (WalFailedException e) {
      assertThat(e).hasMessageContaining("Injected fault");
    }
  }

  @Test
  void ofTwoFilesThatEndAlikeTheLongerOneCounts() throws IOException {
    String region = "data/space/table/" + Entries.REGION;
    memory.createDirectories(region);
    GroupCommitWal wal = open(SyncLevel.SYNCED);
    for (int sequence = 1; sequence <= 5; sequence++) {
      appendAndSync(wal, sequence);
    }
    faults.add(FaultRule.of(StorageOperation.SYNC).nth(1).how(Manner.DONE));
    appendAndSync(wal, 6);
    MemoryStorage left = memory.afterKill();
    new LogSplitter(left, "data", ARCHIVE).split(DIRECTORY);
    List<Long> replayed = new ArrayList<>();
    new RecoveredEdits(left, region).replay(0, entry -> replayed.add(entry.sequence()));
    assertThat(replayed).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    wal.close();
  }
}
