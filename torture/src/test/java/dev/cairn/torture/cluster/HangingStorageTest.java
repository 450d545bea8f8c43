package dev.cairn.torture.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The disk of a server's log accepts writes and does not answer; the server itself goes on. */
class HangingStorageTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration CALL = Duration.ofSeconds(5);
  private static final String ROW = "30";

  /** The server notices after a session, clients after a call, and a takeover takes seconds. */
  private static final Duration TAKEN_OVER = ClusterWorld.SESSION.plusSeconds(15);

  @Test
  void otherServersTakeItsRegionsWhileTheDiskHangs() {
    List<Object> result = new ArrayList<>();
    try (ClusterWorld world = new ClusterWorld(1, Set.of())) {
      world.start(2, 3);
      assertThat(world.run(() -> world.leader().isPresent(), PATIENCE)).isTrue();
      ClusterClient client =
          new ClusterClient(world.parts().scheduler().machine("10.0.3.1"), world.parts(), CALL);
      client
          .machine()
          .spawn(
              "client",
              () -> {
                try {
                  result.add(takeover(world, client));
                } catch (IOException e) {
                  result.add(e);
                }
              });
      world.run(() -> !result.isEmpty(), PATIENCE.multipliedBy(3));
    }
    assertThat(result)
        .singleElement()
        .isInstanceOfSatisfying(Duration.class, taken -> assertThat(taken).isLessThan(TAKEN_OVER));
  }

  /** Returns the time from the beginning of the hang to the next acknowledged put. */
  private static Duration takeover(ClusterWorld world, ClusterClient client) throws IOException {
    NumbersTable.create(client, PATIENCE);
    RowCalls rows = new RowCalls(client, NumbersTable.NAME);
    rows.put(ROW, 1, PATIENCE);
    ServerName owner = owner(client);
    ProcessParts hanging =
        world.servers().stream()
            .filter(process -> process.name().equals(owner))
            .map(RegionServerProcess::host)
            .findFirst()
            .orElseThrow();
    hanging.storage().hang();
    world.parts().excuse(hanging.machine());
    Duration begin = world.now();
    rows.put(ROW, 2, PATIENCE);
    Duration taken = world.now().minus(begin);
    assertThat(owner(client)).isNotEqualTo(owner);
    hanging.storage().heal();
    assertThat(rows.get(ROW, PATIENCE)).hasValue(2);
    return taken;
  }

  private static ServerName owner(ClusterClient client) throws IOException {
    return client.readMeta(PATIENCE).stream()
        .filter(row -> row.region().table().equals(NumbersTable.NAME))
        .filter(row -> row.region().contains(Bytes.utf8(ROW)))
        .findFirst()
        .flatMap(row -> row.server())
        .orElseThrow();
  }
}
