package dev.cairn.server.master.assignment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.procedure.ProcedureKind;
import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.metrics.MetricRecord.Value;
import dev.cairn.server.metrics.MetricRegistry;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.metrics.RecordName;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The master counts and times assignments, procedures and recoveries, under HBase's names. */
class OperationTimesTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);

  private final SimulatedCluster cluster = new SimulatedCluster();

  @BeforeEach
  void startWithATable() throws IOException {
    cluster.addServer(ONE);
    cluster.addServer(TWO);
    cluster.startUp();
    cluster.run(cluster.createTable("b", "c", "d"));
  }

  /** Returns the numbers by name; for times, their count. */
  private Map<String, Long> read(Consumer<MetricRecord.Builder> source) {
    RecordName name = RecordName.of("Master", "AssignmentManager", "assignment");
    MetricRegistry registry =
        new MetricRegistry(
            cluster.lanes, () -> "host", () -> List.of(MetricSource.of(name, source)));
    Map<String, Long> numbers = new TreeMap<>();
    for (MetricRecord.Sample sample : registry.read().get(0).samples()) {
      numbers.put(
          sample.metric().name(),
          sample.value() instanceof Value.Distribution times
              ? times.reading().total().count()
              : ((Value.Whole) sample.value()).number());
    }
    return numbers;
  }

  private Map<String, Long> transitions() {
    return read(cluster.active().assignments().times()::addTo);
  }

  /** Returns the differences to an earlier reading. */
  private Map<String, Long> since(Map<String, Long> before) {
    Map<String, Long> changes = new TreeMap<>();
    transitions()
        .forEach(
            (name, number) -> {
              if (!number.equals(before.get(name))) {
                changes.put(name, number - before.get(name));
              }
            });
    return changes;
  }

  private RegionStateNode regionAt(ServerName server) {
    return cluster.active().assignments().of(SimulatedCluster.TABLE).stream()
        .filter(node -> node.isAt(server))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void openingsOfANewTableAreAssignments() {
    assertThat(transitions())
        .containsEntry("AssignSubmittedCount", 6L) // including hbase:meta and hbase:namespace
        .containsEntry("AssignTime", 6L)
        .containsEntry("OpenTime", 6L)
        .containsEntry("OpenFailedCount", 0L)
        .containsEntry("UnassignSubmittedCount", 0L);
  }

  @Test
  void aMoveIsAnOrderToCloseAndOneToOpen() {
    Map<String, Long> before = transitions();
    RegionStateNode node = regionAt(ONE);
    cluster.move(node, TWO);
    assertThat(since(before)).containsEntry("MoveSubmittedCount", 1L).doesNotContainKey("MoveTime");
    cluster.runUntil(() -> node.openServer().filter(TWO::equals).isPresent() && node.isSettled());
    assertThat(since(before))
        .isEqualTo(
            Map.of(
                "MoveSubmittedCount", 1L,
                "MoveTime", 1L,
                "CloseSubmittedCount", 1L,
                "CloseTime", 1L,
                "OpenSubmittedCount", 1L,
                "OpenTime", 1L,
                "RitDuration", 1L));
  }

  @Test
  void recoveriesAndProceduresAreCounted() {
    assertThat(
            read(
                to ->
                    cluster
                        .active()
                        .procedures()
                        .counters(ProcedureKind.CREATE_TABLE)
                        .addTo(to, "Create", "tables")))
        .as("the table and hbase:namespace")
        .isEqualTo(Map.of("CreateSubmittedCount", 2L, "CreateTime", 2L, "CreateFailedCount", 0L));
    cluster.killServer(ONE);
    cluster.runUntil(() -> cluster.openRegions().size() == 4 && cluster.isIdle());
    assertThat(
            read(
                to ->
                    cluster
                        .active()
                        .members()
                        .recoveryTimes()
                        .addTo(to, "ServerCrash", "recoveries")))
        .isEqualTo(
            Map.of(
                "ServerCrashSubmittedCount", 1L,
                "ServerCrashTime", 1L,
                "ServerCrashFailedCount", 0L));
  }
}
