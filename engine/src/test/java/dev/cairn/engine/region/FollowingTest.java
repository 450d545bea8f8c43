package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.probe.FollowMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.region.feed.FeedBatch;
import dev.cairn.engine.region.feed.FeedItem;
import dev.cairn.engine.region.feed.RegionFeed;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.follow.FeedGapException;
import dev.cairn.engine.region.follow.FollowerMemory;
import dev.cairn.engine.region.follow.FollowerMemory.Flushed;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.state.WrongRowException;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica adds the logged changes of its region to its memory. */
class FollowingTest {
  private static final long MUCH = 1 << 20;

  private RegionHarness harness;
  private ReadOnlyRegion replica;

  @BeforeEach
  void open() throws IOException {
    harness = new RegionHarness(schema(), Bytes.EMPTY, Bytes.utf8("x"));
    harness.feedReplicas(MUCH);
    harness.closeCleanly();
    harness.open();
    follow();
  }

  private void follow() throws IOException {
    try (RegionOpening opening = harness.readReplica((operation, path) -> false)) {
      replica = opening.follow();
    }
    tell();
  }

  @AfterEach
  void close() throws IOException {
    replica.close();
    harness.close();
  }

  private static TableSchema schema() {
    TableSchema plain =
        TableSchema.of(TableName.parse("t"), FamilySchema.of("f"), FamilySchema.of("g"));
    return new TableSchema(
        plain.message().toBuilder()
            .addAttributes(
                HBaseProtos.BytesBytesPair.newBuilder()
                    .setFirst(ByteString.copyFromUtf8("REGION_REPLICATION"))
                    .setSecond(ByteString.copyFromUtf8("2")))
            .build());
  }

  private RegionFeed feed() {
    return harness.region().feed().orElseThrow();
  }

  /** Tells the replica of the region's files. */
  private void tell() throws IOException {
    replica.refresh(
        new Flushed(harness.region().owner(), harness.region().flushedNumbers().orElseThrow()));
  }

  private Optional<FeedBatch> news() {
    return feed().take(replica.followedSequence(), MUCH);
  }

  private void send() throws IOException {
    replica.apply(news().orElseThrow());
  }

  private List<String> dump() throws IOException {
    try (RegionRead read = scan()) {
      return rest(read);
    }
  }

  private RegionRead scan() throws IOException {
    return replica.read(
        ScanRequest.builder().build(), new ReadBudget(-1, -1, Long.MAX_VALUE, true));
  }

  private static List<String> rest(RegionRead read) throws IOException {
    List<String> cells = new ArrayList<>();
    TableHarness.read(read, cells);
    return cells;
  }

  private boolean hasMemory() {
    return replica.stores().stream()
        .anyMatch(store -> store.view().segments().stream().anyMatch(s -> !s.isEmpty()));
  }

  @Test
  void changesAreSeenBeforeAFlush() throws IOException {
    harness.put("a", "q", "1");
    harness.put("b", "q", "1");
    send();
    assertThat(dump()).isEqualTo(harness.dump()).hasSize(2);
    assertThat(news()).isEmpty();
  }

  @Test
  void aTableWithoutReplicasHasNoFeed() throws IOException {
    try (RegionHarness other = RegionHarness.ofTwoFamilies()) {
      other.feedReplicas(MUCH);
      other.closeCleanly();
      other.open();
      assertThat(other.region().feed()).isEmpty();
    }
  }

  private void put(String row, Durability durability) throws IOException {
    Mutation put = RegionHarness.putOf(row, F, "q", 5, "1");
    harness.write(
        new Mutation(put.kind(), put.row(), put.cells(), durability, put.timeRange(), false));
  }

  @Test
  void aChangeThatSkipsTheLogIsSeenAfterAFlush() throws IOException {
    put("a", Durability.SKIP_WAL);
    assertThat(news()).isEmpty();
    put("b", Durability.SYNC_WAL);
    send();
    assertThat(dump()).as("without a gap").hasSize(1);
    harness.region().flush();
    tell();
    assertThat(dump()).isEqualTo(harness.dump()).hasSize(2);
  }

  @Test
  void aChangeThatDoesNotWaitForTheLogIsSeenOnceItIsDurable() throws IOException {
    put("a", Durability.ASYNC_WAL);
    harness.region().context().wal().sync(harness.region().context().wal().lastTxid());
    send();
    assertThat(dump()).isEqualTo(harness.dump()).hasSize(1);
  }

