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
 * A server loses the masters, and a little later ZooKeeper; clients reach it all the time. A master
 * declares it dead because it is silent.
 */
class SilentServerTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** One row of each region. */
  private static final List<String> ROWS = List.of("10", "30", "60", "90");

  private static final Duration CALL = Duration.ofSeconds(5);

  /** So short that the server's session outlives the master's patience. */
  private static final Duration STEP = Duration.ofSeconds(8);

  /** What the check of regions that two servers have open has found. */
  private final List<String> openTwice = new ArrayList<>();

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

  /**
   * Returns the value that a client reads from the silent server after a put of 2 on another
   * server.
   */
  private List<OptionalLong> readAfterTakeover(Set<Guard> without) {
    List<OptionalLong> read = new ArrayList<>();
    List<IOException> failures = new ArrayList<>();
    try (ClusterWorld world = new ClusterWorld(1, without)) {
      world.start(2, 3);
      assertThat(world.run(() -> world.leader().isPresent(), PATIENCE)).isTrue();
      Machine machine = world.parts().scheduler().machine("10.0.3.1");
      machine.spawn(
          "clients",
          () -> {
            try {
              read.add(readAfterTakeover(world, machine));
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

  private static OptionalLong readAfterTakeover(ClusterWorld world, Machine machine)
      throws IOException {
    ClusterClient client = new ClusterClient(machine, world.parts(), CALL);
    NumbersTable.create(client, PATIENCE);
    RowCalls reader = new RowCalls(client, NumbersTable.NAME);
    for (String row : ROWS) {
      reader.put(row, 1, PATIENCE);
    }
    String row = rowAwayFromMeta(world, client);
    ServerName silent = owner(client, row);

    world.masters().forEach(master -> cut(world, silent, master.name().host()));
    machine.clock().park(STEP.toNanos());
    cut(world, silent, ZooKeeperService.PLACE);
    ClusterClient newcomer = new ClusterClient(machine, world.parts(), CALL);
    while (owner(newcomer, row).equals(silent)) {
      machine.clock().park(Duration.ofMillis(10).toNanos());
    }
    new RowCalls(newcomer, NumbersTable.NAME).put(row, 2, PATIENCE);
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
