package dev.cairn.server.master.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.master.MasterKills;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureRecord;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.snapshot.SnapshotDirectory;
import dev.cairn.server.snapshot.StoredSnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.ProcedureState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills the master after every action and at every storage operation of the procedures about
 * snapshots. What they make is whole or absent, and nothing is left over.
 */
class SnapshotKillTest {
  private static final TableName CLONE = TableName.parse("copy");
  private static final SnapshotDescription SNAPSHOT =
      SnapshotDescription.newBuilder().setName("s").setTable("orders").build();

  /** The operation on the table, whose first region has a file. */
  enum Scenario {
    TAKE_OF_ENABLED,
    TAKE_OF_DISABLED,
    CLONE_IT,
    RESTORE_IT;

    SimulatedCluster prepare() throws IOException {
      SimulatedCluster cluster = new SimulatedCluster();
      cluster.addServer(new ServerName("one", 16020, 1));
      cluster.addServer(new ServerName("two", 16020, 1));
      cluster.startUp();
      cluster.run(cluster.createTable("g", "p"));
      if (this == TAKE_OF_ENABLED) {
        return cluster;
      }
      cluster.run(cluster.setEnabled(false));
      write(cluster, "a1");
      if (this != TAKE_OF_DISABLED) {
        cluster.run(take(cluster));
      }
      if (this == RESTORE_IT) {
        write(cluster, "b2");
      }
      return cluster;
    }

