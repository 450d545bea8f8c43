package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.feed.FeedBatch;
import dev.cairn.engine.region.feed.FeedItem;
import dev.cairn.engine.region.feed.FeedMemory;
import dev.cairn.engine.region.feed.RegionOwner;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.replica.ReplicaMessage;
import dev.cairn.server.regionserver.replica.ReplicaMessage.FilesNotice;
import dev.cairn.server.regionserver.replica.ReplicaMetrics;
import dev.cairn.server.regionserver.replica.ReplicaReceiver;
import dev.cairn.server.regionserver.replica.ReplicaRefresh;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.junit.jupiter.api.Test;

/** A server hands messages to replicas that are missing, slow, or refuse every call. */
class ReplicaReceiverTest {
  private static final ServerName SELF = new ServerName("self", 16020, 1);

  private final ManualClock clock = new ManualClock();
  private final OnlineRegions regions = new OnlineRegions(SELF, clock, 10);
  private final List<String> reached = new ArrayList<>();
  private final ReplicaReceiver receiver =
      new ReplicaReceiver(
          regions,
          new ReplicaRefresh(
              regions, clock, new ReplicaRefresh.Periods(0, 0), 300_000, this::reach),
          clock,
          new ReplicaMetrics(regions, FeedMemory.NONE, clock));

  /** Listing the files of each replica takes a second. */
  private void reach(String replica) {
    clock.advanceMillis(1_000);
    reached.add(replica);
  }

  /** Opens a replica that refuses every call. */
  private ReplicaMessage open(String start) {
    RegionInfo info = new FakeRegion(start).info.replica(1);
    regions.opened(HostedRegion.refused(info, FakeRegion.SCHEMA, 1, "A file is missing"));
    return message(info);
  }

  private static ReplicaMessage message(RegionInfo replica) {
    return new ReplicaMessage(
        replica.encodedName(), replica.table(), Optional.empty(), Optional.of(FilesNotice.PLAIN));
  }

  @Test
  void stopsWhenTheCallerGivesUp() {
    List<ReplicaMessage> messages = List.of(open("a"), open("b"), open("c"), open("d"));
    assertThatThrownBy(() -> receiver.receive(messages, clock.nanoTime() + 2_000_000_000L))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no longer waits");
    assertThat(reached).hasSize(2);
    assertThatThrownBy(() -> receiver.receive(messages)).hasMessageContaining("A file is missing");
    assertThat(reached).as("a caller without a deadline").hasSize(6);
  }

  @Test
  void doesNotWaitForAReplicaThatOpens() {
    RegionInfo opening = new FakeRegion("a").info.replica(1);
    regions.beginOpening(opening);
    CompletableFuture<Void> call =
        CompletableFuture.runAsync(
            () -> {
              try {
                receiver.receive(List.of(message(opening)));
              } catch (IOException e) {
                throw new CompletionException(e);
              }
            });
    assertThat(call)
        .failsWithin(Duration.ofMinutes(1)) // the simulated time stands still
        .withThrowableThat()
        .withCauseInstanceOf(RegionOpeningException.class);
  }

  @Test
  void aReplicaThatRefusesEveryCallRefusesChanges() {
    ReplicaMessage notice = open("a");
    CellBuffer cells = new CellBuffer();
    cells.add(Cell.put(Bytes.utf8("a"), Bytes.utf8("f"), Bytes.utf8("q"), 1, Bytes.EMPTY));
    FeedBatch batch =
        new FeedBatch(
            new RegionOwner(new FencingToken(1, 1), 0),
            0,
            List.of(new FeedItem(1, 1, cells, false, List.of())));
    ReplicaMessage changes =
        new ReplicaMessage(notice.region(), notice.table(), Optional.of(batch), Optional.empty());
    assertThatThrownBy(() -> receiver.receive(List.of(changes)))
        .hasMessageContaining("A file is missing");
    assertThat(reached).as("to be opened again").containsExactly(notice.region());
  }
}
