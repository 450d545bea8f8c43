package dev.cairn.engine.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link CellCursor}. A subclass creates one over given cells, all of the
 * family {@link #FAMILY}.
 */
public abstract class CellCursorContractTest {
  /** The family of all cells. */
  protected static final byte[] FAMILY = Bytes.utf8("f");

  private static final CellComparator ORDER = CellComparator.USER;

  /** Opens a new cursor over {@code cells}, which are in order and all different. */
  protected abstract CellCursor open(List<Cell> cells) throws IOException;

  /** Tells whether the cursor keeps each cell's sequence; if not, all cells of the tests have 0. */
  protected boolean keepsSequences() {
    return true;
  }

  /** Tells whether the first row may be one without bytes. */
  protected boolean mayBeginWithEmptyRow() {
    return true;
  }

  @Test
  void aNewCursorStandsNowhere() throws IOException {
    try (CellCursor cursor = open(List.of(put("r", "q", 1)))) {
      assertThat(cursor.cell()).isNull();
    }
  }

  @Test
  void overNothingEverySeekFails() throws IOException {
    try (CellCursor cursor = open(List.of())) {
      assertThat(cursor.seek(Cell.firstOnRow(Bytes.EMPTY))).isFalse();
      assertThat(cursor.seekBefore(Cell.firstOnRow(Bytes.utf8("z")))).isFalse();
      assertThat(cursor.cell()).isNull();
    }
  }

  @Test
  void seekThenNextShowsEveryCellInOrder() throws IOException {
    List<Cell> cells = random(new Random(1), 300);
    try (CellCursor cursor = open(cells)) {
      List<String> seen = new ArrayList<>();
      for (boolean on = cursor.seek(Cell.firstOnRow(Bytes.EMPTY)); on; on = cursor.next()) {
        seen.add(text(cursor.cell()));
      }
      assertThat(seen).isEqualTo(cells.stream().map(CellCursorContractTest::text).toList());
      assertThat(cursor.cell()).isNull();
    }
  }

  @Test
  void seekFindsTheCellItselfAndSeekBeforeTheOneBeforeIt() throws IOException {
    List<Cell> cells = random(new Random(2), 100);
    try (CellCursor cursor = open(cells)) {
      for (int i = 0; i < cells.size(); i++) {
        assertThat(cursor.seek(cells.get(i))).isTrue();
        assertThat(text(cursor.cell())).isEqualTo(text(cells.get(i)));
        assertThat(cursor.seekBefore(cells.get(i))).isEqualTo(i > 0);
        if (i > 0) {
          assertThat(text(cursor.cell())).isEqualTo(text(cells.get(i - 1)));
        }
      }
    }
  }

  @Test
  void nextAfterSeekBeforeGoesForwards() throws IOException {
    List<Cell> cells = random(new Random(3), 60);
    try (CellCursor cursor = open(cells)) {
      for (int i = 1; i < cells.size(); i++) {
        assertThat(cursor.seekBefore(cells.get(i))).isTrue();
        assertThat(cursor.next()).isTrue();
        assertThat(text(cursor.cell())).isEqualTo(text(cells.get(i)));
      }
    }
  }

  @Test
  void anySeekBringsBackACursorThatRanOffTheEnd() throws IOException {
    List<Cell> cells = List.of(put("a", "q", 1), put("b", "q", 1));
    try (CellCursor cursor = open(cells)) {
      assertThat(cursor.seek(Cell.firstOnRow(Bytes.utf8("c")))).isFalse();
      assertThat(cursor.cell()).isNull();
      assertThat(cursor.seek(Cell.firstOnRow(Bytes.utf8("b")))).isTrue();
      assertThat(cursor.next()).isFalse();
      assertThat(cursor.seekBefore(Cell.firstOnRow(Bytes.utf8("b")))).isTrue();
      assertThat(cursor.cell().row()).isEqualTo(Bytes.utf8("a"));
      assertThat(cursor.seekBefore(Cell.firstOnRow(Bytes.utf8("a")))).isFalse();
      assertThat(cursor.seek(Cell.firstOnRow(Bytes.utf8("a")))).isTrue();
    }
  }

  @Test
  void rowsCanBeWalkedBackwards() throws IOException {
    List<Cell> cells = random(new Random(4), 200);
    TreeSet<byte[]> rows = new TreeSet<>(java.util.Arrays::compareUnsigned);
    cells.forEach(cell -> rows.add(cell.row()));
    try (CellCursor cursor = open(cells)) {
      byte[] from = Bytes.utf8("zzzz");
      for (byte[] row : rows.descendingSet()) {
        assertThat(cursor.seekBefore(Cell.firstOnRow(from))).isTrue();
        assertThat(cursor.cell().row()).isEqualTo(row);
        assertThat(cursor.seek(Cell.firstOnRow(row))).isTrue();
        Cell first =
            cells.stream().filter(c -> java.util.Arrays.equals(c.row(), row)).findFirst().get();
        assertThat(text(cursor.cell())).isEqualTo(text(first));
        from = row;
      }
      assertThat(cursor.seekBefore(Cell.firstOnRow(from))).isFalse();
    }
  }

  @Test
  void randomMovesAgreeWithASortedList() throws IOException {
    for (long seed = 10; seed < 30; seed++) {
      Random random = new Random(seed);
      List<Cell> cells = random(random, 1 + random.nextInt(120));
      try (CellCursor cursor = open(cells);
          ListCursor model = new ListCursor(ORDER, cells)) {
        for (int i = 0; i < 200; i++) {
          boolean expected;
          boolean actual;
          int move = random.nextInt(6);
          if (move < 3 && model.cell() != null) {
            expected = model.next();
            actual = cursor.next();
          } else {
            Cell key = randomKey(random, cells);
            expected = move == 5 ? model.seekBefore(key) : model.seek(key);
            actual = move == 5 ? cursor.seekBefore(key) : cursor.seek(key);
          }
          assertThat(actual).as("seed %d, move %d", seed, i).isEqualTo(expected);
          assertThat(cursor.cell() == null ? "nowhere" : text(cursor.cell()))
              .as("seed %d, move %d", seed, i)
              .isEqualTo(model.cell() == null ? "nowhere" : text(model.cell()));
        }
      }
    }
  }

  @Test
  void takesPlainCellsOfARowWithoutBytes() throws IOException {
    assumeThat(mayBeginWithEmptyRow()).isTrue();
    List<Cell> cells = new ArrayList<>();
    for (String qualifier : List.of("", "a", "b")) {
      cells.add(put("", qualifier, 2));
      cells.add(put("", qualifier, 1));
    }
    cells.add(put("", "c", 1));
    cells.add(put("", "d", 1));
    cells.add(put("r", "q", 1));
    try (CellCursor cursor = open(cells)) {
      List<String> taken = new ArrayList<>();
      CellBuffer out = new CellBuffer();
      CellRun run = new CellRun();
      boolean on = cursor.seek(cells.get(0));
      while (on) {
        out.clear();
        run.begin(out, CellRun.NO_ROWS);
        run.limit(CellRun.NO_END, false, Integer.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE);
        cursor.copyRun(run);
        for (int i = 0; i < out.size(); i++) {
          taken.add(text(out.get(i)));
        }
        on = cursor.cell() != null;
        if (on) {
          taken.add(text(cursor.cell()));
          on = cursor.next();
        }
      }
      assertThat(taken).isEqualTo(cells.stream().map(CellCursorContractTest::text).toList());
    }
  }

  @Test
  void runsWithinARowCopyOnlyWhatTheirRuleAndLimitsAllow() throws IOException {
    int copied = 0;
    for (long seed = 30; seed < 60; seed++) {
      copied += copyRuns(seed, false);
    }
    assertThat(copied).isPositive();
  }

  @Test
  void runsAcrossRowsCopyOnlyWhatTheirRuleAndLimitsAllow() throws IOException {
    int copied = 0;
    for (long seed = 80; seed < 130; seed++) {
      copied += copyRuns(seed, true);
    }
    assertThat(copied).isPositive();
  }

  /** Copies what is easy, goes over the rest cell by cell, and returns how many cells were easy. */
  private int copyRuns(long seed, boolean crossesRows) throws IOException {
    Random random = new Random(seed);
    int size = 1 + random.nextInt(150);
    List<Cell> cells = seed % 2 == 0 ? randomPlain(random, size) : random(random, size);
    PlainCells rule =
        new PlainCells(
            random.nextInt(4),
            6 + random.nextInt(4),
            random.nextBoolean() ? Long.MAX_VALUE : 300 + random.nextInt(700),
            random.nextBoolean());
    int copied = 0;
    // Of a file, most blocks are in memory the second time, and known better.
    for (int round = 0; round < 3; round++) {
      try (CellCursor cursor = open(cells)) {
        CellRun run = new CellRun();
        run.take(rule);
        int at = 0;
        boolean on = cursor.seek(Cell.firstOnRow(Bytes.EMPTY));
        while (on) {
          String where = "seed %d, run from %d".formatted(seed, at);
          CellBuffer out = new CellBuffer();
          RowSizes rows = new RowSizes();
          int cellsMax = random.nextInt(3) == 0 ? random.nextInt(4) : Integer.MAX_VALUE;
          long bytesMax = random.nextInt(3) == 0 ? random.nextInt(1000) : Long.MAX_VALUE;
          int rowsMax = random.nextBoolean() ? 1 + random.nextInt(3) : Integer.MAX_VALUE;
          Cell end = random.nextInt(3) == 0 ? keyBehind(random, cells, at) : CellRun.NO_END;
          run.begin(out, rows);
          run.limit(end, crossesRows, cellsMax, bytesMax, rowsMax);
          assertThat(cursor.copyRun(run)).as(where).isEqualTo(out.size());
          assertThat(run.end()).as(where).isSameAs(end);
          assertThat(out.size()).as(where).isLessThanOrEqualTo(cellsMax);
          assertThat(rows.size()).as(where).isLessThanOrEqualTo(crossesRows ? rowsMax : 0);
          at = checkRun(run, out, rows, cells, at, bytesMax, where);
          copied += out.size();
          assertThat(cursor.cell() == null ? "nowhere" : text(cursor.cell()))
              .as(where)
              .isEqualTo(at == cells.size() ? "nowhere" : text(cells.get(at)));
          if (out.isEmpty()) {
            on = cursor.next();
            at++;
          } else {
            on = cursor.cell() != null;
          }
        }
        assertThat(at).isEqualTo(cells.size());
      }
    }
    return copied;
  }

  /** Checks what was copied from {@code from} on; returns the index of the cell behind that. */
  private static int checkRun(
      CellRun run,
      CellBuffer out,
      RowSizes rows,
      List<Cell> cells,
      int from,
      long bytesMax,
      String where) {
    int at = from;
    int row = 0;
    int ofRow = 0;
    long bytes = 0;
    for (int i = 0; i < out.size(); i++) {
      Cell expected = cells.get(at);
      assertThat(text(out.get(i, new Cell(), expected.sequence())))
          .as(where)
          .isEqualTo(text(expected));
      assertThat(run.rule().include(expected)).as(where).isTrue();
      assertThat(isBefore(expected, run.end())).as(where).isTrue();
      assertThat(bytes).as(where).isLessThan(bytesMax);
      bytes += out.length(i) + CellRun.CELL_OVERHEAD;
      at = behindTaken(run.rule(), cells, at);
      ofRow++;
      boolean last = at == cells.size();
      assertThat(last || !expected.sameColumn(cells.get(at))).as(where).isTrue();
      if (row < rows.size() && ofRow == rows.cells(row)) {
        assertThat(last || !expected.sameRow(cells.get(at))).as(where).isTrue();
        assertThat(run.endsInRowOf(expected)).as(where).isFalse();
        row++;
        ofRow = 0;
      } else if (i + 1 < out.size()) {
        assertThat(expected.sameRow(cells.get(at))).as(where).isTrue();
      }
    }
    assertThat(row).as(where).isEqualTo(rows.size());
    return at;
  }

  private static boolean isBefore(Cell cell, Cell end) {
    int order = end == CellRun.NO_END ? -1 : ORDER.compareRows(cell, end);
    return order < 0 || order == 0 && ORDER.compareColumns(cell, end) < 0;
  }

  private Cell keyBehind(Random random, List<Cell> cells, int at) {
    Cell key = randomKey(random, cells);
    return isBefore(cells.get(at), key) ? key : CellRun.NO_END;
  }

  /** Returns what a cursor stands on that has taken the cell at {@code at}. */
  private static int behindTaken(PlainCells plain, List<Cell> cells, int at) {
    Cell taken = cells.get(at);
    int behind = at + 1;
    while (plain.endsColumn(taken)
        && behind < cells.size()
        && cells.get(behind).sameColumn(taken)) {
      behind++;
    }
    return behind;
  }

  @Test
  void aRowIsSkippedWholeOrNotAtAll() throws IOException {
    for (long seed = 60; seed < 80; seed++) {
      Random random = new Random(seed);
      List<Cell> cells = random(random, 1 + random.nextInt(150));
      try (CellCursor cursor = open(cells)) {
        for (int i = 0; i < 100; i++) {
          int at = random.nextInt(cells.size());
          cursor.seek(cells.get(at));
          if (cursor.skipRow()) {
            Cell from = cells.get(at);
            while (at < cells.size() && cells.get(at).sameRow(from)) {
              at++;
            }
          }
          assertThat(cursor.cell() == null ? "nowhere" : text(cursor.cell()))
              .as("seed %d, move %d", seed, i)
              .isEqualTo(at == cells.size() ? "nowhere" : text(cells.get(at)));
        }
      }
    }
  }

  @Test
  void aColumnIsSkippedFromWhicheverOfItsCells() throws IOException {
    for (long seed = 80; seed < 100; seed++) {
      Random random = new Random(seed);
      List<Cell> cells = random(random, 1 + random.nextInt(150));
      try (CellCursor cursor = open(cells)) {
        for (int i = 0; i < 100; i++) {
          int at = random.nextInt(cells.size());
          boolean on = cursor.seek(cells.get(at));
          for (int skips = random.nextInt(4); on && skips >= 0; skips--) {
            on = cursor.skipColumn();
            Cell from = cells.get(at);
            while (at < cells.size() && cells.get(at).sameColumn(from)) {
              at++;
            }
            assertThat(on).as("seed %d, move %d", seed, i).isEqualTo(at < cells.size());
            assertThat(cursor.cell() == null ? "nowhere" : text(cursor.cell()))
                .as("seed %d, move %d", seed, i)
                .isEqualTo(at == cells.size() ? "nowhere" : text(cells.get(at)));
          }
        }
      }
    }
  }

  @Test
  void aColumnIsSkippedAfterSeekBefore() throws IOException {
    List<Cell> cells = random(new Random(5), 80);
    try (CellCursor cursor = open(cells)) {
      for (int i = 1; i < cells.size(); i++) {
        cursor.seekBefore(cells.get(i));
        int end = i;
        while (end < cells.size() && cells.get(end).sameColumn(cells.get(i - 1))) {
          end++;
        }
        assertThat(cursor.skipColumn()).isEqualTo(end < cells.size());
        assertThat(cursor.cell() == null ? "nowhere" : text(cursor.cell()))
            .isEqualTo(end == cells.size() ? "nowhere" : text(cells.get(end)));
      }
    }
  }

  @Test
  void closingTwiceDoesNothing() throws IOException {
    CellCursor cursor = open(List.of(put("r", "q", 1)));
    cursor.close();
    cursor.close();
  }

  private static byte[] successor(byte[] bytes) {
    return Arrays.copyOf(bytes, bytes.length + 1);
  }

  private Cell randomKey(Random random, List<Cell> cells) {
    Cell some = cells.get(random.nextInt(cells.size()));
    return switch (random.nextInt(5)) {
      case 0 -> Cell.firstOnRow(some.row());
      case 1 -> Cell.firstOnColumn(some.row(), FAMILY, some.qualifier());
      case 2 -> Cell.firstOnColumn(some.row(), FAMILY, successor(some.qualifier()));
      case 3 -> Cell.firstOnColumn(some.row(), successor(FAMILY), Bytes.EMPTY);
      default -> some;
    };
  }

  /** Cells that are all put and without tags, each of another column. */
  private List<Cell> randomPlain(Random random, int size) {
    TreeSet<Cell> cells = new TreeSet<>(ORDER::compareKeys);
    for (int i = 0; i < size; i++) {
      byte[] row = Bytes.utf8("row" + i / 8);
      byte[] qualifier = Bytes.utf8("q" + i % 8);
      byte[] value = new byte[random.nextInt(20)];
      long sequence = keepsSequences() ? random.nextInt(1000) : 0;
      cells.add(
          Cell.of(
              row,
              FAMILY,
              qualifier,
              3 + random.nextInt(4),
              CellType.PUT.code(),
              value,
              Bytes.EMPTY,
              sequence));
    }
    return new ArrayList<>(cells);
  }

  private List<Cell> random(Random random, int size) {
    TreeSet<Cell> cells = new TreeSet<>(ORDER);
    while (cells.size() < size) {
      byte[] value = new byte[random.nextInt(20)];
      random.nextBytes(value);
      cells.add(
          Cell.of(
              Bytes.utf8("row" + random.nextInt(40)),
              FAMILY,
              Bytes.utf8(random.nextInt(5) == 0 ? "" : "q" + random.nextInt(5)),
              random.nextInt(10),
              random.nextInt(6) == 0 ? CellType.DELETE.code() : CellType.PUT.code(),
              value,
              random.nextInt(4) == 0 ? new byte[] {0, 2, 77, 1} : Bytes.EMPTY,
              keepsSequences() ? random.nextInt(1000) : 0));
    }
    return new ArrayList<>(cells);
  }

  private static Cell put(String row, String qualifier, long timestamp) {
    return Cell.put(Bytes.utf8(row), FAMILY, Bytes.utf8(qualifier), timestamp, Bytes.utf8("value"));
  }

  private static String text(Cell cell) {
    return cell
        + " "
        + Bytes.toStringBinary(cell.value())
        + " "
        + Bytes.toStringBinary(cell.tags());
  }
}
