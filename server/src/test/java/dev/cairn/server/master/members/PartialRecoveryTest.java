package dev.cairn.server.master.members;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.walsplit.LogPart;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Regions of a dead server open one by one, while the rest of its log is still recovered. */
class PartialRecoveryTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);

  private final SimulatedCluster cluster = new SimulatedCluster();
  private final IOException unfinished = new IOException("The rest of the log is not there");

  @BeforeEach
  void start() throws IOException {
    cluster.addServer(ONE);
    cluster.addServer(TWO);
    cluster.startUp();
    cluster.run(cluster.createTable("b", "c", "d", "e", "f"));
  }

  private List<RegionInfo> regionsAt(ServerName server) {
    return cluster.active().assignments().of(SimulatedCluster.TABLE).stream()
        .filter(node -> node.server().filter(server::equals).isPresent())
        .map(RegionStateNode::region)
        .toList();
  }

  private boolean isOpen(RegionInfo region) {
    return cluster
        .active()
        .assignments()
        .find(region.encodedName())
        .flatMap(RegionStateNode::openServer)
        .filter(cluster.servers.hosted::containsKey)
        .isPresent();
  }

  private ServerName serverWithoutMeta() {
    boolean isAtTwo =
        cluster
            .active()
            .assignments()
            .find(RegionInfo.META.encodedName())
            .flatMap(RegionStateNode::server)
            .filter(TWO::equals)
            .isPresent();
    return isAtTwo ? ONE : TWO;
  }

  /** Returns regions of a server, each in another part of its log. */
  private List<RegionInfo> regionsInDifferentParts(ServerName server) {
    Map<Integer, RegionInfo> byPart = new TreeMap<>();
    for (RegionInfo region : regionsAt(server)) {
      byPart.putIfAbsent(LogPart.of(LogKind.REGIONS, region.encodedName()).index(), region);
    }
    return List.copyOf(byPart.values());
  }

  @Test
  void aRegionOpensOnceItHasItsEditsAndOneWithoutEditsOnceTheLogIsRead() {
    ServerName dead = serverWithoutMeta();
    List<RegionInfo> regions = regionsInDifferentParts(dead);
    RegionInfo complete = regions.get(0);
    RegionInfo waiting = regions.get(1);
    RegionInfo unedited = regions.get(2);
    cluster.split =
        (kind, parts) -> {
          parts.read(kind, Set.of(complete.encodedName(), waiting.encodedName()));
          parts.recovered(complete.encodedName());
          throw unfinished;
        };
    cluster.killServer(dead);
    cluster.runUntil(() -> isOpen(complete) && isOpen(unedited));
    assertThat(isOpen(waiting)).isFalse();
    assertThat(cluster.active().members().isRecovering(dead, waiting)).isTrue();
    assertThat(cluster.active().members().isRecovering(dead, complete)).isFalse();
    assertThat(cluster.active().members().status(dead)).contains("31 of 32 parts");
    cluster.split = (kind, parts) -> parts.read(kind, Set.of());
    cluster.runUntil(() -> isOpen(waiting));
  }

  @Test
  void theCatalogOpensOnceItsOwnLogIsRecovered() {
    ServerName dead = serverWithoutMeta().equals(ONE) ? TWO : ONE;
    List<RegionInfo> regions = regionsAt(dead);
    cluster.logKinds = EnumSet.allOf(LogKind.class);
    cluster.split =
        (kind, parts) -> {
          if (kind == LogKind.REGIONS) {
            parts.sealing("WALs/s-splitting/s.7");
            throw unfinished;
          }
          parts.read(kind, Set.of(RegionInfo.META.encodedName()));
          parts.recovered(RegionInfo.META.encodedName());
        };
    cluster.killServer(dead);
    cluster.runUntil(
        () ->
            isOpen(RegionInfo.META)
                && cluster.active().members().status(dead).contains("WALs/s-splitting/s.7"));
    assertThat(regions).noneMatch(this::isOpen);
    cluster.split = (kind, parts) -> parts.read(kind, Set.of());
    cluster.runUntil(() -> regions.stream().allMatch(this::isOpen));
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"OPEN", "SPLITTING", "MERGING", "FAILED_CLOSE", "ABNORMALLY_CLOSED"})
  void aNextMasterWaitsForTheLogInAnyStateThatHBaseWrites(State state) throws IOException {
    ServerName dead = serverWithoutMeta();
    List<RegionInfo> regions = regionsAt(dead);
    Set<String> edited = regions.stream().map(RegionInfo::encodedName).collect(Collectors.toSet());
    cluster.split =
        (kind, parts) -> {
          parts.read(kind, edited);
          throw unfinished;
        };
    cluster.killMaster();
    cluster.killServer(dead);
    for (RegionInfo region : regions) {
      cluster.servers.meta.replace(
          row -> row.equals(region.regionNameAsString()), "info:state", state.name());
    }
    cluster.startUp();
    cluster.letTimePass(Duration.ofSeconds(30));
    assertThat(regions).isNotEmpty().noneMatch(this::isOpen);
    cluster.split = (kind, parts) -> parts.read(kind, Set.of());
    cluster.runUntil(() -> regions.stream().allMatch(this::isOpen));
  }

  @Test
  void aLogFileThatIsArchivedByAnEarlierMasterMeanwhileIsNotMissed() {
    ServerName dead = serverWithoutMeta();
    List<RegionInfo> regions = regionsAt(dead);
    String file = "WALs/s-splitting/s.7";
    cluster.split =
        (kind, parts) -> {
          cluster.split = (again, all) -> all.read(again, Set.of());
          throw new NoSuchFileException(file);
        };
    cluster.killServer(dead);
    cluster.runUntil(() -> regions.stream().allMatch(this::isOpen));
    assertThat(cluster.aborts).isEmpty();
  }

  @Test
  void aLogFileThatIsListedAgainAndMissingEndsTheMaster() {
    ServerName dead = serverWithoutMeta();
    cluster.split =
        (kind, parts) -> {
          throw new NoSuchFileException("WALs/s-splitting/s.7");
        };
    cluster.killServer(dead);
    cluster.runUntil(() -> !cluster.aborts.isEmpty());
    assertThat(cluster.aborts).first().asString().contains("WALs/s-splitting/s.7 is missing");
  }
}
