package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.feed.FeedBatch;
import dev.cairn.engine.region.feed.FeedItem;
import dev.cairn.engine.region.feed.FlushedNumbers;
import dev.cairn.engine.region.feed.RegionOwner;
import dev.cairn.engine.region.follow.FollowerMemory.Flushed;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.FencingToken;
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

/**
 * The contents of a request in the form of {@link ReplayAttributes}.
 *
 * @param messages to replicas here
 * @param greetings to regions here
 * @param flushes the encoded names of regions here whose replicas ask for a flush
 */
public record ReceivedMessages(
    List<ReplicaMessage> messages, List<Greeting> greetings, List<String> flushes) {
  /**
   * A notice that a replica has been opened and asks its region for the changes that it lacks.
   *
   * @param region the encoded name of the region
   * @param replicaId the replica's number
   */
  public record Greeting(String region, int replicaId) {}

  /**
   * Reads a request.
   *
   * @throws DoNotRetryIOException if it is malformed
   */
  public static ReceivedMessages read(ReplicateWALEntryRequest request)
      throws DoNotRetryIOException {
    List<ReplicaMessage> messages = new ArrayList<>();
    List<Greeting> greetings = new ArrayList<>();
    List<String> flushes = new ArrayList<>();
    try {
      List<WALEntry> changes = new ArrayList<>();
      for (WALEntry entry : request.getEntryList()) {
        if (entry.getAssociatedCellCount() > 0) {
          throw new IllegalArgumentException("Cells beside the message are not supported");
        }
        boolean continues =
            !changes.isEmpty()
                && region(entry).equals(region(changes.get(0)))
                && find(entry.getKey(), ReplayAttributes.PREVIOUS).isEmpty();
        if (entry.getKeyValueBytesCount() > 0) {
          if (!continues) {
            addChanges(changes, Optional.empty(), messages);
          }
          changes.add(entry);
        } else if (find(entry.getKey(), ReplayAttributes.GREETING).isPresent()) {
          byte[] id = find(entry.getKey(), ReplayAttributes.GREETING).get();
          greetings.add(new Greeting(region(entry), Bytes.getInt(sized(id, Integer.BYTES), 0)));
        } else if (find(entry.getKey(), ReplayAttributes.FLUSH).isPresent()) {
          flushes.add(region(entry));
        } else if (continues) {
          addChanges(changes, Optional.of(files(entry.getKey())), messages);
        } else {
          addChanges(changes, Optional.empty(), messages);
          messages.add(
              new ReplicaMessage(
                  region(entry),
                  table(entry),
                  Optional.empty(),
                  Optional.of(files(entry.getKey()))));
        }
      }
      addChanges(changes, Optional.empty(), messages);
      return new ReceivedMessages(messages, greetings, flushes);
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
    String token = Bytes.utf8(require(key, ReplayAttributes.OWNER));
    return new RegionOwner(
        FencingToken.parse(token)
            .orElseThrow(() -> new IllegalArgumentException("Not an owner: " + token)),
        number(key, ReplayAttributes.OPENED));
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
    FeedBatch batch =
        new FeedBatch(
            owner(first.getKey()), number(first.getKey(), ReplayAttributes.PREVIOUS), items);
    messages.add(new ReplicaMessage(region(first), table(first), Optional.of(batch), files));
    changes.clear();
  }

  private static FeedItem item(WALEntry entry) {
    WALKey key = entry.getKey();
    byte[] block = ByteString.copyFrom(entry.getKeyValueBytesList()).toByteArray();
    CellBuffer cells = CellBuffer.ofBlock(block);
    List<byte[]> frozen = new ArrayList<>();
    for (Attribute attribute : key.getExtendedAttributesList()) {
      if (attribute.getKey().equals(ReplayAttributes.FROZEN)) {
        frozen.add(attribute.getValue().toByteArray());
      }
    }
    return new FeedItem(
        key.getLogSequenceNumber(),
        key.getWriteTime(),
        cells,
        find(key, ReplayAttributes.LOADED).isPresent(),
        List.copyOf(frozen));
  }

  private static FilesNotice files(WALKey key) {
    if (find(key, ReplayAttributes.OWNER).isEmpty()) {
      return FilesNotice.PLAIN; // from a server of an earlier version
    }
    List<FlushedNumbers.OfFamily> families = new ArrayList<>();
    for (Attribute attribute : key.getExtendedAttributesList()) {
      if (attribute.getKey().equals(ReplayAttributes.FLUSHED)) {
        byte[] value = sized(attribute.getValue().toByteArray(), Long.BYTES);
        families.add(
            new FlushedNumbers.OfFamily(
                Arrays.copyOfRange(value, Long.BYTES, value.length), Bytes.getLong(value, 0)));
      }
    }
    return new FilesNotice(
        Optional.of(new Flushed(owner(key), new FlushedNumbers(families))),
        number(key, ReplayAttributes.CURRENT));
  }
}