  @Test
  void aGapIsRefusedUntilAFlush() throws IOException {
    harness.put("a", "q", "1");
    feed().trim(harness.region().readPoint());
    harness.put("b", "q", "1");
    FeedBatch batch = feed().take(harness.region().readPoint() - 1, MUCH).orElseThrow();
    assertThatThrownBy(() -> replica.apply(batch)).isInstanceOf(FeedGapException.class);
    assertThat(dump()).isEmpty();
    harness.region().flush();
    tell();
    replica.apply(batch);
    harness.put("c", "q", "1");
    send();
    assertThat(dump()).isEqualTo(harness.dump()).hasSize(3);
  }

  @Test
  void aFeedThatIsFullDropsTheOldestChanges() throws IOException {
    long before = replica.followedSequence();
    for (int i = 0; i < 200; i++) {
      harness.put("a", "q", "x".repeat(10_000));
      if (i % 50 == 49) {
        harness.region().flush();
      }
    }
    assertThat(feed().figures().queuedBytes()).isLessThanOrEqualTo(MUCH);
    assertThat(feed().figures().droppedItems()).isPositive();
    assertThat(feed().continuesAfter(before)).isFalse();
    assertThat(feed().take(before, MUCH)).isEmpty();
    harness.region().flush();
    tell();
    assertThat(feed().continuesAfter(replica.followedSequence())).isTrue();
    harness.put("b", "q", "1");
    send();
    assertThat(dump()).isEqualTo(harness.dump()).hasSize(2);
  }

  @Test
  void aFlushFreesTheMemoryOfItsChangesAlone() throws IOException {
    harness.put("a", "q", "1");
    send();
    harness.region().flush();
    harness.put("b", "q", "1");
    send();
    assertThat(replica.stores().get(0).view().frozen()).hasSize(1);
    tell();
    assertThat(replica.stores().get(0).view().frozen()).isEmpty();
    assertThat(replica.stores().get(0).view().active().cellCount()).isEqualTo(1);
    assertThat(dump()).isEqualTo(harness.dump()).hasSize(2);
  }

  @Test
  void aRegionThatClosedWithoutAFlushHasNoFlushedNumbers() throws IOException {
    harness.put("a", "q", "1");
    Region closed = harness.takeOver();
    assertThat(closed.flushedNumbers()).isPresent();
    closed.close(true);
    assertThat(closed.flushedNumbers()).isEmpty();
  }

  @Test
  void cellsThatACompactionHasRemovedDoNotStayInMemory() throws IOException {
    harness.put("a", "q", "1");
    send();
    harness.mutate(
        List.of(
            RegionHarness.deleteOf("a", F, "q", Cell.LATEST_TIMESTAMP, CellType.DELETE_COLUMN)));
    harness.put("b", G, "q", 5, "1");
    harness.region().flush(new FlushScope.Families(List.of(F)));
    harness.region().compact(true);
    tell();
    assertThat(dump()).isEmpty();
    assertThat(hasMemory()).isFalse();
    send(); // the delete marker and b
    assertThat(dump()).isEqualTo(harness.dump()).hasSize(1);
  }

  @Test
  void aScanDoesNotSeeALateChangeHalfway() throws IOException {
    harness.put("a", G, "q", 5, "1");
    send();
    for (int i = 0; i < 2 * FollowerMemory.SEGMENTS_MAX; i++) {
      harness.put("a" + i, G, "q", 5, "1");
    }
    harness.put("a", "q", "1");
    RegionHarness.done(harness.mutate(List.of(RegionHarness.put("b", List.of(F, G), "1"))));
    harness.put("c", "q", "1");
    FeedBatch batch = news().orElseThrow();
    harness.region().flush(new FlushScope.Families(List.of(F)));
    assertThat(replica.refresh()).isTrue();
    assertThat(replica.readPoint()).isEqualTo(harness.region().readPoint());
    try (RegionRead scan = scan()) {
      replica.apply(batch);
      assertThat(rest(scan)).as("as at its beginning").hasSize(4);
    }
    assertThat(dump()).isEqualTo(harness.dump()).hasSize(5 + 2 * FollowerMemory.SEGMENTS_MAX);
  }

