package dev.cairn.torture.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.RegionRow;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.Master;
import dev.cairn.torture.scheduler.Machine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server of a replica takes a region over, in spite of further faults. */
class PromotedRegionTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** A moment within the recovery of a log. */
  private static final Duration SOON = Duration.ofMillis(300);

  /** The time after which the balancer has dealt with the servers that had no regions at first. */
  private static final Duration BALANCED = Duration.ofSeconds(30);

  /** One row of each region. */
  private static final List<String> ROWS = List.of("10", "30", "60", "90");

  @AutoClose private final ClusterWorld world = new ClusterWorld(1, Set.of());
  private final ClusterClient client =
      new ClusterClient(
          world.parts().scheduler().machine("10.0.3.1"), world.parts(), Duration.ofSeconds(5));
  private final RowCalls rows = new RowCalls(client, NumbersTable.NAME);

  private enum Fault {
    /** The region's server is killed. */
    KILLED(true),
    /** The region's server freezes: it may answer until its lease ends. */
    FROZEN(true),
    /** The region's server is killed, and soon the active master. */
    MASTER_KILLED_SOON(true),
    /** The region's server is killed, and soon that of the replica. */
    REPLICA_KILLED_SOON(false),
    /** The servers of the region and of the replica are killed. */
    BOTH_KILLED(false);

    /** Whether the server of the replica gets the region. */
    private final boolean promotes;

    Fault(boolean promotes) {
      this.promotes = promotes;
    }
  }

  @ParameterizedTest
  @EnumSource
  void noAcknowledgedWriteIsLost(Fault fault) {
    world.start(2, 4);
    await(() -> world.leader().isPresent());
    run(() -> NumbersTable.create(client, PATIENCE));
    run(() -> putAll(1));
    world.run(() -> false, BALANCED);
    List<RegionRow> regions = new ArrayList<>();
    run(() -> regions.addAll(regions()));
    RegionRow region = awayFromMeta(regions);
    ServerName owner = region.server().orElseThrow();
    ServerName replica = region.replicas().get(0).server().orElseThrow();

    inject(fault, owner, replica);
    run(this::checkAll);
    run(() -> putAll(2));
    regions.clear();
    run(() -> regions.addAll(regions()));
    ServerName next = at(regions, region).server().orElseThrow();
    if (fault.promotes) {
      assertThat(next).isEqualTo(replica);
    } else {
      assertThat(next).isNotIn(owner, replica);
    }
    await(this::areCopiesApart);
    assertThat(world.parts().failures()).isEmpty();
  }

  private void inject(Fault fault, ServerName owner, ServerName replica) {
    Machine first = machine(owner);
    world.parts().excuse(first);
    if (fault == Fault.FROZEN) {
      first.freeze();
    } else {
      first.stop();
    }
    if (fault == Fault.MASTER_KILLED_SOON || fault == Fault.REPLICA_KILLED_SOON) {
      world.run(() -> false, SOON);
    }
    if (fault == Fault.MASTER_KILLED_SOON) {
      ServerName leader = world.leader().map(Master::self).orElseThrow();
      world.masters().stream()
          .filter(master -> master.name().equals(leader))
          .forEach(master -> master.host().machine().stop());
    }
    if (fault == Fault.REPLICA_KILLED_SOON || fault == Fault.BOTH_KILLED) {
      machine(replica).stop();
    }
  }

  private Machine machine(ServerName server) {
    return world.servers().stream()
        .filter(process -> process.name().equals(server))
        .map(process -> process.host().machine())
        .findFirst()
        .orElseThrow();
  }

  /** Returns a region whose copies are away from {@code hbase:meta}. */
  private RegionRow awayFromMeta(List<RegionRow> regions) {
    Optional<ServerName> meta = world.parts().zooKeeper().state().metaLocation();
    return regions.stream()
        .filter(region -> !region.server().equals(meta))
        .filter(region -> !region.replicas().get(0).server().equals(meta))
        .findFirst()
        .orElseThrow();
  }

  private List<RegionRow> regions() throws IOException {
    return client.readMeta(PATIENCE).stream()
        .filter(region -> region.region().table().equals(NumbersTable.NAME))
        .toList();
  }

  private static RegionRow at(List<RegionRow> regions, RegionRow wanted) {
    return regions.stream()
        .filter(region -> region.region().equals(wanted.region()))
        .findFirst()
        .orElseThrow();
  }

  private boolean areCopiesApart() {
    List<RegionRow> regions = new ArrayList<>();
    run(() -> regions.addAll(regions()));
    return regions.stream()
        .allMatch(
            region ->
                region.state() == State.OPEN
                    && region.replicas().get(0).state() == State.OPEN
                    && !region.replicas().get(0).server().equals(region.server()));
  }

  private void putAll(long value) throws IOException {
    for (String row : ROWS) {
      rows.put(row, value, PATIENCE);
    }
  }

  private void checkAll() throws IOException {
    for (String row : ROWS) {
      assertThat(rows.get(row, PATIENCE)).as(row).isEqualTo(OptionalLong.of(1));
    }
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
