package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.state.BatchSorter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BatchSorterTest {
  private static CellBuffer cellsOf(List<byte[]> rows) {
    CellBuffer cells = new CellBuffer();
    rows.forEach(
        row -> cells.add(row, Bytes.utf8("f"), Bytes.EMPTY, 1, 4, Bytes.EMPTY, Bytes.EMPTY));
    return cells;
  }

  private static List<Integer> orderOf(List<byte[]> rows) {
    return Arrays.stream(BatchSorter.of(cellsOf(rows))).boxed().toList();
  }

  @Test
  void takesSmallBatchesAsTheyAre() {
    assertThat(orderOf(List.of(Bytes.utf8("b"), Bytes.utf8("a")))).containsExactly(0, 1);
  }

  @Test
  void followsTheRowsBehindTheirCommonBeginning() {
    Random random = new Random(5);
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      byte[] tail = new byte[1 + random.nextInt(5)];
      random.nextBytes(tail);
      rows.add(Bytes.concat(Bytes.utf8("a-long-common-beginning"), tail));
    }
    List<byte[]> inOrder = orderOf(rows).stream().map(rows::get).toList();
    assertThat(inOrder).hasSize(500).isSortedAccordingTo(Arrays::compareUnsigned);
  }

  @Test
  void leavesCellsOfOneRowInTheirOrder() {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      rows.add(Bytes.utf8("row" + i * 7 % 10));
    }
    List<Integer> order = orderOf(rows);
    assertThat(order)
        .hasSize(300)
        .isSortedAccordingTo(
            Comparator.<Integer, String>comparing(i -> Bytes.utf8(rows.get(i)))
                .thenComparing(Comparator.naturalOrder()));
  }

  @Test
  void oneRowAloneStaysAsItIs() {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rows.add(Bytes.utf8("r"));
    }
    assertThat(orderOf(rows)).hasSize(100).isSorted();
  }
}
