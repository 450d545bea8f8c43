package dev.cairn.engine.memstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.time.Effort;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches of rows that begin where the row was found the last time. */
@Tag("forms")
class SeekHintsTest {
  private static final byte[] FAMILY = Bytes.utf8("f");
  private static final int SLAB_BYTES = 1 << 16;
  private static final int FEW = 8 * 1024;
  private static final int MANY = 64;

  @Test
  void aRowIsFoundAgainWithoutASearchFromTheHead() {
    SkipList list = filled(2000);
    List<Integer> nodes = new ArrayList<>();
    for (int i = 0; i < 2000; i += 100) {
      nodes.add(list.ceilingOfRow(start(row(i))));
      assertThat(text(list, nodes.get(nodes.size() - 1))).isEqualTo(row(i));
    }
    cutHeadOff(list);
    assertThat(list.ceiling(start(row(500)))).isZero();
    int found = 0;
    for (int i = 0; i < 2000; i += 100) {
      found += list.ceilingOfRow(start(row(i))) == nodes.get(i / 100) ? 1 : 0;
    }
    // The first row's place is the head; another one may have lost its place to a third.
    assertThat(found).isGreaterThan(15);
  }

  @Test
  void aRowThatIsNotThereIsMissedAgainWithoutASearchFromTheHead() {
    SkipList list = filled(2000);
    String missing = row(500) + "-";
    assertThat(text(list, list.ceilingOfRow(start(missing)))).isEqualTo(row(501));
    cutHeadOff(list);
    assertThat(text(list, list.ceilingOfRow(start(missing)))).isEqualTo(row(501));
  }

  @Test
  void aRowIsFoundBehindThoseThatWereAddedBetween() {
    SkipList list = filled(2000);
    Cell start = start(row(500));
    list.ceilingOfRow(start);
    for (int i = 0; i < 300; i++) {
      add(list, row(499) + "-%03d".formatted(i), 1);
    }
    int before = list.lower(start(row(499) + "-"));
    cutHeadOff(list);
    assertThat(text(list, list.ceilingOfRow(start))).isEqualTo(row(500));
    // From the old place there is no way any more, but the row has a new one.
    cutOff(list, before);
    assertThat(text(list, list.ceilingOfRow(start))).isEqualTo(row(500));
  }

  @Test
  void aNewVersionInFrontOfARowIsFound() {
    SkipList list = filled(2000);
    Cell start = start(row(500));
    for (int version = 2; version < 100; version++) {
      add(list, row(500), version);
      int node = list.ceilingOfRow(start);
      assertThat(text(list, node)).isEqualTo(row(500));
      assertThat(list.sequence(node)).isEqualTo(version);
    }
  }

