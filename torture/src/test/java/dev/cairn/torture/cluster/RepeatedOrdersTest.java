package dev.cairn.torture.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.RegionRow;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MoveRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MoveRegionResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Each order to open or close a region arrives twice, and half of the messages up to three seconds
 * late: also after the region has gone elsewhere, and after it has come back.
 */
class RepeatedOrdersTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String ROW = "03-moved";
  private static final int MOVES = 20;

  @AutoClose private final ClusterWorld world = new ClusterWorld(1, Set.of());
  private final ClusterClient client =
      new ClusterClient(
          world.parts().scheduler().machine("10.0.3.1"), world.parts(), Duration.ofSeconds(5));

  @Test
  void ordersThatArriveTwiceAndLateHaveNoEffect() {
    List<IOException> failures = new ArrayList<>();
    List<OptionalLong> read = new ArrayList<>();
    world.start(2, 3);
    new OwnerCheck(world).start();
    assertThat(world.run(() -> world.leader().isPresent(), PATIENCE)).isTrue();
    client
        .machine()
        .spawn(
            "client",
            () -> {
              try {
                read.add(readAfterMoves());
              } catch (IOException e) {
                failures.add(e);
              }
            });
    world.run(() -> !read.isEmpty() || !failures.isEmpty(), PATIENCE.multipliedBy(10));
    assertThat(failures).isEmpty();
    assertThat(read).containsExactly(OptionalLong.of(MOVES));
    assertThat(world.parts().network().repeated()).isGreaterThanOrEqualTo(2L * MOVES);
    assertThat(world.parts().network().arrived("WarmupRegion")).isGreaterThanOrEqualTo(MOVES);
    assertThat(world.parts().failures()).isEmpty();
  }

  /** Returns the number of the last move, which the row has at the end. */
  private OptionalLong readAfterMoves() throws IOException {
    NumbersTable.create(client, PATIENCE);
    RowCalls rows = new RowCalls(client, NumbersTable.NAME);
    rows.put(ROW, 0, PATIENCE); // the region is open
    world.parts().network().disturb(Set.of("OpenRegion", "CloseRegion"), 0, 0.5, 1);
    for (int i = 1; i <= MOVES; i++) {
      ServerName to = move();
      rows.put(ROW, i, PATIENCE);
      if (i % 4 == 0) { // late orders arrive now
        client.machine().clock().park(Duration.ofSeconds(4).toNanos());
        assertThat(region().server()).contains(to);
      }
    }
    return rows.get(ROW, PATIENCE);
  }

  private RegionRow region() throws IOException {
    return client.readMeta(PATIENCE).stream()
        .filter(row -> row.region().table().equals(NumbersTable.NAME))
        .filter(row -> row.region().contains(Bytes.utf8(ROW)))
        .findFirst()
        .orElseThrow();
  }

  /** Moves the region to another server; returns that server. */
  private ServerName move() throws IOException {
    RegionRow row = region();
    ServerName from = row.server().orElseThrow();
    ServerName to =
        world.servers().stream()
            .map(RegionServerProcess::name)
            .filter(name -> !name.equals(from))
            .findFirst()
            .orElseThrow();
    client.callMaster(
        "MoveRegion",
        MoveRegionRequest.newBuilder()
            .setRegion(Messages.specifier(row.region()))
            .setDestServerName(to.message())
            .build(),
        MoveRegionResponse.getDefaultInstance(),
        PATIENCE);
    while (!region().server().orElseThrow().equals(to)) {
      client.machine().clock().park(Duration.ofMillis(100).toNanos());
    }
    return to;
  }
}
