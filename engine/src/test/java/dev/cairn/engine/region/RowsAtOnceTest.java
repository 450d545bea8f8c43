package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.deleteOf;
import static dev.cairn.engine.region.RegionHarness.ofRows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.scan.CellOutcome;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scans that ask for many rows with one call. */
class RowsAtOnceTest {
  private static final int ROWS = 30;

  private RegionHarness harness;

  @BeforeEach
  void fillABlockThatHasBeenUsed() throws IOException {
    harness =
        new RegionHarness(
            TableSchema.of(TableName.parse("t"), FamilySchema.of("f", Map.of("VERSIONS", "1"))));
    for (int i = 0; i < ROWS; i++) {
      harness.put(row(i), "a", "first");
      harness.put(row(i), "b", "second");
    }
    harness.region().flush();
    harness.dump();
    harness.dump();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void allRowsOfABlockComeWithOneCallAndAreCounted() throws IOException {
    try (RegionRead scanner = harness.scan(ScanRequest.builder().build())) {
      CellBuffer out = new CellBuffer();
      RowSizes sizes = new RowSizes();
      assertThat(scanner.nextRows(out, sizes, ReadBudget.WHOLE_ROWS)).isEqualTo(ScanProgress.END);
      assertThat(rows(out, sizes)).hasSize(ROWS).allMatch(row -> row.endsWith(" ab"));
      ScanStatistics statistics = scanner.statistics();
      assertThat(statistics.rowsScanned()).isEqualTo(ROWS);
      assertThat(statistics.rowsFiltered()).isZero();
      assertThat(Bytes.utf8(statistics.lastRow())).isEqualTo(row(ROWS - 1));
      assertThat(statistics.cells(CellOutcome.RETURNED)).isEqualTo(2 * ROWS);
    }
  }

  @Test
  void rowsOfOtherSourcesComeInTheirPlaces() throws IOException {
    harness.put(row(7), "c", "third");
    harness.put("r11x", "a", "new");
    harness.mutate(
        List.of(
            deleteOf(row(20), F, "a", Long.MAX_VALUE, CellType.DELETE_COLUMN),
            deleteOf(row(29), F, "", Long.MAX_VALUE, CellType.DELETE_FAMILY)));
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < ROWS - 1; i++) {
      expected.add(row(i) + (i == 7 ? " abc" : i == 20 ? " b" : " ab"));
    }
    expected.add(12, "r11x a");
    assertThat(scan(ScanRequest.builder().build(), ReadBudget.WHOLE_ROWS)).isEqualTo(expected);
  }

  @Test
  void startAndStopRowsHold() throws IOException {
    ScanRequest.Builder some = ScanRequest.builder().start(Bytes.utf8(row(3)), false);
    assertThat(scan(some.stop(Bytes.utf8(row(6)), false).build(), ReadBudget.WHOLE_ROWS))
        .containsExactly("r04 ab", "r05 ab");
    assertThat(scan(some.stop(Bytes.utf8(row(6)), true).build(), ReadBudget.WHOLE_ROWS))
        .containsExactly("r04 ab", "r05 ab", "r06 ab");
    assertThat(scan(some.stop(Bytes.utf8("r05x"), false).build(), ReadBudget.WHOLE_ROWS))
        .containsExactly("r04 ab", "r05 ab");
  }

  @Test
  void aCallEndsBehindTheRowThatReachesItsLimitOfBytes() throws IOException {
    CellBuffer row = new CellBuffer();
    harness.get(ScanRequest.row(Bytes.utf8(row(0))).build(), row);
    long rowSize = ReadBudget.size(row.size(), row.byteSize());
    try (RegionRead scanner = harness.scan(ScanRequest.builder().build())) {
      for (int rows = 1; rows < 6; rows++) {
        for (int more = 0; more < 2; more++) {
          CellBuffer out = new CellBuffer();
          RowSizes sizes = new RowSizes();
          long bytes = rowSize * (rows - 1) + (more == 0 ? 1 : rowSize);
          ReadBudget limits = new ReadBudget(-1, bytes, Long.MAX_VALUE, false);
          assertThat(scanner.nextRows(out, sizes, ofRows(ROWS, limits)))
              .isEqualTo(ScanProgress.ROW_DONE);
          assertThat(sizes.size()).as("%d bytes", bytes).isEqualTo(rows);
          assertThat(out.size()).isEqualTo(2 * rows);
        }
      }
    }
  }

