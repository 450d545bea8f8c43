package dev.cairn.server.regionserver.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.feed.FeedBatch;
import dev.cairn.engine.region.feed.FeedItem;
import dev.cairn.engine.region.feed.FlushedNumbers;
import dev.cairn.engine.region.feed.RegionOwner;
import dev.cairn.engine.region.follow.FollowerMemory.Flushed;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.server.regionserver.replica.ReceivedMessages.Greeting;
import dev.cairn.server.regionserver.replica.ReplicaMessage.FilesNotice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ReplicateWALEntryRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.WALEntry;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** Messages to replicas are read as they were written. */
class ReplayRequestsTest {
  private static final byte[] F = Bytes.utf8("f");
  private static final RegionInfo INFO =
      new RegionInfo(TableName.parse("n:t"), Bytes.EMPTY, Bytes.EMPTY, 7);
  private static final RegionOwner OWNER = new RegionOwner(new FencingToken(3, 4), 10);
  private static final FilesNotice FILES =
      new FilesNotice(
          Optional.of(
              new Flushed(OWNER, new FlushedNumbers(List.of(new FlushedNumbers.OfFamily(F, 12))))),
          14);

  private static CellBuffer cells(int... valueBytes) {
    CellBuffer cells = new CellBuffer();
    for (int length : valueBytes) {
      cells.add(Cell.put(Bytes.utf8("row" + cells.size()), F, F, 5, new byte[length]));
    }
    return cells;
  }

  private static FeedItem item(long sequence, CellBuffer cells) {
    return new FeedItem(sequence, 1_000 + sequence, cells, false, List.of());
  }

  private static ReplicaMessage to(int replica, FeedBatch batch, FilesNotice files) {
    return ReplicaMessage.to(
        INFO.replica(replica), Optional.ofNullable(batch), Optional.ofNullable(files));
  }

  private static List<ReplicaMessage> sent(ReplicaMessage... messages) throws IOException {
    byte[] wire = ReplayRequests.messages(List.of(messages)).toByteArray();
    return ReceivedMessages.read(ReplicateWALEntryRequest.parseFrom(wire)).messages();
  }

  private static List<String> describe(FeedBatch batch) {
    List<String> lines = new ArrayList<>();
    lines.add(batch.owner() + " after " + batch.previous());
    for (FeedItem item : batch.items()) {
      StringBuilder line = new StringBuilder();
      line.append(item.sequence()).append(' ').append(item.writeMillis());
      line.append(' ').append(item.isAfterLoad());
      item.frozen().forEach(family -> line.append(' ').append(Bytes.utf8(family)));
      for (int i = 0; i < item.cells().size(); i++) {
        Cell cell = item.cells().get(i);
        line.append(' ').append(cell).append(' ').append(item.cells().length(i));
      }
      lines.add(line.toString());
    }
    return lines;
  }

  @Test
  void changesOfSeveralReplicasAndTheirFiles() throws IOException {
    FeedBatch first =
        new FeedBatch(
            OWNER,
            10,
            List.of(
                item(11, cells(1, 0, 300)),
                new FeedItem(13, 5, cells(7), true, List.of(F, Bytes.utf8("g")))));
    FeedBatch second = new FeedBatch(OWNER, 12, List.of(item(20, cells(2))));
    List<ReplicaMessage> found =
        sent(to(1, first, FILES), to(2, second, null), to(2, first, null), to(3, null, FILES));
    assertThat(found)
        .extracting(ReplicaMessage::region)
        .containsExactly(
            INFO.replica(1).encodedName(),
            INFO.replica(2).encodedName(),
            INFO.replica(2).encodedName(),
            INFO.replica(3).encodedName());
    assertThat(found).extracting(ReplicaMessage::table).containsOnly(INFO.table());
    assertThat(describe(found.get(0).batch().orElseThrow())).isEqualTo(describe(first));
    assertThat(describe(found.get(1).batch().orElseThrow())).isEqualTo(describe(second));
    assertThat(describe(found.get(2).batch().orElseThrow())).isEqualTo(describe(first));
    assertThat(found.get(0).files().orElseThrow().currentSequence()).isEqualTo(14);
    assertThat(found.get(0).files().orElseThrow().flushed().orElseThrow().numbers().of(F))
        .isEqualTo(12);
    assertThat(found.get(1).files()).isEmpty();
    assertThat(found.get(3).batch()).isEmpty();
    assertThat(found.get(3).files()).isPresent();
  }

  @Test
  void cellsOfAChangeTakeOneArrayPerPiece() throws IOException {
    CellBuffer many = cells(new int[1_000]);
    assertThat(entry(many).getKeyValueBytesCount()).isEqualTo(1);
    CellBuffer large = cells(1, 3 << 20, 3 << 20, 5 << 20, 1);
    assertThat(large.pieces()).isGreaterThan(1);
    assertThat(entry(large).getKeyValueBytesCount()).isEqualTo(large.pieces());
    FeedBatch batch = new FeedBatch(OWNER, 10, List.of(item(11, many), item(12, large)));
    assertThat(describe(sent(to(1, batch, null)).get(0).batch().orElseThrow()))
        .isEqualTo(describe(batch));
  }

  private static WALEntry entry(CellBuffer cells) {
    FeedBatch batch = new FeedBatch(OWNER, 10, List.of(item(11, cells)));
    return ReplayRequests.messages(List.of(to(1, batch, null))).getEntry(0);
  }

  @Test
  void greetings() throws IOException {
    ReplicateWALEntryRequest request =
        ReplayRequests.greetings(List.of(INFO.replica(1), INFO.replica(2)));
    assertThat(ReceivedMessages.read(request).messages()).isEmpty();
    assertThat(ReceivedMessages.read(request).greetings())
        .containsExactly(new Greeting(INFO.encodedName(), 1), new Greeting(INFO.encodedName(), 2));
  }

  @Test
  void cellsThatAreCutAreRefused() {
    FeedBatch batch = new FeedBatch(OWNER, 10, List.of(item(11, cells(100))));
    ReplicateWALEntryRequest.Builder request =
        ReplayRequests.messages(List.of(to(1, batch, null))).toBuilder();
    ByteString whole = request.getEntry(0).getKeyValueBytes(0);
    for (int length = 1; length < whole.size(); length++) {
      request.getEntryBuilder(0).setKeyValueBytes(0, whole.substring(0, length));
      ReplicateWALEntryRequest cut = request.build();
      assertThatThrownBy(() -> ReceivedMessages.read(cut))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("cannot be replayed");
    }
  }
}
