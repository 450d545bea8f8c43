package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.schema.FamilySchema;

/**
 * Says which cells are past their time to live: a cell is, if its timestamp plus the time to live
 * lies before now. The family's time holds for all its cells; a cell may carry a shorter one of its
 * own, in milliseconds, in a tag of type 8. Tags are stored as {@code ushort length | ubyte type |
 * value}, where the length counts type and value.
 */
final class Expiry {
  private static final int TTL_TAG_TYPE = 8;
  private static final long NO_TTL = Long.MAX_VALUE;

  private final long now;
  private final long oldestLiving;

  private Expiry(long now, long oldestLiving) {
    this.now = now;
    this.oldestLiving = oldestLiving;
  }

  /** Returns the expiry of a family's cells at a moment. */
  static Expiry of(FamilySchema family, long now) {
    long ttl = family.timeToLiveMillis();
    return new Expiry(now, ttl == FamilySchema.FOREVER_MILLIS ? Long.MIN_VALUE : now - ttl);
  }

  /** Returns an expiry that knows only the cells' own time to live, as raw scans do. */
  static Expiry ofCellsOnly(long now) {
    return new Expiry(now, Long.MIN_VALUE);
  }

  /** Tells whether a cell with this timestamp is expired by the family's time to live. */
  boolean isExpired(long timestamp) {
    return timestamp < oldestLiving;
  }

  /** Tells whether the cell is expired by a time to live of its own. */
  boolean isExpiredByTag(Cell cell) {
    if (cell.tagsLength() == 0) {
      return false;
    }
    long ttl = ttlTag(cell);
    return ttl != NO_TTL && cell.timestamp() + ttl < now;
  }

  /** Tells whether the cell has a time to live of its own. */
  static boolean hasTtlTag(Cell cell) {
    return cell.tagsLength() > 0 && ttlTag(cell) != NO_TTL;
  }

  private static long ttlTag(Cell cell) {
    byte[] bytes = cell.bytes();
    int at = cell.tagsOffset();
    int end = at + cell.tagsLength();
    while (end - at >= 3) {
      int length = Bytes.getUnsignedShort(bytes, at);
      if (length < 1 || length > end - at - 2) {
        break;
      }
      if (bytes[at + 2] == TTL_TAG_TYPE && length == 1 + Long.BYTES) {
        return Bytes.getLong(bytes, at + 3);
      }
      at += 2 + length;
    }
    return NO_TTL;
  }
}
