package dev.cairn.engine.region;

import static dev.cairn.engine.region.FamilyFlushTest.with;
import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.deleteOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests the work that stores do as time passes, and the attributes of tables and families that
 * control it.
 */
class StoreMaintenanceTest {
  private static final long DAY = 86_400_000;
  private static final String PERIOD = "hbase.hregion.majorcompaction";
  private static final String JITTER = "hbase.hregion.majorcompaction.jitter";

  @Test
  void aFileGoesUnreadWhenAllInItIsExpired() throws IOException {
    try (RegionHarness harness = open(Map.of("TTL", "100"), Map.of())) {
      flushedPut(harness, "a");
      List<String> first = names(harness);
      flushedPut(harness, "b");
      harness.clock.advance(101_000);
      flushedPut(harness, "c");
      assertThat(harness.region().needsCompaction()).isTrue();
      harness.region().compact(false);
      assertThat(names(harness))
          .as("the newest alone")
          .hasSize(1)
          .doesNotContainAnyElementsOf(first);
      assertThat(archived(harness)).containsAll(first).hasSize(2);
      assertThat(harness.region().needsCompaction()).isFalse();
      assertThat(harness.dump()).containsExactly("c/f:q=v");
    }
  }

  @Test
  void theNewestFileStaysThoughItIsExpired() throws IOException {
    try (RegionHarness harness = open(Map.of("TTL", "100"), Map.of())) {
      flushedPut(harness, "a");
      flushedPut(harness, "b");
      List<String> names = names(harness);
      harness.clock.advance(101_000);
      harness.region().compact(false);
      assertThat(names(harness)).containsExactly(names.get(1));
      harness.powerCut();
      harness.put("d", "q", "later");
      assertThat(harness.dump()).containsExactly("d/f:q=later");
    }
  }

  @Test
  void aScanThatBeganBeforeReadsOnInAFileThatGoes() throws IOException {
    try (RegionHarness harness = open(Map.of("TTL", "100"), Map.of())) {
      flushedPut(harness, "a");
      flushedPut(harness, "b");
      try (RegionRead scan = harness.scan(ScanRequest.builder().build())) {
        harness.clock.advance(101_000);
        harness.region().compact(false);
        assertThat(archived(harness)).isEmpty();
      }
      assertThat(archived(harness)).hasSize(1);
    }
  }

  @Test
  void whereMinVersionsKeepsExpiredCellsNoFileGoes() throws IOException {
    try (RegionHarness harness =
        open(Map.of("TTL", "100", "VERSIONS", "3", "MIN_VERSIONS", "1"), Map.of())) {
      flushedPut(harness, "a");
      flushedPut(harness, "b");
      harness.clock.advance(101_000);
      assertThat(harness.region().needsCompaction()).isFalse();
      assertThat(harness.dump()).hasSize(2);
    }
  }

  @Test
  void aFamilyMayKeepExpiredFilesUntilTheyAreCompacted() throws IOException {
    try (RegionHarness harness =
        open(Map.of("TTL", "100", "hbase.store.delete.expired.storefile", "false"), Map.of())) {
      flushedPut(harness, "a");
      flushedPut(harness, "b");
      harness.clock.advance(101_000);
      assertThat(harness.region().needsCompaction()).isFalse();
    }
  }

  @Test
  void allFilesAreMergedWhenTheOldestIsAWeekOldGiveOrTakeHalf() throws IOException {
    try (RegionHarness harness = open(Map.of(), Map.of())) {
      flushedPut(harness, "a");
      flushedPut(harness, "b");
      harness.clock.advance(3 * DAY);
      assertThat(harness.region().needsCompaction()).isFalse();
      harness.clock.advance(8 * DAY);
      assertThat(harness.region().needsCompaction()).isTrue();
      harness.region().compact(false);
      assertThat(names(harness)).hasSize(1);
      assertThat(store(harness).view().files().get(0).majorCompactionMillis()).isPositive();
      harness.clock.advance(11 * DAY);
      assertThat(harness.region().needsCompaction()).as("one file, and no TTL").isFalse();
    }
  }

  @Test
  void aSingleFileIsRewrittenWhenSomeOfItIsExpired() throws IOException {
    try (RegionHarness harness =
        open(Map.of("TTL", "" + 10 * DAY / 1000), Map.of(PERIOD, "" + DAY, JITTER, "0"))) {
      harness.clock.advance(100 * DAY);
      harness.put("a", F, "q", harness.clock.currentTimeMillis() - 9 * DAY, "old");
      harness.put("b", "q", "young");
      harness.region().flush();
      assertThat(harness.region().needsCompaction()).isFalse();
      harness.clock.advance(DAY + 10_000);
      assertThat(harness.region().needsCompaction()).isTrue();
      harness.region().compact(false);
      assertThat(store(harness).view().files().get(0).reader().info().entryCount()).isEqualTo(1);
    }
  }

