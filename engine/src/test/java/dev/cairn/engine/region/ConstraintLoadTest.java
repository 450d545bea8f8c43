package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.TWO_FAMILIES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.constraint.ColumnRules;
import dev.cairn.engine.region.bulkload.BulkLoadOutcome;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.region.bulkload.BulkLoadRequest.Check;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.LoadableFile.UnloadableFileException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bulk loads into tables with constraints: reported, or refused if the table is strict. */
class ConstraintLoadTest {
  private static final String SOURCE = "staging/f/values";
  private static final TableSchema SHORT =
      TWO_FAMILIES.with(ColumnRules.PREFIX + "f:q", "length ..3");
  private static final TableSchema STRICT = SHORT.with(ColumnRules.STRICT, "true");

  @Test
  void aFileThatBreaksARuleIsLoaded() throws IOException {
    try (RegionHarness harness = new RegionHarness(SHORT)) {
      BulkLoadTest.write(harness, SOURCE, F, 5, "long", "a", "b");
      assertThat(load(harness)).isInstanceOf(BulkLoadOutcome.Loaded.class);
      assertThat(harness.dump()).containsExactly("a/f:q=long", "b/f:q=long");
    }
  }

  @Test
  void aStrictTableRefusesItAndNamesTheFirstValues() throws IOException {
    try (RegionHarness harness = new RegionHarness(STRICT)) {
      BulkLoadTest.write(harness, SOURCE, F, 5, "long", "a", "b", "c", "d");
      assertThatThrownBy(() -> load(harness))
          .isInstanceOf(UnloadableFileException.class)
          .hasMessage(
              "Cannot load "
                  + SOURCE
                  + ": 4 values break a constraint of the table: "
                  + broken("a")
                  + "; "
                  + broken("b")
                  + "; "
                  + broken("c")
                  + "; ...");
      assertThat(harness.dump()).isEmpty();
      assertThat(harness.memory().exists(SOURCE)).isTrue();
    }
  }

  private static String broken(String row) {
    return "row '"
        + row
        + "': the value 'long' of column f:q breaks the rule \"length ..3\": it has 4 bytes";
  }

  @Test
  void aStrictTableTakesWhatKeepsTheRules() throws IOException {
    try (RegionHarness harness = new RegionHarness(STRICT)) {
      BulkLoadTest.write(harness, SOURCE, F, 5, "abc", "a");
      assertThat(load(harness)).isInstanceOf(BulkLoadOutcome.Loaded.class);
      assertThat(harness.dump()).containsExactly("a/f:q=abc");
    }
  }

  /** Loads the file with the least check, so only the constraints have it read. */
  private static BulkLoadOutcome load(RegionHarness harness) throws IOException {
    return harness
        .region()
        .bulkLoad(
            new BulkLoadRequest(
                "0c",
                List.of(new BulkLoadRequest.File(F, SOURCE)),
                BulkLoadRequest.Sequence.NEW,
                Check.ENDS));
  }
}
