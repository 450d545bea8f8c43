package dev.cairn.engine.hfile.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.HFiles;
import dev.cairn.engine.hfile.MapStorage;
import dev.cairn.engine.hfile.format.CellTracker;
import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.hfile.format.UnsupportedFileException;
import dev.cairn.engine.time.Effort;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that old releases of HBase wrote, all with the same cells: 0.92.2 those of version 2.0
 * (and, as it was told to, those of version 1), 0.94.27 those of version 2.1, 0.98.24 those of
 * version 2.3. Data blocks end at 300 bytes, index blocks at 150, parts of Bloom filters at 64; the
 * files of 0.94 have a checksum every 128 bytes.
 */
@Tag("forms")
class OldFilesTest {
  private final MapStorage storage = new MapStorage();
  private final List<Cell> cells = cells();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2.0-none-rowcol",
        "2.0-gz-row",
        "2.1-none-rowcol-none",
        "2.1-gz-row-prefix",
        "2.1-none-row-diff",
        "2.1-none-row-fast_diff",
        "2.3-none-rowcol-none",
        "2.3-gz-row-prefix",
        "2.3-none-row-fast_diff"
      })
  void version2IsRead(String name) throws IOException {
    load(name);
    try (HFileReader reader = HFiles.open(storage, "file")) {
      assertThat(HFiles.readAll(reader)).isEqualTo(HFiles.describe(cells));
      HFileInfo info = reader.info();
      assertThat(info.entryCount()).isEqualTo(cells.size());
      assertThat(info.maxSequence()).isEqualTo(4711);
      assertThat(info.majorCompaction()).isTrue();
      assertThat(info.includesTags()).isFalse();
      assertThat(info.maxTimestamp()).isEqualTo(59_010);
      assertThat(reader.indexLevels()).isGreaterThan(1);
      assertThat(reader.midRow().map(Bytes::utf8))
          .hasValueSatisfying(row -> assertThat(row).isBetween("row025", "row045"));
      assertThat(info.bloomType().name()).isEqualToIgnoringCase(name.split("-")[2]);
      int wrong = 0;
      try (CellCursor cursor = reader.cursor(true)) {
        for (Cell cell : cells) {
          assertThat(cursor.seek(cell)).isTrue();
          assertThat(HFiles.describe(cursor.cell())).isEqualTo(HFiles.describe(cell));
          assertThat(reader.mayContainColumn(cell)).isTrue();
          assertThat(reader.mayContainRow(cell.bytes(), cell.rowOffset(), cell.rowLength()))
              .isTrue();
          if (CellTracker.isDeleteFamily(cell.typeCode())) {
            assertThat(
                    reader.mayContainDeleteFamily(cell.bytes(), cell.rowOffset(), cell.rowLength()))
                .isTrue();
            byte[] other = Bytes.utf8("never written");
            assertThat(
                    reader.mayContainColumn(Cell.firstOnColumn(cell.row(), cell.family(), other)))
                .as("the marker concerns columns that are not there")
                .isTrue();
          }
          byte[] absent = Bytes.utf8(Bytes.utf8(cell.row()) + "x");
          wrong +=
              reader.mayContainColumn(Cell.firstOnColumn(absent, cell.family(), cell.qualifier()))
                  ? 1
                  : 0;
        }
      }
      assertThat(wrong).isLessThan(cells.size() / 10);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0-none-rowcol", "1.0-gz-row"})
  void version1IsRefused(String name) throws IOException {
    load(name);
    assertThatThrownBy(() -> HFiles.open(storage, "file").close())
        .isInstanceOf(UnsupportedFileException.class)
        .hasMessageContaining("version 1")
        .hasMessageContaining("0.94");
  }

  /** These files have no checksums, or none over everything: wrong cells are possible. */
  @ParameterizedTest
  @ValueSource(strings = {"2.0-none-rowcol", "2.0-gz-row", "2.1-none-row-fast_diff"})
  void damageNeverDoesMoreHarmThanAWrongCell(String name) throws IOException {
    load(name);
    byte[] file = storage.files.get("file");
    long seed = Long.getLong("cairn.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < Effort.rounds(200, 20_000); i++) {
      int at = random.nextInt(file.length);
      byte before = file[at];
      file[at] ^= (byte) (1 << random.nextInt(8));
      try (HFileReader reader = HFiles.open(storage, "file")) {
        HFiles.readAll(reader);
        reader.midRow();
        for (Cell cell : cells) {
          reader.mayContainColumn(cell);
        }
      } catch (CorruptFileException | UnsupportedFileException e) {
        assertThat(e).as("seed %s, byte %s", seed, at).hasMessageContaining("file");
      }
      file[at] = before;
    }
  }

  private void load(String name) throws IOException {
    try (InputStream in = getClass().getResourceAsStream("/old-hfiles/" + name + ".hfile")) {
      storage.files.put("file", in.readAllBytes());
    }
  }

  private static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      String row = "row%03d".formatted(i);
      if (i % 10 == 3) {
        cells.add(cell(row, "", 5000 + i, CellType.DELETE_FAMILY, "", 900 + i));
      }
      for (int q = 0; q <= i % 3; q++) {
        for (int t = 0; t <= q; t++) {
          cells.add(
              cell(
                  row,
                  "q" + q,
                  1000L * i + 10 - t,
                  CellType.PUT,
                  "value " + (i + q),
                  100L * i + q));
        }
      }
    }
    return cells;
  }

  private static Cell cell(
      String row, String qualifier, long timestamp, CellType type, String value, long sequence) {
    return Cell.of(
        Bytes.utf8(row),
        Bytes.utf8("f"),
        Bytes.utf8(qualifier),
        timestamp,
        type.code(),
        Bytes.utf8(value),
        Bytes.EMPTY,
        sequence);
  }
}
