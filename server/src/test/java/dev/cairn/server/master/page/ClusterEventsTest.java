package dev.cairn.server.master.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.page.PageRequest;
import dev.cairn.server.page.Timeline;
import dev.cairn.server.page.Value;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The master's pages show moves, failovers and regions in transition. */
class ClusterEventsTest {
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

  private RegionStateNode regionAt(ServerName server) {
    return cluster.active().assignments().of(SimulatedCluster.TABLE).stream()
        .filter(node -> node.isAt(server))
        .findFirst()
        .orElseThrow();
  }

  private void move(RegionStateNode node, ServerName target) {
    cluster.move(node, target);
  }

  private List<Timeline.Event> events(String lane) {
    return ProcedureTables.events(
            ClusterView.of(cluster.active()), cluster.lanes.currentTimeMillis())
        .stream()
        .filter(event -> event.lane().equals(lane))
        .toList();
  }

  @Test
  void aMoveIsAnEventOnceTheRegionIsOpenAtTheOtherServer() {
    RegionStateNode node = regionAt(ONE);
    long began = cluster.lanes.currentTimeMillis();
    move(node, TWO);
    assertThat(events("move")).isEmpty();
    cluster.runUntil(() -> node.openServer().filter(TWO::equals).isPresent() && node.isSettled());
    assertThat(events("move"))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.what())
                  .isEqualTo(
                      "Region %s of table orders moved from one:16020 to two:16020"
                          .formatted(node.region().encodedName()));
              assertThat(event.startMillis()).isEqualTo(began);
              assertThat(event.endMillis()).isBetween(began, cluster.lanes.currentTimeMillis());
            });
  }

  @Test
  void openingsAreNotMoves() {
    assertThat(events("move")).isEmpty();
  }

  @Test
  void aDeadServerIsAFailoverAndNotAMoveOfItsRegions() {
    cluster.killServer(ONE);
    cluster.runUntil(() -> cluster.openRegions().size() == 4 && cluster.isIdle());
    assertThat(events("failover"))
        .extracting(Timeline.Event::what)
        .containsExactly("Dead region server one:16020 was recovered");
    assertThat(events("move")).isEmpty();
  }

  @Test
  void aRegionInTransitionHasAReasonAndATime() {
    RegionStateNode node = regionAt(ONE);
    RegionInfo region = node.region();
    cluster.letTimePass(Duration.ofSeconds(1));
    long began = cluster.lanes.currentTimeMillis();
    move(node, TWO);
    cluster.runUntil(() -> node.order().isPresent());
    List<List<Value>> rows =
        RegionTables.inTransition(
                ClusterView.of(cluster.active()).inTransition(),
                began + Duration.ofMinutes(5).toMillis())
            .slice(new PageRequest("transitions", Map.of()))
            .rows();
    assertThat(rows)
        .singleElement()
        .satisfies(
            row ->
                assertThat(row.stream().map(Value::shown))
                    .contains(
                        region.encodedName(),
                        "orders",
                        Value.time(began).shown(),
                        Value.millis(Duration.ofMinutes(5).toMillis()).shown(),
                        "Target: two:16020. one:16020 closes it."));
  }
}
