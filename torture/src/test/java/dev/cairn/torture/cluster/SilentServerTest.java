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
import org.junit.jupiter.api.Test;

/**
 * A server loses ZooKeeper, with or without the masters; clients reach it all the time. A master
 * declares it dead.
 */
class SilentServerTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** One row of each region. */
  private static final List<String> ROWS = List.of("10", "30", "60", "90");

  private static final Duration CALL = Duration.ofSeconds(5);

  /** A step so short that the server's session outlives the master's patience. */
  private static final Duration STEP = Duration.ofSeconds(8);

  /** The regions that two servers had open, as found by the check. */
  private final List<String> openTwice = new ArrayList<>();

  /** The simulated time from the fault to the first put on another server. */
  private Duration unavailable = Duration.ZERO;

  private Duration sessionTimeout = Duration.ZERO;

  @Test
  void aReaderSeesWhatTheNextOwnerHasAcknowledged() {
    assertThat(readAfterTakeover(Set.of())).containsExactly(OptionalLong.of(2));
    assertThat(openTwice).isEmpty();
  }

  @Test
  void aMasterThatDoesNotWaitForTheLeaseLetsItSeeLess() {
    assertThat(readAfterTakeover(Set.of(Guard.WAIT))).containsExactly(OptionalLong.of(1));
    assertThat(openTwice).isNotEmpty();
  }

  @Test
  void aServerThatLosesOnlyZooKeeperIsReplacedSoonAfterItsSession() {
    assertThat(readAfterTakeover(Set.of(), SilentServerTest::cutFromZooKeeper))
        .containsExactly(OptionalLong.of(2));
    assertThat(openTwice).isEmpty();
    assertThat(unavailable)
        .isGreaterThan(sessionTimeout.dividedBy(2))
        .isLessThan(sessionTimeout.plusSeconds(10));
  }

  private interface Fault {
    void begin(ClusterWorld world, Machine machine, ServerName server);
  }

  private static void cutFromAll(ClusterWorld world, Machine machine, ServerName server) {
    world.masters().forEach(master -> cut(world, server, master.name().host()));
    machine.clock().park(STEP.toNanos());
    cutFromZooKeeper(world, machine, server);
  }

  private static void cutFromZooKeeper(ClusterWorld world, Machine machine, ServerName server) {
    cut(world, server, ZooKeeperService.PLACE);
  }

  private List<OptionalLong> readAfterTakeover(Set<Guard> without) {
    return readAfterTakeover(without, SilentServerTest::cutFromAll);
  }

  /**
   * Returns the value that a client reads from the silent server after a put of 2 on another
   * server.
   */
  private List<OptionalLong> readAfterTakeover(Set<Guard> without, Fault fault) {
    List<OptionalLong> read = new ArrayList<>();
    List<IOException> failures = new ArrayList<>();
    try (ClusterWorld world = new ClusterWorld(1, without)) {
      sessionTimeout = Duration.ofNanos(world.parts().zooKeeper().timeoutNanos());
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
      new OwnerCheck(world).look();
      world.parts().failures().stream()
          .filter(failure -> failure.contains("is open on"))
          .forEach(openTwice::add);
    }
    assertThat(failures).isEmpty();
    return read;
  }

  private OptionalLong readAfterTakeover(ClusterWorld world, Machine machine, Fault fault)
      throws IOException {
    ClusterClient client = new ClusterClient(machine, world.parts(), CALL);
    NumbersTable.create(client, PATIENCE);
    RowCalls reader = new RowCalls(client, NumbersTable.NAME);
    for (String row : ROWS) {
      reader.put(row, 1, PATIENCE);
    }
    String row = rowAwayFromMeta(world, client);
    ServerName silent = owner(client, row);

    long began = machine.clock().nanoTime();
    fault.begin(world, machine, silent);
    ClusterClient newcomer = new ClusterClient(machine, world.parts(), CALL);
    while (owner(newcomer, row).equals(silent)) {
      machine.clock().park(Duration.ofMillis(10).toNanos());
    }
    new RowCalls(newcomer, NumbersTable.NAME).put(row, 2, PATIENCE);
    unavailable = Duration.ofNanos(machine.clock().nanoTime() - began);
    return reader.get(row, PATIENCE);
  }

  private static void cut(ClusterWorld world, ServerName server, String other) {
    world.parts().network().cut(server.host(), other);
    world.parts().network().cut(other, server.host());
  }

  private static ServerName owner(ClusterClient client, String row) throws IOException {
    return client.readMeta(PATIENCE).stream()
        .filter(region -> region.region().table().equals(NumbersTable.NAME))
        .filter(region -> region.region().contains(Bytes.utf8(row)))
        .flatMap(region -> region.server().stream())
        .findFirst()
        .orElseThrow(() -> new IOException("No server has " + row));
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
