package dev.cairn.engine.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each change comes once, and the changes of a row in their order, whatever happens to logs. */
class ChangeReaderTest {
  private final MemoryStorage scratch = new MemoryStorage(Clock.SYSTEM);

  /** The changes that a reader has returned, by row. */
  private final Map<Integer, List<String>> returned = new HashMap<>();

  private void take(Change change) {
    assertThat(change.table()).isEqualTo(ChangeHistory.TABLE);
    Cell cell = change.cells().get(0);
    int row = Integer.parseInt(Bytes.utf8(cell.row()).substring(3));
    assertThat(Bytes.utf8(cell.value())).isEqualTo(change.region() + ":" + change.sequence());
    assertThat(change.clusterIds()).isEqualTo(ChangeHistory.clusterIds(change.sequence()));
    returned.computeIfAbsent(row, any -> new ArrayList<>()).add(Bytes.utf8(cell.value()));
  }

  private ChangeReader open(Storage storage, ChangeStart start) throws IOException {
    return open(storage, start, 64 << 20);
  }

  private ChangeReader open(Storage storage, ChangeStart start, long memoryMax) throws IOException {
    return ChangeReader.open(
        storage, scratch, "held", memoryMax, Set.of(ChangeHistory.TABLE), start, Clock.SYSTEM);
  }

  private void drain(ChangeReader reader) throws IOException {
    for (int round = 0; round < 2; round++) {
      reader.poll();
      while (reader.next()) {
        take(reader.change());
      }
    }
  }

