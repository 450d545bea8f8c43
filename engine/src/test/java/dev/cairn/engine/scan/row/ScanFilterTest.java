package dev.cairn.engine.scan.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanFilter;
import dev.cairn.engine.scan.ScanFixture;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TestFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the calls between a scan and its filter. */
class ScanFilterTest {
  private final ScanFixture table = new ScanFixture();

  /** Takes everything, and writes down what it is shown. */
  private static class Recording extends TestFilter {
    final List<String> shown = new ArrayList<>();

    Recording(boolean wholeRow) {
      super(cell -> true, wholeRow);
    }

    @Override
    public Decision filterCell(Cell cell) {
      shown.add(name(cell));
      return decide(name(cell));
    }

    Decision decide(String cell) {
      return Decision.INCLUDE;
    }

    static String name(Cell cell) {
      return Bytes.utf8(cell.row())
          + Bytes.utf8(cell.family())
          + Bytes.utf8(cell.qualifier())
          + cell.timestamp();
    }
  }

  @BeforeEach
  void threeRowsOfTwoFamilies() {
    table.family("f", "VERSIONS=2").family("g");
    for (String row : List.of("r1", "r2", "r3")) {
      table.write(row + "/f:a/1/Put=" + row, row + "/f:b/1/Put=" + row, row + "/g:c/1/Put=" + row);
    }
  }

  private List<String> scan(ScanFilter filter) throws IOException {
    return scan(filter, false);
  }

