package dev.cairn.engine.scan.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.DeleteRule;
import dev.cairn.engine.scan.ScanFixture;
import dev.cairn.engine.scan.retention.CompactionCursor.Mode;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests which cells of a store compactions keep. The text cases of compaction test what readers
 * see.
 */
class CompactionCursorTest {
  private final ScanFixture table = new ScanFixture();

  @Test
  void aMinorCompactionKeepsAMarkerAndRemovesWhatItHides() throws IOException {
    table.family("f").write("r/f:q/5/DeleteColumn", "r/f:q/4/Put=late").compact(Mode.MINOR);
    assertThat(table.cells()).containsExactly("r/f:q/5/DeleteColumn");
    assertThat(table.compact(Mode.MAJOR).cells()).isEmpty();
  }

  @Test
  void flushesAndMinorCompactionsKeepVersionsBeyondTheLimit() throws IOException {
    table.family("f", "VERSIONS=2").write("r/f:q/1/Put=a", "r/f:q/2/Put=b", "r/f:q/3/Put=c");
    table.compact(Mode.FLUSH).compact(Mode.MINOR).write("r/f:q/3/Delete");
    assertThat(table.scanVersions()).containsExactly("r/f:q/2/Put=b", "r/f:q/1/Put=a");
  }

  @Test
  void aMajorCompactionKeepsWhatAnOlderScanMayNeed() throws IOException {
    table
        .family("f")
        .write("r/f:q/1/Put=a", "r/f:q/2/Put=b", "r/f:q/3/DeleteColumn")
        .compact(Mode.MAJOR, 1);
    assertThat(table.cells())
        .containsExactly("r/f:q/3/DeleteColumn", "r/f:q/2/Put=b", "r/f:q/1/Put=a");
    assertThat(table.compact(Mode.MAJOR, 2).cells())
        .containsExactly("r/f:q/3/DeleteColumn", "r/f:q/2/Put=b", "r/f:q/1/Put=a");
    assertThat(table.compact(Mode.MAJOR, 3).cells()).isEmpty();
  }

  /** A marker hides the write before it alone; of writes of one version, the rule tells by that. */
  private static final class HidesTheWriteBefore implements DeleteRule {
    private final Set<Long> hidden = new HashSet<>();

    @Override
    public void startRow() {
      hidden.clear();
    }

    @Override
    public void add(Cell marker) {
      hidden.add(marker.sequence() - 1);
    }

    @Override
    public Effect check(Cell put) {
      return hidden.contains(put.sequence()) ? Effect.VERSION_DELETED : Effect.VISIBLE;
    }
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void withASuppliedRule_aHiddenPutDoesNotReplaceAnEarlierOne(Mode mode) throws IOException {
    table
        .family("f")
        .deletingBy(family -> Optional.of(new HidesTheWriteBefore()))
        .write("r/f:q/1/Put=a", "r/f:q/1/Put=b", "r/f:q/1/Delete")
        .compact(mode);
    assertThat(table.cells())
        .isEqualTo(
            mode == Mode.MAJOR
                ? List.of("r/f:q/1/Put=a")
                : List.of("r/f:q/1/Delete", "r/f:q/1/Put=a"));
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void withASuppliedRule_aMarkerDoesNotReplaceAnEarlierOne(Mode mode) throws IOException {
    table
        .family("f")
        .deletingBy(family -> Optional.of(new HidesTheWriteBefore()))
        .write("r/f:q/1/Put=a", "r/f:q/1/Delete", "r/f:q/1/Put=b", "r/f:q/1/Delete")
        .compact(mode);
    assertThat(table.cells())
        .isEqualTo(mode == Mode.MAJOR ? List.of() : List.of("r/f:q/1/Delete", "r/f:q/1/Delete"));
  }

  @Test
  void withASuppliedRule_aPutThatAKeptMarkerHidesDoesNotReplaceAnEarlierOne() throws IOException {
    table
        .family("f", "KEEP_DELETED_CELLS=true")
        .deletingBy(family -> Optional.of(new HidesTheWriteBefore()))
        .write("r/f:q/1/Put=a", "r/f:q/1/Put=b", "r/f:q/1/Delete");
    for (Mode mode : Mode.values()) {
      assertThat(table.compact(mode).cells()).contains("r/f:q/1/Put=a");
    }
  }

  @Test
  void withASuppliedRule_aVisiblePutReplacesAnEarlierOneInAMajorCompaction() throws IOException {
    table
        .family("f", "VERSIONS=3")
        .deletingBy(family -> Optional.of(new HidesTheWriteBefore()))
        .write("r/f:q/1/Put=a", "r/f:q/1/Put=b")
        .compact(Mode.MAJOR);
    assertThat(table.cells()).containsExactly("r/f:q/1/Put=b");
  }
}
