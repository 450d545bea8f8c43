package dev.cairn.engine.wal;

import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ended files of a log, oldest first, and the regions that still need each of them. An unneeded
 * file moves to the archive. Thread-safe; no lock is held while files move.
 */
final class WalFiles {
  private static final Logger LOG = LoggerFactory.getLogger(WalFiles.class);

  private final Storage storage;
  private final WalConfig config;
  private final WalListener listener;
  private final Deque<EndedFile> ended = new ArrayDeque<>(); // guarded by this
  private final Map<String, Long> flushed = new HashMap<>(); // by region; guarded by this

  WalFiles(Storage storage, WalConfig config, WalListener listener) {
    this.storage = storage;
    this.config = config;
    this.listener = listener;
  }

  /**
   * Takes note of a file that was ended, or has failed, with the newest entry of each region that
   * it may hold.
   */
  synchronized void add(String path, Map<String, Long> highestSequences) {
    ended.addLast(new EndedFile(path, highestSequences));
  }

  /** Takes note that the entries of {@code region} up to {@code sequence} are in store files. */
  synchronized void flushed(String region, long sequence) {
    flushed.merge(region, sequence, Math::max);
  }

  /**
   * Returns the regions that keep files beyond the configured number, each with its newest entry in
   * those files.
   */
  synchronized Map<String, Long> regionsToFlush() {
    Map<String, Long> regions = new HashMap<>();
    int tooMany = ended.size() + 1 - config.filesMax();
    for (EndedFile file : ended) {
      if (tooMany-- <= 0) {
        break;
      }
      file.highest.forEach(
          (region, sequence) -> {
            if (!isFlushed(region, sequence)) {
              regions.merge(region, sequence, Math::max);
            }
          });
    }
    return regions;
  }

  /**
   * Moves every file that is no longer needed. One that cannot be moved now is tried again the next
   * time.
   */
  void archive() {
    for (EndedFile file : takeUnneeded()) {
      String target = Storage.join(config.archiveDirectory(), Storage.name(file.path));
      try {
        storage.rename(file.path, target);
        listener.archived(target);
      } catch (NoSuchFileException e) {
        // One that failed while it was made: it may never have been there.
        LOG.info("{} is gone already", file.path);
      } catch (IOException e) {
        LOG.warn("Could not move {} to {}; will try again", file.path, target, e);
        synchronized (this) {
          ended.addFirst(file);
        }
      }
    }
  }

  private synchronized List<EndedFile> takeUnneeded() {
    List<EndedFile> unneeded = new ArrayList<>();
    for (Iterator<EndedFile> files = ended.iterator(); files.hasNext(); ) {
      EndedFile file = files.next();
      if (file.highest.entrySet().stream().allMatch(e -> isFlushed(e.getKey(), e.getValue()))) {
        files.remove();
        unneeded.add(file);
      }
    }
    return unneeded;
  }

  private boolean isFlushed(String region, long sequence) {
    return flushed.getOrDefault(region, Long.MIN_VALUE) >= sequence;
  }

  /** One file that is no longer written. */
  private record EndedFile(String path, Map<String, Long> highest) {}
}
