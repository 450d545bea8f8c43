package dev.cairn.torture.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.torture.scheduler.Machine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A server cannot reach HDFS, while the masters and the other servers can. */
class StuckLogTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration CALL = Duration.ofSeconds(5);
  private static final String ROW = "30";

  /** Another row of the same region. */
  private static final String OTHER_ROW = "301";

  /**
   * The master gives the server up after 7 s, and recovers its log within a few more; clients pause
   * between their attempts. Of 30 seeds, the fastest takes 7.6 s, the slowest 14.6 s.
   */
  private static final Duration TAKEN_OVER = Duration.ofSeconds(20);

  private static final Duration STEP = Duration.ofSeconds(5);

  private Duration unavailable = Duration.ZERO;

  private interface Fault {
    void begin(ClusterWorld world, ServerName server);
  }

  private static void cutFromAnswers(ClusterWorld world, ServerName server) {
    world
        .masters()
        .forEach(master -> world.parts().network().cut(master.name().host(), server.host()));
    // Before the master gives the server up, but so late that the lease ends after that.
    world
        .parts()
        .scheduler()
        .after(
            STEP.toNanos(),
            () -> {
              world.parts().network().cut(server.host(), ZooKeeperService.PLACE);
              world.parts().network().cut(ZooKeeperService.PLACE, server.host());
            });
  }

  @Test
  void otherServersTakeItsRegionsWhileItIsCutOff() {
    assertThat(readAfterTakeover(Set.of(), (world, server) -> {}))
        .containsExactly(OptionalLong.of(2));
    assertThat(unavailable).isLessThan(TAKEN_OVER);
  }

  @Test
  void aReaderThatOnlyReachesTheServerSeesWhatTheNextOwnerHasAcknowledged() {
    assertThat(readAfterTakeover(Set.of(), StuckLogTest::cutFromAnswers))
        .containsExactly(OptionalLong.of(2));
  }

  @Test
  void aMasterThatDoesNotWaitForTheLeaseLetsTheReaderSeeLess() {
    assertThat(readAfterTakeover(Set.of(Guard.WAIT), StuckLogTest::cutFromAnswers))
        .containsExactly(OptionalLong.of(1));
  }

  /** Returns what a client reads at the row's old server after a put of 2 at the new one. */
  private List<OptionalLong> readAfterTakeover(Set<Guard> without, Fault fault) {
    List<OptionalLong> read = new ArrayList<>();
    List<IOException> failures = new ArrayList<>();
    try (ClusterWorld world = new ClusterWorld(seed(), without)) {
      world.start(2, 3);
      assertThat(world.run(() -> world.leader().isPresent(), PATIENCE)).isTrue();
      Machine machine = world.parts().scheduler().machine("10.0.3.1");
      machine.spawn(
          "clients",
          () -> {
            try {
              read.add(readAfterTakeover(world, machine, fault));
            } catch (IOException e) {
              failures.add(e);
            }
          });
      world.run(() -> !read.isEmpty() || !failures.isEmpty(), PATIENCE.multipliedBy(3));
    }
    assertThat(failures).isEmpty();
    return read;
  }

  /** Returns a seed of a world whose logs try as often as on HDFS. */
  private static long seed() {
    for (long seed = 1; ; seed++) {
      try (ClusterWorld world = new ClusterWorld(seed, Set.of())) {
        if (!world.parts().survivesPowerCuts()) {
          return seed;
        }
      }
    }
  }

  private OptionalLong readAfterTakeover(ClusterWorld world, Machine machine, Fault fault)
      throws IOException {
    ClusterClient client = new ClusterClient(machine, world.parts(), CALL);
    // With replicas, hbase:meta goes on naming the server, and clients wait for it.
    NumbersTable.createWithoutReplicas(client, PATIENCE);
    RowCalls reader = new RowCalls(client, NumbersTable.NAME);
    reader.put(ROW, 1, PATIENCE);
    ServerName cut = owner(client);
    ProcessParts host =
        world.servers().stream()
            .filter(process -> process.name().equals(cut))
            .map(RegionServerProcess::host)
            .findFirst()
            .orElseThrow();
    world.parts().excuse(host.machine());

    host.storage().cut();
    fault.begin(world, cut);
    long began = machine.clock().nanoTime();
    machine.spawn(
        "writer",
        () -> {
          try {
            ClusterClient other = new ClusterClient(machine, world.parts(), CALL);
            new RowCalls(other, NumbersTable.NAME).put(OTHER_ROW, 1, PATIENCE);
          } catch (IOException e) {
            world.parts().note("The only write to the stuck log failed: " + e);
          }
        });
    ClusterClient newcomer = new ClusterClient(machine, world.parts(), CALL);
    while (owner(newcomer).equals(cut)) {
      machine.clock().park(Duration.ofMillis(10).toNanos());
    }
    new RowCalls(newcomer, NumbersTable.NAME).put(ROW, 2, PATIENCE);
    unavailable = Duration.ofNanos(machine.clock().nanoTime() - began);
    return reader.get(ROW, PATIENCE);
  }

  private static ServerName owner(ClusterClient client) throws IOException {
    return client.readMeta(PATIENCE).stream()
        .filter(row -> row.region().table().equals(NumbersTable.NAME))
        .filter(row -> row.region().contains(Bytes.utf8(ROW)))
        .flatMap(row -> row.server().stream())
        .findFirst()
        .orElseThrow(() -> new IOException("No server has " + ROW));
  }
}
