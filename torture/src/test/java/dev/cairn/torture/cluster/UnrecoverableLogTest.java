package dev.cairn.torture.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.NamespaceTable;
import dev.cairn.server.catalog.RegionRow;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * A machine with the active master and a region server dies. The DataNodes with the region server's
 * log do not answer, so its lease cannot be recovered for a long time.
 */
class UnrecoverableLogTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** One row of each region. */
  private static final List<String> ROWS = List.of("10", "30", "60", "90");

  @AutoClose private final ClusterWorld world = new ClusterWorld(1, Set.of());
  private final ClusterClient client =
      new ClusterClient(
          world.parts().scheduler().machine("10.0.3.1"), world.parts(), Duration.ofSeconds(5));
  private final RowCalls rows = new RowCalls(client, NumbersTable.NAME);
  private final List<String> waiting = new ArrayList<>();
  private Optional<ServerName> victim = Optional.empty();

  @Test
  void onlyTheRegionsOfTheDeadServerWaitForItsLog() {
    world.start(2, 3);
    await(() -> world.leader().isPresent());
    run(
        () -> {
          NumbersTable.create(client, PATIENCE);
          for (String row : ROWS) {
            rows.put(row, 1, PATIENCE);
          }
          choose();
        });
    ServerName dead = victim.orElseThrow();
    List<String> logs = world.logs().stream().filter(log -> log.contains(dead.toString())).toList();
    logs.forEach(world.parts().dataNodes()::lose);
    stop(dead);
    stop(world.leader().orElseThrow().self());

    await(() -> world.leader().isPresent());
    run(
        () -> {
          for (String row : ROWS) {
            if (!waiting.contains(row)) {
              rows.put(row, 2, PATIENCE);
            }
          }
          assertThat(client.readMeta(PATIENCE))
              .filteredOn(region -> waiting.stream().anyMatch(row -> holds(region, row)))
              .allSatisfy(region -> assertThat(region.server()).contains(dead));
        });

    logs.forEach(world.parts().dataNodes()::find);
    run(
        () -> {
          for (String row : waiting) {
            assertThat(rows.get(row, PATIENCE)).isEqualTo(OptionalLong.of(1));
          }
        });
    assertThat(world.parts().failures()).isEmpty();
  }

  /** Chooses a server with a region of the table and without a system table. */
  private void choose() throws IOException {
    List<RegionRow> regions = client.readMeta(PATIENCE);
    Set<ServerName> others = new HashSet<>();
    world.parts().zooKeeper().state().metaLocation().ifPresent(others::add);
    regions.stream()
        .filter(region -> isOf(region, NamespaceTable.NAME))
        .forEach(region -> others.add(region.server().orElseThrow()));
    victim =
        regions.stream()
            .filter(region -> isOf(region, NumbersTable.NAME))
            .flatMap(region -> region.server().stream())
            .filter(server -> !others.contains(server))
            .findFirst();
    for (String row : ROWS) {
      if (regions.stream()
          .anyMatch(region -> holds(region, row) && region.server().equals(victim))) {
        waiting.add(row);
      }
    }
    assertThat(waiting).isNotEmpty().hasSizeLessThan(ROWS.size());
  }

  private static boolean isOf(RegionRow region, TableName table) {
    return region.region().table().equals(table);
  }

  private static boolean holds(RegionRow region, String row) {
    return isOf(region, NumbersTable.NAME) && region.region().contains(Bytes.utf8(row));
  }

  private void stop(ServerName name) {
    world.masters().stream()
        .filter(master -> master.name().equals(name))
        .forEach(master -> master.host().machine().stop());
    world.servers().stream()
        .filter(server -> server.name().equals(name))
        .forEach(server -> server.host().machine().stop());
  }

  private void await(BooleanSupplier condition) {
    assertThat(world.run(condition, PATIENCE)).isTrue();
  }

  /** Runs work of the client until it has ended. */
  private void run(ProcessParts.Work work) {
    List<Optional<Throwable>> ends = new ArrayList<>();
    client
        .machine()
        .spawn(
            "client",
            () -> {
              try {
                work.run();
                ends.add(Optional.empty());
              } catch (IOException | AssertionError e) {
                ends.add(Optional.of(e));
              }
            });
    await(() -> !ends.isEmpty());
    assertThat(ends).containsExactly(Optional.empty());
  }
}
