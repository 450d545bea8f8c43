package dev.cairn.engine.scan.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.scan.ScanFixture;
import dev.cairn.engine.scan.retention.CompactionCursor.Mode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

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
}
