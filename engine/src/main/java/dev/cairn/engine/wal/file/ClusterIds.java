package dev.cairn.engine.wal.file;

import dev.cairn.engine.cell.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The ids of the clusters that a change passed before it came here. A log keeps them, so that
 * replication in a circle ends.
 *
 * <p>Format: as HBase. A mutation has them in the attribute {@value #ATTRIBUTE}: an int, the number
 * of ids; then two longs for each id, the more significant first. A log's key has them as {@code
 * cluster_ids}.
 */
public final class ClusterIds {
  /** The attribute of a mutation that was made at another cluster first. */
  public static final String ATTRIBUTE = "_cs.id";

  /** The most ids of a change, so that the key of its log entry stays short. */
  public static final int COUNT_MAX = 100;

  private static final int ID_BYTES = 2 * Long.BYTES;

  private ClusterIds() {}

  /**
   * Returns the ids in a mutation's attributes; none if it was made here.
   *
   * @throws IllegalArgumentException if the attribute is malformed, or has more than {@value
   *     #COUNT_MAX} ids
   */
  public static List<UUID> of(Map<String, byte[]> attributes) {
    byte[] value = attributes.isEmpty() ? null : attributes.get(ATTRIBUTE);
    if (value == null) {
      return List.of();
    }
    ByteBuffer bytes = ByteBuffer.wrap(value);
    int count = bytes.remaining() < Integer.BYTES ? -1 : bytes.getInt();
    if (count < 0 || bytes.remaining() != (long) count * ID_BYTES) {
      throw new IllegalArgumentException(
          "The attribute "
              + ATTRIBUTE
              + " must have a count and so many cluster ids of 16 bytes, not "
              + value.length
              + " bytes");
    }
    if (count > COUNT_MAX) {
      throw new IllegalArgumentException(
          "The attribute "
              + ATTRIBUTE
              + " must have at most "
              + COUNT_MAX
              + " cluster ids, not "
              + count);
    }
    List<UUID> ids = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ids.add(new UUID(bytes.getLong(), bytes.getLong()));
    }
    return List.copyOf(ids);
  }

  /** Tells whether the attributes of two mutations have the same ids. */
  public static boolean areEqual(Map<String, byte[]> one, Map<String, byte[]> other) {
    return one.isEmpty() && other.isEmpty()
        || Arrays.equals(one.get(ATTRIBUTE), other.get(ATTRIBUTE));
  }

  /** Returns the attribute's value for {@code ids}; empty if there are none. */
  public static byte[] toBytes(List<UUID> ids) {
    return ids.isEmpty() ? Bytes.EMPTY : attribute(ids);
  }

  /** Returns the ids that {@link #toBytes} wrote. */
  public static List<UUID> fromBytes(byte[] bytes) {
    return bytes.length == 0 ? List.of() : of(Map.of(ATTRIBUTE, bytes));
  }

  /** Returns the attribute's value for {@code ids}. */
  public static byte[] attribute(List<UUID> ids) {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + ids.size() * ID_BYTES);
    bytes.putInt(ids.size());
    for (UUID id : ids) {
      bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }
    return bytes.array();
  }
}
