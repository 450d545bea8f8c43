package dev.cairn.engine.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.memstore.SkipListInserter.Splice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the hints that a search takes from a splice, and when it may trust them. */
class PrefetchedSearchTest {
  private static final int ROWS = 1000;

  private final SkipList list = new SkipList(CellComparator.USER, 1 << 20);
  private final NodeSlabs nodes = list.nodes();

  @Test
  void aNodeThatWasLinkedLateBesideTheFingerIsNoBound() {
    SkipListInserter first = new SkipListInserter(list);
    for (int row = 0; row < ROWS; row++) {
      first.add(put(2 * row), 1);
    }
    int before = nodes.next(list.head(), 1);
    for (int late = nodes.next(before, 1); late != 0; late = nodes.next(late, 1)) {
      int row = row(late);
      int after = nodes.next(late, 0);
      if (after != 0) {
        // As if the late node had come after the finger's bottom link was set, and before the next.
        SkipListInserter inserter = new SkipListInserter(list);
        Splice finger = inserter.finger();
        finger.node = before;
        finger.levels = 2;
        finger.before[0] = before;
        finger.behind[0] = after;
        finger.before[1] = before;
        finger.behind[1] = late;
        Cell cell = put(row + 1);
        PrefetchedSearch search = new PrefetchedSearch(list);
        search.begin(cell.bytes(), 1);
        search.add(cell);
        search.run(finger);
        inserter.add(cell, 1, search, 0);
      }
      before = late;
    }
    assertThat(rows(0)).isSorted().hasSizeGreaterThan(ROWS + 100);
    assertThat(rows(1)).isSorted().hasSizeGreaterThan(100);
  }

  private List<Integer> rows(int level) {
    List<Integer> rows = new ArrayList<>();
    for (int node = nodes.next(list.head(), level); node != 0; node = nodes.next(node, level)) {
      rows.add(row(node));
    }
    return rows;
  }

  private int row(int node) {
    byte[] slab = list.cells().slab(nodes.cellSlab(node));
    int key = nodes.cellOffset(node) + SkipList.RECORD_HEADER_BYTES + Cell.LENGTHS_SIZE;
    return Integer.parseInt(new String(slab, key + 2, 4, StandardCharsets.UTF_8));
  }

  private static Cell put(int row) {
    byte[] name = Bytes.utf8("%04d".formatted(row));
    return Cell.put(name, Bytes.utf8("f"), Bytes.utf8("q"), 1, name);
  }
}
