package dev.cairn.server.master.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.junit.jupiter.api.Test;

/** Which server a region gets, and why. */
class RulePlacementTest {
  private static final ServerName A = new ServerName("a", 16020, 1);
  private static final ServerName B = new ServerName("b", 16020, 1);
  private static final ServerName C = new ServerName("c", 16020, 1);
  private static final RegionInfo REGION =
      new RegionInfo(TableName.parse("t"), Bytes.EMPTY, Bytes.EMPTY, 1);

  private final List<PlacementRule> rules = new ArrayList<>();
  private final Servers servers = new Servers();

  private static final class Servers implements KnownServers {
    private final Map<ServerName, Integer> counts = new TreeMap<>();
    private final Map<ServerName, Double> localities = new HashMap<>();

    @Override
    public List<ServerName> ready() {
      return List.copyOf(counts.keySet());
    }

    @Override
    public boolean isReady(ServerName server) {
      return counts.containsKey(server);
    }

    @Override
    public int regionCount(ServerName server) {
      return counts.get(server);
    }

    @Override
    public Stream<RegionInfo> regions(ServerName server, TableName table) {
      return Stream.empty();
    }

    @Override
    public Stream<ServerName> othersOf(RegionInfo region) {
      return Stream.empty();
    }

    @Override
    public long replayedSequence(ServerName server, RegionInfo replica) {
      return 0;
    }

    @Override
    public Optional<ServerLoad> load(ServerName server) {
      return Optional.of(
          ServerLoad.newBuilder().setUsedHeapMB(counts.get(server)).setMaxHeapMB(10).build());
    }

    @Override
    public OptionalDouble locality(ServerName server, RegionInfo region) {
      Double known = localities.get(server);
      return known == null ? OptionalDouble.empty() : OptionalDouble.of(known);
    }
  }

  private PlacementDecision place(PlacementReason reason, ServerName last, int failures) {
    return new RulePlacement(rules, true).place(request(reason, last, failures));
  }

  private PlacementRequest request(PlacementReason reason, ServerName last, int failures) {
    return new PlacementRequest(
        REGION, reason, Optional.ofNullable(last), Optional.empty(), failures, servers);
  }

  private void have(int a, int b, int c) {
    servers.counts.putAll(Map.of(A, a, B, b, C, c));
  }

  @Test
  void aNewRegionGoesToTheServerWithTheFewestRegions() {
    have(3, 1, 2);
    assertThat(place(PlacementReason.OPEN, null, 0))
        .returns(REGION, PlacementDecision::region)
        .returns(PlacementReason.OPEN, PlacementDecision::asked)
        .returns(Optional.of(B), PlacementDecision::server)
        .returns("it had the fewest regions, 1", PlacementDecision::reason);
  }

  @Test
  void amongEqualsTheFirstByNameGetsIt() {
    have(1, 1, 1);
    assertThat(place(PlacementReason.OPEN, null, 0).server()).contains(A);
  }

  @Test
  void aRegionOpensAgainWhereItWas() {
    have(3, 1, 2);
    assertThat(place(PlacementReason.OPEN, A, 0))
        .returns(Optional.of(A), PlacementDecision::server)
        .returns("it was there before", PlacementDecision::reason);
    servers.counts.remove(A);
    assertThat(place(PlacementReason.RECOVERY, A, 0).server()).contains(B);
  }

  @Test
  void afterAFailureARegionOpensElsewhereIfItCan() {
    have(1, 2, 3);
    assertThat(place(PlacementReason.RETRY, A, 1))
        .returns(Optional.of(B), PlacementDecision::server)
        .returns(
            "it had the fewest regions, 2, apart from the server where the opening failed",
            PlacementDecision::reason);
    servers.counts.keySet().retainAll(List.of(A));
    assertThat(place(PlacementReason.RETRY, A, 1).server()).contains(A);
  }

