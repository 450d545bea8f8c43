package dev.cairn.server.slowlog;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.util.concurrent.TimeUnit;

/**
 * The limits above which calls are recorded, and the recorded details.
 *
 * @param usual the limits of all calls but scans
 * @param scans the limits of scans
 * @param least the lower limits of both
 * @param kept the maximum number of calls kept in memory; 0 for none
 * @param keepsScans whether kept calls contain the definitions of scans
 */
public record SlowLogSettings(
    Limits usual, Limits scans, Limits least, int kept, boolean keepsScans) {
  /**
   * The limits of a call.
   *
   * @param nanosMin the time from which a call is slow, nanoseconds; {@link Long#MAX_VALUE} if no
   *     call is
   * @param bytesMax the longest response that is not large
   */
  public record Limits(long nanosMin, long bytesMax) {
    static final Limits NONE = new Limits(Long.MAX_VALUE, Long.MAX_VALUE);

    /** Converts the values of the keys, of which -1 means "no limit". */
    static Limits of(long millisMax, long bytesMax) {
      // As in HBase, which counts whole milliseconds, a call of 10.9 ms does not exceed 10 ms.
      return new Limits(
          millisMax < 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(millisMax + 1),
          bytesMax < 0 ? Long.MAX_VALUE : bytesMax);
    }

    boolean isSlow(long nanos) {
      return nanos >= nanosMin;
    }

    boolean isLarge(long bytes) {
      return bytes > bytesMax;
    }

    Limits least(Limits other) {
      return new Limits(Math.min(nanosMin, other.nanosMin), Math.min(bytesMax, other.bytesMax));
    }
  }

  /** No call is slow or large. */
  static final SlowLogSettings OFF =
      new SlowLogSettings(Limits.NONE, Limits.NONE, Limits.NONE, 0, false);

  /** Reads the settings of a server. */
  public static SlowLogSettings of(SiteConfig config) {
    Limits usual = Limits.of(config.get(SlowLogKeys.TIME), config.get(SlowLogKeys.SIZE));
    Limits scans =
        Limits.of(
            ofScans(config, SlowLogKeys.SCAN_TIME, SlowLogKeys.TIME),
            ofScans(config, SlowLogKeys.SCAN_SIZE, SlowLogKeys.SIZE));
    return new SlowLogSettings(
        usual,
        scans,
        usual.least(scans),
        config.get(SlowLogKeys.KEPT) ? config.get(SlowLogKeys.KEPT_MAX).intValue() : 0,
        config.get(SlowLogKeys.SCANS_KEPT));
  }

  private static long ofScans(SiteConfig config, ConfigKey<Long> key, ConfigKey<Long> usual) {
    return config.find(key).orElseGet(() -> config.get(usual));
  }
}
