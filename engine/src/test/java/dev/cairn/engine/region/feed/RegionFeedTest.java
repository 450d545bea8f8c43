package dev.cairn.engine.region.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.state.Mvcc;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Wal;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A feed hands out changes that are durable and visible, and keeps to its memory. */
class RegionFeedTest {
  private static final RegionOwner OWNER = new RegionOwner(new FencingToken(1, 1), 10);
  private static final long MUCH = 1 << 20;

  private final Mvcc mvcc = new Mvcc(10, Clock.SYSTEM);
  private final FeedMemory memory = new FeedMemory(5_000, 8_000);
  private long durable;
  private final Wal wal =
      (Wal)
          Proxy.newProxyInstance(
              Wal.class.getClassLoader(),
              new Class<?>[] {Wal.class},
              (proxy, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("durableTxid");
                return durable;
              });
  private final RegionFeed feed = feed();

  private RegionFeed feed() {
    return feed(memory);
  }

  private RegionFeed feed(FeedMemory of) {
    return new RegionFeed(OWNER, mvcc, wal, of);
  }

  private static void add(RegionFeed to, long sequence, int valueBytes) {
    byte[] name = Bytes.utf8("a");
    CellBuffer cells = new CellBuffer();
    cells.add(Cell.put(name, name, name, 1, new byte[valueBytes]));
    to.add(sequence, 1_000 * sequence, cells, sequence);
  }

  private List<Long> taken(long after, long bytesMax) {
    return feed.take(after, bytesMax).stream()
        .flatMap(batch -> batch.items().stream())
        .map(FeedItem::sequence)
        .toList();
  }

  @Test
  void aChangeIsHandedOutOnceItIsDurableAndVisible() {
    add(feed, 11, 1);
    add(feed, 12, 1);
    add(feed, 13, 1);
    assertThat(taken(10, MUCH)).isEmpty();
    assertThat(feed.isReadyAfter(10)).isFalse();
    durable = 12;
    assertThat(taken(10, MUCH)).as("not visible").isEmpty();
    assertThat(feed.isReadyAfter(10)).isFalse();
    assertThat(feed.readySequence()).isEqualTo(10);
    mvcc.advance(13);
    assertThat(taken(10, MUCH)).as("13 is not durable").containsExactly(11L, 12L);
    assertThat(feed.readySequence()).isEqualTo(12);
    assertThat(feed.isReadyAfter(12)).isFalse();
    durable = 13;
    assertThat(taken(11, MUCH)).containsExactly(12L, 13L);
    assertThat(feed.take(11, MUCH).orElseThrow().previous()).isEqualTo(11);
  }

  @Test
  void aBatchHasOneChangeAtLeast() {
    add(feed, 11, 500);
    add(feed, 12, 500);
    durable = 12;
    mvcc.advance(12);
    assertThat(taken(10, 0)).containsExactly(11L);
    assertThat(taken(11, 0)).containsExactly(12L);
    assertThat(taken(10, 2_000)).containsExactly(11L, 12L);
  }

  @Test
  void aFamilyIsFrozenOnceBetweenTwoChanges() {
    for (int i = 0; i < 1_000; i++) {
      feed.flushBegins(List.of(Bytes.utf8("f"), Bytes.utf8("g")));
    }
    add(feed, 11, 1);
    add(feed, 12, 1);
    durable = 12;
    mvcc.advance(12);
    List<FeedItem> items = feed.take(10, MUCH).orElseThrow().items();
    assertThat(items.get(0).frozen()).containsExactly(Bytes.utf8("f"), Bytes.utf8("g"));
    assertThat(items.get(1).frozen()).isEmpty();
  }

  @Test
  void aFullFeedDropsItsOldestChanges() {
    for (int sequence = 11; sequence < 21; sequence++) {
      add(feed, sequence, 1_000);
    }
    assertThat(feed.figures().queuedBytes()).isLessThanOrEqualTo(5_000).isEqualTo(memory.bytes());
    long kept = feed.figures().queuedItems();
    assertThat(kept).isBetween(2L, 5L);
    assertThat(feed.figures().droppedItems()).isEqualTo(10 - kept);
    assertThat(feed.figures().oldestMillis()).isEqualTo(1_000 * (21 - kept));
    assertThat(memory.droppedItems()).isEqualTo(10 - kept);
    assertThat(feed.continuesAfter(20 - kept)).isTrue();
    assertThat(feed.continuesAfter(19 - kept)).isFalse();
  }

  @Test
  void theFeedsOfAServerShareItsMemory() {
    RegionFeed other = feed();
    for (int sequence = 11; sequence < 14; sequence++) {
      add(other, sequence, 1_000);
    }
    long held = memory.bytes();
    for (int sequence = 11; sequence < 21; sequence++) {
      add(feed, sequence, 1_000);
    }
    assertThat(memory.bytes()).isLessThanOrEqualTo(8_000);
    assertThat(other.figures().queuedBytes()).as("loses none").isEqualTo(held);
    other.close();
    feed.close();
    assertThat(memory.bytes()).isZero();
  }

  @Test
  void aChangeOfASmallFeedStaysThoughLargeOnesFillTheMemory() {
    FeedMemory full = new FeedMemory(10_000, 160_000);
    List<RegionFeed> stuck = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      stuck.add(feed(full));
    }
    List<RegionFeed> current = List.of(feed(full), feed(full));
    durable = 1_000;
    mvcc.advance(1_000);
    for (int sequence = 11; sequence < 1_000; sequence++) {
      for (RegionFeed feed : stuck) {
        add(feed, sequence, 1_000);
      }
      for (RegionFeed feed : current) {
        add(feed, sequence, 1_000);
        assertThat(feed.take(sequence - 1, MUCH)).isPresent();
        feed.trim(sequence);
      }
      assertThat(full.bytes()).isLessThanOrEqualTo(160_000);
    }
    assertThat(full.bytes()).as("no more is dropped than needed").isGreaterThan(100_000);
    assertThat(full.droppedItems())
        .isEqualTo(stuck.stream().mapToLong(feed -> feed.figures().droppedItems()).sum());
    stuck.forEach(RegionFeed::close);
    assertThat(full.bytes()).isZero();
  }
}
