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
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.regionserver.replica.ReplicaMessage.FilesNotice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ReplicateWALEntryRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.WALEntry;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.Attribute;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.WALKey;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Encodes messages to replicas as requests of {@code AdminService.Replay}. An entry with cells is a
 * logged change; an entry without cells stands for changed files. The key of an entry names the
 * replica, and has these attributes:
 *
 * <pre>
 *   cairn.owner     first change, files   the token of the region's owner, as text
 *   cairn.opened    first change, files   the number at the region's opening, 8 bytes
 *   cairn.previous  first change          the number of the previous change, 8 bytes
 *   cairn.loaded    change                files were loaded in bulk before the change
 *   cairn.frozen    change, repeated      a family whose flush began before the change
 *   cairn.current   files                 a replica with all changes up to it is current, 8 bytes
 *   cairn.flushed   files, repeated       number up to which a family is in files, 8 bytes; its name
 *   cairn.greeting  (no cells)            the number of a replica that has been opened, 4 bytes
 * </pre>
 *
 * <p>The key of a greeting names the region, not the replica.
 */
public final class ReplicaMessages {
  private static final String OWNER = "cairn.owner";
  private static final String OPENED = "cairn.opened";
  private static final String PREVIOUS = "cairn.previous";
  private static final String LOADED = "cairn.loaded";
  private static final String FROZEN = "cairn.frozen";
  private static final String CURRENT = "cairn.current";
  private static final String FLUSHED = "cairn.flushed";
  private static final String GREETING = "cairn.greeting";

  private ReplicaMessages() {}

  /**
   * A notice that a replica has been opened and asks its region for the changes that it lacks.
   *
   * @param region the encoded name of the region
   * @param replicaId the replica's number
   */
  public record Greeting(String region, int replicaId) {}

  /**
   * The contents of a request.
   *
   * @param messages to replicas here
   * @param greetings to regions here
   */
  public record Received(List<ReplicaMessage> messages, List<Greeting> greetings) {}

  /** Returns the request with some messages. */
  static ReplicateWALEntryRequest request(List<ReplicaMessage> messages) {
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
      request.addEntry(WALEntry.newBuilder().setKey(add(key, GREETING, id)));
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
    add(key, OWNER, Bytes.utf8(owner.token().toString()));
    add(key, OPENED, number(owner.openSequence()));
  }

  private static void add(
      ReplicaMessage message, FeedBatch batch, ReplicateWALEntryRequest.Builder request) {
    boolean isFirst = true;
    for (FeedItem item : batch.items()) {
      WALKey.Builder key =
          key(message.region(), message.table(), item.sequence(), item.writeMillis());
      if (isFirst) {
        add(key, batch.owner());
        add(key, PREVIOUS, number(batch.previous()));
        isFirst = false;
      }
      if (item.isAfterLoad()) {
        add(key, LOADED, Bytes.EMPTY);
      }
      item.frozen().forEach(family -> add(key, FROZEN, family));
      WALEntry.Builder entry = WALEntry.newBuilder().setKey(key);
      CellBuffer cells = item.cells();
      for (int i = 0; i < cells.size(); i++) {
        entry.addKeyValueBytes(
            UnsafeByteOperations.unsafeWrap(cells.bytes(i), cells.offset(i), cells.length(i)));
      }
      request.addEntry(entry);
    }
  }

  private static WALKey.Builder key(ReplicaMessage message, FilesNotice files) {
    WALKey.Builder key = key(message.region(), message.table(), 0, 0);
    if (files.flushed().isPresent()) {
      Flushed flushed = files.flushed().get();
      add(key, flushed.owner());
      add(key, CURRENT, number(files.currentSequence()));
      for (FlushedNumbers.OfFamily family : flushed.numbers().families()) {
        add(key, FLUSHED, Bytes.concat(number(family.sequence()), family.name()));
      }
    }
    return key;
  }

