package dev.cairn.server.master.chore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Regions that were split go once nothing needs their files. */
class CatalogJanitorTest {
  private static final RegionInfo PARENT =
      new RegionInfo(SimulatedCluster.TABLE, Bytes.EMPTY, Bytes.EMPTY, 1, 0, true, true);

  private static final String HOME = TableFiles.directory(PARENT);
  private static final String FILE = HOME + "/a/00aa";

  private final SimulatedCluster cluster = new SimulatedCluster();

  @BeforeEach
  void splitARegion() throws IOException {
    cluster.addServer(new ServerName("one", 16020, 1));
    cluster.startUp();
    cluster.run(cluster.createTable("m"));
    cluster.storage.writeAll(HOME + "/.regioninfo", RegionInfoFormat.toFile(PARENT));
    cluster.storage.writeAll(FILE, new byte[] {1});
    enter(PARENT);
    assertThat(knowsParent()).isTrue();
  }

  @Test
  void aSplitRegionWithoutReferencesIsArchivedAndForgotten() throws IOException {
    look();
    assertThat(knowsParent()).isFalse();
    assertThat(cluster.storage.exists(HOME)).isFalse();
    assertThat(cluster.storage.exists("archive/" + FILE)).isTrue();
    assertThat(cluster.openRegions()).hasSize(2);
  }

  @Test
  void aSplitRegionWithReferencesStaysUntilTheyAreGone() throws IOException {
    RegionInfo daughter = cluster.active().assignments().regionsOf(PARENT.table()).get(0);
    String reference = TableFiles.directory(daughter) + "/a/00aa." + PARENT.encodedName();
    cluster.storage.writeAll(reference, new byte[] {1});
    look();
    assertThat(knowsParent()).isTrue();
    assertThat(cluster.storage.exists(FILE)).isTrue();
    cluster.storage.delete(reference);
    look();
    assertThat(knowsParent()).isFalse();
  }

  @Test
  void aSplitRegionServesAgainWhereNoOtherHasItsRows() throws IOException {
    RegionInfo daughter = cluster.active().assignments().regionsOf(PARENT.table()).get(0);
    cluster.active().assignments().remove(daughter);
    cluster.storage.delete(TableFiles.directory(daughter));
    look();
    assertThat(cluster.active().tables().splitParents(PARENT.table())).isEmpty();
    assertThat(cluster.active().assignments().regionsOf(PARENT.table()))
        .contains(PARENT.asServing());
    assertThat(cluster.storage.exists(FILE)).isTrue();
  }

  @Test
  void anAdministratorCanForbidIt() throws IOException {
    cluster
        .master
        .loop()
        .post(
            () ->
                cluster
                    .active()
                    .switches()
                    .set(Switch.CATALOG_JANITOR, false, Completion.of(() -> {}, cause -> {})));
    look();
    assertThat(knowsParent()).isTrue();
  }

  @Test
  void aCheckOnRequestTellsHowManyRegionsItArchived() throws IOException {
    assertThat(run()).isEqualTo(1);
    assertThat(knowsParent()).isFalse();
    assertThat(run()).isZero();
  }

  private int run() {
    List<Integer> archived = new ArrayList<>();
    cluster.master.loop().post(() -> cluster.active().janitor().run(archived::add));
    cluster.runUntil(() -> !archived.isEmpty());
    return archived.get(0);
  }

  private void enter(RegionInfo parent) {
    boolean[] written = {false};
    cluster
        .master
        .loop()
        .post(
            () ->
                cluster
                    .active()
                    .procedureContext()
                    .catalog()
                    .write(
                        List.of(new CatalogChange.AddRegion(parent)),
                        Completion.of(
                            () -> {
                              cluster.active().tables().loadSplitParent(parent);
                              written[0] = true;
                            },
                            cause -> {})));
    cluster.runUntil(() -> written[0]);
  }

  private boolean knowsParent() {
    boolean listed = cluster.metaRows().contains(Bytes.toStringBinary(PARENT.regionName()));
    assertThat(cluster.active().tables().splitParents(PARENT.table()).contains(PARENT))
        .isEqualTo(listed);
    return listed;
  }

  private void look() {
    cluster.letTimePass(SimulatedCluster.JANITOR_INTERVAL.plus(Duration.ofMillis(1)));
  }
}
