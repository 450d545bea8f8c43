package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.deleteOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.NotInMemoryException;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.time.Waiting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scans that end where they would have to wait, or become ordinary ones. */
@Timeout(60)
class QuickScanTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(
          TableName.parse("t"),
          FamilySchema.of("f", Map.of("BLOCKSIZE", "64")),
          FamilySchema.of("g", Map.of("IS_MOB", "true", "MOB_THRESHOLD", "10")));
  private static final ScanRequest ALL_OF_F =
      ScanRequest.builder().family(F, FamilySelection.ALL).build();

  private static final int COLUMNS = 4000;

  private RegionHarness harness;

  @BeforeEach
  void open() throws IOException {
    harness = new RegionHarness(SCHEMA);
    for (String row : List.of("a", "b", "c")) {
      harness.put(row, "q", row + row);
    }
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void readsWhatIsInMemory() throws IOException {
    try (QuickScan scan = harness.region().tryScan(ALL_OF_F).orElseThrow()) {
      assertThat(rest(scan)).containsExactly("a=aa", "b=bb", "c=cc");
    }
  }

  @Test
  void someAtATimeAndOneAfterAnotherReadWithoutEachOther() throws IOException {
    ScanRequest backwards = ALL_OF_F.toBuilder().reversed(true).build();
    harness.region().flush();
    harness.dump(ALL_OF_F);
    harness.put("b", "q", "newer");
    for (int i = 0; i < 3; i++) {
      try (QuickScan scan = harness.region().tryScan(ALL_OF_F).orElseThrow()) {
        assertThat(next(scan)).containsExactly("a=aa");
        try (QuickScan other = harness.region().tryScan(backwards).orElseThrow()) {
          assertThat(next(other)).containsExactly("c=cc");
          assertThat(next(scan)).containsExactly("b=newer");
          assertThat(rest(other)).containsExactly("b=newer", "a=aa");
        }
        assertThat(rest(scan)).containsExactly("c=cc");
      }
    }
  }

  @Test
  void onceClosedItReadsNothingOfTheNextScan() throws IOException {
    QuickScan scan = closed(harness.region().tryScan(ALL_OF_F).orElseThrow());
    try (QuickScan other = harness.region().tryScan(ALL_OF_F).orElseThrow()) {
      assertThatThrownBy(() -> next(scan)).isInstanceOf(IllegalStateException.class);
      scan.close();
      assertThat(rest(other)).containsExactly("a=aa", "b=bb", "c=cc");
    }
  }

  @Test
  void seesNothingThatWasWrittenAfterItsBegin() throws IOException {
    try (QuickScan scan = harness.region().tryScan(ALL_OF_F).orElseThrow()) {
      harness.put("b", "q", "new");
      assertThat(rest(scan)).containsExactly("a=aa", "b=bb", "c=cc");
    }
  }

  @Test
  void endsAtTheFirstBlockThatIsNotInTheCache() throws IOException {
    harness.region().flush();
    harness.alter(SCHEMA);
    try (QuickScan scan = harness.region().tryScan(ALL_OF_F).orElseThrow()) {
      assertThatThrownBy(() -> rest(scan)).isInstanceOf(NotInMemoryException.class);
    }
    assertThat(harness.dump(ALL_OF_F)).hasSize(3);
    try (QuickScan scan = harness.region().tryScan(ALL_OF_F).orElseThrow()) {
      assertThat(rest(scan)).as("in the cache now").hasSize(3);
    }
  }

  @Test
  void goesOnAsAnOrdinaryScan() throws Exception {
    harness.region().flush();
    harness.alter(SCHEMA);
    RegionScanner first = harness.region().scan(ALL_OF_F);
    assertThat(next(first)).containsExactly("a=aa"); // brings the first block into the cache
    first.close();
    QuickScan scan = harness.region().tryScan(ALL_OF_F).orElseThrow();
    assertThat(next(scan)).containsExactly("a=aa");
    assertThat(scan.keep()).isTrue();
    harness.put("b", "q", "new");
    harness.region().flush();
    harness.region().compact(true);
    assertThat(CompletableFuture.supplyAsync(() -> restUnchecked(scan)).get(60, TimeUnit.SECONDS))
        .as("from files that are replaced already, in another thread")
        .containsExactly("b=bb", "c=cc");
    int files = harness.openFiles();
    scan.close();
    assertThat(harness.openFiles()).as("it was the last one that used them").isLessThan(files);
  }

  @Test
  void cannotBeKeptOnceItsFilesAreGone() throws IOException {
    harness.region().flush();
    harness.put("d", "q", "dd");
    harness.region().flush();
    harness.dump(ALL_OF_F);
    try (QuickScan scan = harness.region().tryScan(ALL_OF_F).orElseThrow()) {
      assertThat(next(scan)).containsExactly("a=aa");
      harness.region().compact(true);
      assertThat(scan.keep()).isFalse();
    }
    harness.region().close(false);
  }

  @Test
  void theRegionDoesNotCloseBeforeItsEnd() throws Exception {
    QuickScan scan = harness.region().tryScan(ALL_OF_F).orElseThrow();
    CompletableFuture<Void> closing = new CompletableFuture<>();
    Thread closer =
        new Thread(
            () -> {
              try {
                harness.region().close(false);
                closing.complete(null);
              } catch (IOException e) {
                closing.completeExceptionally(e);
              }
            });
    closer.start();
    Waiting.until(() -> !opensScans()); // closing has begun
    assertThat(rest(scan)).hasSize(3);
    assertThat(closing).isNotDone();
    scan.close();
    scan.close();
    closing.get(60, TimeUnit.SECONDS);
    closer.join();
  }

  @Test
  void aKeptScanEndsWithItsRegion() throws IOException {
    QuickScan scan = harness.region().tryScan(ALL_OF_F).orElseThrow();
    assertThat(next(scan)).hasSize(1);
    assertThat(scan.keep()).isTrue();
    harness.region().close(false);
    assertThatThrownBy(() -> next(scan)).isInstanceOf(RegionClosedException.class);
    scan.close();
  }

  @Test
  void tellsTheEndOfARowOfWhichOnlyHiddenCellsWereLeft() throws IOException {
    harness.put("a", "r", "hidden");
    harness.region().mutate(List.of(deleteOf("a", F, "r", Long.MAX_VALUE, CellType.DELETE_COLUMN)));
    ReadBudget late = new ReadBudget(-1, -1, harness.clock.nanoTime() - 1, true);
    try (QuickScan scan = harness.region().tryScan(ALL_OF_F).orElseThrow()) {
      CellBuffer out = new CellBuffer();
      ScanProgress progress = scan.next(out, late);
      while (progress == ScanProgress.LIMIT_BETWEEN_ROWS) {
        progress = scan.next(out, late); // every call gets on by a cell
      }
      assertThat(progress).isEqualTo(ScanProgress.TIME_IN_ROW);
      assertThat(out.size()).isEqualTo(1);
      assertThat(scan.next(out, ReadBudget.WHOLE_ROWS)).isEqualTo(ScanProgress.ROW_DONE);
      assertThat(out.size()).as("b is no part of a").isEqualTo(1);
      assertThat(rest(scan)).containsExactly("b=bb", "c=cc");
    }
  }

  @Test
  void looksAtTheTimeWithinAWideRowThatSeveralSourcesHaveOrShare() throws IOException {
    for (int step : new int[] {1, 2}) { // the same columns twice, or every other one
      String row = "wide" + step;
      putColumns(row, 0, step);
      harness.region().flush();
      ScanRequest request =
          ALL_OF_F.toBuilder().start(Bytes.utf8(row), true).maxVersions(1).build();
      harness.dump(request);
      putColumns(row, step - 1, step);
      ReadBudget late = new ReadBudget(-1, -1, harness.clock.nanoTime() - 1, true);
      try (QuickScan scan = harness.region().tryScan(request).orElseThrow()) {
        CellBuffer out = new CellBuffer();
        assertThat(scan.next(out, late)).isEqualTo(ScanProgress.TIME_IN_ROW);
        assertThat(out.size()).isLessThan(COLUMNS / 2);
      }
      try (QuickScan scan = harness.region().tryScan(request).orElseThrow()) {
        CellBuffer out = new CellBuffer();
        assertThat(scan.nextRows(out, new RowSizes(), 10, late))
            .isEqualTo(ScanProgress.TIME_IN_ROW);
        assertThat(out.size()).isLessThan(COLUMNS / 2);
      }
    }
  }

  private void putColumns(String row, int first, int step) throws IOException {
    CellBuffer cells = new CellBuffer();
    for (int column = first; column < COLUMNS; column += step) {
      byte[] qualifier = Bytes.utf8("q%05d".formatted(column));
      cells.add(Cell.put(Bytes.utf8(row), F, qualifier, 1, Bytes.utf8("value")));
    }
    harness.region().mutate(List.of(Mutation.put(Bytes.utf8(row), cells)));
  }

  @Test
  void valuesInMobFilesLostScansAndFiguresAreLeftToOthers() throws IOException {
    Optional<QuickScan> ofMobs = harness.region().tryScan(ScanRequest.builder().build());
    assertThat(ofMobs).isEmpty();
    assertThat(harness.region().tryScan(ALL_OF_F.toBuilder().resumedFrom(1).build())).isEmpty();
    assertThat(harness.region().tryScan(ALL_OF_F.toBuilder().tracked(true).build())).isEmpty();
    harness.region().close(false); // nobody is inside
  }

  @Test
  void errorsAreThoseOfAnyScan() throws IOException {
    ScanRequest unknown =
        ScanRequest.builder().family(Bytes.utf8("x"), FamilySelection.ALL).build();
    assertThatThrownBy(() -> harness.region().tryScan(unknown))
        .isInstanceOf(NoSuchFamilyException.class);
    harness.region().close(false);
    assertThat(harness.region().tryScan(ALL_OF_F)).isEmpty();
  }

  private boolean opensScans() {
    try {
      return harness.region().tryScan(ALL_OF_F).map(QuickScanTest::closed).isPresent();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static QuickScan closed(QuickScan scan) {
    scan.close();
    return scan;
  }

  private static List<String> restUnchecked(RegionScanner scan) {
    try {
      return rest(scan);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> rest(RegionScanner scan) throws IOException {
    List<String> all = new ArrayList<>();
    for (List<String> row = next(scan); !row.isEmpty(); row = next(scan)) {
      all.addAll(row);
    }
    return all;
  }

  private static List<String> next(RegionScanner scan) throws IOException {
    CellBuffer out = new CellBuffer();
    ScanProgress progress = scan.next(out, ReadBudget.WHOLE_ROWS);
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < out.size(); i++) {
      cells.add(Bytes.utf8(out.get(i).row()) + "=" + Bytes.utf8(out.get(i).value()));
    }
    assertThat(cells.isEmpty()).isEqualTo(progress == ScanProgress.END);
    return cells;
  }
}
