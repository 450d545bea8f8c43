package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.hfile.reader.HFileInfo;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.StoreFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cells are stored with room for tags only in files where some cell has tags. */
class StoredTagsTest {
  private static final byte[] TAGS = {0, 2, 9, 9};

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1"})
  void filesHaveTagsWhereACellHasSome(String encoding) throws IOException {
    try (RegionHarness harness = harness(Map.of("DATA_BLOCK_ENCODING", encoding))) {
      harness.put("a", "q", "plain");
      harness.region().flush();
      harness.put("b", "q", "plain");
      harness.region().flush();
      assertThat(files(harness)).extracting(HFileInfo::includesTags).containsExactly(false, false);

      harness.region().compact(true);
      assertThat(files(harness)).extracting(HFileInfo::includesTags).containsExactly(false);

      put(harness, "c", TAGS);
      harness.put("d", "q", "plain");
      harness.region().flush();
      assertThat(files(harness)).extracting(HFileInfo::includesTags).containsExactly(false, true);

      harness.region().compact(true);
      assertThat(files(harness)).extracting(HFileInfo::includesTags).containsExactly(true);
      for (String row : List.of("a", "b", "d")) {
        assertThat(harness.get(row, "q")).isEqualTo("plain");
      }
      CellBuffer found = new CellBuffer();
      harness.get(ScanRequest.row(Bytes.utf8("c")).build(), found);
      assertThat(found.get(0).tags()).isEqualTo(TAGS);
    }
  }

  @Test
  void aCompactionOfAFileThatLeftRoomForTagsButHasNoneLeavesNone() throws IOException {
    try (RegionHarness harness = harness(Map.of())) {
      put(harness, "a", TAGS);
      harness.region().flush();
      harness.mutate(
          List.of(RegionHarness.deleteOf("a", F, "", Long.MAX_VALUE, CellType.DELETE_FAMILY)));
      harness.put("b", "q", "plain");
      harness.region().flush();
      harness.region().compact(true);
      assertThat(files(harness).get(0).includesTags()).as("one of the inputs had some").isTrue();
      assertThat(files(harness).get(0).mayHaveTags()).isFalse();

      harness.region().compact(true);
      assertThat(files(harness).get(0).includesTags()).isFalse();
      assertThat(harness.get("b", "q")).isEqualTo("plain");
    }
  }

  private static void put(RegionHarness harness, String row, byte[] tags) throws IOException {
    CellBuffer cells = new CellBuffer();
    byte[] key = Bytes.utf8(row);
    cells.add(key, F, Bytes.utf8("q"), 1, CellType.PUT.code(), Bytes.utf8("v"), tags);
    harness.mutate(List.of(Mutation.put(key, cells)));
  }

  private static List<HFileInfo> files(RegionHarness harness) {
    return harness.region().stores().get(0).view().files().stream()
        .map(StoreFile::reader)
        .map(reader -> reader.info())
        .toList();
  }

  private static RegionHarness harness(Map<String, String> attributes) throws IOException {
    return new RegionHarness(
        TableSchema.of(TableName.parse("t"), FamilySchema.of("f", attributes)));
  }
}
