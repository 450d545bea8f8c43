package dev.cairn.engine.cell;

import java.util.Arrays;

/**
 * The tags of a cell, in HBase's layout: one after another, {@code ushort length | ubyte type |
 * value}, where the length counts type and value. The engine knows one type, a time to live of the
 * cell's own; the others it keeps as they are.
 */
public final class CellTags {
  private static final int LENGTH_SIZE = 2;
  private static final int TTL_TYPE = 8;
  private static final int TTL_LENGTH = 1 + Long.BYTES;
  private static final int NONE = -1;

  private CellTags() {}

  /**
   * Returns a cell's own time to live, milliseconds; {@link Long#MAX_VALUE} if it has none. What
   * follows a malformed tag is not looked at.
   */
  public static long ttlMillis(Cell cell) {
    int end = cell.tagsOffset() + cell.tagsLength();
    int at = findTtl(cell.bytes(), cell.tagsOffset(), end);
    return at == NONE ? Long.MAX_VALUE : Bytes.getLong(cell.bytes(), at + LENGTH_SIZE + 1);
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
   * Returns the tags of a cell that replaces an older one and builds on it: its own, and behind
   * them those of the older one, without its time to live if the new one has its own.
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
    int at = from;
    while (end - at > LENGTH_SIZE) {
      int length = Bytes.getUnsignedShort(bytes, at);
      if (length < 1 || length > end - at - LENGTH_SIZE) {
        return NONE;
      }
      if (bytes[at + LENGTH_SIZE] == TTL_TYPE && length == TTL_LENGTH) {
        return at;
      }
      at += LENGTH_SIZE + length;
    }
    return NONE;
  }
}
