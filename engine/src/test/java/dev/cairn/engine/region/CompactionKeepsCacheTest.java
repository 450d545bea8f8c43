package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that blocks cached for requests stay cached across a compaction. */
class CompactionKeepsCacheTest {
  private static final int ROWS = 400;

  @ParameterizedTest
  @CsvSource({"NONE,NONE", "FAST_DIFF,NONE", "NONE,SNAPPY", "ROW_INDEX_V1,GZ"})
  void rowsOfCachedBlocksAreReadFromMemoryAfterwards(String encoding, String compression)
      throws IOException {
    try (RegionHarness harness =
        open(
            Map.of(
                "BLOCKSIZE",
                "1000",
                "DATA_BLOCK_ENCODING",
                encoding,
                "COMPRESSION",
                compression))) {
      fill(harness);
      readAll(harness);

      harness.region().compact(true);
      harness.get(row(0), "q"); // index and Bloom filter of the new file
      BlockCache.Statistics before = harness.cacheStatistics();
      readAll(harness);

      long blocks = ROWS * 100 / 1000;
      assertThat(harness.cacheStatistics().misses() - before.misses()).isLessThan(blocks / 4);
    }
  }

  @Test
  void whatNobodyReadIsNotKept() throws IOException {
    try (RegionHarness harness = open(Map.of("BLOCKSIZE", "1000"))) {
      fill(harness);
      harness.region().compact(true);

      assertThat(harness.cacheStatistics().blocks()).isLessThan(5);
      readAll(harness);
    }
  }

  @Test
  void replacedFilesLeaveNothingInTheCache() throws IOException {
    try (RegionHarness harness = open(Map.of("BLOCKSIZE", "1000"))) {
      fill(harness);
      readAll(harness);
      long blocks = harness.cacheStatistics().blocks();
      for (int i = 0; i < 5; i++) {
        harness.put("another", "q", "v" + i);
        harness.region().flush();
        harness.region().compact(true);
        readAll(harness);
      }

      assertThat(harness.cacheStatistics().blocks()).isLessThan(blocks + 10);
    }
  }

  private static RegionHarness open(Map<String, String> attributes) throws IOException {
    return new RegionHarness(
        TableSchema.of(TableName.parse("t"), FamilySchema.of("f", attributes)));
  }

  private static void fill(RegionHarness harness) throws IOException {
    for (int half = 0; half < 2; half++) {
      for (int i = half; i < ROWS; i += 2) {
        harness.put(row(i), "q", value(i));
      }
      harness.region().flush();
    }
  }

  private static void readAll(RegionHarness harness) throws IOException {
    for (int i = 0; i < ROWS; i++) {
      assertThat(harness.get(row(i), "q")).isEqualTo(value(i));
    }
  }

  private static String row(int i) {
    return "row%06d".formatted(i);
  }

  private static String value(int i) {
    return Bytes.toStringBinary(Bytes.ofLong(i)) + "v".repeat(60);
  }
}
