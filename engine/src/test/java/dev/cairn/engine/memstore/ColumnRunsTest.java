package dev.cairn.engine.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Leaving columns that have many versions in memory. */
class ColumnRunsTest {
  private static final byte[] FAMILY = Bytes.utf8("f");
  private static final int VERSIONS = 500;

  private final SkipList list = new SkipList(CellComparator.USER, 1 << 14);

  @Test
  void aVersionInFrontOfOthersKnowsTheLastOfItsColumn() {
    for (int version = 1; version <= VERSIONS; version++) {
      add("r", "a", version);
      add("r", "b", version);
      add("s", "a", version);
    }
    for (String row : List.of("r", "s")) {
      int front = list.ceiling(Cell.firstOnColumn(Bytes.utf8(row), FAMILY, Bytes.utf8("a")));
      assertThat(timestamp(front)).isEqualTo(VERSIONS);
      assertThat(timestamp(knownEnd(front))).isEqualTo(1);
    }
  }

  @Test
  void whatIsAddedBehindTheLastVersionIsKnownOnceSomebodyHasPassed() {
    add("r", "b", 1);
    for (int version = VERSIONS; version > 0; version--) {
      add("r", "a", version);
    }
    int front = list.first();
    assertThat(knownEnd(front)).isEqualTo(front);
    assertThat(text(behindColumn(front))).isEqualTo("r/b/1");
    assertThat(timestamp(knownEnd(front))).isEqualTo(1);
    add("r", "a", 0);
    assertThat(text(behindColumn(front))).isEqualTo("r/b/1");
    assertThat(timestamp(knownEnd(front))).isZero();
  }

  /** The bottom links of a step by step walk no longer exist there. */
  @Test
  void aColumnThatWasWrittenNewestFirstIsLeftWithoutALookAtMostOfItsVersions() {
    int versions = 20_000;
    int stepsAtBothEnds = 64;
    add("r", "b", 1);
    for (int version = versions; version > 0; version--) {
      add("r", "a", version);
    }
    NodeSlabs nodes = list.nodes();
    int front = list.first();
    int node = front;
    for (int version = versions; version > 0; version--) {
      assertThat(timestamp(node)).isEqualTo(version);
      assertThat(nodes.run(node)).isZero();
      int next = list.next(node);
      if (version <= versions - stepsAtBothEnds && version > stepsAtBothEnds) {
        nodes.setNext(node, 0, 0);
      }
      node = next;
    }
    assertThat(text(behindColumn(front))).isEqualTo("r/b/1");
    assertThat(timestamp(knownEnd(front))).isEqualTo(1);
  }

  @Test
  void aVersionBetweenOthersKnowsTheLastToo() {
    for (int version = 2; version <= VERSIONS; version += 2) {
      add("r", "a", version);
    }
    add("r", "a", 101);
    add("r", "a", 1);
    add("r", "a\0", 7);
    Cell key = new Cell();
    int node = list.first();
    while (timestamp(node) != 101) {
      node = list.next(node);
    }
    assertThat(timestamp(knownEnd(node))).isEqualTo(2);
    list.read(node, key);
    assertThat(text(behindColumn(node))).isEqualTo("r/a\0/7");
    assertThat(timestamp(knownEnd(node))).isEqualTo(1);
  }

  @Test
  void theLastColumnEndsWithTheList() {
    add("r", "a", 1);
    add("r", "a", 2);
    assertThat(behindColumn(list.first())).isZero();
  }

  /**
   * Writers add to few columns, with timestamps before and behind those that are there, alone and
   * in batches, while readers leave columns. A reader never comes to the same column again, and
   * misses none that was there from the start.
   */
  @Test
  void columnsAreLeftWithoutMissingAnyWhileWritersAddToThem() throws Exception {
    long seed = 11;
    int columns = 12;
    int writers = 2;
    int adds = 4000;
    MemStoreSegment segment = new MemStoreSegment(CellComparator.USER, 1 << 16);
    for (int column = 0; column < columns; column += 2) {
      segment.add(cell(column, 50_000), 1);
    }
    AtomicLong finished = new AtomicLong();
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(writers + 2);
    try {
      List<Future<TreeSet<Cell>>> written = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        int writer = w;
        written.add(
            threads.submit(
                () -> {
                  try {
                    start.await();
                    return write(segment, new Random(seed + writer), adds, columns, 2 + writer);
                  } finally {
                    finished.incrementAndGet();
                  }
                }));
      }
      List<Future<?>> readers = new ArrayList<>();
      for (int r = 0; r < 2; r++) {
        readers.add(
            threads.submit(
                () -> {
                  start.await();
                  while (finished.get() < writers) {
                    leaveAll(segment, columns);
                  }
                  return null;
                }));
      }
      start.countDown();
      TreeSet<Cell> model = new TreeSet<>(CellComparator.USER);
      for (Future<TreeSet<Cell>> future : written) {
        model.addAll(future.get());
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
      for (int column = 0; column < columns; column += 2) {
        model.add(numbered(cell(column, 50_000), 1));
      }
      checkAll(segment, model);
    } finally {
      threads.shutdownNow();
    }
  }

