package dev.cairn.server.master.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.ddl.SplitRegionProcedure;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.rpc.LoggedLines;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A new rule is one class and one line: everything that opens or moves a region obeys it. */
class PlacementRulesTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ServerName THREE = new ServerName("three", 16020, 1);

  @RegisterExtension
  private final LoggedLines log = new LoggedLines(Assignments.class.getPackage());

  private final SimulatedCluster cluster = new SimulatedCluster();
  private final Set<ServerName> draining = new HashSet<>();

  /** The class: a server that an administrator empties gets no region. */
  private record NotDraining(Set<ServerName> draining) implements PlacementRule {
    @Override
    public Optional<String> refusal(PlacementRequest request, ServerName server) {
      return draining.contains(server) ? Optional.of("is draining") : Optional.empty();
    }
  }

  private void start(PlacementRule rule, ServerName... servers) throws IOException {
    cluster.placementRules.add(rule); // the line
    for (ServerName server : servers) {
      cluster.addServer(server);
    }
    cluster.startUp();
  }

  @Test
  void assignmentObeys() throws IOException {
    draining.add(TWO);
    start(new NotDraining(draining), ONE, TWO, THREE);
    cluster.run(cluster.createTable("b", "c", "d"));
    assertThat(cluster.openRegions()).hasSize(4);
    assertThat(cluster.servers.hosted.get(TWO)).isEmpty();
    // hbase:meta and hbase:namespace, too
    assertThat(cluster.servers.hosted.get(ONE)).hasSize(3);
    assertThat(cluster.servers.hosted.get(THREE)).hasSize(3);
  }

  @Test
  void aRegionLeavesItsServerWhenItsTableIsEnabledAgain() throws IOException {
    start(new NotDraining(draining), ONE, TWO);
    cluster.run(cluster.createTable("b", "c", "d"));
    cluster.run(cluster.setEnabled(false));
    draining.add(TWO);
    cluster.run(cluster.setEnabled(true));
    assertThat(nodes()).allMatch(node -> node.openServer().equals(Optional.of(ONE)));
  }

  @Test
  void recoveryObeys() throws IOException {
    start(new NotDraining(draining), ONE, TWO, THREE);
    cluster.run(cluster.createTable("b", "c", "d"));
    int before = cluster.servers.hosted.get(TWO).size();
    draining.add(TWO);
    cluster.killServer(ONE);
    cluster.runUntil(() -> cluster.isIdle() && cluster.openRegions().size() == 4);
    assertThat(cluster.recovered).containsExactly(ONE);
    assertThat(cluster.servers.hosted.get(TWO)).hasSize(before);
  }

  @Test
  void aRegionThatNoServerMayHaveWaitsAndTheReasonIsLoggedOnce() throws IOException {
    start(new NotDraining(draining), ONE, TWO);
    cluster.run(cluster.createTable());
    RegionStateNode node = nodes().iterator().next();
    cluster.run(cluster.setEnabled(false));
    draining.addAll(List.of(ONE, TWO));
    cluster.submit(cluster.setEnabled(true));
    cluster.letTimePass(Duration.ofSeconds(30));
    assertThat(node.openServer()).isEmpty();
    assertThat(node.isRefused()).isTrue();
    assertThat(log.all())
        .filteredOn(line -> line.startsWith("WARN "))
        .singleElement()
        .asString()
        .contains(
            "is not opened. No region server may have it: one,16020,1 is draining;"
                + " two,16020,1 is draining");

    draining.remove(TWO);
    cluster.runUntil(cluster::isIdle);
    assertThat(node.openServer()).contains(TWO);
    assertThat(node.isRefused()).isFalse();
  }

  @Test
  void aMoveObeysWhenItIsAskedForAndWhenItIsCarriedOut() throws IOException {
    start(new NotDraining(draining), ONE, TWO, THREE);
    cluster.run(cluster.createTable());
    Assignments assignments = cluster.active().assignments();
    RegionStateNode node = nodes().iterator().next();
    ServerName from = node.openServer().orElseThrow();
    ServerName target = from.equals(TWO) ? THREE : TWO;
    PlacementRequest request = assignments.request(node, PlacementReason.MOVE).at(target);
    PlacementDecision allowed = assignments.place(request);

    draining.add(target);
    assertThat(assignments.place(request))
        .returns(Optional.empty(), PlacementDecision::server)
        .returns("The region server " + target + " is draining", PlacementDecision::reason);

    assignments.move(node, allowed, Completion.of(() -> {}, cause -> {}));
    cluster.runUntil(cluster::isIdle);
    assertThat(node.openServer()).as("where it was").contains(from);
  }

  @Test
  void splitsObey() throws IOException {
    start(new NotDraining(draining), ONE, TWO);
    cluster.run(cluster.createTable());
    RegionStateNode parent = nodes().iterator().next();
    ServerName from = parent.openServer().orElseThrow();
    draining.add(from);
    cluster.run(
        new SplitRegionProcedure(
            cluster.active().procedureContext(), "user", parent.region(), Bytes.utf8("k")));
    assertThat(nodes())
        .hasSize(2)
        .allMatch(node -> node.openServer().filter(at -> !at.equals(from)).isPresent());
  }

  @Test
  void theBalancerObeys() throws IOException {
    start(new NotDraining(draining), ONE);
    cluster.run(cluster.createTable("b", "c", "d", "e", "f", "g"));
    cluster.addServer(TWO);
    cluster.addServer(THREE);
    cluster.runUntil(() -> cluster.active().servers().ready().size() == 3);
    draining.add(TWO);
    balance();
    assertThat(cluster.servers.hosted.get(TWO)).isEmpty();
    assertThat(cluster.servers.hosted.get(THREE)).hasSize(4); // of 8 with hbase:namespace

    draining.clear();
    balance();
    assertThat(cluster.servers.hosted.get(TWO).size()).isBetween(2, 3);
  }

  private void balance() {
    cluster.active().balancer().run(BalanceRequest.getDefaultInstance());
    cluster.runUntil(cluster::isIdle);
  }

  private Collection<RegionStateNode> nodes() {
    return cluster.active().assignments().of(SimulatedCluster.TABLE);
  }
}