  /** A flush that began between two late changes drops the first one's segment alone. */
  @Test
  void lateChangesAreDividedWhereAFlushBegan() throws IOException {
    harness.put("a", G, "q", 5, "1");
    harness.put("b", G, "q", 5, "1");
    harness.put("c", "q", "1");
    FeedBatch batch = news().orElseThrow();
    FeedItem second = batch.items().get(1);
    List<FeedItem> items = new ArrayList<>(batch.items());
    items.set(
        1,
        new FeedItem(second.sequence(), second.writeMillis(), second.cells(), false, List.of(G)));
    harness.region().flush(new FlushScope.Families(List.of(F)));
    replica.refresh();
    replica.apply(new FeedBatch(batch.owner(), batch.previous(), items));
    assertThat(replica.stores().get(1).view().segments()).as("with the active one").hasSize(3);
    assertThat(dump()).isEqualTo(harness.dump()).hasSize(3);
  }

  @Test
  void lateChangesMakeALimitedNumberOfSegments() throws IOException {
    Marks.Watch<FollowMark> marks = Marks.watch(FollowMark.class);
    for (int i = 0; i < 30; i++) {
      harness.put("a" + i, G, "q", 5, "1");
    }
    harness.put("b", "q", "1");
    harness.region().flush(new FlushScope.Families(List.of(F)));
    replica.refresh();
    for (int i = 0; i <= 30; i++) {
      replica.apply(feed().take(replica.followedSequence(), 0).orElseThrow());
    }
    assertThat(marks.count(FollowMark.SEGMENTS_FULL)).isGreaterThan(10);
    assertThat(replica.stores())
        .allMatch(store -> store.view().segments().size() <= FollowerMemory.SEGMENTS_MAX);
    assertThat(dump()).isEqualTo(harness.dump()).hasSize(31);
  }

  @Test
  void withoutRoomNothingIsAdded() throws IOException {
    replica.close();
    harness.shareRoom(
        new MemStoreRoom() {
          @Override
          public void reserve(long bytes) {}

          @Override
          public void reserveForReplica(long bytes) throws RegionBusyException {
            throw new RegionBusyException("there is no room");
          }

          @Override
          public void release(long bytes) {}
        });
    follow();
    harness.put("a", "q", "1");
    FeedBatch batch = news().orElseThrow();
    assertThatThrownBy(() -> replica.apply(batch)).isInstanceOf(RegionBusyException.class);
    assertThat(dump()).isEmpty();
    assertThat(hasMemory()).isFalse();
    assertThat(news()).contains(batch);
  }

  @Test
  void aRowOfAnotherRegionIsRefused() throws IOException {
    CellBuffer cells = RegionHarness.putOf("z", F, "q", 5, "1").cells();
    long last = replica.followedSequence();
    FeedBatch batch =
        new FeedBatch(
            harness.region().owner(),
            last,
            List.of(new FeedItem(last + 1, 0, cells, false, List.of())));
    assertThatThrownBy(() -> replica.apply(batch)).isInstanceOf(WrongRowException.class);
    assertThat(replica.followedSequence()).isEqualTo(last);
    assertThat(dump()).isEmpty();
  }

  @Test
  void aReplicaWithMemoryOfAFormerOwnerGoesOnWithTheNextOne() throws IOException {
    harness.put("a", "q", "1");
    send();
    Region former = harness.takeOver();
    tell();
    assertThat(dump()).hasSize(1);
    harness.put("b", "q", "1");
    FeedBatch batch = feed().take(harness.region().owner().openSequence(), MUCH).orElseThrow();
    harness.region().flush();
    tell();
    replica.apply(batch);
    harness.put("c", "q", "1");
    send();
    assertThat(dump()).isEqualTo(harness.dump()).hasSize(3);
    former.close(true);
  }

  @Test
  void numbersThatAFormerOwnerTookInVainAreGivenOutAgain() throws IOException {
    harness.region().snapshot(RegionSnapshot.Memory.FLUSH);
    harness.region().snapshot(RegionSnapshot.Memory.FLUSH);
    tell();
    Region former = harness.takeOver();
    assertThat(replica.followedSequence()).isGreaterThan(harness.region().owner().openSequence());
    harness.put("a", "q", "1");
    replica.apply(feed().take(harness.region().owner().openSequence(), MUCH).orElseThrow());
    assertThat(dump()).hasSize(1);
    former.close(true);
  }
}
