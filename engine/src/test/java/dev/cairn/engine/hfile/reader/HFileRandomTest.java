package dev.cairn.engine.hfile.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.HFiles;
import dev.cairn.engine.hfile.MapStorage;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.hfile.encoding.DataBlockEncoding;
import dev.cairn.engine.hfile.format.CellTracker;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random files in every shape behave like sorted lists. A failure names its seed. */
class HFileRandomTest {
  private static final CellComparator ORDER = CellComparator.USER;

  @ParameterizedTest
  @EnumSource
  void everyShapeAnswersLikeASortedList(Compression compression) throws IOException {
    long base = System.nanoTime();
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      for (BloomType bloom : BloomType.values()) {
        for (boolean tags : new boolean[] {false, true}) {
          check(HFiles.options(compression, encoding, bloom, tags), base++);
        }
      }
    }
  }

  @Test
  void filesOfAFewCellsAnswerLikeASortedList() throws IOException {
    long base = System.nanoTime();
    for (int count = 0; count < 40; count++) {
      Random random = new Random(base + count);
      List<Cell> cells = HFiles.randomCells(random, count, true);
      check(HFiles.plain(), cells, random, "seed " + (base + count) + ", " + count + " cells");
    }
  }

  @Test
  void aSeekToOneOfSeveralEqualCellsFindsTheFirstOfThemWhereverItBegan() throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      cells.add(
          Cell.of(
              Bytes.utf8("row"),
              Bytes.utf8("f"),
              Bytes.utf8("q"),
              1,
              4,
              Bytes.utf8("value " + i),
              Bytes.EMPTY,
              7));
    }
    MapStorage storage = new MapStorage();
    HFiles.write(storage, "file", HFiles.plain(), cells);
    try (HFileReader reader = HFiles.open(storage, "file");
        CellCursor cursor = reader.cursor(true)) {
      for (int steps = 0; steps < cells.size(); steps++) {
        cursor.seek(Cell.firstOnRow(Bytes.utf8("row")));
        for (int i = 0; i < steps; i++) {
          cursor.next();
        }
        assertThat(cursor.seek(cells.get(0))).isTrue();
        assertThat(cursor.cell().value()).isEqualTo(Bytes.utf8("value 0"));
      }
    }
  }

  private static void check(HFileOptions options, long seed) throws IOException {
    Random random = new Random(seed);
    List<Cell> cells = HFiles.randomCells(random, 120, options.includesTags());
    check(options, cells, random, "seed " + seed + ", " + options);
  }

  private static void check(HFileOptions options, List<Cell> cells, Random random, String what)
      throws IOException {
    MapStorage storage = new MapStorage();
    HFiles.write(storage, "file", options, cells);
    try (HFileReader reader = HFiles.open(storage, "file")) {
      assertThat(HFiles.readAll(reader)).as(what).isEqualTo(HFiles.describe(cells));
      assertThat(reader.info().entryCount()).as(what).isEqualTo(cells.size());
      assertThat(reader.midRow().isPresent()).as(what).isEqualTo(!cells.isEmpty());
      checkMoves(reader, cells, random, what);
      checkBlooms(reader, cells, what);
    }
  }

  private static void checkMoves(HFileReader reader, List<Cell> cells, Random random, String what)
      throws IOException {
    try (CellCursor cursor = anyCursor(reader, random)) {
      int expected = cells.size();
      for (int i = 0; i < 150; i++) {
        Cell key = randomKey(random, cells);
        int move = random.nextInt(4);
        boolean stands;
        if (move == 0 && expected >= 0 && expected < cells.size()) {
          stands = cursor.next();
          expected++;
        } else if (move == 1) {
          stands = cursor.seekBefore(key);
          expected = lowerBound(cells, key) - 1;
        } else {
          stands = cursor.seek(key);
          expected = lowerBound(cells, key);
        }
        boolean shouldStand = expected >= 0 && expected < cells.size();
        String step = what + ", step " + i + ", move " + move + " to " + key;
        assertThat(stands).as(step).isEqualTo(shouldStand);
        assertThat(cursor.cell() == null).as(step).isEqualTo(!shouldStand);
        if (shouldStand) {
          assertThat(HFiles.describe(cursor.cell()))
              .as(step)
              .isEqualTo(HFiles.describe(cells.get(expected)));
        }
      }
    }
  }

  private static Cell randomKey(Random random, List<Cell> cells) {
    if (cells.isEmpty() || random.nextInt(3) == 0) {
      return Cell.firstOnRow(Bytes.utf8(HFiles.randomRow(random)));
    }
    Cell cell = cells.get(random.nextInt(cells.size()));
    return switch (random.nextInt(4)) {
      case 0 -> Cell.firstOnColumn(cell.row(), cell.family(), cell.qualifier());
      case 1 ->
          Cell.of(
              cell.row(),
              cell.family(),
              cell.qualifier(),
              cell.timestamp(),
              cell.typeCode(),
              Bytes.EMPTY,
              Bytes.EMPTY,
              random.nextInt(100));
      default -> cell;
    };
  }

  private static int lowerBound(List<Cell> cells, Cell key) {
    int i = 0;
    while (i < cells.size() && ORDER.compare(cells.get(i), key) < 0) {
      i++;
    }
    return i;
  }

  private static void checkBlooms(HFileReader reader, List<Cell> cells, String what)
      throws IOException {
    for (Cell cell : cells) {
      byte[] row = cell.row();
      assertThat(reader.mayContainRow(row, 0, row.length)).as(what).isTrue();
      assertThat(reader.mayContainColumn(cell)).as(what).isTrue();
      if (CellTracker.isDeleteFamily(cell.typeCode())) {
        assertThat(reader.mayContainDeleteFamily(row, 0, row.length)).as(what).isTrue();
        Cell other = Cell.firstOnColumn(row, Bytes.utf8("f"), Bytes.utf8("never written"));
        assertThat(reader.mayContainColumn(other)).as(what).isTrue();
      }
    }
  }

  private static CellCursor anyCursor(HFileReader reader, Random random) {
    return reader.cursor(random.nextBoolean());
  }
}
