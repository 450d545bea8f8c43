package dev.cairn.engine.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.WalConfig.WalRecovery;
import dev.cairn.engine.wal.file.SyncLevel;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests a log without its own thread: the thread that uses it polls it. */
class WalPollTest {
  private static final String DIRECTORY = "WALs/host,16020,1";
  private static final String ARCHIVE = "oldWALs";
  private static final long LINGER = 20;
  private static final long PAUSE = 500;

  private final MemoryStorage memory = new MemoryStorage(Clock.SYSTEM);
  private boolean fails;
  private long now = 1000;
  private GroupCommitWal wal;

  /** A waiting thread polls the log; the test fails if the log has nothing to do. */
  private final Clock clock =
      new Clock() {
        @Override
        public long currentTimeMillis() {
          return now;
        }

        @Override
        public long nanoTime() {
          return now;
        }

        @Override
        public void park(long nanos) {
          assertThat(wal.poll(now)).isZero();
        }
      };

  private void open() throws IOException {
    FaultyStorage storage =
        new FaultyStorage(memory, (operation, path) -> fails && operation == StorageOperation.SYNC);
    WalConfig config =
        new WalConfig(DIRECTORY, ARCHIVE, "p", SyncLevel.SYNCED, 1 << 20, 32, 1 << 20, LINGER)
            .withRecovery(new WalRecovery(3, PAUSE, 10 * PAUSE));
    wal = GroupCommitWal.open(storage, config, clock, WalListener.NONE);
  }

  private long append(long sequence) throws IOException {
    return wal.append(Entries.of(Entries.REGION, sequence, "x"));
  }

  private List<String> logged() throws IOException {
    return Entries.readAll(memory.afterPowerCut(), List.of(ARCHIVE, DIRECTORY));
  }

  @Test
  void anEntryThatNobodyWaitsForIsWrittenWhenTheLogHasLingered() throws IOException {
    open();
    append(1);
    assertThat(wal.poll(now)).isEqualTo(LINGER);
    now += LINGER - 1;
    assertThat(wal.poll(now)).isEqualTo(1);
    assertThat(logged()).isEmpty();
    now += 1;
    assertThat(wal.poll(now)).isZero();
    assertThat(logged()).hasSize(1);
    assertThat(wal.poll(now)).isEqualTo(LINGER);
    now += LINGER;
    assertThat(wal.poll(now)).as("until somebody calls").isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void whoWaitsPollsTheLogUntilItsEntryIsSafe() throws IOException {
    open();
    wal.sync(append(1));
    assertThat(logged()).hasSize(1);
  }

  @Test
  void whatIsRequestedIsDoneAtTheNextPoll() throws IOException {
    open();
    CompletableFuture<Void> safe = new CompletableFuture<>();
    wal.whenDurable(append(1), SyncLevel.SYNCED, new TxidWaiters.Promise(safe));
    wal.requestSync();
    assertThat(safe).isNotDone();
    assertThat(wal.poll(now)).isZero();
    assertThat(safe).isCompleted();
  }

  @Test
  void aFileThatFailsIsReplacedAfterPauses() throws IOException {
    open();
    var settled = wal.settled(append(1), SyncLevel.SYNCED);
    fails = true;
    assertThat(wal.poll(now)).isEqualTo(PAUSE);
    fails = false;
    assertThat(wal.poll(now + PAUSE - 1)).as("not before").isEqualTo(1);
    assertThat(settled).isNotDone();
    now += PAUSE;
    assertThat(wal.poll(now)).isZero();
    assertThat(settled).isCompleted();
    assertThat(logged()).hasSize(1);
  }

  @Test
  void aLogThatCannotGoOnFailsAndHasEnded() throws IOException {
    open();
    var settled = wal.settled(append(1), SyncLevel.SYNCED);
    fails = true;
    for (long nanos = wal.poll(now); nanos > 0; nanos = wal.poll(now)) {
      now += nanos;
    }
    assertThat(settled).isCompletedExceptionally();
    assertThat(wal.poll(now)).isEqualTo(GroupCommitWal.ENDED);
    assertThatThrownBy(wal::close).isInstanceOf(WalFailedException.class);
  }

  @Test
  void rollingAndClosingPollTheLogUntilTheyAreDone() throws IOException {
    open();
    append(1);
    String first = wal.currentPath();
    wal.roll();
    assertThat(wal.currentPath()).isNotEqualTo(first);
    append(2);
    wal.close();
    assertThat(logged()).hasSize(2);
    assertThat(wal.poll(now)).isEqualTo(GroupCommitWal.ENDED);
  }
}
