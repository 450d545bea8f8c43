package dev.cairn.engine.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
