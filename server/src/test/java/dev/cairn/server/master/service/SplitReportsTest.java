package dev.cairn.server.master.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the handling of region servers' requests to split regions. */
class SplitReportsTest {
  private static final ServerName HOST = new ServerName("one", 16020, 1);

  private final SimulatedCluster cluster = new SimulatedCluster();

  @BeforeEach
  void createATable() throws IOException {
    cluster.addServer(HOST);
    cluster.startUp();
    cluster.run(cluster.createTable("g"));
  }

  @Test
  void theRegionIsSplitAtTheRequestedRow() throws IOException {
    assertThat(report(HOST, region(), 3)).isEmpty();
    assertThat(starts()).containsExactlyInAnyOrder("", "g", "k");
  }

  @Test
  void aRequestThatIsRepeatedSplitsOnce() throws IOException {
    RegionInfo region = region();
    report(HOST, region, 3);
    assertThat(report(HOST, region, 3)).contains(region.regionNameAsString());
    assertThat(starts()).containsExactlyInAnyOrder("", "g", "k");
  }

  @Test
  void theSwitchForSplitsIsObeyed() throws IOException {
    CompletableFuture<Boolean> off = new CompletableFuture<>();
    cluster
        .active()
        .switches()
        .set(Switch.SPLIT, false, Completion.of(() -> off.complete(true), cause -> {}));
    cluster.runUntil(off::isDone);
    assertThat(report(HOST, region(), 3)).contains("split switch off");
    assertThat(starts()).hasSize(2);
  }

  @Test
  void onlyTheRegionsOwnServerIsHeard() throws IOException {
    ServerName other = new ServerName("two", 16020, 1);
    cluster.addServer(other);
    assertThat(report(other, region(), 3)).contains("is not open at");
    assertThat(starts()).hasSize(2);
  }

  @Test
  void aRequestWithoutDaughtersIsRefused() throws IOException {
    assertThat(report(HOST, region(), 1)).contains("READY_TO_SPLIT of 1 regions");
    assertThat(starts()).hasSize(2);
  }

  /** Reports as a region server; returns the master's error, or nothing. */
  private String report(ServerName server, RegionInfo region, int regions) throws IOException {
    RegionStateTransition.Builder transition =
        RegionStateTransition.newBuilder().setTransitionCode(TransitionCode.READY_TO_SPLIT);
    byte[] row = Bytes.utf8("k");
    List.of(
            region,
            new RegionInfo(region.table(), region.startKey(), row, 9),
            new RegionInfo(region.table(), row, region.endKey(), 9))
        .subList(0, regions)
        .forEach(one -> transition.addRegionInfo(Messages.message(one)));
    CompletableFuture<ReportRegionStateTransitionResponse> answer = new CompletableFuture<>();
    ReportedTransitions.accept(
        cluster.active(),
        server,
        ReportRegionStateTransitionRequest.newBuilder()
            .setServer(server.message())
            .addTransition(transition)
            .build(),
        answer);
    cluster.runUntil(() -> answer.isDone() && cluster.isIdle());
    return answer.join().getErrorMessage();
  }

  private RegionInfo region() {
    return cluster.active().assignments().regionsOf(SimulatedCluster.TABLE).stream()
        .filter(region -> Bytes.utf8(region.startKey()).equals("g"))
        .findFirst()
        .orElseThrow();
  }

  private List<String> starts() {
    return cluster.active().assignments().regionsOf(SimulatedCluster.TABLE).stream()
        .map(region -> Bytes.utf8(region.startKey()))
        .toList();
  }
}
