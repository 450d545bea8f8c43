package dev.cairn.engine.mob;

import dev.cairn.engine.cell.Bytes;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The names of MOB files, as HBase 2.6 gives them:
 *
 * <pre>
 *   32 hexadecimal digits, the MD5 of the region's start key
 *   8 digits, yyyyMMdd: the day of the newest timestamp among the cells it was made from
 *   32 hexadecimal digits that no other file has
 *   _ and the encoded name of the region that wrote it
 * </pre>
 *
 * By the day HBase deletes whole files whose cells have all expired, so it must not be too early.
 */
final class MobFileName {
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("uuuuMMdd", Locale.ROOT);

  /** In the year 9999 in every zone: days after that year have no eight digits. */
  private static final long LAST_MILLIS = 253_370_851_200_000L;

  private static final int LENGTH_MAX = 255;

  private MobFileName() {}

  /**
   * Returns a name.
   *
   * @param newestMillis the newest timestamp that a cell of the file may have
   * @param zone whose days count
   * @param unique 32 hexadecimal digits
   */
  static String of(byte[] startKey, long newestMillis, ZoneId zone, String unique, String region) {
    long millis = Math.max(0, Math.min(newestMillis, LAST_MILLIS));
    String day = DAY.format(Instant.ofEpochMilli(millis).atZone(zone));
    return Bytes.md5(startKey) + day + unique + "_" + region;
  }

  /**
   * Tells whether some bytes, perhaps from a client, are a valid name of a MOB file: one that
   * cannot lead out of its directory, and that fits into a list.
   */
  static boolean isPossible(byte[] bytes, int from, int to) {
    if (from >= to || to - from > LENGTH_MAX || bytes[from] == '.') {
      return false;
    }
    for (int i = from; i < to; i++) {
      int c = bytes[i];
      boolean letterOrDigit = c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
      if (!letterOrDigit && c != '_' && c != '-' && c != '.' && c != '=') {
        return false;
      }
    }
    return true;
  }
}
