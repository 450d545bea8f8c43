package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.scan.retention.BigRow;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Flushes and compactions notice rows that are large or have many versions. */
class BigRowsTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f", Map.of("VERSIONS", "300")));

  @AutoClose private RegionHarness harness;

  @BeforeEach
  void open() throws IOException {
    harness = new RegionHarness(SCHEMA);
    harness.put("small", "q", "v");
  }

  private List<BigRow> rows() {
    return harness.region().stores().get(0).largestRows();
  }

  private static List<String> names(List<BigRow> rows) {
    return rows.stream().map(row -> Bytes.utf8(row.row())).toList();
  }

  private void putLarge(String row) throws IOException {
    harness.put(row, "a", "v".repeat(600_000));
    harness.put(row, "b", "v".repeat(600_000));
  }

  @Test
  void aFlushSeesLargeRowsAndRowsWithManyVersions() throws IOException {
    for (int i = 0; i < 150; i++) {
      harness.put("many", RegionHarness.F, "q", 1 + i, "v");
      harness.put("many", "r" + i, "v");
    }
    putLarge("large");
    harness.region().flush();
    assertThat(names(rows())).containsExactly("large", "many");
    assertThat(rows().get(0).bytes()).isBetween(1_200_000L, 1_201_000L);
    assertThat(rows().get(0).cells()).isEqualTo(2);
    assertThat(rows().get(0).versions()).isEqualTo(1);
    assertThat(rows().get(1).cells()).isEqualTo(300);
    assertThat(rows().get(1).versions()).isEqualTo(150);
  }

  @Test
  void aMajorCompactionSeesWholeRowsAndForgetsOthers() throws IOException {
    putLarge("gone");
    harness.region().flush();
    harness.put("parts", "a", "v".repeat(600_000));
    harness.region().flush();
    assertThat(names(rows())).containsExactly("gone");
    harness.put("parts", "b", "v".repeat(600_000));
    harness.mutate(
        List.of(
            RegionHarness.deleteOf(
                "gone", RegionHarness.F, "", Cell.LATEST_TIMESTAMP, CellType.DELETE_FAMILY)));
    harness.region().flush();
    harness.region().compact(true);
    assertThat(names(rows())).containsExactly("parts");
    assertThat(rows().get(0).cells()).isEqualTo(2);
  }

  @Test
  void onlyTheLargestAreRemembered() throws IOException {
    for (int i = 0; i < 10; i++) {
      harness.put("row" + i, "q", "v".repeat(1_100_000 + 1_000 * i));
      harness.region().flush();
    }
    assertThat(names(rows()))
        .containsExactly("row9", "row8", "row7", "row6", "row5", "row4", "row3", "row2");
  }
}
