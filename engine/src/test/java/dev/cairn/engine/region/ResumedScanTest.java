package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A scan whose scanner was lost goes on in the middle, at the point where it began. */
class ResumedScanTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f"), FamilySchema.of("g"));

  @AutoClose private RegionHarness harness;
  private ScanRequest resumed;

  @BeforeEach
  void change() throws IOException {
    harness = new RegionHarness(SCHEMA);
    harness.put("r", F, "q", 1, "old");
    harness.put("r", G, "q", 1, "old");
    try (RegionRead lost = harness.scan(ScanRequest.builder().build())) {
      resumed = ScanRequest.builder().resumedFrom(lost.readPoint()).build();
    }
    harness.put("r", F, "q", 2, "new");
    harness.put("r", F, "added", 2, "new");
    harness.mutate(
        List.of(RegionHarness.deleteOf("r", G, "", Cell.LATEST_TIMESTAMP, CellType.DELETE_FAMILY)));
  }

  private static final String[] BEFORE = {"r/f:q=old", "r/g:q=old"};
  private static final String[] NOW = {"r/f:added=new", "r/f:q=new"};

  @Test
  void whatWasWrittenMeanwhileIsNotSeen() throws IOException {
    assertThat(harness.dump(resumed)).containsExactly(BEFORE);
    assertThat(harness.dump()).containsExactly(NOW);
  }

  @Test
  void nothingIsMissingOnceAFlushMetADelete() throws IOException {
    harness.kill();
    assertThat(harness.dump(resumed)).containsExactly(NOW);
  }

  @Test
  void nothingIsMissingOnceAFlushMetAnOverwrite() throws IOException {
    harness.close();
    harness = new RegionHarness(SCHEMA);
    harness.put("r", F, "q", 1, "old");
    ScanRequest scan = ScanRequest.builder().resumedFrom(harness.region().readPoint()).build();
    harness.put("r", F, "q", 1, "new");
    harness.put("r", F, "added", 1, "new");
    harness.region().flush();
    assertThat(harness.dump(scan)).containsExactly(NOW);
  }

  @Test
  void aRegionThatMovesKeepsWhatTheScanSees() throws IOException {
    harness.close();
    harness = new RegionHarness(SCHEMA);
    harness.put("r", F, "q", 1, "old");
    harness.put("r", G, "q", 1, "old");
    harness.put("r", F, "q", 2, "new");
    ScanRequest scan = ScanRequest.builder().resumedFrom(2).build();
    harness.put("r", F, "added", 2, "new");
    harness.kill();
    assertThat(harness.dump(scan)).containsExactly(BEFORE);
  }

  @Test
  void aRegionThatWasMergedWithOthersShowsTheirRows() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      table.put("a", F, "q", "v");
      table.split("m");
      for (Region region : table.regions()) {
        region.compact(true);
      }
      for (int i = 0; i < 20; i++) {
        table.put("a" + i % 5, F, "q" + i, "v");
        table.put("z" + i, F, "q", "v");
        table.put("z" + i, G, "q", "v");
      }
      long readPoint = table.regionOf("a").readPoint();
      ScanRequest scan = ScanRequest.builder().resumedFrom(readPoint).build();
      List<String> all = table.dump();
      table.merge("a", "z");
      List<String> found = new ArrayList<>();
      TableHarness.read(table.regionOf("a"), scan, found);
      assertThat(found).isEqualTo(all);
    }
  }

  @Test
  void nothingIsMissingOnceACompactionMayHaveDroppedIt() throws IOException {
    harness.region().flush();
    harness.region().compact(true);
    assertThat(harness.dump(resumed)).containsExactly(NOW);
  }

  @Test
  void aCompactionOfWhatWasThereBeforeChangesNothing() throws IOException {
    harness.close();
    harness = new RegionHarness(SCHEMA);
    harness.put("r", F, "q", 1, "old");
    harness.region().flush();
    harness.region().compact(true);
    long readPoint = harness.region().readPoint();
    harness.put("r", F, "q", 2, "new");
    harness.region().flush();
    ScanRequest scan = ScanRequest.builder().resumedFrom(readPoint).build();
    assertThat(harness.dump(scan)).containsExactly("r/f:q=old");
    harness.closeCleanly();
    harness.open();
    assertThat(harness.dump(scan)).containsExactly("r/f:q=old");
  }

  @Test
  void aPointThatIsStillToComeIsNow() throws IOException {
    assertThat(harness.dump(ScanRequest.builder().resumedFrom(1L << 60).build()))
        .containsExactly(NOW);
  }
}
