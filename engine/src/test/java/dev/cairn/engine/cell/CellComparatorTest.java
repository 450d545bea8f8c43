package dev.cairn.engine.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CellComparatorTest {
  private static Cell cell(
      String row, String family, String qualifier, long timestamp, CellType type, long sequence) {
    return Cell.of(
        Bytes.utf8(row),
        Bytes.utf8(family),
        Bytes.utf8(qualifier),
        timestamp,
        type.code(),
        Bytes.EMPTY,
        Bytes.EMPTY,
        sequence);
  }

  @Test
  void ordersByRowColumnThenNewestFirst() {
    List<Cell> expected =
        List.of(
            Cell.firstOnRow(Bytes.utf8("a")),
            cell("a", "f", "", 9, CellType.DELETE_FAMILY, 1),
            cell("a", "f", "q", 9, CellType.DELETE_COLUMN, 1),
            cell("a", "f", "q", 9, CellType.DELETE, 1),
            cell("a", "f", "q", 9, CellType.PUT, 8),
            cell("a", "f", "q", 9, CellType.PUT, 3),
            cell("a", "f", "q", 5, CellType.DELETE_COLUMN, 1),
            cell("a", "f", "q", 5, CellType.PUT, 1),
            cell("a", "f", "q2", 50, CellType.PUT, 1),
            cell("a", "g", "", 1, CellType.PUT, 1),
            cell("a\u0000", "a", "", 1, CellType.PUT, 1),
            cell("b", "a", "", 1, CellType.PUT, 1));
    List<Cell> sorted = new ArrayList<>(expected);
    Collections.shuffle(sorted, new Random(1));
    sorted.sort(CellComparator.USER);

    assertThat(sorted).containsExactlyElementsOf(expected);
  }

  @Test
  void bytesAreUnsigned() {
    assertThat(CellComparator.USER.compareRows(new byte[] {(byte) 0x80}, new byte[] {0x7F}))
        .isPositive();
  }

  @Test
  void metaOrdersByTableThenStartKeyThenRegion() {
    // A start key with a byte below the comma: byte order would put it before the region with the
    // empty start key.
    byte[] empty = Bytes.utf8("t,,1.x.");
    byte[] low = Bytes.utf8("t,!,1.x.");
    byte[] withComma = Bytes.utf8("t,a,b,1.x.");
    byte[] next = Bytes.utf8("t,b,1.x.");
    byte[] longerName = Bytes.utf8("t-1,,1.x.");

    assertThat(CellComparator.META.compareRows(empty, low)).isNegative();
    assertThat(CellComparator.USER.compareRows(empty, low)).isPositive();
    assertThat(CellComparator.META.compareRows(low, withComma)).isNegative();
    assertThat(CellComparator.META.compareRows(withComma, next)).isNegative();
    assertThat(CellComparator.META.compareRows(next, longerName)).isNegative();
    assertThat(CellComparator.META.compareRows(Bytes.utf8("t,a,2"), Bytes.utf8("t,a,1")))
        .isPositive();
  }
}
