package dev.cairn.engine.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Any number of held changes takes a limited amount of memory. They are returned in order. */
class HeldChangesTest {
  private static final long MEMORY_MAX = 20_000;
  private static final int CHANGES = 5_000;

  private final MemoryStorage scratch = new MemoryStorage(Clock.SYSTEM);

  private static WalEntry entry(String region, long sequence) {
    CellBuffer cells = new CellBuffer();
    byte[] value = new byte[sequence % 500 == 0 ? 9_000 : 3];
    cells.add(
        Bytes.utf8("row"),
        Bytes.utf8("f"),
        Bytes.utf8("q"),
        sequence,
        CellType.PUT.code(),
        value,
        Bytes.EMPTY);
    return new WalEntry(region, TableName.parse("t"), sequence, sequence * 10, cells);
  }

  private static List<Long> takeUpTo(RegionStream stream, long sequence) throws IOException {
    List<Long> taken = new ArrayList<>();
    stream.begin(sequence);
    while (stream.hasNext()) {
      RegionStream.Place next = stream.next();
      WalEntry entry = stream.take();
      assertThat(entry.sequence()).isEqualTo(next.sequence());
      assertThat(entry.writeTimeMillis()).isEqualTo(next.writeTimeMillis());
      assertThat(entry.cells().get(0).timestamp()).isEqualTo(entry.sequence());
      assertThat(entry.cells().get(0).value().length)
          .isEqualTo(entry.sequence() % 500 == 0 ? 9_000 : 3);
      taken.add(entry.sequence());
    }
    return taken;
  }

  @Test
  void manyChangesTakeNoMoreMemoryThanTheLimit() throws IOException {
    Random random = new Random(1);
    try (HeldChanges held = new HeldChanges(scratch, "held", MEMORY_MAX)) {
      List<Long> expected = new ArrayList<>();
      for (long sequence = 1; sequence <= CHANGES; sequence++) {
        expected.add(sequence);
      }
      List<Long> added = new ArrayList<>(expected);
      for (int i = 0; i < CHANGES; i++) { // a log of another server comes late
        long swapped = added.get(i);
        int other = Math.min(CHANGES - 1, i + random.nextInt(300));
        added.set(i, added.get(other));
        added.set(other, swapped);
      }
      for (long sequence : added) {
        held.add(entry("a", sequence));
        held.add(entry("b", sequence));
        assertThat(held.memory()).isLessThanOrEqualTo(MEMORY_MAX);
      }
      held.endAdding();
      assertThat(held.newest().get("a")).isEqualTo(new RegionStream.Place(CHANGES, CHANGES * 10L));
      assertThat(takeUpTo(held.stream("a"), CHANGES)).isEqualTo(expected);
      assertThat(takeUpTo(held.stream("b"), CHANGES / 2))
          .isEqualTo(expected.subList(0, CHANGES / 2));
      held.endTaking();
      assertThat(held.newest()).containsOnlyKeys("b");
      assertThat(scratch.list("")).hasSize(1);

      held.add(entry("b", CHANGES + 1));
      held.endAdding();
      expected.add(CHANGES + 1L);
      assertThat(takeUpTo(held.stream("b"), CHANGES + 1))
          .isEqualTo(expected.subList(CHANGES / 2, CHANGES + 1));
      held.endTaking();
      assertThat(held.newest()).isEmpty();
      assertThat(held.memory()).isZero();
      assertThat(scratch.list("")).isEmpty();
    }
  }

  @Test
  void closingDeletesTheScratchFiles() throws IOException {
    try (HeldChanges held = new HeldChanges(scratch, "held", MEMORY_MAX)) {
      for (int sequence = 1; sequence < 200; sequence++) {
        held.add(entry("a", sequence));
      }
      assertThat(scratch.list("")).hasSize(1);
    }
    assertThat(scratch.list("")).isEmpty();
  }
}
