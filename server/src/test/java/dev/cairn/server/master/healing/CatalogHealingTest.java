package dev.cairn.server.master.healing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.healing.Finding.Kind;
import dev.cairn.server.master.store.MasterStore.Section;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState.State;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever {@code hbase:meta} loses, the master restores, at its start and while it leads. */
class CatalogHealingTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);

  private final SimulatedCluster cluster = new SimulatedCluster();
  private Set<String> before;
  private List<String> rowsBefore;

  @BeforeEach
  void createATable() throws IOException {
    cluster.addServer(ONE);
    cluster.addServer(TWO);
    cluster.startUp();
    cluster.run(cluster.createTable("g", "p"));
    before = cluster.openRegions();
    rowsBefore = cluster.metaRows();
    assertThat(before).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRowComesBack(boolean restart) throws IOException {
    cluster.servers.meta.lose(isRow("orders,g"));
    heal(restart);
    assertWhole(Kind.LOST_ROW);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "info:regioninfo",
        "info:state",
        "info:sn",
        "info:server",
        "info:serverstartcode",
        "info:seqnumDuringOpen"
      })
  void aColumnComesBackAtTheStart(String column) throws IOException {
    cluster.servers.meta.loseColumn(isRow("orders,"), column);
    heal(true);
    assertThat(cluster.openRegions()).isEqualTo(before);
    heal(true);
    assertThat(columns("orders,g")).contains(column);
  }

  @ParameterizedTest
  @ValueSource(strings = {"info:regioninfo", "info:state", "info:sn", "info:server"})
  void aColumnComesBackWhileTheMasterLeads(String column) throws IOException {
    cluster.servers.meta.loseColumn(isRow("orders,"), column);
    heal(false);
    assertThat(cluster.openRegions()).isEqualTo(before);
    assertThat(columns("orders,g")).contains(column);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allRowsComeBack(boolean restart) throws IOException {
    cluster.servers.meta.lose(row -> true);
    heal(restart);
    assertWhole(Kind.EMPTY_CATALOG);
    assertThat(cluster.tableState()).hasValue(State.ENABLED);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theStateOfATableComesBack(boolean restart) throws IOException {
    cluster.run(cluster.setEnabled(false));
    cluster.servers.meta.lose(row -> row.equals("orders"));
    heal(restart);
    assertThat(cluster.tableState()).hasValue(State.DISABLED);
    assertThat(cluster.metaRows()).contains("orders");
    assertThat(kinds()).containsOnly(Kind.LOST_TABLE_STATE);
  }

  @Test
  void aTableIsEnabledIfNothingSaysOtherwise() throws IOException {
    cluster.run(cluster.setEnabled(false));
    cluster.servers.meta.lose(row -> row.equals("orders"));
    cluster.loseZnodes();
    heal(true);
    assertThat(cluster.tableState()).hasValue(State.ENABLED);
    assertThat(cluster.openRegions()).isEqualTo(before);
  }

  @Test
  void everythingComesBackWithoutTheMastersStore() throws IOException {
    cluster.servers.meta.lose(row -> true);
    for (Section section : Section.values()) {
      cluster.store.of(section).clear();
    }
    heal(true);
    assertWhole(Kind.EMPTY_CATALOG);
  }

  @Test
  void theEpochRisesWithoutTheMastersStoreIfTheClockIsSetBack() throws IOException {
    long epoch = epoch();
    for (Section section : Section.values()) {
      cluster.store.of(section).clear();
    }
    cluster.setClockBack(Duration.ofHours(1));
    heal(true);
    assertThat(epoch()).isGreaterThan(epoch);
    assertThat(cluster.openRegions()).isEqualTo(before);
  }

  private long epoch() {
    return Bytes.getLong(cluster.store.of(Section.STATE).get("cairn/epoch"), 0);
  }

  @Test
  void aRegionWithoutARowIsNotOpenedElsewhereWhileAServerHasIt() throws IOException {
    cluster.servers.meta.lose(isRow("orders,"));
    cluster.loseZnodes();
    heal(true);
    assertThat(cluster.openRegions()).isEqualTo(before); // it fails if one is open twice
    assertThat(
            cluster.servers.hosted.values().stream()
                .filter(regions -> regions.containsKey(RegionInfo.META.encodedName())))
        .hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHoleGetsANewRegion(boolean restart) throws IOException {
    RegionInfo lost = region("g");
    forget(lost);
    cluster.storage.delete(TableFiles.directory(lost));
    heal(restart);
    assertThat(kinds()).containsOnly(Kind.HOLE);
    assertThat(cluster.openRegions()).hasSize(3).doesNotContain(lost.encodedName());
    assertThat(region("g").endKey()).isEqualTo(Bytes.utf8("p"));
    assertThat(cluster.storage.exists(TableFiles.directory(region("g")) + "/.regioninfo")).isTrue();
  }

  @Test
  void whatASplitLeftThatWasNotDecidedGoes() throws IOException {
    RegionInfo parent = region("g");
    write(parent, "a/00aa");
    RegionInfo lower = new RegionInfo(parent.table(), Bytes.utf8("g"), Bytes.utf8("k"), 5_000_000);
    RegionInfo upper = new RegionInfo(parent.table(), Bytes.utf8("k"), Bytes.utf8("p"), 5_000_000);
    describe(lower);
    describe(upper);
    write(lower, "a/00aa." + parent.encodedName());
    heal(false);
    assertThat(cluster.openRegions()).isEqualTo(before);
    assertThat(kinds()).containsOnly(Kind.LEFTOVER);
    assertThat(cluster.storage.exists(TableFiles.directory(lower))).isFalse();
    assertThat(cluster.storage.exists(TableFiles.directory(upper))).isFalse();
  }

  @Test
  void aParentWithDaughtersIsNoOverlap() throws IOException {
    RegionInfo parent =
        new RegionInfo(SimulatedCluster.TABLE, Bytes.utf8("g"), Bytes.EMPTY, 1, 0, false, false);
    describe(parent);
    write(parent, "a/00aa");
    write(region("g"), "a/00aa." + parent.encodedName());
    write(region("p"), "a/00bb");
    heal(true);
    assertThat(cluster.openRegions()).isEqualTo(before);
    assertThat(kinds()).containsOnly(Kind.LOST_PARENT);
    assertThat(cluster.storage.exists(TableFiles.directory(parent))).isTrue();
    cluster.storage.delete(TableFiles.directory(region("g")) + "/a/00aa." + parent.encodedName());
    heal(false);
    assertThat(cluster.storage.exists(TableFiles.directory(parent))).isFalse();
    assertThat(cluster.storage.exists("archive/" + TableFiles.directory(parent) + "/a/00aa"))
        .isTrue();
  }

  @Test
  void aDirectoryThatNamesNoRegionIsReportedAndKeepsHolesOpen() throws IOException {
    RegionInfo lost = region("g");
    forget(lost);
    cluster.storage.delete(TableFiles.directory(lost) + "/.regioninfo");
    heal(false);
    heal(false);
    assertThat(cluster.openRegions()).hasSize(2);
    assertThat(kinds()).containsExactly(Kind.UNREADABLE_DIRECTORY);
    cluster.storage.writeAll(
        TableFiles.directory(lost) + "/.regioninfo", RegionInfoFormat.toFile(lost));
    heal(false);
    assertThat(cluster.openRegions()).isEqualTo(before);
  }

  @Test
  void aTableThatIsWholeIsLeftAlone() throws IOException {
    heal(false);
    heal(true);
    assertWhole();
  }

  @Test
  void theReportOutlivesTheMasterAndHasABound() throws IOException {
    cluster.servers.meta.lose(isRow("orders,g"));
    heal(false);
    ReportEntry first = cluster.active().report().entries().get(0);
    heal(true);
    assertThat(cluster.active().report().entries()).containsExactly(first);
    assertThat(first.master()).startsWith("master,16000,1");
    assertThat(first.timeMillis()).isPositive();
    for (int i = 0; i < HealingReport.ENTRIES_MAX; i++) {
      Finding finding = new Finding(Kind.HOLE, "table " + i, "found", "done");
      cluster.active().report().add(List.of(finding));
    }
    cluster.runUntil(() -> !cluster.step());
    heal(true);
    assertThat(cluster.active().report().entries())
        .hasSize(HealingReport.ENTRIES_MAX)
        .doesNotContain(first);
  }

  private void heal(boolean restart) throws IOException {
    if (restart) {
      cluster.killMaster();
      cluster.startUp();
      cluster.runUntil(cluster::isIdle);
    } else {
      boolean[] ended = {false};
      cluster.master.loop().post(() -> cluster.active().janitor().run(count -> ended[0] = true));
      cluster.runUntil(() -> ended[0]);
      cluster.runUntil(cluster::isIdle);
    }
  }

  private void assertWhole(Kind... kinds) {
    assertThat(cluster.openRegions()).isEqualTo(before);
    assertThat(cluster.metaRows()).isEqualTo(rowsBefore);
    assertThat(kinds()).contains(kinds);
    if (kinds.length == 0) {
      assertThat(kinds()).isEmpty();
    }
    assertThat(cluster.aborts).isEmpty();
  }

  private List<Kind> kinds() {
    return cluster.active().report().entries().stream()
        .map(entry -> entry.finding().kind())
        .toList();
  }

  private static Predicate<String> isRow(String prefix) {
    return row -> row.startsWith(prefix);
  }

  private List<String> columns(String prefix) {
    return cluster.servers.meta.columns(isRow(prefix));
  }

  private RegionInfo region(String start) {
    return cluster.active().assignments().regionsOf(SimulatedCluster.TABLE).stream()
        .filter(region -> Arrays.equals(region.startKey(), Bytes.utf8(start)))
        .min(Comparator.comparing(RegionInfo::regionId))
        .orElseThrow();
  }

  /** Removes a region from everything but its directory. */
  private void forget(RegionInfo region) {
    cluster.servers.meta.lose(isRow(region.regionNameAsString()));
    cluster.servers.hosted.values().forEach(regions -> regions.remove(region.encodedName()));
    cluster.active().assignments().remove(region);
  }

  private void describe(RegionInfo region) throws IOException {
    cluster.storage.writeAll(
        TableFiles.directory(region) + "/.regioninfo", RegionInfoFormat.toFile(region));
  }

  private void write(RegionInfo region, String file) throws IOException {
    cluster.storage.writeAll(TableFiles.directory(region) + "/" + file, new byte[] {1});
  }
}
