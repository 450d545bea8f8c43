package dev.cairn.engine.scan.merge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.CellCursorContractTest;
import dev.cairn.engine.cursor.ListCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MergingCursorTest extends CellCursorContractTest {
  @Override
  protected CellCursor open(List<Cell> cells) {
    Random random = new Random(cells.size());
    List<List<Cell>> parts = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      parts.add(new ArrayList<>());
    }
    cells.forEach(cell -> parts.get(random.nextInt(parts.size())).add(cell));
    List<CellCursor> sources = new ArrayList<>();
    parts.forEach(part -> sources.add(new ListCursor(CellComparator.USER, part)));
    return MergingCursor.of(CellComparator.USER, sources);
  }

  @Test
  void ofEqualCellsThatOfTheEarlierSourceComesFirst() throws IOException {
    List<CellCursor> sources = new ArrayList<>();
    for (String value : List.of("newest", "middle", "oldest")) {
      Cell cell = Cell.put(Bytes.utf8("r"), FAMILY, Bytes.utf8("q"), 1, Bytes.utf8(value));
      sources.add(new ListCursor(CellComparator.USER, List.of(cell)));
    }
    CellCursor cursor = MergingCursor.of(CellComparator.USER, sources);
    List<String> values = new ArrayList<>();
    for (boolean on = cursor.seek(Cell.firstOnRow(Bytes.EMPTY)); on; on = cursor.next()) {
      values.add(Bytes.utf8(cursor.cell().value()));
    }
    assertThat(values).containsExactly("newest", "middle", "oldest");
    assertThat(cursor.seekBefore(Cell.firstOnRow(Bytes.utf8("s")))).isTrue();
    assertThat(Bytes.utf8(cursor.cell().value())).isEqualTo("oldest");
    assertThat(cursor.next()).isFalse();
  }

  @Test
  void aSingleSourceIsNotWrapped() {
    ListCursor only = new ListCursor(CellComparator.USER, List.of());
    assertThat(MergingCursor.of(CellComparator.USER, List.of(only))).isSameAs(only);
  }

  @Test
  void closesAllSources() {
    ListCursor a = new ListCursor(CellComparator.USER, List.of());
    ListCursor b = new ListCursor(CellComparator.USER, List.of());
    MergingCursor.of(CellComparator.USER, List.of(a, b)).close();
    assertThat(a.isClosed()).isTrue();
    assertThat(b.isClosed()).isTrue();
  }
}
