package dev.cairn.engine.wal;

import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalCompression;
import dev.cairn.engine.wal.file.WalFileName;
import java.util.Objects;

/**
 * The configuration of a server's log.
 *
 * @param directory directory of its files, such as {@code WALs/<server>}; only logs of the same
 *     server write there
 * @param archiveDirectory directory of files that are no longer needed, such as {@code oldWALs}
 * @param prefix the prefix of its file names; a period and a number follow. For the log of {@code
 *     hbase:meta}, the prefix ends in {@code .meta}, and so do the names
 * @param syncLevel guarantee of {@link Wal#sync(long)}
 * @param rollSizeBytes length at which a file ends and the next one begins
 * @param filesMax number of files above which {@link Wal#regionsToFlush} names regions
 * @param queuedBytesMax maximum bytes that wait to be written; above it, appends block. At least
 *     one entry may always wait
 * @param lingerNanos maximum time an entry without waiters waits to be written
 * @param compression compression of its files
 * @param recovery retries after a file fails
 * @param rollPolicy conditions that roll a file before it reaches {@code rollSizeBytes}
 */
public record WalConfig(
    String directory,
    String archiveDirectory,
    String prefix,
    SyncLevel syncLevel,
    long rollSizeBytes,
    int filesMax,
    long queuedBytesMax,
    long lingerNanos,
    WalCompression compression,
    WalRecovery recovery,
    WalRollPolicy rollPolicy) {
  /** The default of {@link #queuedBytesMax}: 64 MiB. */
  public static final long DEFAULT_QUEUED_BYTES_MAX = 64L << 20;

  /** The default of {@link #lingerNanos}: 20 milliseconds. */
  public static final long DEFAULT_LINGER_NANOS = 20_000_000;

  /** Checks the ranges. */
  public WalConfig {
    if (directory.isEmpty() || archiveDirectory.isEmpty() || prefix.isEmpty()) {
      throw new IllegalArgumentException("A log needs a directory, an archive and a prefix");
    }
    Objects.requireNonNull(compression, "compression");
    Objects.requireNonNull(recovery, "recovery");
    Objects.requireNonNull(rollPolicy, "rollPolicy");
    if (rollSizeBytes <= 0 || filesMax <= 0 || queuedBytesMax <= 0 || lingerNanos <= 0) {
      throw new IllegalArgumentException("Sizes and times of a log must be above 0");
    }
  }

  /** Returns the same configuration for the server's log of {@code hbase:meta}. */
  public WalConfig ofMeta() {
    return new WalConfig(
        directory,
        archiveDirectory,
        prefix + WalFileName.META_SUFFIX,
        syncLevel,
        rollSizeBytes,
        filesMax,
        queuedBytesMax,
        lingerNanos,
        compression,
        recovery,
        rollPolicy);
  }

  /** Creates a configuration without compression. */
  public WalConfig(
      String directory,
      String archiveDirectory,
      String prefix,
      SyncLevel syncLevel,
      long rollSizeBytes,
      int filesMax,
      long queuedBytesMax,
      long lingerNanos) {
    this(
        directory,
        archiveDirectory,
        prefix,
        syncLevel,
        rollSizeBytes,
        filesMax,
        queuedBytesMax,
        lingerNanos,
        WalCompression.NONE,
        WalRecovery.DEFAULT,
        WalRollPolicy.LENGTH_ONLY);
  }

  /** Returns the same with another compression. */
  public WalConfig withCompression(WalCompression other) {
    return new WalConfig(
        directory,
        archiveDirectory,
        prefix,
        syncLevel,
        rollSizeBytes,
        filesMax,
        queuedBytesMax,
        lingerNanos,
        other,
        recovery,
        rollPolicy);
  }

  /**
   * Returns this configuration with another limit for the entries that wait to be written, bytes.
   */
  public WalConfig withQueuedBytesMax(long other) {
    return new WalConfig(
        directory,
        archiveDirectory,
        prefix,
        syncLevel,
        rollSizeBytes,
        filesMax,
        other,
        lingerNanos,
        compression,
        recovery,
        rollPolicy);
  }

  /** Returns the same with another way to recover. */
  public WalConfig withRecovery(WalRecovery other) {
    return new WalConfig(
        directory,
        archiveDirectory,
        prefix,
        syncLevel,
        rollSizeBytes,
        filesMax,
        queuedBytesMax,
        lingerNanos,
        compression,
        other,
        rollPolicy);
  }

  /** Returns a copy with another roll policy. */
  public WalConfig withRollPolicy(WalRollPolicy other) {
    return new WalConfig(
        directory,
        archiveDirectory,
        prefix,
        syncLevel,
        rollSizeBytes,
        filesMax,
        queuedBytesMax,
        lingerNanos,
        compression,
        recovery,
        other);
  }

  /** Creates a configuration with the default limits of the queue in memory. */
  public WalConfig(
      String directory,
      String archiveDirectory,
      String prefix,
      SyncLevel syncLevel,
      long rollSizeBytes,
      int filesMax) {
    this(
        directory,
        archiveDirectory,
        prefix,
        syncLevel,
        rollSizeBytes,
        filesMax,
        DEFAULT_QUEUED_BYTES_MAX,
        DEFAULT_LINGER_NANOS);
  }

  /**
   * The retries of a log whose file has failed, if the next one cannot be created.
   *
   * @param tries number of attempts before the log fails for good; a full disk does not count
   * @param pauseNanos pause between two attempts, nanoseconds
   * @param probeNanos pause before the next attempt on a full disk, nanoseconds
   */
  public record WalRecovery(int tries, long pauseNanos, long probeNanos) {
    /** Five tries within a second, and a look at a full disk every second. */
    public static final WalRecovery DEFAULT = new WalRecovery(5, 200_000_000L, 1_000_000_000L);

    /** Checks the ranges. */
    public WalRecovery {
      if (tries < 1 || pauseNanos <= 0 || probeNanos <= 0) {
        throw new IllegalArgumentException("Tries and pauses of a log must be above 0");
      }
    }
  }
}
