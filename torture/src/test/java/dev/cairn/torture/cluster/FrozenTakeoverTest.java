package dev.cairn.torture.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.Master;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A master freezes while it takes over. Another master takes over; then the first one resumes. */
class FrozenTakeoverTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** One row of each region. */
  private static final List<String> ROWS = List.of("10", "30", "60", "90");

  @AutoClose private final ClusterWorld world = new ClusterWorld(1, Set.of());
  private final ClusterClient client =
      new ClusterClient(
          world.parts().scheduler().machine("10.0.3.1"), world.parts(), Duration.ofSeconds(5));
  private Optional<ProcessParts> frozen = Optional.empty();

  @ParameterizedTest
  @EnumSource(
      names = {
        "LEADERSHIP_TAKEN",
        "STORE_LOGS_SOUGHT",
        "STORE_LOGS_RECOVERED",
        "STORE_LOG_BEGUN",
        "STORE_OPENED"
      })
  void theMasterThatTookOverMeanwhileContinues(Instant instant) {
    world.start(3, 3);
    await(() -> world.leader().isPresent());
    run(() -> NumbersTable.create(client, PATIENCE));
    run(this::putAll);
    replaceLeader(instant);
    ServerName leader = world.leader().map(Master::self).orElseThrow();

    ProcessParts woken = frozen.orElseThrow();
    woken.machine().thaw();
    await(() -> woken.machine().isStopped());

    world.killServer(0); // its log can be recovered
    run(this::putAll);
    run(() -> new TableCalls(client, 7).drop(NumbersTable.NAME));
    assertThat(world.leader().map(Master::self)).contains(leader);
    assertThat(world.parts().failures()).isEmpty();
  }

  /** Ends the active master; the next one freezes at {@code instant}, and a third one leads. */
  private void replaceLeader(Instant instant) {
    ServerName first = world.leader().map(Master::self).orElseThrow();
    for (MasterProcess master : world.masters()) {
      if (master.name().equals(first)) {
        master.host().machine().stop();
      } else {
        master.host().freezePoint().await(instant, () -> froze(master.host()));
      }
    }
    await(() -> frozen.isPresent());
    await(() -> world.leader().isPresent());
  }

  private void froze(ProcessParts host) {
    frozen = Optional.of(host);
    world.parts().excuse(host.machine());
    world.masters().forEach(master -> master.host().freezePoint().cancel());
  }

  private void putAll() throws IOException {
    RowCalls rows = new RowCalls(client, NumbersTable.NAME);
    for (String row : ROWS) {
      rows.put(row, 1, PATIENCE);
    }
  }

  private void await(BooleanSupplier condition) {
    assertThat(world.run(condition, PATIENCE)).isTrue();
  }

  /** Runs work of the client until it has ended. */
  private void run(ProcessParts.Work work) {
    List<Optional<IOException>> ends = new ArrayList<>();
    client
        .machine()
        .spawn(
            "client",
            () -> {
              try {
                work.run();
                ends.add(Optional.empty());
              } catch (IOException e) {
                ends.add(Optional.of(e));
              }
            });
    await(() -> !ends.isEmpty());
    assertThat(ends).containsExactly(Optional.empty());
  }
}
