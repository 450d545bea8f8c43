package dev.cairn.engine.wal.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.layout.WalRootStorage;
import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.engine.storage.ForwardingStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Entries;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalBuffer;
import dev.cairn.engine.wal.file.WalCompression;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalWriter;
import dev.cairn.engine.wal.split.LogSplitter.LeftLog;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several processes split one log, each for other regions. */
class LogSplitShareTest {
  private static final String SERVER = "host,16020,1";
  private static final String WALS = "WALs/" + SERVER;
  private static final String SPLITTING = WALS + LogSplitter.SPLITTING_SUFFIX;
  private static final String A = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  private static final String B = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
  private static final String META = "1588230740";

  private final MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
  private final FencedStorage owner = new FencedStorage(storage, ".tmp", "archive");
  private final LogSplitter splitter = new LogSplitter(storage, "data", "oldWALs");

  @BeforeEach
  void leaveALog() throws IOException {
    owner.claim(7);
    storage.createDirectories(region(A));
    storage.createDirectories(region(B));
    storage.createDirectories(region(META));
    write("host.9", Entries.of(A, 1, "one"), Entries.of(B, 1, "one"), Entries.of(A, 2, "two"));
    write("host.10", Entries.of(B, 2, "two"), Entries.of(A, 3, "three"));
    write("host.meta.11.meta", Entries.of(META, 1, "one"));
  }

  private void write(String name, WalEntry... entries) throws IOException {
    WalWriter writer =
        WalWriter.create(
            storage, WALS + "/" + name, new WalBuffer(), WalCompression.NONE, SyncLevel.SYNCED);
    for (WalEntry entry : entries) {
      writer.append(entry);
    }
    writer.sync();
    writer.finish();
  }

  private static String region(String name) {
    return "data/space/table/" + name;
  }

  private String lend(long number) throws IOException {
    owner.lend(number);
    return owner.lent(number);
  }

  private void split(LogSplitter by, String region, String scratch) throws IOException {
    by.splitShare(
        SPLITTING, LogKind.REGIONS, region::equals, FlushedEdits.NONE, scratch, SplitProgress.NONE);
  }

  private List<Long> sequences(String region) throws IOException {
    List<Long> sequences = new ArrayList<>();
    new RecoveredEdits(storage, region(region)).replay(0, entry -> sequences.add(entry.sequence()));
    return sequences;
  }

  private List<String> recovered(String region) throws IOException {
    return storage.list(region(region) + "/recovered.edits").stream().map(FileInfo::name).toList();
  }

  @Test
  void eachShareGivesItsRegionsOneFileAndTheLogStaysUntilItIsArchived() throws IOException {
    LeftLog log = splitter.takeOver(WALS);
    assertThat(log.kinds()).containsExactlyInAnyOrder(LogKind.META, LogKind.REGIONS);
    split(splitter, A, lend(1));
    assertThat(sequences(A)).containsExactly(1L, 2L, 3L);
    assertThat(recovered(A)).hasSize(1);
    assertThat(recovered(B)).isEmpty();
    split(splitter, B, lend(2));
    assertThat(sequences(B)).containsExactly(1L, 2L);
    assertThat(recovered(META)).isEmpty();
    assertThat(storage.list(SPLITTING)).hasSize(3);

    splitter.archive(log, LogKind.REGIONS, Set.of("host.9"));
    assertThat(storage.exists("corrupt/host.9")).isTrue();
    assertThat(storage.exists("oldWALs/host.10")).isTrue();
    splitter.splitShare(
        SPLITTING, LogKind.META, region -> true, FlushedEdits.NONE, lend(3), SplitProgress.NONE);
    assertThat(sequences(META)).containsExactly(1L);
    splitter.archive(log, LogKind.META, Set.of());
    splitter.remove(log);
    assertThat(storage.exists(SPLITTING)).isFalse();
  }

  @Test
  void twoProcessesThatSplitTheSameShareLeaveOneFile() throws IOException {
    splitter.takeOver(WALS);
    split(splitter, A, lend(1));
    split(splitter, A, lend(2));
    assertThat(recovered(A)).hasSize(1);
    assertThat(sequences(A)).containsExactly(1L, 2L, 3L);
  }

  private static FlushedSequences flushed(String family, long sequence) {
    return new FlushedSequences(List.of(new FlushedSequences.Family(Bytes.utf8(family), sequence)));
  }

  private List<String> texts(String region) throws IOException {
    List<String> texts = new ArrayList<>();
    new RecoveredEdits(storage, region(region))
        .replay(0, entry -> texts.add(entry.sequence() + ": " + entry.cells().size() + " cells"));
    return texts;
  }

  private void splitAllBut(FlushedSequences flushed) throws IOException {
    splitter.takeOver(WALS);
    splitter.splitShare(
        SPLITTING, LogKind.REGIONS, A::equals, region -> flushed, lend(1), SplitProgress.NONE);
  }

  @Test
  void entriesThatStoreFilesHoldAreLeftOut() throws IOException {
    splitAllBut(flushed("f", 2));
    assertThat(texts(A)).containsExactly("3: 1 cells");
    assertThat(recovered(A)).containsExactly("0000000000000000003");
  }

