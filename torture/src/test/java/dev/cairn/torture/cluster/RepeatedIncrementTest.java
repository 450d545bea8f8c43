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
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MoveRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MoveRegionResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A client gets no answer to an increment and repeats it after its region has changed. */
class RepeatedIncrementTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String ROW = "03-counter";
  private static final long NONCE = 17;

  @AutoClose private final ClusterWorld world = new ClusterWorld(1, Set.of());
  private final ClusterClient client =
      new ClusterClient(
          world.parts().scheduler().machine("10.0.3.1"), world.parts(), Duration.ofSeconds(5));

  /** The event between the increment and its repeat. */
  private interface Event {
    void happen() throws IOException;
  }

  @Test
  void itCountsOnceAfterAnOrderlyMove() {
    assertThat(counterAfter(this::move)).containsExactly(1L, 1L, 1L);
  }

  @Test
  void itCountsOnceAfterAKillThatFollowsAFlush() {
    assertThat(
            counterAfter(
                () -> {
                  flush();
                  kill();
                }))
        .containsExactly(1L, 1L, 1L);
  }

  /** Returns the answers to the increment and its repeat, and the counter then. */
  private List<Long> counterAfter(Event event) {
    List<Long> seen = new ArrayList<>();
    List<IOException> failures = new ArrayList<>();
    world.start(2, 3);
    assertThat(world.run(() -> world.leader().isPresent(), PATIENCE)).isTrue();
    client
        .machine()
        .spawn(
            "client",
            () -> {
              try {
                NumbersTable.create(client, PATIENCE);
                RowCalls rows = new RowCalls(client, NumbersTable.NAME);
                seen.add(rows.increment(ROW, NONCE, PATIENCE));
                event.happen();
                seen.add(rows.increment(ROW, NONCE, PATIENCE));
                seen.add(rows.get(ROW, PATIENCE).orElse(0));
              } catch (IOException e) {
                failures.add(e);
              }
            });
    world.run(() -> seen.size() == 3 || !failures.isEmpty(), PATIENCE.multipliedBy(4));
    assertThat(failures).isEmpty();
    return seen;
  }

  private RegionRow region() throws IOException {
    return client.readMeta(PATIENCE).stream()
        .filter(row -> row.region().table().equals(NumbersTable.NAME))
        .filter(row -> row.region().contains(Bytes.utf8(ROW)))
        .findFirst()
        .orElseThrow();
  }

  private void move() throws IOException {
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
  }

  private void flush() throws IOException {
    RegionRow row = region();
    client.callServer(
        row.server().orElseThrow(),
        "FlushRegion",
        FlushRegionRequest.newBuilder().setRegion(Messages.specifier(row.region())).build(),
        FlushRegionResponse.getDefaultInstance());
  }

  private void kill() throws IOException {
    ServerName owner = region().server().orElseThrow();
    for (int i = 0; i < world.servers().size(); i++) {
      if (world.servers().get(i).name().equals(owner)) {
        world.killServer(i);
      }
    }
  }
}
