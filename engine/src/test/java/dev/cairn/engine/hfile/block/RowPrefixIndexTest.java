package dev.cairn.engine.hfile.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** The table of rows beside a block's keys; {@code cairn.seed} runs one seed again. */
class RowPrefixIndexTest {
  private static final byte[] F = Bytes.utf8("f");

  private final long seed = Long.getLong("cairn.seed", new Random().nextLong());
  private final Random random = new Random(seed);

  @Test
  void aRowThatTheTableHasIsFoundAtItsFirstKey() {
    Table table = new Table(List.of("user1", "user1", "user2", "user2", "user3"));
    assertThat(table.range("user2")).containsExactly(2, 4);
    assertThat(table.range("user25")).as("between").containsExactly(4, 4);
    assertThat(table.range("user")).as("less than what all have").containsExactly(0, 0);
    assertThat(table.range("users")).as("behind all").containsExactly(5, 5);
    assertThat(table.range("zebra")).containsExactly(5, 5);
  }

  @Test
  void rowsThatDifferBehindEightBytesAreLeftToTheKeys() {
    Table table = new Table(List.of("a", "b12345678x", "b12345678y", "c"));
    assertThat(table.range("b12345678y")).containsExactly(1, 3);
  }

  @Test
  void aShortRowMayLookLikeOneWithZeros() {
    Table table = new Table(List.of("a", "b", "b\0", "b\0\0", "c"));
    assertThat(table.range("b\0")).containsExactly(1, 4);
  }

  @RepeatedTest(50)
  void whatIsFoundLiesInTheRange() {
    List<String> rows = new ArrayList<>();
    String common = "x".repeat(random.nextInt(12));
    for (int i = 0, count = 1 + random.nextInt(200); i < count; i++) {
      rows.add(common + row());
    }
    rows.sort((a, b) -> CellComparator.USER.compareRows(Bytes.utf8(a), Bytes.utf8(b)));
    Table table = new Table(rows);
    for (int i = 0; i < 200; i++) {
      String sought = random.nextInt(5) == 0 ? row() : common + row();
      byte[] key = Bytes.utf8(sought);
      int expected = 0;
      while (expected < rows.size()
          && CellComparator.USER.compareRows(Bytes.utf8(rows.get(expected)), key) < 0) {
        expected++;
      }
      int[] range = table.range(sought);
      assertThat(expected).as("seed %d, row %s", seed, sought).isBetween(range[0], range[1]);
    }
  }

  @RepeatedTest(20)
  void aRowEndsWhereTheNextBegins() {
    List<String> rows = new ArrayList<>();
    for (int i = 0, count = 1 + random.nextInt(40); i < count; i++) {
      int cells = random.nextInt(4) == 0 ? 1 + random.nextInt(30) : 3;
      rows.addAll(Collections.nCopies(cells, "row%03d".formatted(i)));
    }
    Table table = new Table(rows);
    for (int i = 0; i < rows.size(); i++) {
      assertThat(table.prefixes.rowEnd(i))
          .as("seed %d, cell %d of %s", seed, i, rows)
          .isEqualTo(rows.lastIndexOf(rows.get(i)) + 1);
    }
  }

  private String row() {
    StringBuilder row = new StringBuilder();
    for (int i = random.nextInt(12); i >= 0; i--) {
      row.append("\0ab\u007f".charAt(random.nextInt(4)));
    }
    return row.toString();
  }

  private static final class Table {
    private final RowPrefixIndex prefixes;

    Table(List<String> rows) {
      CellBuffer cells = new CellBuffer();
      int[] keys = new int[rows.size()];
      for (int i = 0; i < keys.length; i++) {
        cells.add(Cell.put(Bytes.utf8(rows.get(i)), F, F, 1, F));
        keys[i] = cells.offset(i);
      }
      prefixes = RowPrefixIndex.of(cells.piece(0), keys, Cell.LENGTHS_SIZE, keys.length);
    }

    int[] range(String row) {
      long range = prefixes.range(Cell.firstOnRow(Bytes.utf8(row)));
      return new int[] {(int) (range >>> 32), (int) range};
    }
  }
}
