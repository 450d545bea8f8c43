package dev.cairn.engine.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.Waiting;
import dev.cairn.engine.wal.WalConfig.WalRecovery;
import dev.cairn.engine.wal.file.SyncLevel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting threads lead group commits while the log's own thread rests. */
@Timeout(60)
class CommitLeaderTest {
  private static final String DIRECTORY = "WALs/host,16020,1";
  private static final String ARCHIVE = "oldWALs";
  private static final long AN_HOUR = TimeUnit.HOURS.toNanos(1);

  private final MemoryStorage memory = new MemoryStorage(Clock.SYSTEM);
  private final ExecutorService executor = Executors.newCachedThreadPool();

  /** The threads that synced a file, in order. */
  private final List<Thread> syncing = new CopyOnWriteArrayList<>();

  private volatile Predicate<String> fails = path -> false;
  private volatile CountDownLatch disk = new CountDownLatch(0);
  private volatile Thread own;

  @AfterEach
  void stopThreads() {
    disk.countDown();
    executor.shutdownNow();
  }

  /** Opens a log whose thread rests for an hour unless it is woken, and waits until it does. */
  private GroupCommitWal open(long rollSizeBytes, WalListener listener) throws IOException {
    FaultyStorage storage =
        new FaultyStorage(
            memory,
            (operation, path) -> {
              if (operation != StorageOperation.SYNC) {
                return false;
              }
              syncing.add(Thread.currentThread());
              Waiting.until(disk);
              return fails.test(path);
            });
    WalConfig config =
        new WalConfig(
            DIRECTORY, ARCHIVE, "p", SyncLevel.SYNCED, rollSizeBytes, 32, 1 << 20, AN_HOUR);
    GroupCommitWal wal =
        GroupCommitWal.open(
            storage,
            config.withRecovery(new WalRecovery(3, 1_000_000, 1_000_000)),
            Clock.SYSTEM,
            task -> {
              own = new Thread(task);
              return own;
            },
            listener);
    untilItRests();
    syncing.clear();
    return wal;
  }

  private GroupCommitWal open() throws IOException {
    return open(1 << 20, WalListener.NONE);
  }

  private void untilItRests() {
    Waiting.until(() -> own.getState() == Thread.State.TIMED_WAITING);
  }

  private static void appendAndSync(Wal wal, long sequence) throws IOException {
    wal.sync(wal.append(Entries.of(Entries.REGION, sequence, "x")));
  }

  private List<String> logged() throws IOException {
    return Entries.readAll(memory.afterPowerCut(), List.of(ARCHIVE, DIRECTORY));
  }

  @Test
  void aWaitingThreadWrites() throws IOException {
    try (GroupCommitWal wal = open()) {
      for (int i = 1; i <= 20; i++) {
        appendAndSync(wal, i);
        assertThat(logged()).hasSize(i);
      }
      assertThat(syncing).hasSize(20).containsOnly(Thread.currentThread());
    }
  }

  @Test
  void aWaitingThreadWritesAllEarlierEntries() throws IOException {
    try (GroupCommitWal wal = open()) {
      for (int i = 1; i <= 20; i++) {
        wal.append(Entries.of(Entries.REGION, i, "x"));
      }
      appendAndSync(wal, 21);
      assertThat(syncing).containsExactly(Thread.currentThread());
      assertThat(logged()).hasSize(21);
    }
  }

  @Test
  void theLogsThreadServesLaterCallersTogether() throws Exception {
    try (GroupCommitWal wal = open()) {
      disk = new CountDownLatch(1);
      List<Future<?>> all = new ArrayList<>();
      all.add(executor.submit(() -> sync(wal, 1)));
      Waiting.until(() -> syncing.size() == 1);
      for (int i = 2; i <= 10; i++) {
        int sequence = i;
        all.add(executor.submit(() -> sync(wal, sequence)));
        Waiting.until(() -> wal.lastTxid() == sequence);
      }
      disk.countDown();
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
      assertThat(syncing.get(0)).isNotSameAs(own);
      assertThat(syncing.subList(1, syncing.size())).as("one sync, or two").contains(own);
      assertThat(syncing.size()).isLessThanOrEqualTo(10);
      assertThat(logged()).hasSize(10);
    }
  }

  private static Void sync(Wal wal, long sequence) throws IOException {
    appendAndSync(wal, sequence);
    return null;
  }

  @Test
  void aFileThatFailsIsReplacedByTheLogsThread() throws IOException {
    try (GroupCommitWal wal = open()) {
      appendAndSync(wal, 1);
      String first = wal.currentPath();
      fails = first::equals;
      syncing.clear();
      appendAndSync(wal, 2);
      assertThat(wal.currentPath()).isNotEqualTo(first);
      assertThat(syncing).startsWith(Thread.currentThread(), own);
      assertThat(logged()).hasSize(2);
      untilItRests();
      syncing.clear();
      appendAndSync(wal, 3);
      assertThat(syncing).containsExactly(Thread.currentThread());
      assertThat(logged()).hasSize(3);
    }
  }

  @Test
  void aLogThatCannotContinueFailsForAllWaiters() throws IOException {
    GroupCommitWal wal = open();
    appendAndSync(wal, 1);
    fails = path -> true;
    assertThatThrownBy(() -> appendAndSync(wal, 2)).isInstanceOf(WalFailedException.class);
    assertThatThrownBy(() -> appendAndSync(wal, 3)).isInstanceOf(WalFailedException.class);
    assertThatThrownBy(wal::close).isInstanceOf(WalFailedException.class);
    assertThat(logged()).hasSize(1);
  }

  @Test
  void anUnexpectedExceptionFailsTheLog() throws IOException {
    WalListener throwing =
        new WalListener() {
          @Override
          public void groupCommitted(int entries, long bytes, long nanos) {
            throw new IllegalStateException("a listener");
          }
        };
    GroupCommitWal wal = open(1 << 20, throwing);
    appendAndSync(wal, 1);
    assertThatThrownBy(wal::close)
        .isInstanceOf(WalFailedException.class)
        .hasStackTraceContaining("a listener");
    assertThat(logged()).as("what was acknowledged").hasSize(1);
  }

  @Test
  void aFileThatIsLongEnoughIsEndedByTheLogsThread() throws IOException {
    try (GroupCommitWal wal = open(1, WalListener.NONE)) {
      String first = wal.currentPath();
      appendAndSync(wal, 1);
      Waiting.until(() -> !wal.currentPath().equals(first));
      untilItRests();
      assertThat(syncing.get(0)).isSameAs(Thread.currentThread());
      assertThat(syncing).contains(own);
    }
  }

  @Test
  void theLogIsNotClosedWhileAWaitingThreadLeads() throws Exception {
    GroupCommitWal wal = open();
    disk = new CountDownLatch(1);
    Future<?> writing = executor.submit(() -> sync(wal, 1));
    Waiting.until(() -> syncing.size() == 1);
    Thread closer =
        new Thread(
            () -> {
              try {
                wal.close();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    closer.start();
    Waiting.untilWaitingOrDone(closer);
    assertThat(closer.isAlive()).isTrue();
    disk.countDown();
    writing.get(60, TimeUnit.SECONDS);
    closer.join();
    assertThat(logged()).hasSize(1);
    assertThatThrownBy(() -> appendAndSync(wal, 2)).hasMessageContaining("closed");
  }
}
