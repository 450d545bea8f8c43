package dev.cairn.server.master.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MoveRegionRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** How an administrator moves a region. */
class RegionMethodsTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ServerName THREE = new ServerName("three", 16020, 1);

  private final SimulatedCluster cluster = new SimulatedCluster();
  private final Set<ServerName> draining = new HashSet<>();

  private void start(ServerName... servers) throws IOException {
    cluster.placementRules.add(
        (request, server) ->
            draining.contains(server) ? Optional.of("is draining") : Optional.empty());
    for (ServerName server : servers) {
      cluster.addServer(server);
    }
    cluster.startUp();
    cluster.run(cluster.createTable());
  }

  private RegionStateNode region() {
    return cluster.active().assignments().of(SimulatedCluster.TABLE).iterator().next();
  }

  private void move(Optional<ServerName> target) throws IOException {
    MoveRegionRequest.Builder request =
        MoveRegionRequest.newBuilder()
            .setRegion(
                RegionSpecifier.newBuilder()
                    .setType(RegionSpecifierType.ENCODED_REGION_NAME)
                    .setValue(ByteString.copyFromUtf8(region().region().encodedName())));
    target.ifPresent(server -> request.setDestServerName(server.message()));
    AtomicBoolean done = new AtomicBoolean();
    RegionMethods.move(
        cluster.active(), request.build(), Completion.of(() -> done.set(true), cause -> {}));
    cluster.runUntil(done::get);
  }

  @Test
  void aMoveEndsAtItsTarget() throws IOException {
    start(ONE, TWO);
    ServerName target = region().isAt(ONE) ? TWO : ONE;
    move(Optional.of(target));
    assertThat(region().openServer()).contains(target);
  }

  @Test
  void aMoveWithoutATargetGoesToTheEmptiestOtherServer() throws IOException {
    start(ONE, TWO);
    ServerName from = region().openServer().orElseThrow();
    cluster.addServer(THREE);
    cluster.runUntil(() -> cluster.active().servers().isReady(THREE));
    move(Optional.empty());
    assertThat(from).isNotEqualTo(THREE);
    assertThat(region().openServer()).contains(THREE);
  }

  @Test
  void withoutAnotherServerTheRegionStays() throws IOException {
    start(ONE);
    move(Optional.empty());
    assertThat(region().openServer()).contains(ONE);
  }

  @Test
  void aTargetThatIsNotThereOrRefusedIsAnError() throws IOException {
    start(ONE, TWO);
    ServerName target = region().isAt(ONE) ? TWO : ONE;
    assertThatThrownBy(() -> move(Optional.of(THREE)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage("No region server three,16020,1 is alive");
    draining.add(target);
    assertThatThrownBy(() -> move(Optional.of(target)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage("The region server " + target + " is draining");
    assertThatThrownBy(() -> move(Optional.empty()))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage("No region server may have it: " + target + " is draining");
  }
}
