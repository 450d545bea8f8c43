package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tags that come from a client. A log with compressed tags knows no form for any but whole ones.
 */
class MalformedTagsTest {
  @ParameterizedTest
  @ValueSource(strings = {"00", "0000", "00C801", "000000", "0002090900", "00020909FFFF07"})
  void tagsThatAreNotWholeAreRefusedBeforeTheyReachTheLog(String hex) throws IOException {
    try (RegionHarness harness = harness()) {
      Mutation put = put(HexFormat.of().parseHex(hex));
      List<MutationOutcome> outcomes = harness.mutate(List.of(put));
      assertThat(outcomes.get(0)).isInstanceOf(MutationOutcome.Refused.class);
      assertThatThrownBy(() -> harness.mutateTogether(List.of(put)))
          .isInstanceOf(InvalidMutationException.class)
          .hasMessageContaining("tags");
      assertThat(harness.get("r", "q")).isNull();
    }
  }

  @Test
  void wholeTagsAreTaken() throws IOException {
    try (RegionHarness harness = harness()) {
      Mutation put = put(new byte[] {0, 2, 9, 9, 0, 1, 7});
      assertThat(harness.mutate(List.of(put)).get(0)).isInstanceOf(MutationOutcome.Done.class);
      assertThat(harness.get("r", "q")).isEqualTo("v");
    }
  }

  private static Mutation put(byte[] tags) {
    byte[] row = Bytes.utf8("r");
    CellBuffer cells = new CellBuffer();
    cells.add(row, F, Bytes.utf8("q"), 1, CellType.PUT.code(), Bytes.utf8("v"), tags);
    return Mutation.put(row, cells);
  }

  private static RegionHarness harness() throws IOException {
    return new RegionHarness(TableSchema.of(TableName.parse("t"), FamilySchema.of("f")));
  }
}
