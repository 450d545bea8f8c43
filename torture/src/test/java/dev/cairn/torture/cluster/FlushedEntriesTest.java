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
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.FlushRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.FlushRegionResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A server flushes a region, reports it, takes more changes, and is killed. */
class FlushedEntriesTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String ROW = "03-counter";

  @AutoClose private final ClusterWorld world = new ClusterWorld(1, Set.of());
  private final ClusterClient client =
      new ClusterClient(
          world.parts().scheduler().machine("10.0.3.1"), world.parts(), Duration.ofSeconds(5));
  private final RowCalls rows = new RowCalls(client, NumbersTable.NAME);
  private final List<Long> seen = new ArrayList<>();

  @Test
  void theSplitOfItsLogLeavesOutFlushedEntries() {
    List<IOException> failures = new ArrayList<>();
    world.start(2, 3);
    assertThat(world.run(() -> world.leader().isPresent(), PATIENCE)).isTrue();
    client
        .machine()
        .spawn(
            "client",
            () -> {
              try {
                changeFlushAndKill();
              } catch (IOException e) {
                failures.add(e);
              }
            });
    world.run(() -> seen.size() == 2 || !failures.isEmpty(), PATIENCE.multipliedBy(4));
    assertThat(failures).isEmpty();
    assertThat(seen).containsExactly(3L, 3L);
    assertThat(world.parts().events())
        .anySatisfy(event -> assertThat(event).contains("left out 2 that are in store files"));
  }

  private void changeFlushAndKill() throws IOException {
    NumbersTable.create(client, PATIENCE);
    rows.increment(ROW, 17, PATIENCE);
    rows.increment(ROW, 18, PATIENCE);
    RegionRow region =
        client.readMeta(PATIENCE).stream()
            .filter(row -> row.region().table().equals(NumbersTable.NAME))
            .filter(row -> row.region().contains(Bytes.utf8(ROW)))
            .findFirst()
            .orElseThrow();
    ServerName owner = region.server().orElseThrow();
    client.callServer(
        owner,
        "FlushRegion",
        FlushRegionRequest.newBuilder().setRegion(Messages.specifier(region.region())).build(),
        FlushRegionResponse.getDefaultInstance());
    client.machine().clock().park(Duration.ofSeconds(10).toNanos()); // longer than between reports
    seen.add(rows.increment(ROW, 19, PATIENCE));
    for (int i = 0; i < world.servers().size(); i++) {
      if (world.servers().get(i).name().equals(owner)) {
        world.killServer(i);
      }
    }
    seen.add(rows.get(ROW, PATIENCE).orElse(0));
  }
}
