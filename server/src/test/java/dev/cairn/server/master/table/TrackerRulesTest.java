package dev.cairn.server.master.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the store file tracker of a table that is altered. */
class TrackerRulesTest {
  private static final TableSchema SILENT =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f", Map.of("VERSIONS", "3")));

  @Test
  void aDescriptorThatNamesNoTrackerKeepsThePresentOne() {
    TableSchema listed = with(Map.of(StoreFileTracking.KEY, "FILE"));
    assertThat(TrackerRules.carryOver(listed, SILENT)).isEqualTo(listed);
  }

  @Test
  void aMigrationIsKeptWithItsKinds() {
    TableSchema kept =
        TrackerRules.carryOver(
            with(
                Map.of(
                    StoreFileTracking.KEY, "MIGRATION",
                    StoreFileTracking.SOURCE_KEY, "DEFAULT",
                    StoreFileTracking.TARGET_KEY, "FILE")),
            SILENT);
    assertThat(tracking(kept))
        .isEqualTo(
            new StoreFileTracking(StoreFileTracking.Kind.DEFAULT, StoreFileTracking.Kind.FILE));
  }

  @Test
  void aTrackerThatIsNamedIsNotReplaced() {
    TableSchema all = with(Map.of(StoreFileTracking.KEY, "DEFAULT"));
    TableSchema listed = with(Map.of(StoreFileTracking.KEY, "FILE"));
    assertThat(TrackerRules.carryOver(listed, all)).isEqualTo(all);
    assertThat(TrackerRules.carryOver(SILENT, SILENT)).isEqualTo(SILENT);
  }

  private static TableSchema with(Map<String, String> attributes) {
    TableSchema table = SILENT;
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      table = table.withDefault(attribute.getKey(), attribute.getValue());
    }
    return table;
  }

  private static StoreFileTracking tracking(TableSchema table) {
    return StoreFileTracking.of(
        table, table.families().iterator().next(), StoreFileTracking.DEFAULT);
  }
}
