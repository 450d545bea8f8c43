package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.scan.DeleteRules;
import dev.cairn.engine.scan.DroppedRows;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanFilter;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.store.StoreFileHook;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Rules for delete markers and listeners of dropped rows that a read brings with it. */
class ReadHooksTest {
  @AutoClose private final RegionHarness harness = RegionHarness.ofTwoFamilies();
  private final List<String> dropped = new ArrayList<>();

  ReadHooksTest() throws IOException {}

  /** Drops the rows in its list, those that begin with a dot by their key. */
  private record Without(List<String> rows) implements ScanFilter {
    @Override
    public void reset() {}

    @Override
    public boolean filterAllRemaining() {
      return false;
    }

    @Override
    public boolean filterRowKey(Cell first) {
      String row = Bytes.utf8(first.row());
      return row.startsWith(".") && rows.contains(row);
    }

    @Override
    public Decision filterCell(Cell cell) {
      return rows.contains(Bytes.utf8(cell.row())) ? Decision.NEXT_ROW : Decision.INCLUDE;
    }

    @Override
    public Cell transform(Cell cell) {
      return cell;
    }

    @Override
    public Optional<Cell> hint(Cell cell) {
      return Optional.empty();
    }

    @Override
    public boolean needsWholeRow() {
      return false;
    }

    @Override
    public CellBuffer filterRowCells(CellBuffer row) {
      return row;
    }

    @Override
    public boolean filterRow() {
      return false;
    }

    @Override
    public boolean isFamilyEssential(byte[] family) {
      return true;
    }
  }

  private static ScanRequest.Builder telling(DroppedRows listener) {
    return ScanRequest.builder().hooks(new ScanRequest.Hooks(DeleteRules.OF_FAMILIES, listener));
  }

  private boolean note(Cell first) {
    dropped.add(Bytes.utf8(first.row()));
    return true;
  }

  private void rows(String... rows) throws IOException {
    for (String row : rows) {
      harness.put(row, "q", "v");
    }
  }

  private void delete(String row) throws IOException {
    RegionHarness.done(
        harness.mutate(
            List.of(
                RegionHarness.deleteOf(
                    row, RegionHarness.F, "", Cell.LATEST_TIMESTAMP, CellType.DELETE_FAMILY))));
  }

  @Test
  void hearsOfRowsThatTheFilterDrops() throws IOException {
    rows(".a", ".b", "c", "d", "e");
    assertThat(
            harness.dump(telling(this::note).filter(new Without(List.of(".a", "c", "e"))).build()))
        .containsExactly(".b/f:q=v", "d/f:q=v");
    assertThat(dropped).containsExactly(".a", "c", "e");
  }

  @Test
  void hearsOfRowsWithoutVisibleCells() throws IOException {
    rows("a", "b", "c");
    delete("b");
    assertThat(harness.dump(telling(this::note).build())).containsExactly("a/f:q=v", "c/f:q=v");
    assertThat(dropped).containsExactly("b");
  }

  @Test
  void endsTheScan() throws IOException {
    rows("a", "b", "c");
    assertThat(
            harness.dump(
                telling(first -> note(first) && false).filter(new Without(List.of("b"))).build()))
        .containsExactly("a/f:q=v");
    assertThat(dropped).containsExactly("b");
  }

  @Test
  void mustNotUseTheScan() throws IOException {
    rows("a", "b");
    List<RegionRead> scans = new ArrayList<>();
    ScanRequest request =
        telling(
                first -> {
                  scans.get(0).next(new CellBuffer(), ReadBudget.WHOLE_ROWS);
                  return true;
                })
            .filter(new Without(List.of("a")))
            .build();
    try (RegionRead scan = harness.scan(request)) {
      scans.add(scan);
      assertThatThrownBy(() -> scan.next(new CellBuffer(), ReadBudget.WHOLE_ROWS))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("A hook uses the scan that calls it");
    }
  }

  @Test
  void showsWhatMarkersHide() throws IOException {
    rows("a");
    delete("a");
    ScanRequest request =
        ScanRequest.builder()
            .hooks(new ScanRequest.Hooks(SuppliedRules.IGNORING, DroppedRows.IGNORED))
            .build();
    assertThat(harness.dump()).isEmpty();
    assertThat(harness.dump(request)).containsExactly("a/f:q=v");
    harness.region().flush();
    assertThat(harness.dump(request)).isEmpty();
  }

  @Test
  void aRewriteKeepsWhatItsRuleShows() throws IOException {
    harness.hookFilesWith(
        new StoreFileHook() {
          @Override
          public Retention retention(Rewrite rewrite, Retention stored) {
            return stored.deleting(SuppliedRules.IGNORING);
          }
        });
    harness.closeCleanly();
    harness.open();
    rows("a");
    harness.region().flush();
    delete("a");
    harness.region().flush();
    harness.region().compact(true);
    assertThat(harness.dump()).containsExactly("a/f:q=v");
  }
}
