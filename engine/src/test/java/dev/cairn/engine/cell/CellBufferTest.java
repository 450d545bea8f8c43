package dev.cairn.engine.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CellBufferTest {
  @Test
  void returnsWhatWasAddedWhateverItGrows() {
    CellBuffer buffer = new CellBuffer(0, 0);
    for (int i = 0; i < 1000; i++) {
      buffer.add(
          Cell.of(
              Bytes.ofInt(i), Bytes.utf8("f"), Bytes.EMPTY, i, 4, new byte[i], new byte[i % 3], 0));
    }
    assertThat(buffer.size()).isEqualTo(1000);
    for (int i = 0; i < 1000; i++) {
      Cell cell = buffer.get(i, new Cell(), 5);
      assertThat(cell.row()).isEqualTo(Bytes.ofInt(i));
      assertThat(cell.valueLength()).isEqualTo(i);
      assertThat(cell.tagsLength()).isEqualTo(i % 3);
      assertThat(cell.sequence()).isEqualTo(5);
    }
  }

  @Test
  void timestampsCanBeFilledIn() {
    CellBuffer buffer = new CellBuffer();
    buffer.add(
        Cell.put(
            Bytes.utf8("r"),
            Bytes.utf8("f"),
            Bytes.utf8("q"),
            Cell.LATEST_TIMESTAMP,
            Bytes.utf8("v")));
    buffer.setTimestamp(0, 77);

    assertThat(buffer.get(0).timestamp()).isEqualTo(77);
    assertThat(buffer.get(0).value()).isEqualTo(Bytes.utf8("v"));
  }

  @Test
  void cellsAreSortedIfNeeded() {
    CellBuffer buffer = new CellBuffer();
    for (String qualifier : new String[] {"b", "a", "c"}) {
      buffer.add(Cell.put(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.utf8(qualifier), 1, Bytes.EMPTY));
    }
    CellBuffer sorted = buffer.sorted(CellComparator.USER);

    assertThat(sorted.size()).isEqualTo(3);
    assertThat(sorted.get(0).qualifier()).isEqualTo(Bytes.utf8("a"));
    assertThat(sorted.get(2).qualifier()).isEqualTo(Bytes.utf8("c"));
    assertThat(sorted.sorted(CellComparator.USER)).isSameAs(sorted);
  }

  @Test
  void aCellThatCannotBeWrittenLeavesNoTrace() {
    CellBuffer buffer = new CellBuffer();
    assertThatThrownBy(
            () ->
                buffer.add(new byte[1], new byte[200], Bytes.EMPTY, 1, 4, Bytes.EMPTY, Bytes.EMPTY))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(buffer.isEmpty()).isTrue();
  }

  private static CellBuffer three() {
    CellBuffer cells = new CellBuffer();
    for (int i = 0; i < 3; i++) {
      cells.add(
          Cell.put(Bytes.utf8("row" + i), Bytes.utf8("f"), Bytes.EMPTY, 1, new byte[i * 200]));
    }
    return cells;
  }

  @Test
  void cellsLieBehindTheirLengths() {
    CellBuffer cells = three();
    int at = 0;
    for (int i = 0; i < 3; i++) {
      assertThat(Bytes.getInt(cells.piece(0), at)).isEqualTo(cells.length(i));
      assertThat(cells.offset(i)).isEqualTo(at + 4);
      at = cells.offset(i) + cells.length(i);
    }
    assertThat(cells.blockSize()).isEqualTo(at);
    assertThat(cells.byteSize()).isEqualTo(at - 12);
    byte[] block = Arrays.copyOf(cells.piece(0), cells.blockSize());
    assertSame(CellBuffer.ofBlock(block), cells, 0, 3);
    assertThat(CellBuffer.ofBlock(Bytes.EMPTY).isEmpty()).isTrue();
  }

  private static void assertSame(CellBuffer actual, CellBuffer expected, int from, int to) {
    assertThat(actual.size()).isEqualTo(to - from);
    for (int i = from; i < to; i++) {
      assertThat(actual.get(i - from)).hasToString(expected.get(i).toString());
      assertThat(actual.get(i - from).value()).isEqualTo(expected.get(i).value());
    }
  }

  @Test
  void aBlockThatIsNoneIsRefused() {
    byte[] block = Arrays.copyOf(three().piece(0), three().blockSize());
    for (int cut = 1; cut < block.length; cut++) {
      byte[] part = Arrays.copyOf(block, cut);
      boolean whole = cut == three().offset(1) - 4 || cut == three().offset(2) - 4;
      if (whole) {
        assertThat(CellBuffer.ofBlock(part).size()).isPositive();
      } else {
        assertThatThrownBy(() -> CellBuffer.ofBlock(part))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
    for (int at : new int[] {0, 4, 8, 12}) {
      byte[] spoiled = block.clone();
      spoiled[at] = (byte) 0xFF;
      assertThatThrownBy(() -> CellBuffer.ofBlock(spoiled))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void partsOfABufferAreCopied() {
    for (int from = 0; from < 3; from++) {
      for (int to = from; to <= 3; to++) {
        CellBuffer copy = CellBuffer.copyOf(three(), from, to);
        assertSame(copy, three(), from, to);
        copy.addAll(three());
        assertThat(copy.size()).isEqualTo(to - from + 3);
        assertThat(copy.get(to - from + 2)).hasToString(three().get(2).toString());
        assertThat(copy.byteSize())
            .isEqualTo(CellBuffer.copyOf(three(), from, to).byteSize() + three().byteSize());
      }
    }
  }
}
