package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.feed.FeedBatch;
import dev.cairn.engine.region.feed.FeedItem;
import dev.cairn.engine.region.feed.FlushedNumbers;
import dev.cairn.engine.region.feed.RegionOwner;
import dev.cairn.engine.region.follow.FollowerMemory.Flushed;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.regionserver.replica.ReplicaMessage.FilesNotice;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ReplicateWALEntryRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.WALEntry;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.Attribute;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.WALKey;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** Encodes messages to replicas, and greetings, in the form of {@link ReplayAttributes}. */
final class ReplayRequests {
  private ReplayRequests() {}

  /** Returns the request with some messages. */
  static ReplicateWALEntryRequest messages(List<ReplicaMessage> messages) {
    ReplicateWALEntryRequest.Builder request = ReplicateWALEntryRequest.newBuilder();
    for (ReplicaMessage message : messages) {
      if (message.batch().isPresent()) {
        add(message, message.batch().get(), request);
      }
      if (message.files().isPresent()) {
        request.addEntry(WALEntry.newBuilder().setKey(key(message, message.files().get())));
      }
    }
    return request.build();
  }

  /** Returns the request with which replicas greet their regions. */
  static ReplicateWALEntryRequest greetings(List<RegionInfo> replicas) {
    ReplicateWALEntryRequest.Builder request = ReplicateWALEntryRequest.newBuilder();
    for (RegionInfo replica : replicas) {
      byte[] id = new byte[Integer.BYTES];
      Bytes.putInt(id, 0, replica.replicaId());
      WALKey.Builder key = key(replica.replica(0).encodedName(), replica.table(), 0, 0);
      request.addEntry(WALEntry.newBuilder().setKey(add(key, ReplayAttributes.GREETING, id)));
    }
    return request.build();
  }

  /** Returns the request with which replicas ask for flushes of their regions. */
  static ReplicateWALEntryRequest flushes(List<RegionInfo> replicas) {
    ReplicateWALEntryRequest.Builder request = ReplicateWALEntryRequest.newBuilder();
    for (RegionInfo replica : replicas) {
      WALKey.Builder key = key(replica.replica(0).encodedName(), replica.table(), 0, 0);
      request.addEntry(WALEntry.newBuilder().setKey(add(key, ReplayAttributes.FLUSH, Bytes.EMPTY)));
    }
    return request.build();
  }

  private static WALKey.Builder key(
      String region, TableName table, long sequence, long writeMillis) {
    return WALKey.newBuilder()
        .setEncodedRegionName(Messages.wrap(Bytes.utf8(region)))
        .setTableName(Messages.wrap(Bytes.utf8(table.toString())))
        .setLogSequenceNumber(sequence)
        .setWriteTime(writeMillis);
  }

  private static WALKey.Builder add(WALKey.Builder key, String name, byte[] value) {
    return key.addExtendedAttributes(
        Attribute.newBuilder().setKey(name).setValue(Messages.wrap(value)));
  }

  private static byte[] number(long value) {
    byte[] bytes = new byte[Long.BYTES];
    Bytes.putLong(bytes, 0, value);
    return bytes;
  }

  private static void add(WALKey.Builder key, RegionOwner owner) {
    add(key, ReplayAttributes.OWNER, Bytes.utf8(owner.token().toString()));
    add(key, ReplayAttributes.OPENED, number(owner.openSequence()));
  }

  private static void add(
      ReplicaMessage message, FeedBatch batch, ReplicateWALEntryRequest.Builder request) {
    boolean isFirst = true;
    for (FeedItem item : batch.items()) {
      WALKey.Builder key =
          key(message.region(), message.table(), item.sequence(), item.writeMillis());
      if (isFirst) {
        add(key, batch.owner());
        add(key, ReplayAttributes.PREVIOUS, number(batch.previous()));
        isFirst = false;
      }
      if (item.isAfterLoad()) {
        add(key, ReplayAttributes.LOADED, Bytes.EMPTY);
      }
      item.frozen().forEach(family -> add(key, ReplayAttributes.FROZEN, family));
      WALEntry.Builder entry = WALEntry.newBuilder().setKey(key);
      CellBuffer cells = item.cells();
      for (int piece = 0; piece < cells.pieces(); piece++) {
        entry.addKeyValueBytes(
            UnsafeByteOperations.unsafeWrap(cells.piece(piece), 0, cells.pieceSize(piece)));
      }
      request.addEntry(entry);
    }
  }

  private static WALKey.Builder key(ReplicaMessage message, FilesNotice files) {
    WALKey.Builder key = key(message.region(), message.table(), 0, 0);
    if (files.flushed().isPresent()) {
      Flushed flushed = files.flushed().get();
      add(key, flushed.owner());
      add(key, ReplayAttributes.CURRENT, number(files.currentSequence()));
      for (FlushedNumbers.OfFamily family : flushed.numbers().families()) {
        add(key, ReplayAttributes.FLUSHED, Bytes.concat(number(family.sequence()), family.name()));
      }
    }
    return key;
  }
}