  @Test
  void theHighestNumberStaysInTheFileIfStoreFilesHoldAll() throws IOException {
    splitAllBut(flushed("f", 3));
    assertThat(texts(A)).containsExactly("3: 0 cells");
    assertThat(recovered(A)).containsExactly("0000000000000000003");
  }

  @Test
  void entriesOfFamiliesWithoutAKnownFlushAreRecovered() throws IOException {
    splitAllBut(flushed("g", 3));
    assertThat(sequences(A)).containsExactly(1L, 2L, 3L);
  }

  /** An entry without cells carries the nonce of a change, so that the change is not made twice. */
  @Test
  void entriesWithoutCellsAreRecovered() throws IOException {
    WalEntry nonce =
        new WalEntry(A, Entries.TABLE, 4, 1_700_000_000_000L, new CellBuffer(), new Nonce(5, 6));
    write("host.12", nonce);
    splitAllBut(flushed("f", 9));
    assertThat(texts(A)).containsExactly("4: 0 cells");
  }

  @Test
  void anEntryIsRecoveredIfOneOfItsFamiliesIsNotFlushed() throws IOException {
    CellBuffer cells = new CellBuffer();
    for (String family : List.of("f", "g")) {
      cells.add(
          Bytes.utf8("row"),
          Bytes.utf8(family),
          Bytes.utf8("q"),
          4,
          CellType.PUT.code(),
          Bytes.utf8("value"),
          Bytes.EMPTY);
    }
    write("host.12", new WalEntry(A, Entries.TABLE, 4, 1_700_000_000_000L, cells));
    splitAllBut(
        new FlushedSequences(
            List.of(
                new FlushedSequences.Family(Bytes.utf8("f"), 9),
                new FlushedSequences.Family(Bytes.utf8("g"), 3))));
    assertThat(texts(A)).containsExactly("4: 2 cells");
  }

  /** The first process did not know what was flushed, or knew less. */
  @Test
  void aSplitThatLeavesOutMoreKeepsTheFileOfAnEarlierOne() throws IOException {
    splitter.takeOver(WALS);
    split(splitter, A, lend(1));
    splitter.splitShare(
        SPLITTING,
        LogKind.REGIONS,
        A::equals,
        region -> flushed("f", 2),
        lend(2),
        SplitProgress.NONE);
    assertThat(sequences(A)).containsExactly(1L, 2L, 3L);
  }

  /** The second process asked a master that had just begun. */
  @Test
  void aSplitThatLeavesOutLessReplacesTheFileOfAnEarlierOne() throws IOException {
    splitAllBut(flushed("f", 2));
    split(splitter, A, lend(2));
    assertThat(sequences(A)).containsExactly(1L, 2L, 3L);
    assertThat(recovered(A)).hasSize(1);
  }

  /** The key for a folder of logs was set after the tables had been made. */
  @Test
  void aRegionOutsideTheFolderOfLogsGetsItsEntries() throws IOException {
    MemoryStorage logs = new MemoryStorage(Clock.SYSTEM);
    Storage both = new WalRootStorage(storage, logs);
    FencedStorage fenced = new FencedStorage(both, ".tmp", "archive");
    fenced.claim(8);
    fenced.lend(1);
    LogSplitter split = new LogSplitter(both, "data", "oldWALs");
    split.takeOver(WALS);
    split(split, A, fenced.lent(1));
    assertThat(logs.list(region(A) + "/recovered.edits")).hasSize(1);
    List<Long> sequences = new ArrayList<>();
    new RecoveredEdits(both, region(A)).replay(0, entry -> sequences.add(entry.sequence()));
    assertThat(sequences).containsExactly(1L, 2L, 3L);
  }

  /** Pauses a process before it publishes a file, and does {@code meanwhile}. */
  private LogSplitter pausedBeforePublication(Work meanwhile) {
    Storage paused =
        new ForwardingStorage(storage) {
          @Override
          protected void before(StorageOperation operation, String path) throws IOException {
            if (operation == StorageOperation.RENAME) {
              meanwhile.run();
            }
          }
        };
    return new LogSplitter(paused, "data", "oldWALs");
  }

  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  @Test
  void aProcessPublishesNothingAfterItsShareWasWithdrawn() throws IOException {
    splitter.takeOver(WALS);
    String scratch = lend(1);
    LogSplitter paused = pausedBeforePublication(() -> owner.recall(1));
    assertThatThrownBy(() -> split(paused, A, scratch)).isInstanceOf(NoSuchFileException.class);
    assertThat(recovered(A)).isEmpty();
    assertThatThrownBy(() -> split(splitter, A, scratch))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("withdrawn");
  }

  @Test
  void aProcessPublishesNothingForAnOwnerThatWasReplaced() throws IOException {
    splitter.takeOver(WALS);
    String scratch = lend(1);
    FencedStorage next = new FencedStorage(storage, ".tmp", "archive");
    LogSplitter paused =
        pausedBeforePublication(
            () -> {
              next.claim(8);
              next.takeOver();
            });
    assertThatThrownBy(() -> split(paused, A, scratch)).isInstanceOf(NoSuchFileException.class);
    assertThat(recovered(A)).isEmpty();
    assertThatThrownBy(() -> owner.lend(2)).isInstanceOf(IOException.class);
    assertThat(storage.exists(".tmp/owner-7")).isFalse();
  }
}
