package dev.cairn.engine.wal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.ForwardingAppendFile;
import dev.cairn.engine.storage.ForwardingStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalCompression;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalFileName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files are ended at their size, and each can be read by itself. */
class WalRollingTest {
  private static final int ROLL_SIZE = 20_000;
  private static final int ENTRIES = 200;

  private final MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);

  static List<WalCompression> compressions() {
    return List.of(WalCompression.NONE, new WalCompression(true, true, Optional.empty()));
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void aFileThatIsLongEnoughIsEndedAndGoesOnceNobodyNeedsIt(WalCompression compression)
      throws IOException {
    WalConfig config =
        new WalConfig("WALs/s", "oldWALs", "s", SyncLevel.SYNCED, ROLL_SIZE, 32)
            .withCompression(compression);
    SplittableRandom random = new SplittableRandom(5);
    List<WalEntry> entries = new ArrayList<>();
    try (GroupCommitWal wal =
        GroupCommitWal.open(storage, config, Clock.SYSTEM, Thread::new, WalListener.NONE)) {
      for (int i = 1; i <= ENTRIES; i++) {
        WalEntry entry = Entries.random(Entries.REGION, i, random, 500);
        entries.add(entry);
        wal.sync(wal.append(entry));
      }
      List<FileInfo> files = files();
      assertThat(files).hasSizeGreaterThan(3);
      List<String> found = new ArrayList<>();
      for (FileInfo file : files) {
        // One entry more than there was room for, at most.
        assertThat(file.length()).isLessThan(ROLL_SIZE + 10_000);
        found.addAll(Entries.readAll(storage, file.path()));
      }
      assertThat(found).isEqualTo(Entries.texts(entries));
      // All but the newest file; the last entries may be in one that is being ended just now.
      wal.flushed(Entries.REGION, ENTRIES);
      wal.roll();
      assertThat(files()).hasSize(1);
      assertThat(storage.list("oldWALs").size()).isGreaterThanOrEqualTo(files.size() - 1);
    }
  }

  /** Readers take the files of a log in the order of their numbers. */
  @Test
  void theNumbersOfFilesIncreaseAlsoIfTheClockIsSetBack() throws IOException {
    AtomicLong millis = new AtomicLong(1_700_000_000_000L);
    Clock backwards =
        new Clock() {
          @Override
          public long currentTimeMillis() {
            return millis.addAndGet(-1_000);
          }

          @Override
          public long nanoTime() {
            return System.nanoTime();
          }
        };
    WalConfig config = new WalConfig("WALs/s", "oldWALs", "s", SyncLevel.SYNCED, 1 << 20, 32);
    List<WalEntry> entries = new ArrayList<>();
    try (GroupCommitWal wal =
        GroupCommitWal.open(storage, config, backwards, Thread::new, WalListener.NONE)) {
      for (int i = 1; i <= 5; i++) {
        WalEntry entry = Entries.of(Entries.REGION, i, "value" + i);
        entries.add(entry);
        wal.sync(wal.append(entry));
        wal.roll();
      }
      List<String> found = new ArrayList<>();
      for (FileInfo file : files()) {
        found.addAll(Entries.readAll(storage, file.path()));
      }
      assertThat(found).isEqualTo(Entries.texts(entries));
    }
  }

  /** A DataNode has died, and a new file may be held by others. */
  @Test
  void aFileThatTooFewMachinesHoldIsFollowedByAnother() throws IOException {
    WalConfig config =
        new WalConfig("WALs/s", "oldWALs", "s", SyncLevel.SYNCED, 1 << 20, 32)
            .withRollPolicy(new WalRollPolicy(Long.MAX_VALUE, 9, 1, Long.MAX_VALUE, 3, 5));
    List<WalEntry> entries = new ArrayList<>();
    try (GroupCommitWal wal =
        GroupCommitWal.open(
            new CountedCopies(storage, 2), config, Clock.SYSTEM, Thread::new, WalListener.NONE)) {
      for (int i = 1; i <= 20; i++) {
        WalEntry entry = Entries.of(Entries.REGION, i, "value");
        entries.add(entry);
        wal.sync(wal.append(entry));
      }
      wal.roll(); // after those that the log decided on
      assertThat(files()).hasSize(1 + 5 + 1);
      List<String> found = new ArrayList<>();
      for (FileInfo file : files()) {
        found.addAll(Entries.readAll(storage, file.path()));
      }
      assertThat(found).isEqualTo(Entries.texts(entries));
    }
  }

  /** Files that so many machines hold. */
  private static final class CountedCopies extends ForwardingStorage {
    private final int copies;

    CountedCopies(Storage storage, int copies) {
      super(storage);
      this.copies = copies;
    }

    @Override
    public AppendFile createFenced(String path) throws IOException {
      return new ForwardingAppendFile(super.createFenced(path)) {
        @Override
        public int copies() {
          return copies;
        }
      };
    }
  }

  private List<FileInfo> files() throws IOException {
    List<FileInfo> files = new ArrayList<>(storage.list("WALs/s"));
    files.sort(WalFileName.ORDER);
    return files;
  }
}
