package dev.cairn.engine.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MemStoreSegmentTest {
  private static final byte[] FAMILY = Bytes.utf8("f");
  private static final int SLAB_BYTES = 1 << 20;

  private final MemStoreSegment segment = new MemStoreSegment(CellComparator.USER, SLAB_BYTES);

  @Test
  void anEmptySegmentCostsNextToNothing() {
    assertThat(segment.isEmpty()).isTrue();
    assertThat(segment.cellCount()).isZero();
    assertThat(segment.dataSize()).isZero();
    assertThat(segment.byteSize()).isLessThan(4096);
    assertThat(segment.minTimestamp()).isEqualTo(Long.MAX_VALUE);
    assertThat(segment.maxTimestamp()).isEqualTo(Long.MIN_VALUE);
    assertThat(segment.maxSequence()).isZero();
  }

  @Test
  void knowsWhatItHolds() {
    Cell cell = put("r", 5, "value");
    segment.add(cell, 7);
    segment.add(put("r", 3, "value"), 9);
    segment.add(put("r", 4, "value"), 8);
    assertThat(segment.isEmpty()).isFalse();
    assertThat(segment.cellCount()).isEqualTo(3);
    assertThat(segment.dataSize()).isEqualTo(3L * cell.serializedLength(true));
    assertThat(segment.byteSize()).isGreaterThan(segment.dataSize());
    assertThat(segment.minTimestamp()).isEqualTo(3);
    assertThat(segment.maxTimestamp()).isEqualTo(5);
    assertThat(segment.maxSequence()).isEqualTo(9);
  }

  @Test
  void keepsItsOwnCopyOfACell() throws IOException {
    Cell cell = put("r", 5, "value");
    segment.add(cell, 1);
    Arrays.fill(cell.bytes(), (byte) 0);
    CellCursor cursor = segment.cursor(1);
    assertThat(cursor.seek(Cell.firstOnRow(Bytes.EMPTY))).isTrue();
    assertThat(cursor.cell().value()).isEqualTo(Bytes.utf8("value"));
    assertThat(cursor.cell().sequence()).isEqualTo(1);
  }

  @Test
  void theLastAddedOfEqualCellsComesFirst() throws IOException {
    segment.add(put("r", 5, "first"), 1);
    segment.add(put("r", 5, "second"), 1);
    segment.add(put("r", 5, "third"), 1);
    CellCursor cursor = segment.cursor(1);
    assertThat(cursor.seek(Cell.firstOnRow(Bytes.utf8("r")))).isTrue();
    assertThat(cursor.cell().value()).isEqualTo(Bytes.utf8("third"));
  }

  @Test
  void hidesWhatIsAboveTheReadPoint() throws IOException {
    segment.add(put("a", 1, "new"), 10);
    segment.add(put("b", 1, "new"), 10);
    segment.add(put("b", 1, "old"), 3);
    segment.add(put("c", 1, "new"), 10);
    CellCursor cursor = segment.cursor(5);
    assertThat(cursor.seek(Cell.firstOnRow(Bytes.EMPTY))).isTrue();
    assertThat(cursor.cell().value()).isEqualTo(Bytes.utf8("old"));
    assertThat(cursor.next()).isFalse();
    assertThat(cursor.seekBefore(Cell.firstOnRow(Bytes.utf8("d")))).isTrue();
    assertThat(cursor.cell().value()).isEqualTo(Bytes.utf8("old"));
    assertThat(cursor.seekBefore(Cell.firstOnRow(Bytes.utf8("b")))).isFalse();
  }

  @Test
  void aSeekNeverEndsBeforeItsKeyWhileOthersWriteThere() throws Exception {
    Cell key = put("z", 1, "there");
    segment.add(key, 1);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<?> writer =
          threads.submit(
              () -> {
                for (int i = 0; i < 60_000; i++) {
                  segment.add(put("y%08d".formatted(i), 1, ""), i);
                }
              });
      while (!writer.isDone()) {
        CellCursor cursor = segment.cursor(Long.MAX_VALUE);
        assertThat(cursor.seek(Cell.firstOnRow(Bytes.utf8("z")))).isTrue();
        assertThat(cursor.cell().rowEquals(Bytes.utf8("z"), 0, 1)).isTrue();
      }
      writer.get();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void takesCellsLargerThanASlab() throws IOException {
    MemStoreSegment small = new MemStoreSegment(CellComparator.USER, 4096);
    Random random = new Random(7);
    ConcurrentSkipListMap<String, byte[]> model = new ConcurrentSkipListMap<>();
    for (int i = 0; i < 50; i++) {
      byte[] value = new byte[random.nextInt(20_000)];
      random.nextBytes(value);
      String row = "r" + random.nextInt();
      model.put(row, value);
      small.add(Cell.put(Bytes.utf8(row), FAMILY, Bytes.EMPTY, 1, value), i);
    }
    CellCursor cursor = small.cursor(Long.MAX_VALUE);
    boolean on = cursor.seek(Cell.firstOnRow(Bytes.EMPTY));
    for (Map.Entry<String, byte[]> entry : model.entrySet()) {
      assertThat(on).isTrue();
      assertThat(Bytes.utf8(cursor.cell().row())).isEqualTo(entry.getKey());
      assertThat(cursor.cell().value()).isEqualTo(entry.getValue());
      on = cursor.next();
    }
    assertThat(on).isFalse();
    assertThat(small.byteSize()).isLessThan(small.dataSize() * 2 + 16_384);
  }

  @Test
  void ordersRowsOfMetaByTheirParts() throws IOException {
    MemStoreSegment meta = new MemStoreSegment(CellComparator.META, SLAB_BYTES);
    List<Cell> cells = new ArrayList<>();
    for (String row : List.of("t,,1", "t,a,1", "t,a\u0001,1", "t,a,2", "t!,,1", "t,a\u0001b,9")) {
      cells.add(put(row, 1, row));
    }
    cells.forEach(cell -> meta.add(cell, 1));
    cells.sort(CellComparator.META);
    CellCursor cursor = meta.cursor(1);
    boolean on = cursor.seek(Cell.firstOnRow(Bytes.EMPTY));
    for (Cell cell : cells) {
      assertThat(on).isTrue();
      assertThat(cursor.cell().row()).isEqualTo(cell.row());
      on = cursor.next();
    }
  }

  @Test
  void agreesWithASortedMapUnderRandomAdds() throws IOException {
    for (long seed = 1; seed <= 5; seed++) {
      Random random = new Random(seed);
      MemStoreSegment subject = new MemStoreSegment(CellComparator.USER, 1 << 14);
      ConcurrentSkipListMap<Cell, byte[]> model = new ConcurrentSkipListMap<>(CellComparator.USER);
      for (int i = 0; i < 5000; i++) {
        byte[] value = Bytes.ofInt(i);
        byte[] row = Bytes.utf8("row" + random.nextInt(300));
        Cell cell = Cell.of(row, FAMILY, Bytes.EMPTY, random.nextInt(9), 4, value, Bytes.EMPTY, i);
        subject.add(cell, i);
        model.put(cell, value);
      }
      long readPoint = random.nextInt(5000);
      CellCursor cursor = subject.cursor(readPoint);
      boolean on = cursor.seek(Cell.firstOnRow(Bytes.EMPTY));
      for (Map.Entry<Cell, byte[]> entry : model.entrySet()) {
        if (entry.getKey().sequence() <= readPoint) {
          assertThat(on).as("seed %d", seed).isTrue();
          assertThat(cursor.cell().value()).as("seed %d", seed).isEqualTo(entry.getValue());
          on = cursor.next();
        }
      }
      assertThat(on).as("seed %d", seed).isFalse();
    }
  }

  @Test
  void batchesFindTheirPlacesWhetherTheyAreDenseOrSpread() throws IOException {
    for (long seed = 1; seed <= 4; seed++) {
      Random random = new Random(seed);
      MemStoreSegment subject = new MemStoreSegment(CellComparator.USER, 1 << 16);
      List<Cell> expected = new ArrayList<>();
      int ascending = 0;
      for (int sequence = 1; sequence <= 150; sequence++) {
        boolean dense = random.nextBoolean();
        List<Cell> cells = new ArrayList<>();
        int rows = 1 + random.nextInt(120);
        for (int i = 0; i < rows; i++) {
          String row = dense ? "b%06d".formatted(ascending++) : "a" + random.nextInt(1 << 20);
          byte[] value = Bytes.utf8(sequence + "/" + i);
          for (int column = random.nextInt(3); column >= 0; column--) {
            byte[] qualifier = Bytes.utf8("q" + column);
            cells.add(
                Cell.of(Bytes.utf8(row), FAMILY, qualifier, 1, 4, value, Bytes.EMPTY, sequence));
          }
        }
        if (random.nextBoolean()) {
          cells.sort(CellComparator.USER);
        }
        addAll(subject, cells, sequence);
        expected.addAll(cells);
      }
      Collections.reverse(expected); // of equal ones the last added comes first
      expected.sort(CellComparator.USER);
      CellCursor cursor = subject.cursor(Long.MAX_VALUE);
      boolean on = cursor.seek(Cell.firstOnRow(Bytes.EMPTY));
      for (Cell cell : expected) {
        assertThat(on).as("seed %d", seed).isTrue();
        assertThat(CellComparator.USER.compare(cursor.cell(), cell)).as("seed %d", seed).isZero();
        assertThat(cursor.cell().value()).as("seed %d", seed).isEqualTo(cell.value());
        on = cursor.next();
      }
      assertThat(on).as("seed %d", seed).isFalse();
      assertThat(subject.cellCount()).isEqualTo(expected.size());
    }
  }

  @Test
  void aRowTakesItsColumnsInAnyOrderAndOfEqualOnesTheLastComesFirst() throws IOException {
    for (long seed = 1; seed <= 50; seed++) {
      Random random = new Random(seed);
      MemStoreSegment subject = new MemStoreSegment(CellComparator.USER, 1 << 16);
      List<Cell> cells = new ArrayList<>();
      for (int row = 0; row < 3; row++) {
        for (int i = 0; i < 60; i++) {
          byte[] qualifier = Bytes.utf8("x".repeat(random.nextInt(3)) + random.nextInt(20));
          byte[] value = Bytes.utf8(row + "/" + i);
          int time = random.nextInt(2);
          byte[] key = Bytes.utf8("r" + row);
          cells.add(Cell.of(key, FAMILY, qualifier, time, 4, value, Bytes.EMPTY, 1));
        }
      }
      addAll(subject, cells, 1);
      Collections.reverse(cells);
      cells.sort(CellComparator.USER);
      CellCursor cursor = subject.cursor(1);
      boolean on = cursor.seek(Cell.firstOnRow(Bytes.EMPTY));
      for (Cell cell : cells) {
        assertThat(on).as("seed %d", seed).isTrue();
        assertThat(cursor.cell().value()).as("seed %d", seed).isEqualTo(cell.value());
        on = cursor.next();
      }
      assertThat(on).as("seed %d", seed).isFalse();
    }
  }

  @Test
  void aBatchMayLieInSeveralPieces() throws IOException {
    long seed = 42;
    Random random = new Random(seed);
    MemStoreSegment subject = new MemStoreSegment(CellComparator.USER, 1 << 16);
    addAll(subject, List.of(put("b", 1, "v")), 1);
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < 6000; i++) {
      byte[] qualifier = Bytes.ofInt(i);
      byte[] value = new byte[2000];
      random.nextBytes(value);
      byte[] row = Bytes.utf8("b" + random.nextInt(3000));
      cells.add(Cell.of(row, FAMILY, qualifier, 1, 4, value, Bytes.EMPTY, 2));
    }
    CellBuffer buffer = new CellBuffer();
    cells.forEach(buffer::add);
    assertThat(buffer.pieces()).isGreaterThan(2);
    // The cells of a row one after the other, as writes are added, though pieces lie between.
    int[] order =
        IntStream.range(0, cells.size())
            .boxed()
            .sorted(Comparator.comparing(i -> Bytes.utf8(cells.get(i).row())))
            .mapToInt(Integer::intValue)
            .toArray();
    subject.add(buffer, order, 2, 1);

    cells.sort(CellComparator.USER);
    CellCursor cursor = subject.cursor(2);
    boolean on = cursor.seek(Cell.firstOnRow(Bytes.utf8("b0")));
    for (Cell cell : cells) {
      assertThat(on).isTrue();
      assertThat(CellComparator.USER.compare(cursor.cell(), cell)).isZero();
      assertThat(cursor.cell().value()).isEqualTo(cell.value());
      on = cursor.next();
    }
    assertThat(on).isFalse();
  }

  private static void addAll(MemStoreSegment segment, List<Cell> cells, long sequence) {
    CellBuffer buffer = new CellBuffer();
    cells.forEach(buffer::add);
    segment.add(buffer, IntStream.range(0, cells.size()).toArray(), sequence, 1);
  }

  @Test
  void readersSeeEverythingThatWasPublishedWhileWritersWrite() throws Exception {
    long seed = 42;
    int writers = 3;
    int perWriter = 4000;
    // Writer w adds the sequences w, w + writers, ... and publishes how far it has got.
    AtomicLong[] published = new AtomicLong[writers];
    Arrays.setAll(published, w -> new AtomicLong());
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(writers + 2);
    try {
      List<Future<?>> work = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        int writer = w;
        work.add(
            threads.submit(
                () -> {
                  Random random = new Random(seed + writer);
                  start.await();
                  for (int i = 1; i <= perWriter; i++) {
                    String row = random.nextInt(1 << 20) + "-" + writer + "-" + i;
                    segment.add(put(row, i, row), i);
                    published[writer].set(i);
                  }
                  return null;
                }));
      }
      for (int r = 0; r < 2; r++) {
        work.add(
            threads.submit(
                () -> {
                  start.await();
                  long seen;
                  do {
                    long least = Long.MAX_VALUE;
                    for (AtomicLong progress : published) {
                      least = Math.min(least, progress.get());
                    }
                    seen = least;
                    assertThat(countInOrder(least)).as("seed %d", seed).isEqualTo(least * writers);
                  } while (seen < perWriter);
                  return null;
                }));
      }
      start.countDown();
      for (Future<?> future : work) {
        future.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(segment.cellCount()).isEqualTo(writers * perWriter);
    assertThat(countInOrder(Long.MAX_VALUE)).isEqualTo((long) writers * perWriter);
  }

  @Test
  void batchesThatAreWrittenAtOnceEndUpInOneOrder() throws Exception {
    long seed = 77;
    int writers = 3;
    int batches = 60;
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    List<Cell> expected = new ArrayList<>();
    try {
      List<Future<List<Cell>>> work = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        Random random = new Random(seed + w);
        int writer = w;
        work.add(
            threads.submit(
                () -> {
                  start.await();
                  List<Cell> added = new ArrayList<>();
                  for (int b = 0; b < batches; b++) {
                    added.addAll(addBatch(random, 1 + b * writers + writer));
                  }
                  return added;
                }));
      }
      start.countDown();
      for (Future<List<Cell>> future : work) {
        expected.addAll(future.get());
      }
    } finally {
      threads.shutdownNow();
    }
    // Of equal ones the last added comes first.
    Collections.reverse(expected);
    expected.sort(CellComparator.USER);
    CellCursor cursor = segment.cursor(Long.MAX_VALUE);
    boolean on = cursor.seek(Cell.firstOnRow(Bytes.EMPTY));
    for (Cell cell : expected) {
      assertThat(on).as("seed %d", seed).isTrue();
      assertThat(CellComparator.USER.compare(cursor.cell(), cell)).as("seed %d", seed).isZero();
      assertThat(cursor.cell().value()).as("seed %d", seed).isEqualTo(cell.value());
      // Upper levels lead there, too.
      CellCursor other = segment.cursor(Long.MAX_VALUE);
      assertThat(other.seek(cell)).isTrue();
      assertThat(CellComparator.USER.compare(other.cell(), cell)).as("seed %d", seed).isZero();
      on = cursor.next();
    }
    assertThat(on).as("seed %d", seed).isFalse();
  }

  /**
   * Adds cells under one sequence, with rows that differ early, late or in length, mostly ascending
   * and some of them twice; returns them in the order of their adding.
   */
  private List<Cell> addBatch(Random random, long sequence) {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String row =
          switch (random.nextInt(4)) {
            case 0 -> "a" + random.nextInt(1000);
            case 1 -> "a-common-beginning-" + random.nextInt(1000);
            case 2 -> "12345678".substring(random.nextInt(8)) + "\0".repeat(random.nextInt(3));
            default -> "\u00ff" + random.nextInt(50);
          };
      byte[] value = Bytes.utf8(sequence + "/" + i);
      int columns = 1 + random.nextInt(3);
      for (int column = 0; column < columns; column++) {
        byte[] qualifier = Bytes.utf8("q" + column);
        cells.add(Cell.of(Bytes.utf8(row), FAMILY, qualifier, 1, 4, value, Bytes.EMPTY, sequence));
      }
    }
    if (random.nextInt(4) > 0) {
      cells.sort(CellComparator.USER);
    }
    addAll(segment, cells, sequence);
    return cells;
  }

  private long countInOrder(long readPoint) throws IOException {
    long count = 0;
    Cell last = null;
    CellCursor cursor = segment.cursor(readPoint);
    for (boolean on = cursor.seek(Cell.firstOnRow(Bytes.EMPTY)); on; on = cursor.next()) {
      Cell cell = cursor.cell().copy();
      assertThat(cell.row()).isEqualTo(cell.value());
      assertThat(cell.sequence()).isLessThanOrEqualTo(readPoint);
      if (last != null) {
        assertThat(CellComparator.USER.compare(last, cell)).isNegative();
      }
      last = cell;
      count++;
    }
    return count;
  }

  private static Cell put(String row, long timestamp, String value) {
    return Cell.put(Bytes.utf8(row), FAMILY, Bytes.utf8("q"), timestamp, Bytes.utf8(value));
  }
}