  @Test
  void aMoveGoesToItsTargetOrNowhere() {
    have(1, 2, 3);
    PlacementRequest request = request(PlacementReason.MOVE, A, 0);
    RulePlacement placement = new RulePlacement(rules, true);
    assertThat(placement.place(request.at(C)).server()).contains(C);
    servers.counts.remove(C);
    assertThat(placement.place(request.at(C)))
        .returns(Optional.empty(), PlacementDecision::server)
        .returns("No region server c,16020,1 is alive", PlacementDecision::reason);
  }

  @Test
  void aMoveWithoutATargetLeavesItsServer() {
    have(1, 3, 2);
    assertThat(place(PlacementReason.MOVE, A, 0).server()).contains(C);
    servers.counts.keySet().retainAll(List.of(A));
    assertThat(place(PlacementReason.MOVE, A, 0))
        .returns(Optional.empty(), PlacementDecision::server)
        .returns("There is no other region server", PlacementDecision::reason)
        .returns(false, PlacementDecision::isRefused);
  }

  @Test
  void withoutAServerThereIsNoDecision() {
    assertThat(place(PlacementReason.OPEN, null, 0))
        .returns(Optional.empty(), PlacementDecision::server)
        .returns("No region server is ready", PlacementDecision::reason);
  }

  @Test
  void everyRuleExcludesServersAndTheDecisionNamesThem() {
    have(1, 2, 3);
    rules.add((request, server) -> server.equals(A) ? Optional.of("is draining") : none());
    rules.add((request, server) -> server.equals(B) ? Optional.of("is another group's") : none());
    assertThat(place(PlacementReason.OPEN, A, 0))
        .returns(Optional.of(C), PlacementDecision::server)
        .returns(Map.of(A, "is draining", B, "is another group's"), PlacementDecision::refused);
    assertThat(
            new RulePlacement(rules, true)
                .place(request(PlacementReason.MOVE, C, 0).at(A))
                .reason())
        .isEqualTo("The region server a,16020,1 is draining");
    servers.counts.remove(C);
    assertThat(place(PlacementReason.OPEN, A, 0))
        .returns(true, PlacementDecision::isRefused)
        .returns(
            "No region server may have it: a,16020,1 is draining; b,16020,1 is another group's",
            PlacementDecision::reason);
  }

  @Test
  void aRegionIsTriedAgainWhereItFailedIfRulesExcludeTheOthers() {
    have(1, 2, 3);
    rules.add((request, server) -> server.equals(A) ? none() : Optional.of("is draining"));
    assertThat(place(PlacementReason.RETRY, A, 1).server()).contains(A);
  }

  @Test
  void aRuleSeesLoadAndLocality() {
    have(9, 5, 7);
    servers.localities.putAll(Map.of(B, 0.1, C, 0.8));
    rules.add(
        (request, server) -> {
          double locality = request.servers().locality(server, request.region()).orElse(0);
          return locality < 0.5 ? Optional.of("has few of its files") : none();
        });
    rules.add(
        (request, server) ->
            request.servers().load(server).filter(load -> load.getUsedHeapMB() > 8).isPresent()
                ? Optional.of("is short of memory")
                : none());
    assertThat(place(PlacementReason.OPEN, null, 0).server()).contains(C);
  }

  private static Optional<String> none() {
    return Optional.empty();
  }

  @Test
  void aRegionReturnsToTheAddressOfAServerThatWasRestarted() {
    have(1, 5, 1);
    ServerName earlier = new ServerName("b", 16020, 0);
    PlacementRequest request = request(PlacementReason.RECOVERY, earlier, 0);
    assertThat(place(PlacementReason.RECOVERY, earlier, 0))
        .returns(Optional.of(B), PlacementDecision::server)
        .returns("it was there before its server restarted", PlacementDecision::reason);
    assertThat(place(PlacementReason.RETRY, earlier, 1).server()).contains(A);
    assertThat(new RulePlacement(rules, false).place(request).server()).contains(A);
    rules.add((asked, server) -> server.equals(B) ? Optional.of("is full") : Optional.empty());
    assertThat(place(PlacementReason.RECOVERY, earlier, 0).server()).contains(A);
  }
}
