package dev.cairn.engine.wal.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.FaultRule;
import dev.cairn.engine.storage.FaultRule.Manner;
import dev.cairn.engine.storage.Faults;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.FaultyStorage.Fault;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.SealedFileException;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Entries;
import dev.cairn.engine.wal.file.CorruptWalException;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalBuffer;
import dev.cairn.engine.wal.file.WalCompression;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LogSplitterTest {
  private static final String WALS = "WALs/host,16020,1";
  private static final String A = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  private static final String B = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
  private static final String GONE = "cccccccccccccccccccccccccccccccc";

  private static MemoryStorage deadServer() throws IOException {
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    storage.createDirectories(region(A));
    storage.createDirectories(region(B));
    write(
        storage,
        "host.9",
        true,
        Entries.of(A, 1, "one"),
        Entries.of(B, 1, "one"),
        Entries.of(A, 2, "two"),
        Entries.of(GONE, 8, "x"));
    write(storage, "host.10", true, Entries.of(A, 3, "three"), Entries.of(A, 4, "four"));
    write(storage, "host.11", false, Entries.of(B, 2, "two"), Entries.of(A, 5, "five"));
    return storage;
  }

  private static void write(Storage storage, String name, boolean close, WalEntry... entries)
      throws IOException {
    WalWriter writer =
        WalWriter.create(
            storage, WALS + "/" + name, new WalBuffer(), WalCompression.NONE, SyncLevel.SYNCED);
    for (WalEntry entry : entries) {
      writer.append(entry);
    }
    writer.sync();
    if (close) {
      writer.finish();
    }
  }

  private static String region(String name) {
    return "data/space/table/" + name;
  }

  private static LogSplitter splitter(Storage storage) {
    return new LogSplitter(storage, "data", "oldWALs");
  }

  private static List<Long> sequences(Storage storage, String region, long after)
      throws IOException {
    List<Long> sequences = new ArrayList<>();
    new RecoveredEdits(storage, region(region))
        .replay(
            after,
            entry -> {
              assertThat(entry.region()).isEqualTo(region);
              sequences.add(entry.sequence());
            });
    return sequences;
  }

  /** A log file failed and its successor began with the last entry; then a read goes wrong. */
  @Test
  void whatCannotBeReadIsNotReplacedByWhatMayHoldLess() throws IOException {
    for (int seed = 0; seed < 60; seed++) {
      MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
      storage.createDirectories(region(A));
      write(storage, "host.1", false, Entries.of(A, 1, "one"), Entries.of(A, 2, "two"));
      write(storage, "host.2", false, Entries.of(A, 2, "two"));
      Faults faults = new Faults(new Random(seed));
      faults.add(
          FaultRule.of(StorageOperation.READ)
              .onPath(path -> path.contains("recovered.edits"))
              .how(Manner.FLIPPED_BIT));
      try {
        splitter(new FaultyStorage(storage, faults)).split(WALS);
      } catch (CorruptWalException e) {
        assertThat(e).hasMessageContaining("recovered.edits");
      }
      splitter(storage).split(WALS);
      assertThat(sequences(storage, A, 0)).as("seed %d", seed).containsExactly(1L, 2L);
    }
  }

  /** A log file failed, and its successor, which began with the last but one entry, was cut. */
  @Test
  void aShortSuccessorHidesNoEarlierEntries() throws IOException {
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    storage.createDirectories(region(A));
    WalEntry two = Entries.of(A, 2, "two");
    write(storage, "host.1", false, Entries.of(A, 1, "one"), two, Entries.of(A, 3, "three"));
    write(storage, "host.2", false, two);
    splitter(storage).split(WALS);
    assertThat(sequences(storage, A, 0)).containsExactly(1L, 2L, 3L);
    assertThat(sequences(storage, A, 1)).containsExactly(2L, 3L);
  }

  private static void assertSplit(Storage storage) throws IOException {
    assertThat(sequences(storage, A, 0)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(sequences(storage, B, 0)).containsExactly(1L, 2L);
    assertThat(storage.exists(region(GONE))).isFalse();
    assertThat(storage.list("WALs")).isEmpty();
    assertThat(storage.list("oldWALs"))
        .extracting(Storage.FileInfo::name)
        .containsExactly("host.10", "host.11", "host.9");
  }

  @Test
  void eachRegionGetsItsEntriesInOneFileNamedAsInHBase() throws IOException {
    MemoryStorage storage = deadServer();
    SplitSummary summary = splitter(storage).split(WALS);
    assertSplit(storage.afterPowerCut());
    assertThat(storage.list(region(A) + "/recovered.edits"))
        .extracting(Storage.FileInfo::name)
        .containsExactly("0000000000000000005");
    assertThat(summary.files()).isEqualTo(3);
    assertThat(summary.entries()).isEqualTo(7);
    assertThat(summary.regions()).isEqualTo(2);
    assertThat(summary.entriesSkipped()).isEqualTo(1);
    assertThat(summary.tornFiles()).isEmpty();
  }

  @Test
  void aSplitIntoAnotherStorageTakesTheRegionsThereAndLeavesTheLogs() throws IOException {
    MemoryStorage source = deadServer();
    MemoryStorage target = new MemoryStorage(Clock.SYSTEM);
    target.createDirectories(region(A));
    SplitSummary summary = splitter(target).splitFrom(source, WALS);
    assertThat(sequences(target, A, 0)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(target.exists(region(B))).isFalse();
    assertThat(summary.regions()).isEqualTo(1);
    assertThat(source.list(WALS))
        .extracting(Storage.FileInfo::name)
        .containsExactly("host.10", "host.11", "host.9");
    assertThat(source.exists(region(A) + "/recovered.edits")).isFalse();
  }

  @Test
  void replayBeginsBehindWhatTheStoreFilesHold() throws IOException {
    MemoryStorage storage = deadServer();
    splitter(storage).split(WALS);
    assertThat(sequences(storage, A, 2)).containsExactly(3L, 4L, 5L);
    assertThat(sequences(storage, A, 3)).containsExactly(4L, 5L);
    assertThat(sequences(storage, A, 5)).isEmpty();
    RecoveredEdits edits = new RecoveredEdits(storage, region(A));
    edits.delete(edits.all());
    assertThat(edits.files()).isEmpty();
    assertThat(sequences(storage, B, 0)).hasSize(2);
  }

  @Test
  void aSecondSplitFindsNothingToDo() throws IOException {
    MemoryStorage storage = deadServer();
    splitter(storage).split(WALS);
    SplitSummary again = splitter(storage).split(WALS);
    assertThat(again.files()).isZero();
    assertSplit(storage);
  }

  @Test
  void aSplitThatStopsAnywhereIsFinishedByTheNext() throws IOException {
    int steps = 0;
    for (boolean finished = false; !finished; steps++) {
      MemoryStorage storage = deadServer();
      try {
        splitter(new FaultyStorage(storage, Fault.stopAfter(steps))).split(WALS);
        finished = true;
      } catch (IOException expected) {
        assertThat(expected).hasMessageContaining("Injected fault");
      }
      for (MemoryStorage after :
          List.of(
              storage.afterKill(),
              storage.afterPowerCut(),
              storage.afterPowerCut(new java.util.Random(steps)))) {
        splitter(after).split(WALS);
        assertSplit(after.afterPowerCut());
      }
    }
    assertThat(steps).isGreaterThan(30);
  }

  @Test
  void aFileOfTheOldServerThatComesLateIsSplitToo() throws IOException {
    MemoryStorage storage = deadServer();
    storage.rename(WALS, WALS + LogSplitter.SPLITTING_SUFFIX);
    write(storage, "host.12", false, Entries.of(A, 6, "six"));
    splitter(storage).split(WALS);
    assertThat(sequences(storage, A, 0)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(storage.list("WALs")).isEmpty();
  }

  @Test
  void aTornFileIsSplitUpToItsLastWholeEntryAndNamed() throws IOException {
    MemoryStorage storage = deadServer();
    String path = WALS + "/host.11";
    byte[] bytes = storage.readAll(path);
    Entries.write(storage, path, bytes, bytes.length - 1);
    SplitSummary summary = splitter(storage).split(WALS);
    assertThat(sequences(storage, A, 0)).containsExactly(1L, 2L, 3L, 4L);
    assertThat(sequences(storage, B, 0)).containsExactly(1L, 2L);
    assertThat(summary.tornFiles()).hasSize(1);
    assertThat(summary.toString()).contains("host.11 ends torn at offset");
  }

  @Test
  void aDamagedFileStopsTheSplitAndStaysWhereItIs() throws IOException {
    MemoryStorage storage = deadServer();
    String path = WALS + "/host.10";
    byte[] bytes = storage.readAll(path);
    bytes[bytes.length / 2] ^= 4;
    Entries.write(storage, path, bytes, bytes.length);
    assertThatThrownBy(() -> splitter(storage).split(WALS))
        .isInstanceOf(CorruptWalException.class)
        .hasMessageContaining("host.10 is damaged at offset");
    assertThat(storage.exists(WALS + LogSplitter.SPLITTING_SUFFIX + "/host.10")).isTrue();
    assertThat(storage.exists(WALS + LogSplitter.SPLITTING_SUFFIX + "/host.11")).isTrue();
  }

  @Test
  void aDamagedFileIsSetAsideWhereThatIsWantedAndWhatStandsBeforeIsKept() throws IOException {
    MemoryStorage storage = deadServer();
    String path = WALS + "/host.9";
    byte[] bytes = storage.readAll(path);
    // In the last of its four entries.
    bytes[bytes.length - 60] ^= 4;
    Entries.write(storage, path, bytes, bytes.length);
    LogSplitter splitter =
        new LogSplitter(storage, "data", "oldWALs", "corrupt", CorruptWalPolicy.SET_ASIDE);
    SplitSummary summary = splitter.split(WALS);
    assertThat(sequences(storage, A, 0)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(sequences(storage, B, 0)).containsExactly(1L, 2L);
    assertThat(storage.readAll("corrupt/host.9")).isEqualTo(bytes);
    assertThat(storage.list("oldWALs")).hasSize(2);
    assertThat(storage.list("WALs")).isEmpty();
    assertThat(summary.damagedFiles()).hasSize(1);
    assertThat(summary.toString()).contains("host.9 is damaged at offset");
  }

  @Test
  void aFileWithoutAWholeHeaderIsSetAsideToo() throws IOException {
    MemoryStorage storage = deadServer();
    Entries.write(storage, WALS + "/host.10", new byte[] {'n', 'o', 'l', 'o', 'g'}, 5);
    new LogSplitter(storage, "data", "oldWALs", "corrupt", CorruptWalPolicy.SET_ASIDE).split(WALS);
    assertThat(sequences(storage, A, 0)).containsExactly(1L, 2L, 5L);
    assertThat(storage.exists("corrupt/host.10")).isTrue();
  }

  /** As HBase names them: several groups of regions, hbase:meta apart, and Hadoop's checksums. */
  @Test
  void filesOfAllOfHBasesProvidersAreSplitInTheOrderOfTheirNumbers() throws IOException {
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    storage.createDirectories(region(A));
    storage.createDirectories(region(B));
    String server = "host%2C16020%2C1";
    write(storage, server + ".host%2C16020%2C1.regiongroup-0.20", true, Entries.of(A, 2, "b"));
    write(storage, server + ".host%2C16020%2C1.regiongroup-0.3", true, Entries.of(A, 1, "a"));
    write(storage, server + ".host%2C16020%2C1.regiongroup-1.9", false, Entries.of(B, 7, "c"));
    write(storage, server + ".meta.4.meta", true, Entries.of(B, 6, "d"));
    storage.create(WALS + "/." + server + ".meta.4.meta.crc").close();
    storage.rename(WALS, WALS + LogSplitter.SPLITTING_SUFFIX);
    SplitSummary summary = splitter(storage).split(WALS);
    assertThat(summary.files()).isEqualTo(4);
    assertThat(sequences(storage, A, 0)).containsExactly(1L, 2L);
    assertThat(sequences(storage, B, 0)).containsExactly(6L, 7L);
    assertThat(storage.list("WALs")).isEmpty();
  }

  @Test
  void theFilesOfSeveralRegionsAreCompletedAtATime() throws IOException {
    MemoryStorage storage = deadServer();
    List<Runnable> tasks = new ArrayList<>();
    AtomicInteger marks = new AtomicInteger();
    new LogSplitter(storage, "data", "oldWALs")
        .publishing(
            task -> {
              tasks.add(task);
              task.run();
            },
            Clock.SYSTEM,
            () -> "mark" + marks.incrementAndGet())
        .split(WALS);
    assertThat(tasks).hasSizeGreaterThan(3); // several for a file of several regions
    assertThat(sequences(storage, A, 0)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(storage.list(region(A) + "/recovered.edits"))
        .extracting(Storage.FileInfo::name)
        .noneMatch(name -> name.contains("mark"));
  }

  /** The first is that of a master that sleeps, and wakes up when the second has begun. */
  @Test
  void twoSplittersOfALogDoNoHarm() throws IOException {
    MemoryStorage storage = deadServer();
    LogSplitter second =
        new LogSplitter(storage, "data", "oldWALs")
            .publishing(Runnable::run, Clock.SYSTEM, () -> "second");
    LogSplitter first =
        new LogSplitter(storage, "data", "oldWALs")
            .publishing(
                task -> {
                  second(second);
                  task.run();
                },
                Clock.SYSTEM,
                () -> "first");
    assertThatThrownBy(() -> first.split(WALS)).isInstanceOf(IOException.class);
    assertThat(sequences(storage, A, 0)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(storage.list(WALS + LogSplitter.SPLITTING_SUFFIX)).isEmpty();
    assertThat(storage.list(region(A) + "/recovered.edits"))
        .extracting(Storage.FileInfo::name)
        .noneMatch(name -> name.endsWith(".temp"));
  }

  private static void second(LogSplitter splitter) {
    try {
      splitter.split(WALS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A split that HBase did not finish, and one that it did. */
  @Test
  void whatAKilledSplitOfHBasesLeftIsTakenAsItIsMeant() throws IOException {
    MemoryStorage storage = deadServer();
    splitter(storage).split(WALS);
    String edits = region(A) + "/recovered.edits/";
    storage.create(edits + "0000000000000000006-host%2C16020%2C1.9-w.temp").close();
    // Moved aside by HBase, as damaged, when the region was opened.
    storage.create(edits + "0000000000000000003.1700000000000").close();
    storage.create(edits + "12.seqid").close();
    storage.create(edits + "11_seqid").close();
    RecoveredEdits recovered = new RecoveredEdits(storage, region(A));
    assertThat(sequences(storage, A, 0)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(recovered.flushedSequence()).isEqualTo(12);
    recovered.delete(recovered.all());
    assertThat(storage.list(region(A) + "/recovered.edits"))
        .extracting(Storage.FileInfo::name)
        .containsExactlyInAnyOrder("0000000000000000003.1700000000000", "12.seqid", "11_seqid");
  }

  @Test
  void recoveredEditsThatAreNotWholeAreRefused() throws IOException {
    MemoryStorage storage = deadServer();
    splitter(storage).split(WALS);
    String path = region(A) + "/recovered.edits/0000000000000000005";
    byte[] bytes = storage.readAll(path);
    Entries.write(storage, path, bytes, bytes.length - 40);
    assertThatThrownBy(() -> sequences(storage, A, 0))
        .isInstanceOf(CorruptWalException.class)
        .hasMessageContaining(path);
  }

  @Test
  void otherFilesAmongRecoveredEditsAreLeftAlone() throws IOException {
    MemoryStorage storage = deadServer();
    splitter(storage).split(WALS);
    String marker = region(A) + "/recovered.edits/7.seqid";
    storage.create(marker).close();
    assertThat(sequences(storage, A, 0)).hasSize(5);
    RecoveredEdits edits = new RecoveredEdits(storage, region(A));
    edits.delete(edits.all());
    assertThat(storage.exists(marker)).isTrue();
  }

  /** The old server sleeps in a write while its log is recovered. */
  @Test
  void aServerThatWakesUpAcknowledgesNoWriteThatItsRecoveryDidNotSee() throws IOException {
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    storage.createDirectories(region(A));
    storage.createDirectories(WALS);
    WalWriter writer =
        WalWriter.createFenced(
            storage, WALS + "/host.1", new WalBuffer(), WalCompression.NONE, SyncLevel.SYNCED);
    writer.append(Entries.of(A, 1, "one"));
    writer.sync();
    writer.append(Entries.of(A, 2, "two"));
    splitter(storage).split(WALS);
    assertThatThrownBy(writer::sync).isInstanceOf(SealedFileException.class);
    assertThat(sequences(storage, A, 0)).containsExactly(1L);
    assertThatThrownBy(
            () ->
                WalWriter.createFenced(
                    storage,
                    WALS + "/host.2",
                    new WalBuffer(),
                    WalCompression.NONE,
                    SyncLevel.SYNCED))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(storage.list("WALs")).isEmpty();
  }

  @Test
  void nothingIsPublishedBeforeEveryFileIsSealed() throws IOException {
    MemoryStorage memory = deadServer();
    Storage storage =
        new FaultyStorage(
            memory,
            (operation, path) -> operation == StorageOperation.SEAL && path.endsWith("/host.11"));
    assertThatThrownBy(() -> splitter(storage).split(WALS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("host.11");
    assertThat(memory.exists(region(A) + "/recovered.edits")).isFalse();
    splitter(memory).split(WALS);
    assertSplit(memory);
  }
}
