package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.lifecycle.RegionMerge;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.RegionDirectory;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Regions become one, or empty, without a cell copied or a sequence number used twice. */
class RegionMergeTest {
  private static final TableName NAME = TableName.parse("t");
  private static final TableSchema SCHEMA =
      TableSchema.of(NAME, FamilySchema.of("f", Map.of("BLOCKSIZE", "256")), FamilySchema.of("g"));

  @Test
  void theMergedRegionShowsTheParentsCellsAndCompactsTheReferencesAway() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      fill(table);
      split(table);
      table.put("r10", F, "q", "in memory");
      table.put("r90", G, "q", "in memory");
      List<String> before = table.dump();
      List<String> backwards = table.dumpReversed();
      long highest = table.regions().stream().mapToLong(Region::readPoint).max().orElseThrow();

      RegionMerge merge = table.merge("r90", "r10", "r50");

      assertThat(table.regions()).hasSize(1);
      assertThat(table.dump()).isEqualTo(before);
      assertThat(table.dumpReversed()).isEqualTo(backwards);
      Region merged = table.regions().get(0);
      assertThat(merged.readPoint()).isGreaterThanOrEqualTo(highest);
      assertThat(merged.hasReferences()).isTrue();
      for (RegionInfo parent : merge.parents()) {
        assertThat(table.tree().retire(parent)).isFalse();
      }
      table.put("r10", F, "q", "newer");
      table.deleteRow("r90");
      List<String> written = table.dump();
      merged.flush();
      assertThat(merged.needsCompaction()).isTrue();
      merged.compact(false);
      assertThat(merged.hasReferences()).isFalse();
      assertThat(table.dump()).isEqualTo(written);
      for (RegionInfo parent : merge.parents()) {
        assertThat(table.tree().retire(parent)).isTrue();
      }
      table.restart();
      assertThat(table.dump()).isEqualTo(written);
    }
  }

  @Test
  void aPowerCutDoesNotTakeAwayWhatTheMergedRegionRefersTo() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      fill(table);
      split(table);
      Region parent = table.regionOf("r50");
      parent.close(false);
      table.unsyncFiles(parent.info(), "f");
      table.merge("r10", "r50");

      String home = RegionDirectory.of(TableHarness.DATA, parent.info()).family("f");
      assertThat(table.memory().afterPowerCut().list(home))
          .isNotEmpty()
          .isEqualTo(table.memory().list(home));
    }
  }

  @Test
  void aMergedRegionCanBeSplitAgainOnceItIsCompacted() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      fill(table);
      split(table);
      List<String> before = table.dump();
      table.merge("r10", "r50");
      assertThatThrownBy(() -> table.split("r20")).isInstanceOf(IOException.class);
      table.regionOf("r10").compact(true);
      table.split("r20");
      assertThat(table.dump()).isEqualTo(before);
    }
  }

  @Test
  void regionsThatDoNotLieSideBySideAreNotMerged() {
    RegionInfo first = region("", "g");
    RegionInfo second = region("g", "p");
    RegionInfo third = region("p", "");
    assertThatThrownBy(() -> RegionMerge.plan(List.of(first, third), 9))
        .hasMessageContaining("non-adjacent");
    assertThatThrownBy(() -> RegionMerge.plan(List.of(first, first), 9))
        .hasMessageContaining("non-adjacent");
    assertThatThrownBy(() -> RegionMerge.plan(List.of(first), 9)).hasMessageContaining("two");
    assertThatThrownBy(() -> RegionMerge.plan(List.of(first, region("a", "p")), 9))
        .hasMessageContaining("overlapping");
    RegionInfo merged = RegionMerge.plan(List.of(third, second), 1).merged();
    assertThat(merged.startKey()).isEqualTo(second.startKey());
    assertThat(merged.endKey()).isEmpty();
    assertThat(merged.regionId()).isGreaterThan(second.regionId());
  }

  @Test
  void aForcedMergeHasAllRowsFromTheFirstToTheLast() {
    RegionInfo first = region("c", "g");
    RegionInfo third = region("k", "p");
    RegionInfo merged = RegionMerge.forced(List.of(third, first), 9).merged();
    assertThat(Bytes.utf8(merged.startKey())).isEqualTo("c");
    assertThat(Bytes.utf8(merged.endKey())).isEqualTo("p");
    assertThat(merged.regionId()).isEqualTo(9);
    assertThat(RegionMerge.planned(List.of(first, third), merged).merged()).isEqualTo(merged);
    for (List<RegionInfo> overlapping :
        List.of(List.of(region("", "p"), first), List.of(first, region("", "p")))) {
      RegionInfo widest = RegionMerge.forced(overlapping, 9).merged();
      assertThat(widest.startKey()).isEmpty();
      assertThat(Bytes.utf8(widest.endKey())).isEqualTo("p");
    }
    assertThat(RegionMerge.forced(List.of(region("a", ""), first), 9).merged().endKey()).isEmpty();
  }

  @Test
  void regionsOverlapThatHaveARowInCommon() {
    assertThat(region("c", "g").overlaps(region("g", "k"))).isFalse();
    assertThat(region("g", "k").overlaps(region("c", "g"))).isFalse();
    assertThat(region("c", "h").overlaps(region("g", "k"))).isTrue();
    assertThat(region("", "").overlaps(region("g", "k"))).isTrue();
    assertThat(region("g", "k").overlaps(region("", ""))).isTrue();
  }

  @Test
  void aTruncatedRegionIsEmptyItsFilesAreArchivedAndItsNumbersGoOn() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      fill(table);
      split(table);
      List<String> others = table.dump().stream().filter(cell -> !isInMiddle(cell)).toList();
      long last = table.regionOf("r50").readPoint();
      String home = "data/default/t/" + table.regionOf("r50").info().encodedName();

      table.truncate("r50");

      assertThat(table.dump()).isEqualTo(others);
      assertThat(table.regionOf("r50").readPoint()).isGreaterThanOrEqualTo(last);
      assertThat(table.memory().list(home + "/f")).isEmpty();
      assertThat(table.memory().list("archive/" + home + "/f")).isNotEmpty();
      table.put("r50", F, "q", "again");
      table.restart();
      assertThat(table.row("r50")).containsExactly("r50/f:q=again");
    }
  }

  private static boolean isInMiddle(String cell) {
    return cell.compareTo("r40") >= 0 && cell.compareTo("r70") < 0;
  }

  private static RegionInfo region(String start, String end) {
    return new RegionInfo(NAME, Bytes.utf8(start), Bytes.utf8(end), 5);
  }

  private static void fill(TableHarness table) throws IOException {
    for (int i = 10; i < 100; i++) {
      table.put("r" + i, F, "q", "value of " + i);
      table.put("r" + i, G, "q" + i % 3, "other of " + i);
    }
    table.regions().get(0).flush();
  }

  /** Makes three regions with files of their own. */
  private static void split(TableHarness table) throws IOException {
    table.split("r40");
    compact(table);
    table.split("r70");
    compact(table);
  }

  private static void compact(TableHarness table) throws IOException {
    for (Region region : table.regions()) {
      region.compact(true);
    }
    table.retireParents();
  }
}
