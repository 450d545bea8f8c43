package dev.cairn.engine.cell;

import java.util.Arrays;
import java.util.Optional;

/**
 * The tags of a cell, in HBase's layout: one after another, {@code ushort length | ubyte type |
 * value}, where the length counts type and value. The engine knows the tag with a cell's own time
 * to live, and the two of MOB references; it keeps all others unchanged.
 */
public final class CellTags {
  /** Marks a cell whose value lies in a MOB file. It has no value. */
  public static final int MOB_REFERENCE = 5;

  /** Names the table in whose directory that MOB file lies. */
  public static final int MOB_TABLE_NAME = 6;

  private static final int LENGTH_SIZE = 2;
  private static final int TTL_TYPE = 8;
  private static final int TTL_LENGTH = 1 + Long.BYTES;
  private static final int NONE = -1;

  private CellTags() {}

  /**
   * Returns a cell's own time to live, milliseconds; {@link Long#MAX_VALUE} if it has none. Tags
   * after a malformed one are ignored.
   */
  public static long ttlMillis(Cell cell) {
    int end = cell.tagsOffset() + cell.tagsLength();
    int at = findTtl(cell.bytes(), cell.tagsOffset(), end);
    return at == NONE ? Long.MAX_VALUE : Bytes.getLong(cell.bytes(), at + LENGTH_SIZE + 1);
  }

  /** Tells whether a cell has a tag of this type. */
  public static boolean has(Cell cell, int type) {
    return cell.tagsLength() > 0
        && find(cell.bytes(), cell.tagsOffset(), cell.tagsOffset() + cell.tagsLength(), type)
            != NONE;
  }

  /** Returns a copy of the value of a cell's first tag of this type. */
  public static Optional<byte[]> value(Cell cell, int type) {
    int end = cell.tagsOffset() + cell.tagsLength();
    int at = find(cell.bytes(), cell.tagsOffset(), end, type);
    if (at == NONE) {
      return Optional.empty();
    }
    int from = at + LENGTH_SIZE + 1;
    int behind = at + LENGTH_SIZE + Bytes.getUnsignedShort(cell.bytes(), at);
    return Optional.of(Arrays.copyOfRange(cell.bytes(), from, behind));
  }

  /** Returns one tag, as it stands among the tags of a cell. */
  public static byte[] tag(int type, byte[] value) {
    byte[] tag = new byte[LENGTH_SIZE + 1 + value.length];
    Bytes.putShort(tag, 0, 1 + value.length);
    tag[LENGTH_SIZE] = (byte) type;
    System.arraycopy(value, 0, tag, LENGTH_SIZE + 1, value.length);
    return tag;
  }

  /** Returns {@code tags} with a time to live, in place of those that are there. */
  public static byte[] withTtl(byte[] tags, long millis) {
    byte[] others = withoutTtl(tags);
    int at = others.length;
    byte[] result = Arrays.copyOf(others, at + LENGTH_SIZE + TTL_LENGTH);
    Bytes.putShort(result, at, TTL_LENGTH);
    result[at + LENGTH_SIZE] = TTL_TYPE;
    Bytes.putLong(result, at + LENGTH_SIZE + 1, millis);
    return result;
  }

  /**
   * Returns the tags of a cell that builds on an older one and replaces it: its own tags, then
   * those of the older one, without its time to live if the new one has its own.
   */
  public static byte[] carriedForward(byte[] own, byte[] older) {
    if (own.length == 0) {
      return older;
    }
    boolean hasTtl = findTtl(own, 0, own.length) != NONE;
    return Bytes.concat(own, hasTtl ? withoutTtl(older) : older);
  }

  /** Tells whether the bytes from {@code from} to {@code end} are whole tags and nothing else. */
  public static boolean areWhole(byte[] bytes, int from, int end) {
    int at = from;
    while (end - at > LENGTH_SIZE) {
      int length = Bytes.getUnsignedShort(bytes, at);
      if (length < 1) {
        return false;
      }
      at += LENGTH_SIZE + length;
    }
    return at == end;
  }

  private static byte[] withoutTtl(byte[] tags) {
    byte[] rest = tags;
    for (int at = findTtl(rest, 0, rest.length); at != NONE; at = findTtl(rest, 0, rest.length)) {
      int behind = at + LENGTH_SIZE + TTL_LENGTH;
      rest = Bytes.concat(Arrays.copyOf(rest, at), Arrays.copyOfRange(rest, behind, rest.length));
    }
    return rest;
  }

  private static int findTtl(byte[] bytes, int from, int end) {
    int at = find(bytes, from, end, TTL_TYPE);
    while (at != NONE && Bytes.getUnsignedShort(bytes, at) != TTL_LENGTH) {
      at = find(bytes, at + LENGTH_SIZE + Bytes.getUnsignedShort(bytes, at), end, TTL_TYPE);
    }
    return at;
  }

  /**
   * Returns where the first tag of a type begins; what follows a malformed one is not looked at.
   */
  private static int find(byte[] bytes, int from, int end, int type) {
    int at = from;
    while (end - at > LENGTH_SIZE) {
      int length = Bytes.getUnsignedShort(bytes, at);
      if (length < 1 || length > end - at - LENGTH_SIZE) {
        return NONE;
      }
      if (bytes[at + LENGTH_SIZE] == type) {
        return at;
      }
      at += LENGTH_SIZE + length;
    }
    return NONE;
  }
}
