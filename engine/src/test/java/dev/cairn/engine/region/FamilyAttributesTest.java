package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.FileAccess;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ValueSource;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.Store;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the effect of a family's attributes on its files and on reads. */
class FamilyAttributesTest {
  @Test
  void compactionsHaveACompressionOfTheirOwn() throws IOException {
    try (RegionHarness harness = open(Map.of("COMPRESSION_COMPACT_MAJOR", "GZ"))) {
      flushedPut(harness, "r", "q");
      assertThat(compression(harness)).isEqualTo(Compression.NONE);

      harness.region().compact(true);
      assertThat(compression(harness)).isEqualTo(Compression.GZ);
      assertThat(harness.get("r", "q")).isEqualTo("v");
    }
  }

  @Test
  void blocksOfAFamilyWithoutBlockCacheAreNotKept() throws IOException {
    try (RegionHarness cached = open(Map.of("BLOOMFILTER", "NONE"));
        RegionHarness uncached = open(Map.of("BLOOMFILTER", "NONE", "BLOCKCACHE", "false"))) {
      for (RegionHarness harness : List.of(cached, uncached)) {
        flushedPut(harness, "r", "q");
        assertThat(harness.get("r", "q")).isEqualTo("v");
      }
      assertThat(cached.cachedBlocks()).isPositive();
      assertThat(uncached.cachedBlocks()).isZero();
    }
  }

  @Test
  void aBloomFilterOverColumnsSparesAReadTheFilesWithoutThem() throws IOException {
    try (RegionHarness harness = open(Map.of("BLOOMFILTER", "ROWCOL"))) {
      flushedPut(harness, "r", "one");
      flushedPut(harness, "r", "two");
      assertThat(filesRead(harness, "r", "one")).isEqualTo(1);
      assertThat(filesRead(harness, "r", "one", "two")).isEqualTo(2);
      assertThat(filesRead(harness, "r")).isEqualTo(2);
      assertThat(filesRead(harness, "s", "one")).isZero();

      harness.mutate(
          List.of(
              RegionHarness.deleteOf(
                  "r", RegionHarness.F, "", Long.MAX_VALUE, CellType.DELETE_FAMILY)));
      harness.region().flush();
      assertThat(filesRead(harness, "r", "one")).as("with the marker's file").isEqualTo(2);
      assertThat(harness.get("r", "one")).isNull();
    }
  }

  private static RegionHarness open(Map<String, String> attributes) throws IOException {
    return new RegionHarness(
        TableSchema.of(TableName.parse("t"), FamilySchema.of("f", attributes)));
  }

  private static void flushedPut(RegionHarness harness, String row, String qualifier)
      throws IOException {
    harness.put(row, qualifier, "v");
    harness.region().flush();
  }

  private static Compression compression(RegionHarness harness) {
    return store(harness).view().files().get(0).reader().info().compression();
  }

  private static int filesRead(RegionHarness harness, String row, String... qualifiers)
      throws IOException {
    byte[][] columns = new byte[qualifiers.length][];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = Bytes.utf8(qualifiers[i]);
    }
    ScanRequest request =
        ScanRequest.row(Bytes.utf8(row))
            .family(RegionHarness.F, FamilySelection.of(columns))
            .build();
    Store store = store(harness);
    return store
        .view()
        .takeCursors()
        .source(store.family(), request, Long.MAX_VALUE, ValueSource.NONE, FileAccess.ALWAYS)
        .cursors()
        .size();
  }

  private static Store store(RegionHarness harness) {
    return harness.region().stores().get(0);
  }
}