  /** The hash of one row may be that of another one, and a place anything. */
  @Test
  void aPlaceThatIsNotBeforeTheRowDoesNoHarm() {
    SeekHints places = new SeekHints(FEW * 4, MANY);
    SkipList list = filled(2000, places);
    Random random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      String row = row(random.nextInt(2000));
      byte[] bytes = Bytes.utf8(row);
      int other = list.ceiling(start(row(random.nextInt(2000))));
      long hash = SeekHints.hash(bytes, 0, bytes.length);
      places.remember(
          hash, random.nextInt(20) == 0 ? list.head() : other, list.nodes().heapBytes());
      assertThat(text(list, list.ceilingOfRow(start(row)))).isEqualTo(row);
    }
  }

  /** With few places, too, for which many rows compete. */
  @ParameterizedTest
  @ValueSource(ints = {MANY, FEW})
  void agreesWithASortedSet(int nodeBytesPerPlace) {
    SkipList list = filled(2000, new SeekHints(FEW * 4, nodeBytesPerPlace));
    TreeSet<String> model = new TreeSet<>();
    for (int i = 0; i < 2000; i++) {
      model.add(row(i));
    }
    Random random = new Random(nodeBytesPerPlace);
    for (int i = 0; i < 1000 * Effort.rounds(20, 500); i++) {
      String row = row(random.nextInt(2100)).substring(0, 8 + random.nextInt(20));
      if (random.nextInt(8) == 0) {
        add(list, row, i);
        model.add(row);
      }
      int node = list.ceilingOfRow(start(row));
      String expected = model.ceiling(row);
      assertThat(node == 0 ? null : text(list, node)).isEqualTo(expected);
      assertThat(node).isEqualTo(list.ceiling(start(row)));
    }
  }

  /**
   * Readers look for rows that are there from the start, and for some that are not, while writers
   * add rows between, and versions in front.
   */
  @ParameterizedTest
  @ValueSource(ints = {MANY, FEW})
  void rowsAreFoundWhileOthersAreAdded(int nodeBytesPerPlace) throws Exception {
    int rows = 1000;
    int writers = 2;
    SkipList list = filled(rows, new SeekHints(FEW * 4, nodeBytesPerPlace));
    AtomicInteger finished = new AtomicInteger();
    CountDownLatch begin = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(writers + 2);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        Random random = new Random(w);
        all.add(
            threads.submit(
                () -> {
                  begin.await();
                  for (int i = 0; i < 1000 * Effort.rounds(10, 500); i++) {
                    String row = row(random.nextInt(rows));
                    add(list, random.nextBoolean() ? row : row + "-" + random.nextInt(50), i);
                  }
                  finished.incrementAndGet();
                  return null;
                }));
      }
      for (int r = 0; r < 2; r++) {
        Random random = new Random(100 + r);
        all.add(
            threads.submit(
                () -> {
                  begin.await();
                  while (finished.get() < writers) {
                    look(list, random.nextInt(rows - 1), random.nextInt(50));
                  }
                  return null;
                }));
      }
      begin.countDown();
      for (Future<?> future : all) {
        future.get();
      }
    } finally {
      threads.shutdownNow();
    }
    NavigableSet<String> there = new TreeSet<>();
    for (int node = list.first(); node != 0; node = list.next(node)) {
      there.add(text(list, node));
    }
    for (String row : there) {
      assertThat(text(list, list.ceilingOfRow(start(row)))).isEqualTo(row);
    }
  }

  private static void look(SkipList list, int number, int between) {
    assertThat(text(list, list.ceilingOfRow(start(row(number))))).isEqualTo(row(number));
    String row = row(number) + "-" + between;
    assertThat(text(list, list.ceilingOfRow(start(row)))).isBetween(row, row(number + 1));
  }

  @Test
  void aSmallListHasNoPlaces() {
    SkipList list = filled(200);
    long bytes = list.heapBytes();
    for (int i = 0; i < 200; i++) {
      list.ceilingOfRow(start(row(i)));
    }
    assertThat(list.heapBytes()).isEqualTo(bytes);
  }

  @Test
  void placesTakeLittleAndAreCounted() {
    for (int cells = 1000; cells <= 64_000; cells *= 4) {
      SkipList list = filled(cells);
      long bytes = list.heapBytes();
      list.ceilingOfRow(start(row(0)));
      long places = list.heapBytes() - bytes;
      assertThat(places).isPositive().isBetween(bytes / 200, list.nodes().heapBytes() / 8);
    }
  }

  /** Known rows stay known when there is room for more of them. */
  @Test
  void growingForgetsNothing() {
    SeekHints places = new SeekHints(256, 64);
    long bytes = 64 << 10;
    int known = 0;
    for (int i = 1; i <= 100; i++) {
      places.remember(hash(i), i, bytes);
    }
    for (int i = 1; i <= 100; i++) {
      known += places.find(hash(i)) == i ? 1 : 0;
    }
    assertThat(known).isGreaterThan(90);
    long small = places.heapBytes();
    places.remember(hash(101), 101, 8 * bytes);
    assertThat(places.heapBytes()).isEqualTo(8 * small).isEqualTo(64 << 10);
    int stillKnown = 0;
    for (int i = 1; i <= 100; i++) {
      stillKnown += places.find(hash(i)) == i ? 1 : 0;
    }
    assertThat(stillKnown).isBetween(known - 1, known);
  }

  @Test
  void rowsOfAllLengthsHaveHashesOfTheirOwn() {
    TreeSet<Long> hashes = new TreeSet<>();
    int rows = 0;
    byte[] row = new byte[40];
    for (int length = 0; length <= row.length; length++) {
      hashes.add(SeekHints.hash(row, 0, length));
      rows++;
      for (int at = 0; at < length; at++) {
        row[at] = 1;
        hashes.add(SeekHints.hash(row, 0, length));
        rows++;
        row[at] = 0;
      }
    }
    assertThat(hashes).hasSize(rows);
  }

  @Test
  void refusesASizeWithoutRoomForAnyPlace() {
    assertThatThrownBy(() -> new SeekHints(64, 64)).isInstanceOf(IllegalArgumentException.class);
  }

  private static long hash(int i) {
    byte[] row = Bytes.utf8(row(i));
    return SeekHints.hash(row, 0, row.length);
  }

  /** Lets searches from the head find nothing. */
  private static void cutHeadOff(SkipList list) {
    for (int level = 0; level < SkipList.MAX_HEIGHT; level++) {
      list.nodes().setNext(list.head(), level, 0);
    }
  }

  /** Lets searches that begin at a node find nothing: they begin at its lowest level. */
  private static void cutOff(SkipList list, int node) {
    list.nodes().setNext(node, 0, 0);
  }

  private static SkipList filled(int rows) {
    return filled(rows, new SeekHints());
  }

  private static SkipList filled(int rows, SeekHints places) {
    SkipList list = new SkipList(CellComparator.USER, SLAB_BYTES, places);
    for (int i = 0; i < rows; i++) {
      add(list, row(i), 1);
    }
    return list;
  }

  private static void add(SkipList list, String row, long number) {
    Cell cell = Cell.put(Bytes.utf8(row), FAMILY, Bytes.utf8("q"), number, Bytes.utf8("value"));
    new SkipListInserter(list).add(cell, number);
  }

  /** Many rows share their first 16 bytes. */
  private static String row(int number) {
    return "row %03d of a table, number %04d".formatted(number / 50, number);
  }

  private static Cell start(String row) {
    return Cell.firstOnRow(Bytes.utf8(row));
  }

  private static String text(SkipList list, int node) {
    Cell cell = new Cell();
    list.read(node, cell);
    return Bytes.utf8(cell.row());
  }
}