  /**
   * Reads a request.
   *
   * @throws DoNotRetryIOException if it is malformed
   */
  public static Received read(ReplicateWALEntryRequest request) throws DoNotRetryIOException {
    List<ReplicaMessage> messages = new ArrayList<>();
    List<Greeting> greetings = new ArrayList<>();
    try {
      List<WALEntry> changes = new ArrayList<>();
      for (WALEntry entry : request.getEntryList()) {
        if (entry.getAssociatedCellCount() > 0) {
          throw new IllegalArgumentException("Cells beside the message are not supported");
        }
        boolean continues =
            !changes.isEmpty()
                && region(entry).equals(region(changes.get(0)))
                && find(entry.getKey(), PREVIOUS).isEmpty();
        if (entry.getKeyValueBytesCount() > 0) {
          if (!continues) {
            addChanges(changes, Optional.empty(), messages);
          }
          changes.add(entry);
        } else if (find(entry.getKey(), GREETING).isPresent()) {
          byte[] id = find(entry.getKey(), GREETING).get();
          greetings.add(new Greeting(region(entry), Bytes.getInt(sized(id, Integer.BYTES), 0)));
        } else if (continues) {
          addChanges(changes, Optional.of(files(entry.getKey())), messages);
        } else {
          messages.add(
              new ReplicaMessage(
                  region(entry),
                  table(entry),
                  Optional.empty(),
                  Optional.of(files(entry.getKey()))));
        }
      }
      addChanges(changes, Optional.empty(), messages);
      return new Received(messages, greetings);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("The entries cannot be replayed: " + e.getMessage());
    }
  }

  private static String region(WALEntry entry) {
    return entry.getKey().getEncodedRegionName().toStringUtf8();
  }

  private static TableName table(WALEntry entry) {
    return TableName.parse(entry.getKey().getTableName().toStringUtf8());
  }

  private static Optional<byte[]> find(WALKey key, String name) {
    for (Attribute attribute : key.getExtendedAttributesList()) {
      if (attribute.getKey().equals(name)) {
        return Optional.of(attribute.getValue().toByteArray());
      }
    }
    return Optional.empty();
  }

  private static byte[] require(WALKey key, String name) {
    return find(key, name)
        .orElseThrow(() -> new IllegalArgumentException("An entry lacks the attribute " + name));
  }

  private static byte[] sized(byte[] bytes, int length) {
    if (bytes.length < length) {
      throw new IllegalArgumentException("An attribute has " + bytes.length + " bytes");
    }
    return bytes;
  }

  private static long number(WALKey key, String name) {
    return Bytes.getLong(sized(require(key, name), Long.BYTES), 0);
  }

  private static RegionOwner owner(WALKey key) {
    String token = Bytes.utf8(require(key, OWNER));
    return new RegionOwner(
        FencingToken.parse(token)
            .orElseThrow(() -> new IllegalArgumentException("Not an owner: " + token)),
        number(key, OPENED));
  }

  /** Adds a message with the gathered changes, if there are some. */
  private static void addChanges(
      List<WALEntry> changes, Optional<FilesNotice> files, List<ReplicaMessage> messages) {
    if (changes.isEmpty()) {
      return;
    }
    WALEntry first = changes.get(0);
    List<FeedItem> items = new ArrayList<>();
    for (WALEntry entry : changes) {
      items.add(item(entry));
    }
    FeedBatch batch = new FeedBatch(owner(first.getKey()), number(first.getKey(), PREVIOUS), items);
    messages.add(new ReplicaMessage(region(first), table(first), Optional.of(batch), files));
    changes.clear();
  }

  private static FeedItem item(WALEntry entry) {
    WALKey key = entry.getKey();
    int bytes = 0;
    for (ByteString cell : entry.getKeyValueBytesList()) {
      bytes = Math.addExact(bytes, Integer.BYTES + cell.size());
    }
    byte[] block = new byte[bytes];
    int at = 0;
    for (ByteString cell : entry.getKeyValueBytesList()) {
      Bytes.putInt(block, at, cell.size());
      cell.copyTo(block, at + Integer.BYTES);
      at += Integer.BYTES + cell.size();
    }
    CellBuffer cells = CellBuffer.ofBlock(block);
    List<byte[]> frozen = new ArrayList<>();
    for (Attribute attribute : key.getExtendedAttributesList()) {
      if (attribute.getKey().equals(FROZEN)) {
        frozen.add(attribute.getValue().toByteArray());
      }
    }
    return new FeedItem(
        key.getLogSequenceNumber(),
        key.getWriteTime(),
        cells,
        find(key, LOADED).isPresent(),
        List.copyOf(frozen));
  }

  private static FilesNotice files(WALKey key) {
    if (find(key, OWNER).isEmpty()) {
      return FilesNotice.PLAIN; // from a server of an earlier version
    }
    List<FlushedNumbers.OfFamily> families = new ArrayList<>();
    for (Attribute attribute : key.getExtendedAttributesList()) {
      if (attribute.getKey().equals(FLUSHED)) {
        byte[] value = sized(attribute.getValue().toByteArray(), Long.BYTES);
        families.add(
            new FlushedNumbers.OfFamily(
                Arrays.copyOfRange(value, Long.BYTES, value.length), Bytes.getLong(value, 0)));
      }
    }
    return new FilesNotice(
        Optional.of(new Flushed(owner(key), new FlushedNumbers(families))), number(key, CURRENT));
  }
}
