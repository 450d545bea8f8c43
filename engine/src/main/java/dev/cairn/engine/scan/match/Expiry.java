package dev.cairn.engine.scan.match;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellTags;
import dev.cairn.engine.schema.FamilySchema;

/**
 * Decides which cells have expired: those whose timestamp plus time to live is before now. The
 * family's time to live applies to all its cells; a cell may have a shorter one in its tags.
 */
public final class Expiry {
  private static final long NO_TTL = Long.MAX_VALUE;

  private final long now;
  private final long oldestLiving;

  private Expiry(long now, long oldestLiving) {
    this.now = now;
    this.oldestLiving = oldestLiving;
  }

  /** Returns the expiry of a family's cells at a moment. */
  public static Expiry of(FamilySchema family, long now) {
    long ttl = family.timeToLiveMillis();
    return new Expiry(now, ttl == FamilySchema.FOREVER_MILLIS ? Long.MIN_VALUE : now - ttl);
  }

  /** Returns an expiry that knows only the cells' own time to live, as raw scans do. */
  static Expiry ofCellsOnly(long now) {
    return new Expiry(now, Long.MIN_VALUE);
  }

  /** Returns the lowest timestamp that is not expired by the family's time to live. */
  long oldestLiving() {
    return oldestLiving;
  }

  /** Tells whether a cell with this timestamp is expired by the family's time to live. */
  public boolean isExpired(long timestamp) {
    return timestamp < oldestLiving;
  }

  /** Tells whether the cell is expired by a time to live of its own. */
  public boolean isExpiredByTag(Cell cell) {
    if (cell.tagsLength() == 0) {
      return false;
    }
    long ttl = CellTags.ttlMillis(cell);
    return ttl != NO_TTL && ttl < now - cell.timestamp();
  }

  /** Tells whether the cell has a time to live of its own. */
  public static boolean hasTtlTag(Cell cell) {
    return cell.tagsLength() > 0 && CellTags.ttlMillis(cell) != NO_TTL;
  }
}