  private void assertReturned(ChangeHistory history) {
    history.written.forEach(
        (row, changes) -> assertThat(returned.get(row)).as("row %d", row).isEqualTo(changes));
    assertThat(returned.keySet()).isEqualTo(history.written.keySet());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void changesComeOnceAndInOrder(int seed) throws IOException {
    long memoryMax = seed % 2 == 0 ? 64 << 20 : 5_000; // the second uses scratch files
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    Random random = new Random(seed);
    try (ChangeHistory history = new ChangeHistory(storage, random)) {
      ChangeReader reader = open(storage, new ChangeStart.Oldest(), memoryMax);
      for (int step = 0; step < 600; step++) {
        history.step();
        if (random.nextInt(10) == 0) {
          reader.poll();
          boolean stopped = false;
          while (!stopped && reader.next()) {
            take(reader.change());
            stopped = random.nextInt(40) == 0;
          }
          if (stopped || random.nextInt(10) == 0) {
            String token = reader.position().text();
            reader.close();
            reader = open(storage, new ChangeStart.After(ChangePosition.parse(token)), memoryMax);
          }
        }
      }
      drain(reader);
      reader.close();
      assertReturned(history);
      assertThat(scratch.list("")).isEmpty();
    }
  }

  @Test
  void aCursorKeepsItsPurposeWhenItMoves() throws IOException {
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    ChangeCursors cursors = new ChangeCursors(storage);
    try (ChangeHistory history = new ChangeHistory(storage, new Random(1));
        ChangeReader begin = open(storage, ChangeStart.now())) {
      ChangeCursor.Limits limits = new ChangeCursor.Limits(1, 2);
      cursors.save(new ChangeCursor("plain", begin.position(), 0, limits));
      assertThat(cursors.find("plain").orElseThrow().purpose()).isEmpty();
      cursors.save(
          new ChangeCursor(
              "c",
              begin.position(),
              0,
              limits,
              Optional.of("the backups in a b"),
              Optional.empty()));
      history.step();
      cursors.save(cursors.find("c").orElseThrow().at(begin.position(), 1));
      assertThat(cursors.find("c").orElseThrow().purpose()).contains("the backups in a b");
      assertThat(cursors.find("c").orElseThrow().limits()).isEqualTo(limits);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aCursorHoldsTheLogsThatItHasNotRead(int seed) throws IOException {
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    ChangeCursors cursors = new ChangeCursors(storage);
    ChangeCursor.Limits limits = new ChangeCursor.Limits(Long.MAX_VALUE, Long.MAX_VALUE);
    Random random = new Random(seed);
    try (ChangeHistory history = new ChangeHistory(storage, random);
        ChangeReader begin = open(storage, ChangeStart.now())) {
      cursors.save(new ChangeCursor("c", begin.position(), 0, limits));
      int deleted = 0;
      for (int step = 0; step < 600; step++) {
        history.step();
        if (random.nextInt(10) == 0) {
          deleted += clean(storage, cursors, 0);
        }
        if (random.nextInt(60) == 0) {
          ChangeCursor cursor = cursors.find("c").orElseThrow();
          try (ChangeReader reader = open(storage, new ChangeStart.After(cursor.position()))) {
            drain(reader);
            cursors.save(cursor.at(reader.position(), step));
          }
        }
      }
      try (ChangeReader reader =
          open(storage, new ChangeStart.After(cursors.find("c").orElseThrow().position()))) {
        drain(reader);
      }
      assertReturned(history);
      assertThat(deleted).isPositive();
      cursors.delete("c");
      clean(storage, cursors, 0);
      assertThat(storage.list("oldWALs")).isEmpty();
    }
  }

  private static int clean(Storage storage, ChangeCursors cursors, long now) throws IOException {
    List<FileInfo> released = cursors.release(storage.list("oldWALs"), now);
    DeletedLogs.add(storage, released);
    for (FileInfo file : released) {
      storage.delete(file.path());
    }
    return released.size();
  }

  @Test
  void aCursorAtItsLimitIsLostByNameAndReadersThatMissLogsSaySo() throws IOException {
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    ChangeCursors cursors = new ChangeCursors(storage);
    try (ChangeHistory history = new ChangeHistory(storage, new Random(7))) {
      ChangePosition begin;
      try (ChangeReader reader = open(storage, ChangeStart.now())) {
        begin = reader.position();
      }
      cursors.save(new ChangeCursor("small", begin, 0, new ChangeCursor.Limits(10, 1_000_000)));
      cursors.save(new ChangeCursor("short", begin, 0, new ChangeCursor.Limits(1 << 30, 1_000)));
      cursors.save(new ChangeCursor("good", begin, 0, new ChangeCursor.Limits(1 << 30, 1_000_000)));
      while (storage.list("oldWALs").isEmpty()) {
        history.step();
      }
      assertThat(clean(storage, cursors, 5_000)).isZero();
      assertThat(cursors.list())
          .extracting(cursor -> cursor.lost().isPresent())
          .containsExactly(false, true, true); // good, short, small
      assertThatThrownBy(() -> cursors.requireHeld("small"))
          .isInstanceOf(ChangesLostException.class)
          .hasMessageContaining("the cursor small is lost: it held")
          .hasMessageContaining("more than its limit of 10 bytes");
      assertThatThrownBy(() -> cursors.save(cursors.find("short").orElseThrow()))
          .isInstanceOf(ChangesLostException.class)
          .hasMessageContaining("was not used for 5 seconds");
      cursors.delete("good");
      assertThat(clean(storage, cursors, 5_000)).isPositive();
      assertThatThrownBy(() -> open(storage, new ChangeStart.After(begin)))
          .isInstanceOf(ChangesLostException.class)
          .hasMessageContaining("lost to this stream");
      assertThatThrownBy(() -> open(storage, new ChangeStart.At(0)))
          .isInstanceOf(ChangesLostException.class)
          .hasMessageContaining("the log cleaner has deleted some");
      open(storage, new ChangeStart.Oldest()).close();
    }
  }

  /** The reader has read the log, but the position is that before the changes that it holds. */
  @Test
  void aPositionBeforeADeletedLogIsRefusedHoweverLateTheLogWasRead() throws IOException {
    long[] now = {1_700_000_000_000L};
    Clock clock =
        new Clock() {
          @Override
          public long currentTimeMillis() {
            return now[0];
          }

          @Override
          public long nanoTime() {
            return System.nanoTime();
          }
        };
    MemoryStorage storage = new MemoryStorage(clock);
    Set<TableName> tables = Set.of(ChangeHistory.TABLE);
    try (ChangeHistory history = new ChangeHistory(storage, new Random(12));
        ChangeReader reader =
            ChangeReader.open(storage, scratch, "held", tables, ChangeStart.now(), clock)) {
      Set<String> known = reader.position().files().keySet();
      List<FileInfo> unknown = List.of();
      while (unknown.isEmpty()) {
        history.step();
        unknown =
            storage.list("oldWALs").stream().filter(file -> !known.contains(file.name())).toList();
      }
      now[0] += Duration.ofMinutes(10).toMillis();
      reader.poll();
      ChangeStart start = new ChangeStart.After(reader.position());
      DeletedLogs.add(storage, unknown);
      for (FileInfo file : unknown) {
        storage.delete(file.path());
      }
      assertThatThrownBy(() -> ChangeReader.open(storage, scratch, "again", tables, start, clock))
          .isInstanceOf(ChangesLostException.class)
          .hasMessageContaining("are lost to this stream");
    }
  }

  @Test
  void aStreamFromATimeHasNoEarlierChanges(@TempDir Path folder) throws IOException {
    Storage storage = new LocalStorage(folder);
    try (ChangeHistory history = new ChangeHistory(storage, new Random(3))) {
      for (int step = 0; step < 100; step++) {
        history.step();
      }
      List<Change> all = new ArrayList<>();
      try (ChangeReader reader = open(storage, new ChangeStart.Oldest())) {
        reader.poll();
        reader.poll();
        while (reader.next()) {
          all.add(reader.change());
        }
      }
      long middle = all.get(all.size() / 2).writeTimeMillis();
      try (ChangeReader reader = open(storage, new ChangeStart.At(middle))) {
        drain(reader);
      }
      assertThat(returned.values().stream().mapToInt(List::size).sum())
          .isEqualTo((int) all.stream().filter(c -> c.writeTimeMillis() >= middle).count())
          .isLessThan(all.size());
    }
  }

  @Test
  void aDamagedTokenIsRefused() {
    assertThatThrownBy(() -> ChangePosition.parse("AQAB"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no token");
    String token = new ChangePosition(Set.of(), Map.of(), Map.of(), 1, 2).text();
    assertThat(ChangePosition.parse(token).listedMillis()).isEqualTo(2);
    assertThatThrownBy(() -> ChangePosition.parse(token.substring(0, token.length() - 4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is damaged or not whole");
  }
}