  @Test
  void aCallEndsBehindItsLastRowAlsoIfTheNextRowHasCellsInTwoSources() throws IOException {
    harness.put(row(15), "c", "third");
    for (int rows = 1; rows < ROWS; rows++) {
      try (RegionRead scanner = harness.scan(ScanRequest.builder().build())) {
        CellBuffer out = new CellBuffer();
        RowSizes sizes = new RowSizes();
        assertThat(scanner.nextRows(out, sizes, ofRows(rows, ReadBudget.WHOLE_ROWS)))
            .isEqualTo(ScanProgress.ROW_DONE);
        assertThat(sizes.size()).isEqualTo(rows);
        assertThat(out.size()).as("cells of %d rows", rows).isEqualTo(sizes.cells());
      }
    }
  }

  @Test
  void aRowThatExtendsTheLastRowOfACallComesWithTheNextCall() throws Exception {
    harness.close();
    harness = new RegionHarness(TableSchema.of(TableName.parse("t"), FamilySchema.of("f")));
    List<String> keys = List.of("aa", "ab", "ab0", "ac", "ac0", "ad", "ae");
    List<String> expected = new ArrayList<>();
    for (String key : keys) {
      harness.put(key, "q", "value");
      expected.add(key + " q");
    }
    for (String state : List.of("in memory", "in a file", "in a cached block with a row index")) {
      for (int most = 1; most <= keys.size(); most++) {
        List<String> rows = new ArrayList<>();
        try (RegionRead scanner = harness.scan(ScanRequest.builder().build())) {
          CellBuffer out = new CellBuffer();
          RowSizes sizes = new RowSizes();
          ScanProgress progress;
          do {
            progress = scanner.nextRows(out, sizes, ofRows(most, ReadBudget.WHOLE_ROWS));
            rows.addAll(rows(out, sizes));
            out.clear();
            sizes.clear();
          } while (progress != ScanProgress.END);
        }
        assertThat(rows).as("%d rows for each call, %s", most, state).isEqualTo(expected);
      }
      if (state.equals("in memory")) {
        harness.region().flush();
      } else {
        harness.dump();
        harness.dump();
      }
    }
  }

  @Test
  void aCallEndsBetweenRowsWhenItsTimeIsOver() throws IOException {
    ReadBudget late = new ReadBudget(-1, -1, harness.clock.nanoTime() - 1, false);
    assertThat(scan(ScanRequest.builder().build(), late)).hasSize(ROWS);
    try (RegionRead scanner = harness.scan(ScanRequest.builder().build())) {
      RowSizes sizes = new RowSizes();
      CellBuffer out = new CellBuffer();
      assertThat(scanner.nextRows(out, sizes, ofRows(ROWS, late))).isEqualTo(ScanProgress.ROW_DONE);
      assertThat(sizes.size()).as("as many as are easy to have").isEqualTo(ROWS - 1);
    }
  }

  private List<String> scan(ScanRequest request, ReadBudget limits) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RegionRead scanner = harness.scan(request)) {
      CellBuffer out = new CellBuffer();
      RowSizes sizes = new RowSizes();
      ScanProgress progress;
      do {
        progress = scanner.nextRows(out, sizes, ofRows(ROWS, limits));
        if (progress == ScanProgress.ROW_DONE || progress == ScanProgress.END) {
          rows.addAll(rows(out, sizes));
          out.clear();
          sizes.clear();
        }
      } while (progress != ScanProgress.END);
    }
    return rows;
  }

  /** Returns each row with its qualifiers. */
  private static List<String> rows(CellBuffer cells, RowSizes sizes) {
    List<String> rows = new ArrayList<>();
    int at = 0;
    for (int row = 0; row < sizes.size(); row++) {
      StringBuilder text = new StringBuilder(Bytes.utf8(cells.get(at).row())).append(' ');
      for (int end = at + sizes.cells(row); at < end; at++) {
        Cell cell = cells.get(at);
        assertThat(text).startsWith(Bytes.utf8(cell.row()) + " ");
        text.append(Bytes.utf8(cell.qualifier()));
      }
      rows.add(text.toString());
    }
    return rows;
  }

  private static String row(int number) {
    return "r%02d".formatted(number);
  }
}
