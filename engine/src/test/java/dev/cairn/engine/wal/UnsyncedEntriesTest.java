package dev.cairn.engine.wal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.engine.wal.file.WalAttributes;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Copies of entries come back as they were. */
class UnsyncedEntriesTest {
  private final UnsyncedEntries entries = new UnsyncedEntries();

  @Test
  void handsOutWhatWasAddedInItsOrder() throws IOException {
    WalEntry small = entry("a", 7, Nonce.NONE, 10);
    WalEntry numbered = entry("b", 1, new Nonce(-3, 5), 0);
    WalEntry empty =
        new WalEntry("a", TableName.parse("t"), 8, 99, new CellBuffer(), new Nonce(1, 2));
    WalEntry described =
        new WalEntry(
            "b",
            TableName.parse("t"),
            9,
            100,
            small.cells(),
            Nonce.NONE,
            List.of(new UUID(3, 4)),
            WalAttributes.of(Map.of("name", Bytes.utf8("value"))));

    for (WalEntry one : List.of(small, numbered, empty, described)) {
      entries.add(one);
    }

    assertHolds(List.of(small, numbered, empty, described));
    assertThat(entries.heapBytes())
        .isEqualTo(
            small.heapBytes() + numbered.heapBytes() + empty.heapBytes() + described.heapBytes());
  }

  @Test
  void holdsEntriesThatAreLargerThanItsArrays() throws IOException {
    List<WalEntry> added =
        List.of(
            entry("a", 1, Nonce.NONE, 1_500_000),
            entry("a", 2, Nonce.NONE, 5_000_000),
            entry("a", 3, Nonce.NONE, 1));
    added.forEach(entries::add);

    assertHolds(added);
  }

  @Test
  void beginsAgainWithNothing() throws IOException {
    entries.add(entry("a", 1, Nonce.NONE, 3_000_000));
    entries.clear();

    assertThat(entries.isEmpty()).isTrue();
    assertThat(entries.heapBytes()).isZero();

    WalEntry next = entry("c", 2, Nonce.NONE, 5);
    entries.add(next);
    assertHolds(List.of(next));
  }

  @Test
  void copiesWhatTheCallerMayChangeLater() throws IOException {
    WalEntry entry = entry("a", 1, Nonce.NONE, 5);
    byte[] before = block(entry.cells());
    entries.add(entry);
    entry.cells().clear();

    List<WalEntry> held = held();
    assertThat(block(held.get(0).cells())).isEqualTo(before);
  }

  private void assertHolds(List<WalEntry> expected) throws IOException {
    List<WalEntry> held = held();
    assertThat(held).hasSameSizeAs(expected);
    for (int i = 0; i < held.size(); i++) {
      WalEntry one = held.get(i);
      WalEntry other = expected.get(i);
      assertThat(
              List.of(
                  one.region(),
                  one.table(),
                  one.sequence(),
                  one.writeTimeMillis(),
                  one.nonce(),
                  one.clusterIds(),
                  one.attributes()))
          .isEqualTo(
              List.of(
                  other.region(),
                  other.table(),
                  other.sequence(),
                  other.writeTimeMillis(),
                  other.nonce(),
                  other.clusterIds(),
                  other.attributes()));
      assertThat(one.cells().size()).isEqualTo(other.cells().size());
      assertThat(block(one.cells())).isEqualTo(block(other.cells()));
    }
  }

  private List<WalEntry> held() throws IOException {
    List<WalEntry> held = new ArrayList<>();
    entries.forEach(held::add);
    return held;
  }

  private static WalEntry entry(String region, long sequence, Nonce nonce, int valueBytes) {
    CellBuffer cells = new CellBuffer();
    byte[] value = new byte[valueBytes];
    Arrays.fill(value, (byte) sequence);
    for (int i = 0; i < 2; i++) {
      cells.add(
          Bytes.utf8("row" + sequence),
          Bytes.utf8("f"),
          Bytes.utf8("q" + i),
          sequence,
          CellType.PUT.code(),
          value,
          Bytes.EMPTY);
    }
    return new WalEntry(region, TableName.parse("t"), sequence, 1000 + sequence, cells, nonce);
  }

  private static byte[] block(CellBuffer cells) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (int piece = 0; piece < cells.pieces(); piece++) {
      block.write(cells.piece(piece), 0, cells.pieceSize(piece));
    }
    return block.toByteArray();
  }
}