  private static TreeSet<Cell> write(
      MemStoreSegment segment, Random random, int adds, int columns, long sequence)
      throws IOException {
    TreeSet<Cell> added = new TreeSet<>(CellComparator.USER);
    while (added.size() < adds) {
      CellBuffer batch = new CellBuffer();
      for (int i = random.nextInt(3) == 0 ? 6 : 1; i > 0; i--) {
        // Mostly newer and newer, sometimes older than all, sometimes between.
        long timestamp =
            switch (random.nextInt(4)) {
              case 0 -> 49_999 - added.size();
              case 1 -> random.nextInt(100_000);
              default -> 50_001 + added.size();
            };
        Cell cell = cell(random.nextInt(columns), timestamp);
        if (added.add(numbered(cell, sequence))) {
          batch.add(cell);
        }
      }
      segment.add(batch, IntStream.range(0, batch.size()).toArray(), sequence, 1);
    }
    return added;
  }

  /** Goes from column to column; those that had a cell from the start must all be met. */
  private static void leaveAll(MemStoreSegment segment, int columns) throws IOException {
    CellCursor cursor = segment.cursor(Long.MAX_VALUE);
    List<String> met = new ArrayList<>();
    boolean on = cursor.seek(Cell.firstOnRow(Bytes.EMPTY));
    while (on) {
      String column = column(cursor.cell());
      if (!met.isEmpty()) {
        assertThat(column).isGreaterThan(met.get(met.size() - 1));
      }
      met.add(column);
      on = cursor.skipColumn();
    }
    for (int column = 0; column < columns; column += 2) {
      assertThat(met).contains(column(cell(column, 1)));
    }
  }

  /** Checks from every cell that leaving its column leads to the next one of the model. */
  private static void checkAll(MemStoreSegment segment, TreeSet<Cell> model) throws IOException {
    CellCursor cursor = segment.cursor(Long.MAX_VALUE);
    CellCursor leaving = segment.cursor(Long.MAX_VALUE);
    boolean on = cursor.seek(Cell.firstOnRow(Bytes.EMPTY));
    for (Cell expected : model) {
      assertThat(on).isTrue();
      assertThat(CellComparator.USER.compare(cursor.cell(), expected)).isZero();
      leaving.seek(expected);
      Cell next =
          model.higher(
              Cell.firstOnColumn(
                  expected.row(), FAMILY, Bytes.concat(expected.qualifier(), new byte[1])));
      assertThat(leaving.skipColumn()).isEqualTo(next != null);
      if (next != null) {
        assertThat(CellComparator.USER.compare(leaving.cell(), next)).isZero();
      }
      on = cursor.next();
    }
    assertThat(on).isFalse();
  }

  /** Columns of four rows; the rows' first 16 bytes are those of all. */
  private static Cell cell(int column, long timestamp) {
    byte[] row = Bytes.utf8("a row with a long name " + column / 3);
    byte[] qualifier = Bytes.utf8("q" + column % 3);
    return Cell.put(row, FAMILY, qualifier, timestamp, Bytes.utf8("value"));
  }

  private static Cell numbered(Cell cell, long sequence) {
    Cell numbered = new Cell();
    numbered.set(cell, sequence);
    return numbered;
  }

  private static String column(Cell cell) {
    return Bytes.utf8(cell.row()) + "/" + Bytes.utf8(cell.qualifier());
  }

  /** Also looks whether the cell that comes with the node is its own. */
  private int behindColumn(int node) {
    Cell cell = new Cell();
    list.read(node, cell);
    Cell behind = new Cell();
    int found = list.behindColumn(node, cell, behind);
    assertThat(found == 0 || list.compare(found, behind) == 0).isTrue();
    return found;
  }

  private void add(String row, String qualifier, long timestamp) {
    Cell cell =
        Cell.put(Bytes.utf8(row), FAMILY, Bytes.utf8(qualifier), timestamp, Bytes.utf8("v"));
    new SkipListInserter(list).add(cell, timestamp);
  }

  private int knownEnd(int node) {
    Cell cell = new Cell();
    list.read(node, cell);
    byte[] bytes = cell.bytes();
    int key = cell.keyOffset();
    return list.runEnd(
        node,
        list.firstPrefix(bytes, key),
        list.secondPrefix(bytes, key),
        bytes,
        key,
        cell.keyLength());
  }

  private long timestamp(int node) {
    Cell cell = new Cell();
    list.read(node, cell);
    return cell.timestamp();
  }

  private String text(int node) {
    Cell cell = new Cell();
    list.read(node, cell);
    return column(cell) + "/" + cell.timestamp();
  }
}
