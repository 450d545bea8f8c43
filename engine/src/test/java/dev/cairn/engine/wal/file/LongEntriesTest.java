package dev.cairn.engine.wal.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.storage.FaultRule;
import dev.cairn.engine.storage.FaultRule.Manner;
import dev.cairn.engine.storage.Faults;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Entries;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalConfig.WalRecovery;
import dev.cairn.engine.wal.WalListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries of 64 KB and more, whose cells go to the file by themselves, behind their key. */
@Timeout(60)
class LongEntriesTest {
  private static final String PATH = "WALs/server/server.1";

  private final MemoryStorage memory = new MemoryStorage(Clock.SYSTEM);
  private final Faults faults = new Faults(new SplittableRandom(7));
  private final FaultyStorage storage = new FaultyStorage(memory, faults);

  /** Returns an entry whose cells are so long in the log. */
  private static WalEntry entry(long sequence, int cellsLength) {
    int others = cells(sequence, 0).blockSize();
    CellBuffer cells = cells(sequence, cellsLength - others);
    assertThat(cells.blockSize()).isEqualTo(cellsLength);
    return new WalEntry(Entries.REGION, Entries.TABLE, sequence, 1, cells);
  }

  private static CellBuffer cells(long sequence, int valueLength) {
    byte[] value = new byte[valueLength];
    new SplittableRandom(sequence).nextBytes(value);
    CellBuffer cells = new CellBuffer();
    byte[] row = Bytes.utf8("r");
    byte[] f = Bytes.utf8("f");
    cells.add(row, f, f, sequence, CellType.PUT.code(), value, Bytes.EMPTY);
    return cells;
  }

  private WalWriter create() throws IOException {
    WalWriter writer =
        WalWriter.create(storage, PATH, new WalBuffer(), WalCompression.NONE, SyncLevel.SYNCED);
    writer.sync();
    return writer;
  }

  @Test
  void areReadBackBetweenShortOnes() throws IOException {
    List<WalEntry> entries = new ArrayList<>();
    for (int length : new int[] {65_535, 65_536, 100, 3_000_000, 65_537, 65_536, 200}) {
      entries.add(entry(entries.size(), length));
    }
    CellBuffer severalPieces = cells(entries.size(), 3_000_000);
    severalPieces.addAll(cells(entries.size(), 2_000_000));
    severalPieces.addAll(cells(entries.size(), 5_000_000));
    assertThat(severalPieces.pieces()).isEqualTo(3);
    entries.add(new WalEntry(Entries.REGION, Entries.TABLE, entries.size(), 1, severalPieces));
    WalWriter writer = create();
    long begin = writer.position();
    for (WalEntry entry : entries) {
      writer.append(entry);
      assertThat(writer.position()).isGreaterThan(begin + entry.cells().blockSize());
      begin = writer.position();
    }
    writer.finish();
    assertThat(Entries.readAll(memory, PATH).equals(Entries.texts(entries))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {65_535, 65_536, 3_000_000})
  void cutAnywhereTheyAreNotThere(int length) throws IOException {
    WalWriter writer = create();
    WalEntry before = entry(1, 100);
    WalEntry cut = entry(2, length);
    writer.append(before);
    long begin = writer.position();
    writer.append(cut);
    long end = writer.position();
    writer.sync();
    byte[] whole = memory.readAll(PATH);
    long cells = end - length;
    for (long at :
        new long[] {begin, begin + 1, cells - 1, cells, cells + 1, cells + 65_536, end - 1, end}) {
      if (at <= end) {
        Entries.write(memory, "cut", whole, (int) at);
        List<String> expected = Entries.texts(at == end ? List.of(before, cut) : List.of(before));
        assertThat(Entries.readAll(memory, "cut").equals(expected)).as("cut at %d", at).isTrue();
        assertThat(isTorn("cut")).as("cut at %d", at).isEqualTo(at != begin && at != end);
      }
    }
  }

  private boolean isTorn(String path) throws IOException {
    try (WalReader reader = WalReader.open(memory, path)) {
      while (reader.next()) {
        reader.entry();
      }
      return reader.end().isTorn();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void anErrorBetweenKeyAndCellsLosesNothing(int nth) throws IOException {
    WalConfig config = new WalConfig("WALs/s", "oldWALs", "s", SyncLevel.SYNCED, 1 << 30, 32);
    List<WalEntry> entries = List.of(entry(1, 100), entry(2, 3_000_000), entry(3, 65_536));
    try (GroupCommitWal wal =
        GroupCommitWal.open(
            storage,
            config.withRecovery(new WalRecovery(3, 1_000_000, 1_000_000)),
            Clock.SYSTEM,
            Thread::new,
            WalListener.NONE)) {
      wal.sync(wal.append(entries.get(0)));
      String first = wal.currentPath();
      // Key and cells are written in turn.
      faults.add(FaultRule.of(StorageOperation.WRITE).nth(nth).how(Manner.NOT_DONE));
      wal.sync(wal.append(entries.get(1)));
      wal.sync(wal.append(entries.get(2)));
      assertThat(wal.currentPath()).isNotEqualTo(first);
      for (MemoryStorage left : List.of(memory.afterPowerCut(), memory.afterKill())) {
        List<String> found = new ArrayList<>(Entries.readAll(left, first));
        found.addAll(Entries.readAll(left, wal.currentPath()));
        assertThat(found.equals(Entries.texts(entries))).isTrue();
      }
    }
  }
}
