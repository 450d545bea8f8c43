package dev.cairn.torture.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.master.Master;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * ZooKeeper is away for longer than a session, or a server is frozen for that long. Nobody starts
 * processes that have ended.
 */
class ZooKeeperOutageTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration OUTAGE = ClusterWorld.SESSION.multipliedBy(6);
  private static final int MASTERS = 2;
  private static final int SERVERS = 3;

  /** One row of each region. */
  private static final List<String> ROWS = List.of("10", "30", "60", "90");

  @AutoClose private final ClusterWorld world = new ClusterWorld(1, Set.of());
  private final ClusterClient client =
      new ClusterClient(
          world.parts().scheduler().machine("10.0.3.1"), world.parts(), Duration.ofSeconds(5));
  private final RowCalls rows = new RowCalls(client, NumbersTable.NAME);

  @BeforeEach
  void start() {
    world.start(MASTERS, SERVERS);
    await(() -> world.leader().isPresent());
    await(this::areAllRegistered);
    run(() -> NumbersTable.create(client, PATIENCE));
    run(() -> putAll(1));
  }

  @Test
  void processesWhoseSessionsLiveGoOn() {
    Set<ServerName> before = lives();
    ServerName leader = world.leader().map(Master::self).orElseThrow();
    world.parts().zooKeeper().goAway();
    assertNobodyAnswersAfterALease();
    world.parts().zooKeeper().comeBack();

    assertThat(ask(this::readAll)).containsOnly(OptionalLong.of(1));
    run(() -> putAll(2));
    assertThat(lives()).isEqualTo(before);
    assertThat(world.leader().map(Master::self)).contains(leader);
    assertThat(world.parts().failures()).isEmpty();
  }

  @Test
  void processesWhoseSessionsHaveEndedBeginAgain() {
    Set<ServerName> before = lives();
    world.parts().zooKeeper().freeze();
    assertNobodyAnswersAfterALease();
    excuseAll();
    world.parts().zooKeeper().comeBack();

    assertThat(ask(this::readAll)).containsOnly(OptionalLong.of(1));
    run(() -> putAll(2));
    await(this::areAllRegistered);
    assertThat(lives()).doesNotContainAnyElementsOf(before);
    assertThat(ask(this::readAll)).containsOnly(OptionalLong.of(2));
    assertThat(world.parts().failures()).isEmpty();
  }

  @Test
  void aFrozenServerThatWasGivenUpBeginsAgain() {
    ServerName owner = ask(() -> owner(ROWS.get(0)));
    ProcessParts frozen = server(owner).host();
    frozen.machine().freeze();
    world.parts().excuse(frozen.machine());
    run(() -> awaitOtherOwner(owner));
    run(() -> putAll(2));
    frozen.machine().thaw();

    await(() -> lives().stream().anyMatch(life -> life.isLaterLifeOf(owner)));
    await(this::areAllRegistered);
    assertThat(ask(this::readAll)).containsOnly(OptionalLong.of(2));
    assertThat(world.parts().failures()).isEmpty();
  }

  @Test
  void aFrozenMasterThatWasReplacedBeginsAgainAsABackup() {
    ServerName first = world.leader().map(Master::self).orElseThrow();
    ProcessParts frozen =
        world.masters().stream()
            .filter(process -> process.name().equals(first))
            .map(MasterProcess::host)
            .findFirst()
            .orElseThrow();
    frozen.machine().freeze();
    world.parts().excuse(frozen.machine());
    await(() -> otherLeads(first));
    frozen.machine().thaw();

    await(
        () ->
            world.parts().zooKeeper().state().backupMasters().stream()
                .anyMatch(backup -> backup.isLaterLifeOf(first)));
    run(() -> putAll(2));
    assertThat(otherLeads(first)).isTrue();
    assertThat(world.parts().failures()).isEmpty();
  }

  /** Lets the outage go on, and checks that no server answers once its lease is over. */
  private void assertNobodyAnswersAfterALease() {
    Duration end = world.now().plus(OUTAGE);
    await(() -> world.now().compareTo(end) > 0);
    assertThat(world.servers()).noneMatch(process -> process.answering().isPresent());
    assertThat(world.servers()).noneMatch(process -> process.host().machine().isStopped());
    assertThat(world.masters()).noneMatch(process -> process.host().machine().isStopped());
  }

  private boolean otherLeads(ServerName first) {
    return world.masters().stream()
        .flatMap(process -> process.master().stream())
        .anyMatch(master -> master.isInitialized() && !master.self().equals(first));
  }

  private void excuseAll() {
    world.servers().forEach(process -> world.parts().excuse(process.host().machine()));
    world.masters().forEach(process -> world.parts().excuse(process.host().machine()));
  }

  private boolean areAllRegistered() {
    ClusterState state = world.parts().zooKeeper().state();
    return state.regionServers().equals(namesOfServers())
        && state.activeMaster().isPresent()
        && state.backupMasters().size() == MASTERS - 1
        && world.leader().isPresent();
  }

  private Set<ServerName> namesOfServers() {
    return world.servers().stream().map(RegionServerProcess::name).collect(Collectors.toSet());
  }

  private Set<ServerName> lives() {
    Set<ServerName> lives = new HashSet<>(namesOfServers());
    world.masters().forEach(process -> lives.add(process.name()));
    return lives;
  }

  private RegionServerProcess server(ServerName name) {
    return world.servers().stream()
        .filter(process -> process.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private ServerName owner(String row) throws IOException {
    while (true) {
      Optional<ServerName> owner =
          client.readMeta(PATIENCE).stream()
              .filter(region -> region.region().table().equals(NumbersTable.NAME))
              .filter(region -> region.region().contains(Bytes.utf8(row)))
              .flatMap(region -> region.server().stream())
              .findFirst();
      if (owner.isPresent()) {
        return owner.get();
      }
      client.machine().clock().park(Duration.ofMillis(10).toNanos());
    }
  }

  private void awaitOtherOwner(ServerName before) throws IOException {
    while (owner(ROWS.get(0)).equals(before)) {
      client.machine().clock().park(Duration.ofMillis(10).toNanos());
    }
  }

  private void putAll(long value) throws IOException {
    for (String row : ROWS) {
      rows.put(row, value, PATIENCE);
    }
  }

  private List<OptionalLong> readAll() throws IOException {
    List<OptionalLong> read = new ArrayList<>();
    for (String row : ROWS) {
      read.add(rows.get(row, PATIENCE));
    }
    return read;
  }

  private void await(BooleanSupplier condition) {
    assertThat(world.run(condition, PATIENCE))
        .as(() -> String.join("\n", world.parts().events()))
        .isTrue();
  }

  /** Runs work of the client until it has ended. */
  private void run(ProcessParts.Work work) {
    ask(
        () -> {
          work.run();
          return true;
        });
  }

  private interface Question<T> {
    T ask() throws IOException;
  }

  private <T> T ask(Question<T> question) {
    List<T> answers = new ArrayList<>();
    List<IOException> failures = new ArrayList<>();
    client
        .machine()
        .spawn(
            "client",
            () -> {
              try {
                answers.add(question.ask());
              } catch (IOException e) {
                failures.add(e);
              }
            });
    await(() -> !answers.isEmpty() || !failures.isEmpty());
    assertThat(failures).isEmpty();
    return answers.get(0);
  }
}
