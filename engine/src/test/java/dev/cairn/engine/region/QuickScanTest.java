package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.AT_ONCE;
import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.atOnce;
import static dev.cairn.engine.region.RegionHarness.deleteOf;
import static dev.cairn.engine.scan.ReadBudget.WHOLE_ROWS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.region.state.NoSuchFamilyException;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanObserver;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scans that end where they would have to wait, or are held. */
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
    try (RegionRead scan = harness.scanAtOnce(ALL_OF_F)) {
      assertThat(rest(scan, AT_ONCE)).containsExactly("a=aa", "b=bb", "c=cc");
    }
  }

  @Test
  void someAtATimeAndOneAfterAnotherReadWithoutEachOther() throws IOException {
    ScanRequest backwards = ALL_OF_F.toBuilder().reversed(true).build();
    harness.region().flush();
    harness.dump(ALL_OF_F);
    harness.put("b", "q", "newer");
    for (int i = 0; i < 3; i++) {
      try (RegionRead scan = harness.scanAtOnce(ALL_OF_F)) {
        assertThat(next(scan, AT_ONCE)).containsExactly("a=aa");
        try (RegionRead other = harness.scanAtOnce(backwards)) {
          assertThat(next(other, AT_ONCE)).containsExactly("c=cc");
          assertThat(next(scan, AT_ONCE)).containsExactly("b=newer");
          assertThat(rest(other, AT_ONCE)).containsExactly("b=newer", "a=aa");
        }
        assertThat(rest(scan, AT_ONCE)).containsExactly("c=cc");
      }
    }
  }

  @Test
  void onceClosedItReadsNothingOfTheNextScan() throws IOException {
    RegionRead scan = harness.scanAtOnce(ALL_OF_F);
    scan.close();
    try (RegionRead other = harness.scanAtOnce(ALL_OF_F)) {
      assertThatThrownBy(() -> next(scan, AT_ONCE)).isInstanceOf(IllegalStateException.class);
      scan.close();
      assertThat(rest(other, AT_ONCE)).containsExactly("a=aa", "b=bb", "c=cc");
    }
  }

  @Test
  void seesNothingThatWasWrittenAfterItsBegin() throws IOException {
    try (RegionRead scan = harness.scanAtOnce(ALL_OF_F)) {
      harness.put("b", "q", "new");
      assertThat(rest(scan, AT_ONCE)).containsExactly("a=aa", "b=bb", "c=cc");
    }
  }

  @Test
  void endsAtTheFirstBlockThatIsNotInTheCache() throws IOException {
    harness.region().flush();
    harness.alter(SCHEMA);
    try (RegionRead scan = harness.scanAtOnce(ALL_OF_F)) {
      CellBuffer out = new CellBuffer();
      assertThat(scan.next(out, AT_ONCE)).isEqualTo(ScanProgress.WOULD_WAIT);
      assertThat(out.isEmpty()).isTrue();
      assertThat(scan.hold()).as("its place is lost").isFalse();
      assertThat(scan.next(out, AT_ONCE)).isEqualTo(ScanProgress.WOULD_WAIT);
    }
    assertThat(harness.dump(ALL_OF_F)).hasSize(3);
    try (RegionRead scan = harness.scanAtOnce(ALL_OF_F)) {
      assertThat(rest(scan, AT_ONCE)).as("in the cache now").hasSize(3);
    }
  }

  @Test
  void goesOnAsAHeldScan() throws Exception {
    harness.region().flush();
    harness.alter(SCHEMA);
    RegionRead first = harness.scan(ALL_OF_F);
    assertThat(next(first, WHOLE_ROWS))
        .containsExactly("a=aa"); // brings the first block into the cache
    first.close();
    RegionRead scan = harness.scanAtOnce(ALL_OF_F);
    assertThat(next(scan, AT_ONCE)).containsExactly("a=aa");
    assertThat(scan.hold()).isTrue();
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
  void cannotBeHeldOnceItsFilesAreGone() throws IOException {
    harness.region().flush();
    harness.put("d", "q", "dd");
    harness.region().flush();
    harness.dump(ALL_OF_F);
    try (RegionRead scan = harness.scanAtOnce(ALL_OF_F)) {
      assertThat(next(scan, AT_ONCE)).containsExactly("a=aa");
      harness.region().compact(true);
      assertThat(scan.hold()).isFalse();
    }
    harness.region().close(false);
  }

  @Test
  void closesNoFileIfItCannotBeHeld() throws IOException {
    int files = filesOfAReadThatCannotBeHeld();
    assertThat(harness.openFiles()).as("only this one still used them").isEqualTo(files);
    harness.dump(ALL_OF_F);
    assertThat(harness.openFiles()).as("closed by a read that may wait").isLessThan(files);
  }

  @Test
  void itsFilesAreClosedWithTheRegionAtTheLatest() throws IOException {
    assertThat(filesOfAReadThatCannotBeHeld()).isPositive();
    harness.region().close(false);
    assertThat(harness.openFiles()).isZero();
  }

  /** Ends such a read; returns the number of open files before its end. */
  private int filesOfAReadThatCannotBeHeld() throws IOException {
    harness.region().flush();
    harness.put("d", "q", "dd");
    harness.region().flush();
    harness.dump(ALL_OF_F);
    int files;
    try (RegionRead scan = harness.scanAtOnce(ALL_OF_F)) {
      assertThat(next(scan, AT_ONCE)).containsExactly("a=aa");
      try (RegionRead other = harness.scan(ALL_OF_F)) {
        harness.region().compact(true);
        files = harness.openFiles();
        assertThat(other.hold()).isTrue();
        assertThat(scan.hold()).as("the store has changed").isFalse();
      }
    }
    return files;
  }

  @Test
  void theRegionDoesNotCloseBeforeItsEnd() throws Exception {
    RegionRead scan = harness.scanAtOnce(ALL_OF_F);
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
    assertThat(rest(scan, AT_ONCE)).hasSize(3);
    assertThat(closing).isNotDone();
    scan.close();
    scan.close();
    closing.get(60, TimeUnit.SECONDS);
    closer.join();
  }

  @Test
  void aHeldScanEndsWithItsRegion() throws IOException {
    RegionRead scan = harness.scanAtOnce(ALL_OF_F);
    assertThat(next(scan, AT_ONCE)).hasSize(1);
    assertThat(scan.hold()).isTrue();
    harness.region().close(false);
    assertThatThrownBy(() -> next(scan, WHOLE_ROWS)).isInstanceOf(RegionClosedException.class);
    scan.close();
  }

  @Test
  void tellsTheEndOfARowOfWhichOnlyHiddenCellsWereLeft() throws IOException {
    harness.put("a", "r", "hidden");
    harness.mutate(List.of(deleteOf("a", F, "r", Long.MAX_VALUE, CellType.DELETE_COLUMN)));
    ReadBudget late = atOnce(-1, harness.clock.nanoTime() - 1);
    try (RegionRead scan = harness.scanAtOnce(ALL_OF_F)) {
      CellBuffer out = new CellBuffer();
      ScanProgress progress = scan.next(out, late);
      while (progress == ScanProgress.LIMIT_BETWEEN_ROWS) {
        progress = scan.next(out, late); // every call gets on by a cell
      }
      assertThat(progress).isEqualTo(ScanProgress.TIME_IN_ROW);
      assertThat(out.size()).isEqualTo(1);
      assertThat(scan.next(out, AT_ONCE)).isEqualTo(ScanProgress.ROW_DONE);
      assertThat(out.size()).as("b is no part of a").isEqualTo(1);
      assertThat(rest(scan, AT_ONCE)).containsExactly("b=bb", "c=cc");
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
      ReadBudget late = atOnce(-1, harness.clock.nanoTime() - 1);
      try (RegionRead scan = harness.scanAtOnce(request)) {
        CellBuffer out = new CellBuffer();
        assertThat(scan.next(out, late)).isEqualTo(ScanProgress.TIME_IN_ROW);
        assertThat(out.size()).isLessThan(COLUMNS / 2);
      }
      try (RegionRead scan = harness.scanAtOnce(request)) {
        CellBuffer out = new CellBuffer();
        assertThat(scan.nextRows(out, new RowSizes(), late)).isEqualTo(ScanProgress.TIME_IN_ROW);
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
    harness.mutate(List.of(Mutation.put(Bytes.utf8(row), cells)));
  }

  @Test
  void valuesInMobFilesLostScansAndFiguresAreLeftToOthers() throws IOException {
    for (ScanRequest request :
        List.of(
            ScanRequest.builder().build(),
            ALL_OF_F.toBuilder().resumedFrom(1).build(),
            ALL_OF_F.toBuilder().observer(ScanObserver.METRICS).build())) {
      try (RegionRead scan = harness.scanAtOnce(request)) {
        assertThat(scan.next(new CellBuffer(), AT_ONCE)).isEqualTo(ScanProgress.WOULD_WAIT);
        assertThat(scan.hold()).isFalse();
      }
    }
    harness.region().close(false); // nobody is inside
  }

  @Test
  void errorsAreThoseOfAnyScan() throws IOException {
    ScanRequest unknown =
        ScanRequest.builder().family(Bytes.utf8("x"), FamilySelection.ALL).build();
    assertThatThrownBy(() -> harness.scanAtOnce(unknown)).isInstanceOf(NoSuchFamilyException.class);
    harness.region().close(false);
    assertThat(opensScans()).isFalse();
  }

  private boolean opensScans() {
    try {
      harness.scanAtOnce(ALL_OF_F).close();
      return true;
    } catch (RegionClosedException e) {
      return false;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> restUnchecked(RegionRead scan) {
    try {
      return rest(scan, WHOLE_ROWS);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> rest(RegionRead scan, ReadBudget budget) throws IOException {
    List<String> all = new ArrayList<>();
    for (List<String> row = next(scan, budget); !row.isEmpty(); row = next(scan, budget)) {
      all.addAll(row);
    }
    return all;
  }

  private static List<String> next(RegionRead scan, ReadBudget budget) throws IOException {
    CellBuffer out = new CellBuffer();
    ScanProgress progress = scan.next(out, budget);
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < out.size(); i++) {
      cells.add(Bytes.utf8(out.get(i).row()) + "=" + Bytes.utf8(out.get(i).value()));
    }
    assertThat(cells.isEmpty()).isEqualTo(progress == ScanProgress.END);
    return cells;
  }
}