  private List<String> scan(ScanFilter filter, boolean reversed) throws IOException {
    List<String> names = new ArrayList<>();
    try (RowScanner scanner =
        table.open(
            ScanRequest.builder()
                .filter(filter)
                .reversed(reversed)
                .loadFamiliesOnDemand(true)
                .build())) {
      CellBuffer out = new CellBuffer();
      while (scanner.next(out, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
        // Goes on to the end; cells pile up.
      }
      for (int i = 0; i < out.size(); i++) {
        names.add(Recording.name(out.get(i)));
      }
    }
    return names;
  }

  @Test
  void nextRowEndsTheRowInItsFamilyOnly() throws IOException {
    Recording filter =
        new Recording(false) {
          @Override
          Decision decide(String cell) {
            return cell.equals("r1fa1") ? Decision.NEXT_ROW : Decision.INCLUDE;
          }
        };
    assertThat(scan(filter)).startsWith("r1gc1", "r2fa1");
    assertThat(filter.shown).startsWith("r1fa1", "r1gc1", "r2fa1");
  }

  @Test
  void aFamilyThatIsReadOnDemandIsNotSoughtBehindItsEnd() throws IOException {
    for (int i = 10; i < 60; i++) {
      table.write("s" + i + "/f:a/1/Put=v");
    }
    Recording filter =
        new Recording(false) {
          @Override
          public boolean isFamilyEssential(byte[] family) {
            return family[0] == 'f';
          }
        };
    ScanRequest request = ScanRequest.builder().filter(filter).loadFamiliesOnDemand(true).build();
    try (RowScanner scanner = table.open(request)) {
      CellBuffer out = new CellBuffer();
      while (scanner.next(out, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
        // Goes on to the end; cells pile up.
      }
      assertThat(out.size()).isEqualTo(3 * 3 + 50);
      assertThat(scanner.statistics().seeks()).isLessThan(10);
    }
  }

  @Test
  void aHintToARowIsFollowedInTheDirectionOfTheScan() throws IOException {
    for (boolean reversed : new boolean[] {false, true}) {
      String target = reversed ? "r1" : "r3";
      Recording filter =
          new Recording(false) {
            @Override
            Decision decide(String cell) {
              return cell.startsWith(target) ? Decision.INCLUDE : Decision.SEEK_TO_HINT;
            }

            @Override
            public Optional<Cell> hint(Cell cell) {
              return Optional.of(Cell.firstOnRow(Bytes.utf8(target)));
            }
          };
      assertThat(scan(filter, reversed))
          .containsExactly(target + "fa1", target + "fb1", target + "gc1");
      assertThat(filter.shown).noneMatch(cell -> cell.startsWith("r2"));
    }
  }

  @Test
  void filterRowKeyDropsRowsUnseen() throws IOException {
    Recording filter =
        new Recording(false) {
          @Override
          public boolean filterRowKey(Cell first) {
            return Bytes.utf8(first.row()).equals("r2");
          }
        };
    assertThat(scan(filter)).noneMatch(cell -> cell.startsWith("r2")).hasSize(6);
    assertThat(filter.shown).noneMatch(cell -> cell.startsWith("r2"));
  }

  @Test
  void aFilterThatWantsToSeesTheRowsThatItDropsByTheirKey() throws IOException {
    for (boolean reversed : new boolean[] {false, true}) {
      Recording filter =
          new Recording(false) {
            @Override
            public boolean filterRowKey(Cell first) {
              return Bytes.utf8(first.row()).equals("r2");
            }

            @Override
            public boolean seesDroppedRows() {
              return true;
            }
          };
      assertThat(scan(filter, reversed)).noneMatch(cell -> cell.startsWith("r2")).hasSize(6);
      assertThat(filter.shown).contains("r2fa1", "r2fb1", "r2gc1");
    }
  }

  /** Has enough once it is asked about the key of row r2, of which it also wants to see all. */
  private static final class EndingAtRow2 extends Recording {
    private final boolean drops;
    private boolean ended;

    EndingAtRow2(boolean drops, boolean wholeRow) {
      super(wholeRow);
      this.drops = drops;
    }

    @Override
    public void reset() {
      if (drops) {
        ended = false;
      }
    }

    @Override
    public boolean filterRowKey(Cell first) {
      ended = Bytes.utf8(first.row()).equals("r2");
      return ended && drops;
    }

    @Override
    public boolean filterAllRemaining() {
      return ended;
    }

    @Override
    public boolean seesDroppedRows() {
      return true;
    }
  }

  @Test
  void aFilterThatEndsTheScanByARowsKeyIsNotShownTheRowWhateverElseItSays() throws IOException {
    for (boolean drops : new boolean[] {false, true}) {
      for (boolean wholeRow : new boolean[] {false, true}) {
        for (boolean reversed : new boolean[] {false, true}) {
          EndingAtRow2 filter = new EndingAtRow2(drops, wholeRow);
          String before = reversed ? "r3" : "r1";
          assertThat(scan(filter, reversed)).allMatch(cell -> cell.startsWith(before)).hasSize(3);
          assertThat(filter.shown).noneMatch(cell -> cell.startsWith("r2"));
        }
      }
    }
  }

  @Test
  void aFilterThatHasEnoughWithinARowEndsTheFamiliesThatAreReadOn() throws IOException {
    table.family("h").write("r2/h:d/1/Put=r2", "r3/h:d/1/Put=r3");
    Recording filter =
        new Recording(false) {
          private int inRow;

          @Override
          public void reset() {
            inRow = 0;
          }

          @Override
          Decision decide(String cell) {
            inRow++;
            return Decision.INCLUDE;
          }

          @Override
          public boolean filterAllRemaining() {
            return inRow >= 2;
          }
        };
    // Family h has nothing in the first row, and so does not hear that it was enough.
    assertThat(scan(filter)).containsExactly("r1fa1", "r1fb1", "r2hd1", "r3hd1");
  }

  @Test
  void aFilterSeesNothingOfAFamilyBeyondItsLimit() throws IOException {
    Recording filter = new Recording(false);
    try (RowScanner scanner =
        table.open(ScanRequest.builder().filter(filter).cellsPerFamily(1, 0).build())) {
      CellBuffer out = new CellBuffer();
      while (scanner.next(out, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
        // Goes on to the end; cells pile up.
      }
      assertThat(out.size()).isEqualTo(6);
    }
    assertThat(filter.shown).containsExactly("r1fa1", "r1gc1", "r2fa1", "r2gc1", "r3fa1", "r3gc1");
  }

  @Test
  void filterRowDropsACompleteRow() throws IOException {
    for (boolean wholeRow : new boolean[] {false, true}) {
      Recording filter =
          new Recording(wholeRow) {
            @Override
            public boolean filterRow() {
              return shown.get(shown.size() - 1).startsWith("r2");
            }
          };
      assertThat(scan(filter)).noneMatch(cell -> cell.startsWith("r2")).hasSize(6);
    }
  }

  @Test
  void filterRowCellsMayChangeACompleteRow() throws IOException {
    Recording filter =
        new Recording(true) {
          @Override
          public CellBuffer filterRowCells(CellBuffer row) {
            row.truncate(1);
            return row;
          }
        };
    assertThat(scan(filter)).containsExactly("r1fa1", "r2fa1", "r3fa1");
  }

  @Test
  void filterAllRemainingEndsTheScan() throws IOException {
    Recording filter =
        new Recording(false) {
          @Override
          public boolean filterAllRemaining() {
            return shown.size() >= 5;
          }
        };
    assertThat(scan(filter)).containsExactly("r1fa1", "r1fb1", "r1gc1", "r2fa1", "r2fb1");
    assertThat(filter.shown).hasSize(5);
  }

  @Test
  void familiesTheFilterDoesNotNeedAreReadOnlyForRowsThatPass() throws IOException {
    for (boolean reversed : new boolean[] {false, true}) {
      Recording filter =
          new Recording(false) {
            @Override
            public boolean isFamilyEssential(byte[] family) {
              return Bytes.utf8(family).equals("g");
            }

            @Override
            public boolean filterRow() {
              return !shown.get(shown.size() - 1).startsWith("r2");
            }
          };
      assertThat(scan(filter, reversed)).containsExactly("r2fa1", "r2fb1", "r2gc1");
      assertThat(filter.shown).containsOnlyOnce("r2fa1").doesNotContain("r1fa1", "r3fa1");
    }
  }

  @Test
  void withAFilterTheRequestsVersionsCountWhatItTook() throws IOException {
    table.write("r1/f:a/2/Put=new", "r1/f:a/3/Put=newest");
    Recording filter =
        new Recording(false) {
          @Override
          Decision decide(String cell) {
            return cell.equals("r1fa3") ? Decision.SKIP : Decision.INCLUDE;
          }
        };
    // Of two versions that the family has, the filter leaves one; the third is beyond VERSIONS.
    assertThat(scan(filter)).startsWith("r1fa2", "r1fb1");
    assertThat(filter.shown).startsWith("r1fa3", "r1fa2", "r1fb1");
  }
}
