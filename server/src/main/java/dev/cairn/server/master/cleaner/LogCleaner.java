package dev.cairn.server.master.cleaner;

import dev.cairn.engine.changes.ChangeCursors;
import dev.cairn.engine.changes.DeletedLogs;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes archived logs that nobody has needed for a while. A log is archived once everything in it
 * is in store files; it is kept for some time, for people who want to look back, and for as long as
 * a cursor of the changes holds it. Thread-safe.
 */
public final class LogCleaner {
  /** The time for which an archived log is kept after it was last written. */
  public static final ConfigKey<Long> KEEP_MILLIS =
      ConfigKey.number(
          "hbase.master.logcleaner.ttl",
          600_000,
          0,
          Long.MAX_VALUE,
          "Time for which archived log files are kept, in milliseconds.");

  /** The time between two looks at the archive. */
  public static final ConfigKey<Long> INTERVAL_MILLIS =
      ConfigKey.number(
          "hbase.master.cleaner.interval",
          600_000,
          100,
          Integer.MAX_VALUE,
          "Time between two runs of the cleaners of archived files, in milliseconds.");

  private static final Logger LOG = LoggerFactory.getLogger(LogCleaner.class);

  private final Storage storage;
  private final Clock clock;
  private final long keepMillis;
  private final List<String> archives;
  private final ChangeCursors cursors;

  /**
   * Creates a cleaner.
   *
   * @param archives the directories that hold archived logs, and nothing else
   */
  public LogCleaner(SiteConfig config, Storage storage, Clock clock, String... archives) {
    this.storage = storage;
    this.clock = clock;
    this.keepMillis = config.get(KEEP_MILLIS);
    this.archives = List.of(archives);
    this.cursors = new ChangeCursors(storage);
  }

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> keys() {
    return List.of(KEEP_MILLIS, INTERVAL_MILLIS);
  }

  /**
   * Deletes logs that are old enough and held by no cursor, and records their names.
   *
   * @return how many files were deleted
   */
  public int clean() throws IOException {
    long now = clock.currentTimeMillis();
    List<Storage.FileInfo> expired = new ArrayList<>();
    for (String archive : archives) {
      for (Storage.FileInfo file : storage.list(archive)) {
        if (!file.directory() && now - file.modifiedMillis() >= keepMillis) {
          expired.add(file);
        }
      }
    }
    if (expired.isEmpty()) {
      return 0;
    }
    List<Storage.FileInfo> unneeded = cursors.release(expired, now);
    DeletedLogs.add(storage, unneeded);
    for (Storage.FileInfo file : unneeded) {
      storage.delete(file.path());
    }
    int deleted = unneeded.size();
    if (deleted > 0) {
      LOG.info("Deleted {} archived log files", deleted);
    }
    return deleted;
  }
}
