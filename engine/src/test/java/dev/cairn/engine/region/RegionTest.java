package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static dev.cairn.engine.region.RegionHarness.deleteOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests a region's results for all physical shapes of its cells. */
class RegionTest {
  @AutoClose private final RegionHarness harness = RegionHarness.ofTwoFamilies();

  RegionTest() throws IOException {} // as making a region does

  @Test
  void answersDoNotChangeWithFlushCompactionAndReopening() throws IOException {
    for (int round = 0; round < 4; round++) {
      for (int row = 0; row < 20; row++) {
        harness.put("r" + row, "q" + round % 2, "v" + round);
        harness.put("r" + row, G, "q", Cell.LATEST_TIMESTAMP, "w" + round);
      }
      harness.mutate(
          List.of(deleteOf("r" + round, F, "q0", Cell.LATEST_TIMESTAMP, CellType.DELETE_COLUMN)));
      harness.region().flush();
    }
    List<String> before = harness.dump();
    assertThat(harness.region().statistics().storeFiles()).isEqualTo(8);

    harness.region().compact(false);
    assertThat(harness.dump()).isEqualTo(before);
    assertThat(harness.region().statistics().storeFiles()).isEqualTo(2);
    harness.region().compact(true);
    assertThat(harness.dump()).isEqualTo(before);
    harness.closeCleanly();
    harness.open();
    assertThat(harness.dump()).isEqualTo(before);
  }

  @Test
  void extremeCellsAreTheSameInEveryShape() throws IOException {
    String longRow = "r".repeat(Cell.MAX_ROW_LENGTH);
    harness.put("a", "", "");
    harness.put(longRow, "q", "v");
    harness.put(longRow, "", "");
    harness.put("z", "q".repeat(40_000), "v");
    harness.put("large", "q", "x".repeat(5 << 20));
    List<String> before = harness.dump();
    assertThat(before).hasSize(5).contains("a/f:=", longRow + "/f:=", longRow + "/f:q=v");

    harness.kill();
    assertThat(harness.dump().equals(before)).as("replayed").isTrue();
    harness.region().flush();
    harness.region().compact(true);
    assertThat(harness.dump().equals(before)).as("compacted").isTrue();
    assertThat(harness.get(longRow, "q")).isEqualTo("v");
    ScanRequest backwards = ScanRequest.builder().reversed(true).build();
    assertThat(harness.dump(backwards)).hasSize(5).last().isEqualTo("a/f:=");
  }

  @Test
  void aClosedRegionRefuses() throws IOException {
    RegionRead scanner = harness.scan(ScanRequest.builder().build());
    harness.region().close(false);

    assertThatThrownBy(() -> harness.put("r", "q", "v")).isInstanceOf(RegionClosedException.class);
    assertThatThrownBy(() -> harness.get("r", "q")).isInstanceOf(RegionClosedException.class);
    assertThatThrownBy(() -> scanner.next(new CellBuffer(), ReadBudget.WHOLE_ROWS))
        .isInstanceOf(RegionClosedException.class);
    scanner.close();
  }
}
