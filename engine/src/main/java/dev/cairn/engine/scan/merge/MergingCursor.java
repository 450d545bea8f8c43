package dev.cairn.engine.scan.merge;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.CellRun;
import dev.cairn.engine.cursor.SeekKey;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.probe.ReadMark;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Merges several cursors into one. Forwards, the sources with a current cell form a binary heap by
 * that cell, with the current one at its root: a step moves one source, and a seek forwards only
 * those that are before the key. After {@link #seekBefore} every source is before the key and the
 * one with the last cell is current; the next move forwards positions all of them again.
 *
 * <p>A step compares the moved source with the runner-up, which stays the same one until another
 * source comes first; only then does the heap change.
 */
public final class MergingCursor implements CellCursor {
  private final CellComparator comparator;
  private final SeekKey columnKey = new SeekKey();

  /** The first {@link #count} are merged. */
  private CellCursor[] sources;

  private int count;

  /** Indexes of sources; the first {@link #live} are the heap, the rest have no current cell. */
  private int[] heap;

  private int live;

  /** By source: its current cell, while it is in the heap. */
  private Cell[] tops;

  /** The heap position of the second source, -1 if unknown. */
  private int second = -1;

  /** The source on the last cell before a sought key, -1 while the heap is in order. */
  private int before = -1;

  private MergingCursor(CellComparator comparator, int room) {
    this.comparator = comparator;
    this.sources = new CellCursor[room];
    this.heap = new int[room];
    this.tops = new Cell[room];
  }

  /**
   * Returns one cursor over all {@code sources}, which it owns from now on: the only source itself,
   * or a merge.
   *
   * @param sources newest first: of cells that compare equal, that of the earlier source comes
   *     first
   */
  public static CellCursor of(CellComparator comparator, List<CellCursor> sources) {
    return new MergingCursor(comparator, sources.size()).over(sources);
  }

  /** Returns a merge of nothing, to be used with {@link #over}, once and again. */
  public static MergingCursor spare(CellComparator comparator) {
    return new MergingCursor(comparator, 0);
  }

  /** As {@link #of}, with this unused merge. */
  public CellCursor over(List<CellCursor> wanted) {
    if (wanted.size() == 1) {
      return wanted.get(0);
    }
    count = wanted.size();
    if (sources.length < count) {
      sources = new CellCursor[count];
      heap = new int[count];
      tops = new Cell[count];
    }
    for (int i = 0; i < count; i++) {
      sources[i] = wanted.get(i);
    }
    live = 0;
    second = -1;
    before = -1;
    return this;
  }

  /** Lets go of the sources, which are closed. */
  public void forget() {
    Arrays.fill(sources, null);
    Arrays.fill(tops, null);
    columnKey.trim();
    count = 0;
  }

  @Override
  public Cell cell() {
    if (before >= 0) {
      return sources[before].cell();
    }
    return live == 0 ? null : tops[heap[0]];
  }

  @Override
  public boolean next() throws IOException {
    if (before >= 0) {
      return nextAfterSeekBefore();
    }
    CellCursor root = sources[heap[0]];
    movedRoot(root.next() ? root.cell() : null);
    return live > 0;
  }

  /**
   * Lets a source copy its cells up to the first column that another source has, too. If only one
   * cell of that column is wanted, the merge copies it. Then it continues with the next source.
   */
  @Override
  public int copyRun(CellRun run) throws IOException {
    int first = run.size();
    Cell end = run.end();
    boolean goesOn = before < 0;
    while (goesOn && !run.isFull()) {
      goesOn = (copyOfRoot(run, end) || copyColumn(run)) && isInRun(run, end);
    }
    run.endBefore(end);
    return run.size() - first;
  }

  /** Copies cells of the first source, up to the first column that another source has, too. */
  private boolean copyOfRoot(CellRun run, Cell end) throws IOException {
    int root = heap[0];
    Cell stop = end;
    if (live > 1) {
      Cell other = tops[heap[runnerUp()]];
      if (other.sameColumn(tops[root])) {
        return false;
      }
      stop = end == CellRun.NO_END || comparator.compareKeys(other, end) < 0 ? other : end;
    }
    run.endBefore(stop);
    boolean copies = sources[root].copyRun(run) > 0;
    if (copies) {
      movedRoot(sources[root].cell());
      assert Marks.hitIf(live > 1 && heap[0] != root, ReadMark.RUN_TO_OTHER_SOURCE);
    }
    return copies;
  }

  /**
   * Copies one cell if it is the only wanted cell of its column, and skips the column in all
   * sources.
   */
  private boolean copyColumn(CellRun run) throws IOException {
    Cell cell = tops[heap[0]];
    boolean copies = run.rule().endsColumn(cell) && run.rule().include(cell);
    if (copies) {
      assert Marks.hit(ReadMark.RUN_COLUMN_OF_MERGE);
      run.copy(cell);
      skipColumn();
    }
    return copies;
  }

  /**
   * Tells whether a run continues with the current cell, and ends the row if that cell is in
   * another one.
   */
  private boolean isInRun(CellRun run, Cell end) {
    Cell cell = live == 0 ? null : tops[heap[0]];
    boolean rowEnds = run.cellsOfRow() > 0 && (cell == null || !run.isInRow(cell));
    if (rowEnds && run.crossesRows() && (end == CellRun.NO_END || !run.isInRow(end))) {
      run.rowEnds();
    }
    return cell != null
        && (run.crossesRows() || !rowEnds)
        && (end == CellRun.NO_END
            || comparator.compareKeys(cell, end) < 0 && !cell.sameColumn(end));
  }

  @Override
  public boolean skipRow() throws IOException {
    if (before >= 0) {
      return false;
    }
    CellCursor root = sources[heap[0]];
    boolean skips = (live == 1 || !tops[heap[runnerUp()]].sameRow(tops[heap[0]])) && root.skipRow();
    if (skips) {
      movedRoot(root.cell());
    }
    return skips;
  }

  /** Moves the sources that have some of the column: those whose first cell is one of it. */
  @Override
  public boolean skipColumn() throws IOException {
    if (before >= 0) {
      return seekAll(columnKey.afterColumn(cell()));
    }
    boolean shared = true;
    while (shared) {
      int root = heap[0];
      shared = live > 1 && tops[heap[runnerUp()]].sameColumn(tops[root]);
      movedRoot(sources[root].skipColumn() ? sources[root].cell() : null);
    }
    return live > 0;
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    if (before >= 0 || live == 0) {
      return seekAll(key);
    }
    int order = comparator.compare(tops[heap[0]], key);
    if (order >= 0) {
      return seekAll(key);
    }
    // Ended sources have nothing at or after the key either.
    while (order < 0) {
      int root = heap[0];
      if (sources[root].seek(key)) {
        tops[root] = sources[root].cell();
        replacedRoot();
        if (heap[0] == root) {
          assert Marks.hit(ReadMark.SEEK_KEEPS_SOURCE);
          return true;
        }
      } else {
        dropRoot();
        if (live == 0) {
          return false;
        }
      }
      order = comparator.compare(tops[heap[0]], key);
    }
    return true;
  }

  @Override
  public boolean seekBefore(Cell key) throws IOException {
    int last = -1;
    // From the oldest, which of equal cells has the last one.
    for (int i = count - 1; i >= 0; i--) {
      if (sources[i].seekBefore(key)
          && (last < 0 || comparator.compare(sources[i].cell(), sources[last].cell()) > 0)) {
        last = i;
      }
    }
    live = 0;
    second = -1;
    before = last;
    return last >= 0;
  }

  @Override
  public void close() {
    live = 0;
    before = -1;
    for (int i = 0; i < count; i++) {
      sources[i].close();
    }
  }

  private boolean nextAfterSeekBefore() throws IOException {
    Cell current = sources[before].cell().copy();
    seekAll(current);
    // Cells equal to the current one are before it, and must not come again.
    while (live > 0 && comparator.compare(tops[heap[0]], current) == 0) {
      next();
    }
    return live > 0;
  }

  private boolean seekAll(Cell key) throws IOException {
    before = -1;
    live = 0;
    second = -1;
    for (int i = 0; i < count; i++) {
      if (sources[i].seek(key)) {
        tops[i] = sources[i].cell();
        heap[live++] = i;
      }
    }
    for (int i = live / 2 - 1; i >= 0; i--) {
      siftDown(i);
    }
    return live > 0;
  }

  /** The root's source has moved on to {@code cell}, or nowhere if that is null. */
  private void movedRoot(Cell cell) {
    if (cell == null) {
      dropRoot();
    } else {
      tops[heap[0]] = cell;
      replacedRoot();
    }
  }

  /** Returns where in the heap of two sources or more the one is that comes second. */
  private int runnerUp() {
    if (second < 0) {
      second = live > 2 && isBefore(heap[2], heap[1]) ? 2 : 1;
    }
    return second;
  }

  /** Puts the heap in order after its root has moved on. */
  private void replacedRoot() {
    if (live < 2) {
      return;
    }
    int next = runnerUp();
    int root = heap[0];
    if (isBefore(heap[next], root)) {
      heap[0] = heap[next];
      heap[next] = root;
      siftDown(next);
      second = -1;
    }
  }

  private void dropRoot() {
    second = -1;
    heap[0] = heap[--live];
    if (live > 0) {
      siftDown(0);
    }
  }

  private void siftDown(int from) {
    int moving = heap[from];
    int at = from;
    while (true) {
      int child = 2 * at + 1;
      if (child >= live) {
        break;
      }
      if (child + 1 < live && isBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isBefore(heap[child], moving)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = moving;
  }

  private boolean isBefore(int a, int b) {
    int order = comparator.compare(tops[a], tops[b]);
    return order < 0 || order == 0 && a < b;
  }
}