  @Test
  void aTableMayTurnMajorCompactionsByTheClockOff() throws IOException {
    try (RegionHarness harness = open(Map.of(), Map.of(PERIOD, "0"))) {
      flushedPut(harness, "a");
      flushedPut(harness, "b");
      harness.clock.advance(1000 * DAY);
      assertThat(harness.region().needsCompaction()).isFalse();
    }
  }

  @Test
  void whatAFamilySaysOfItsCompactionsComesBeforeWhatTheTableSays() throws IOException {
    String key = "hbase.hstore.compaction.min";
    try (RegionHarness table = open(Map.of(), Map.of(key, "5"));
        RegionHarness family = open(Map.of(key, "2"), Map.of(key, "5"))) {
      for (RegionHarness harness : List.of(table, family)) {
        flushedPut(harness, "a");
        flushedPut(harness, "b");
        flushedPut(harness, "c");
      }
      assertThat(table.region().needsCompaction()).isFalse();
      assertThat(family.region().needsCompaction()).isTrue();
    }
  }

  @Test
  void aCompactionIsLargeIfItMergesMoreThanTheThrottleAllows() throws IOException {
    String key = "hbase.regionserver.thread.compaction.throttle";
    try (RegionHarness harness =
        open(Map.of("hbase.hstore.compaction.min", "3", key, "0"), Map.of(key, "1000000"))) {
      Region region = harness.region();
      assertThat(region.isLargeCompaction(F, true)).as("no files").isFalse();
      flushedPut(harness, "a");
      flushedPut(harness, "b");
      assertThat(region.isLargeCompaction(F, true)).isTrue();
      assertThat(region.isLargeCompaction(F, false)).as("nothing to merge").isFalse();
      flushedPut(harness, "c");
      assertThat(region.isLargeCompaction(F, false)).isTrue();
      assertThat(region.isLargeCompaction(Bytes.utf8("none"), true)).isFalse();
    }
    try (RegionHarness harness = open(Map.of(), Map.of(key, "1000000"))) {
      flushedPut(harness, "a");
      assertThat(harness.region().isLargeCompaction(F, true)).isFalse();
    }
  }

  @Test
  void aStoreSaysWhenItHasTooManyFiles() throws IOException {
    try (RegionHarness harness = open(Map.of("hbase.hstore.blockingStoreFiles", "2"), Map.of())) {
      flushedPut(harness, "a");
      flushedPut(harness, "b");
      assertThat(harness.region().hasTooManyFiles()).isFalse();
      flushedPut(harness, "c");
      assertThat(harness.region().hasTooManyFiles()).isTrue();
    }
  }

  @Test
  void aKeptMarkerGoesWithAMajorCompactionWhenNoPutIsAsOld() throws IOException {
    try (RegionHarness harness =
        open(Map.of("KEEP_DELETED_CELLS", "TRUE", "VERSIONS", "5"), Map.of())) {
      harness.put("r", F, "q", 20, "v");
      harness.mutate(List.of(deleteOf("r", F, "", 10, CellType.DELETE_FAMILY)));
      harness.region().flush();
      harness.region().compact(true);
      assertThat(raw(harness)).containsExactly("r/f:q=v");

      harness.put("r", F, "q", 5, "old");
      harness.mutate(List.of(deleteOf("r", F, "", 10, CellType.DELETE_FAMILY)));
      harness.region().flush();
      harness.region().compact(true);
      assertThat(raw(harness)).as("with the marker").hasSize(3);
    }
  }

  private static List<String> raw(RegionHarness harness) throws IOException {
    return harness.dump(ScanRequest.builder().raw(true).maxVersions(10).build());
  }

  private static RegionHarness open(Map<String, String> family, Map<String, String> table)
      throws IOException {
    TableSchema plain = TableSchema.of(TableName.parse("t"), FamilySchema.of("f", family));
    return new RegionHarness(with(plain, table));
  }

  private static void flushedPut(RegionHarness harness, String row) throws IOException {
    harness.put(row, "q", "v");
    harness.region().flush();
  }

  private static Store store(RegionHarness harness) {
    return harness.region().stores().get(0);
  }

  private static List<String> names(RegionHarness harness) {
    return store(harness).view().files().stream().map(StoreFile::name).toList();
  }

  private static List<String> archived(RegionHarness harness) throws IOException {
    return harness.memory().list("archive/" + harness.directory() + "/f").stream()
        .map(Storage.FileInfo::name)
        .toList();
  }
}
