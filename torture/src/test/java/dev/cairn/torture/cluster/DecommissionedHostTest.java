package dev.cairn.torture.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.members.MemberSettings;
import dev.cairn.server.regionserver.RegionServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DecommissionRegionServersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DecommissionRegionServersResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListDecommissionedRegionServersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListDecommissionedRegionServersResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RecommissionRegionServerRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RecommissionRegionServerResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A region server that starts on a decommissioned host ends, if the site rejects such hosts. */
class DecommissionedHostTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @AutoClose
  private final ClusterWorld world =
      new ClusterWorld(1, Set.of(), Map.of(MemberSettings.REJECTS_DECOMMISSIONED.name(), "true"));

  private final ClusterClient client =
      new ClusterClient(
          world.parts().scheduler().machine("10.0.3.1"), world.parts(), Duration.ofSeconds(5));

  private interface Call {
    void make() throws IOException;
  }

  @Test
  void itMayStartOnceItIsRecommissioned() {
    world.start(1, 2);
    assertThat(world.run(() -> world.leader().isPresent() && isServing(1), PATIENCE)).isTrue();
    ServerName first = world.servers().get(1).name();
    perform(
        () ->
            client.callMaster(
                "DecommissionRegionServers",
                DecommissionRegionServersRequest.newBuilder()
                    .addServerName(first.message())
                    .setOffload(false)
                    .build(),
                DecommissionRegionServersResponse.getDefaultInstance(),
                PATIENCE));
    restart();
    assertThat(world.run(() -> abortReason().isPresent(), PATIENCE)).isTrue();
    assertThat(abortReason().orElseThrow())
        .startsWith("The master refuses this server: Host 10.0.2.2 exists");
    assertThat(world.run(this::hasEnded, PATIENCE)).as("it ends").isTrue();
    perform(() -> assertThat(decommissioned()).containsExactly(first));
    perform(
        () ->
            client.callMaster(
                "RecommissionRegionServer",
                RecommissionRegionServerRequest.newBuilder().setServerName(first.message()).build(),
                RecommissionRegionServerResponse.getDefaultInstance(),
                PATIENCE));
    restart();
    assertThat(world.run(() -> isServing(1), PATIENCE)).as("it serves").isTrue();
    assertThat(world.parts().failures()).isEmpty();
  }

  private void restart() {
    world.killServer(1);
    world.restartServer(1);
    world.parts().excuse(world.servers().get(1).host().machine());
  }

  private Optional<String> abortReason() {
    return world.servers().get(1).server().flatMap(RegionServer::abortReason);
  }

  private boolean hasEnded() {
    return world.servers().get(1).host().machine().isStopped();
  }

  private boolean isServing(int server) {
    return world
        .leader()
        .flatMap(master -> master.active())
        .filter(active -> active.servers().isReady(world.servers().get(server).name()))
        .isPresent();
  }

  private List<ServerName> decommissioned() throws IOException {
    return client
        .callMaster(
            "ListDecommissionedRegionServers",
            ListDecommissionedRegionServersRequest.getDefaultInstance(),
            ListDecommissionedRegionServersResponse.getDefaultInstance(),
            PATIENCE)
        .getServerNameList()
        .stream()
        .map(ServerName::of)
        .toList();
  }

  private void perform(Call call) {
    List<Object> results = new ArrayList<>();
    client
        .machine()
        .spawn(
            "client",
            () -> {
              try {
                call.make();
                results.add("done");
              } catch (IOException | AssertionError e) {
                results.add(e);
              }
            });
    assertThat(world.run(() -> !results.isEmpty(), PATIENCE)).isTrue();
    assertThat(results).containsExactly("done");
  }
}