    Procedure procedure(SimulatedCluster cluster) {
      return switch (this) {
        case TAKE_OF_ENABLED, TAKE_OF_DISABLED -> take(cluster);
        case CLONE_IT ->
            CloneSnapshotProcedure.of(
                cluster.active().procedureContext(),
                "user",
                stored(cluster).orElseThrow(),
                CLONE,
                Optional.empty());
        case RESTORE_IT ->
            RestoreSnapshotProcedure.of(
                cluster.active().procedureContext(),
                "user",
                stored(cluster).orElseThrow(),
                SimulatedCluster.TABLE,
                Optional.empty());
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKillBetweenActionsLeavesItWholeOrAbsent(Scenario scenario) throws IOException {
    MasterKills.betweenActions(
        scenario::prepare,
        scenario::procedure,
        (cluster, accepted, when) -> check(scenario, cluster, accepted, when));
  }

  @ParameterizedTest
  @EnumSource
  void aSecondKillDuringTheRecoveryLeavesItWholeOrAbsent(Scenario scenario) throws IOException {
    MasterKills.betweenActionsAndInRecoveries(
        scenario::prepare,
        scenario::procedure,
        (cluster, accepted, when) -> check(scenario, cluster, accepted, when));
  }

  @ParameterizedTest
  @EnumSource
  void aKillWithinAnActionLeavesItWholeOrAbsent(Scenario scenario) throws IOException {
    MasterKills.withinActions(
        scenario::prepare,
        scenario::procedure,
        (cluster, accepted, when) -> check(scenario, cluster, accepted, when));
  }

  private static void check(
      Scenario scenario, SimulatedCluster cluster, CompletableFuture<Long> accepted, String when)
      throws IOException {
    boolean promised = accepted.isDone() && !accepted.isCompletedExceptionally();
    if (promised) {
      ProcedureRecord record = cluster.active().procedures().find(accepted.join()).orElseThrow();
      assertThat(record.state()).as(when).isEqualTo(ProcedureState.SUCCESS);
    }
    assertThat(cluster.storage.list(".hbase-snapshot/.tmp")).as(when).isEmpty();
    assertThat(new TableFiles(cluster.storage).leftovers()).as(when).isEmpty();
    switch (scenario) {
      case TAKE_OF_ENABLED, TAKE_OF_DISABLED -> checkSnapshot(cluster, promised, when);
      case CLONE_IT -> checkClone(cluster, promised, when);
      case RESTORE_IT -> checkRestored(cluster, promised, when);
    }
  }

  private static void checkSnapshot(SimulatedCluster cluster, boolean promised, String when) {
    Optional<StoredSnapshot> snapshot = stored(cluster);
    if (promised) {
      assertThat(snapshot).as(when).isPresent();
    }
    snapshot.ifPresent(whole -> assertThat(whole.regions()).as(when).hasSize(3));
  }

  private static void checkClone(SimulatedCluster cluster, boolean promised, String when)
      throws IOException {
    Optional<State> state = cluster.active().tables().find(CLONE).map(Tables.Table::state);
    if (promised) {
      assertThat(state).as(when).hasValue(State.ENABLED);
    }
    assertThat(cluster.storage.exists("data/default/copy")).as(when).isEqualTo(state.isPresent());
    RegionInfo first = first(cluster, SimulatedCluster.TABLE);
    String link = "orders=" + first.encodedName() + "-a1";
    assertThat(storeFiles(cluster, CLONE))
        .as(when)
        .isEqualTo(state.isPresent() ? Set.of(link) : Set.of());
    if (state.isPresent()) {
      assertThat(
              cluster.storage.exists(
                  "archive/data/default/orders/%s/a/.links-a1/%s.copy"
                      .formatted(first.encodedName(), first(cluster, CLONE).encodedName())))
          .as(when)
          .isTrue();
      assertThat(cluster.active().assignments().regionsOf(CLONE)).as(when).hasSize(3);
    }
    assertThat(storeFiles(cluster, SimulatedCluster.TABLE)).as(when).containsExactly("a1");
  }

  private static void checkRestored(SimulatedCluster cluster, boolean promised, String when)
      throws IOException {
    assertThat(cluster.tableState()).as(when).hasValue(State.DISABLED);
    Set<String> files = storeFiles(cluster, SimulatedCluster.TABLE);
    if (promised) {
      assertThat(files).as(when).hasSize(1);
    }
    if (files.size() == 1) {
      String link = files.iterator().next();
      assertThat(link).as(when).matches("orders=[0-9a-f]{32}-a1");
      String region = link.substring("orders=".length(), link.length() - "-a1".length());
      assertThat(cluster.storage.exists("archive/data/default/orders/" + region + "/a/a1"))
          .as(when)
          .isTrue();
    } else {
      assertThat(files).as(when).containsExactly("a1", "b2");
    }
    // The rows of the regions, and the table's.
    assertThat(cluster.metaRows()).as(when).hasSize(4);
    assertThat(new TableFiles(cluster.storage).regionDirectories(SimulatedCluster.TABLE))
        .as(when)
        .containsExactlyInAnyOrderElementsOf(
            cluster.active().assignments().regionsOf(SimulatedCluster.TABLE).stream()
                .map(RegionInfo::encodedName)
                .toList());
  }

  private static Procedure take(SimulatedCluster cluster) {
    return new SnapshotProcedure(
        cluster.active().procedureContext(), SimulatedCluster.TABLE, SNAPSHOT, "user", () -> {});
  }

  private static Optional<StoredSnapshot> stored(SimulatedCluster cluster) {
    try {
      return new SnapshotDirectory(cluster.storage).read("s");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RegionInfo first(SimulatedCluster cluster, TableName table) {
    return cluster.active().assignments().regionsOf(table).stream()
        .filter(region -> region.startKey().length == 0)
        .findFirst()
        .orElseThrow();
  }

  private static void write(SimulatedCluster cluster, String file) throws IOException {
    RegionInfo region = first(cluster, SimulatedCluster.TABLE);
    cluster.storage.writeAll(TableFiles.directory(region) + "/a/" + file, Bytes.utf8("cells"));
  }

  private static Set<String> storeFiles(SimulatedCluster cluster, TableName table)
      throws IOException {
    Set<String> names = new TreeSet<>();
    for (Storage.FileInfo region : directories(cluster, TableFiles.directory(table))) {
      for (Storage.FileInfo family : directories(cluster, region.path())) {
        for (Storage.FileInfo file : cluster.storage.list(family.path())) {
          if (!file.directory() && !file.name().startsWith(".")) {
            names.add(file.name());
          }
        }
      }
    }
    return names;
  }

  private static List<Storage.FileInfo> directories(SimulatedCluster cluster, String path)
      throws IOException {
    return cluster.storage.list(path).stream()
        .filter(file -> file.directory() && !file.name().startsWith("."))
        .toList();
  }
}
