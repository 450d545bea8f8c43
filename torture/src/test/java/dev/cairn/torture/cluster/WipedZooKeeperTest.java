package dev.cairn.torture.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.torture.scheduler.Machine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Somebody deletes {@code /hbase} in ZooKeeper while a region server sleeps. The other servers
 * restart. Sometimes the active master ends at the same time.
 */
class WipedZooKeeperTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration CALL = Duration.ofSeconds(5);
  private static final Duration RESTART = Duration.ofMillis(500);
  private static final long SLEEP_MAX_MILLIS = 20_000;

  /** One row of each region. */
  private static final List<String> ROWS = List.of("10", "30", "60", "90");

  private boolean openTwice;

  @ParameterizedTest
  @CsvSource({"1, false", "2, false", "3, false", "4, true", "5, true", "6, true"})
  void noRegionIsOpenTwice(long seed, boolean killMaster) {
    assertThat(readAfterWipe(seed, killMaster, Set.of())).hasValue(2);
    assertThat(openTwice).isFalse();
  }

  @Test
  void aMasterThatDoesNotWaitOpensRegionsTwice() {
    readAfterWipe(1, false, Set.of(Guard.WAIT));
    assertThat(openTwice).isTrue();
  }

  /** Returns the value of a region of the sleeping server after a put of 2. */
  private OptionalLong readAfterWipe(long seed, boolean killMaster, Set<Guard> without) {
    List<OptionalLong> read = new ArrayList<>();
    List<IOException> failures = new ArrayList<>();
    try (ClusterWorld world = new ClusterWorld(seed, without)) {
      world.start(2, 3);
      superviseServers(world);
      assertThat(world.run(() -> world.leader().isPresent(), PATIENCE)).isTrue();
      Machine machine = world.parts().scheduler().machine("10.0.3.1");
      machine.spawn(
          "clients",
          () -> {
            try {
              read.add(readAfterWipe(world, machine, new SplittableRandom(seed), killMaster));
            } catch (IOException e) {
              failures.add(e);
            }
          });
      world.run(() -> !read.isEmpty() || !failures.isEmpty(), PATIENCE.multipliedBy(3));
      openTwice =
          world.parts().failures().stream().anyMatch(failure -> failure.contains("is open on"));
    }
    assertThat(failures).isEmpty();
    assertThat(read).hasSize(1);
    return read.get(0);
  }

  /** Starts servers that have ended again, as a service manager does. */
  private static void superviseServers(ClusterWorld world) {
    world
        .parts()
        .scheduler()
        .after(
            RESTART.toNanos(),
            () -> {
              for (int i = 0; i < world.servers().size(); i++) {
                if (world.servers().get(i).host().machine().isStopped()) {
                  world.restartServer(i);
                }
              }
              superviseServers(world);
            });
  }

  private static OptionalLong readAfterWipe(
      ClusterWorld world, Machine machine, SplittableRandom random, boolean killMaster)
      throws IOException {
    ClusterClient client = new ClusterClient(machine, world.parts(), CALL);
    NumbersTable.create(client, PATIENCE);
    RowCalls reader = new RowCalls(client, NumbersTable.NAME);
    for (String row : ROWS) {
      reader.put(row, 1, PATIENCE);
    }
    String row = rowAwayFromMeta(world, client);
    ServerName sleeping = owner(client, row);
    Machine asleep = machine(world, sleeping);
    asleep.freeze();
    machine.clock().park(Duration.ofSeconds(1).toNanos());
    world.parts().zooKeeper().wipe();
    if (killMaster) {
      machine.clock().park(Duration.ofMillis(random.nextLong(500)).toNanos());
      world.leader().ifPresent(leader -> machineOf(world, leader.self()).stop());
    }
    world
        .parts()
        .scheduler()
        .after(Duration.ofMillis(random.nextLong(SLEEP_MAX_MILLIS)).toNanos(), asleep::thaw);
    ClusterClient newcomer = new ClusterClient(machine, world.parts(), CALL);
    while (owner(newcomer, row).equals(sleeping)) {
      machine.clock().park(Duration.ofMillis(10).toNanos());
    }
    new RowCalls(newcomer, NumbersTable.NAME).put(row, 2, PATIENCE);
    return reader.get(row, PATIENCE);
  }

  private static Machine machine(ClusterWorld world, ServerName server) {
    return world.servers().stream()
        .filter(process -> process.name().equals(server))
        .map(process -> process.host().machine())
        .findFirst()
        .orElseThrow();
  }

  private static Machine machineOf(ClusterWorld world, ServerName master) {
    return world.masters().stream()
        .filter(process -> process.name().equals(master))
        .map(process -> process.host().machine())
        .findFirst()
        .orElseThrow();
  }

  private static ServerName owner(ClusterClient client, String row) throws IOException {
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

  /** Returns a row whose server does not have {@code hbase:meta}. */
  private static String rowAwayFromMeta(ClusterWorld world, ClusterClient client)
      throws IOException {
    Optional<ServerName> meta = world.parts().zooKeeper().state().metaLocation();
    for (String row : ROWS) {
      if (!meta.equals(Optional.of(owner(client, row)))) {
        return row;
      }
    }
    throw new AssertionError("All regions are on " + meta);
  }
}
