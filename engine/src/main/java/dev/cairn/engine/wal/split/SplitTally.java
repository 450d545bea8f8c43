package dev.cairn.engine.wal.split;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Counts over all log files of a split. Thread-safe. */
final class SplitTally {
  private final Set<String> regions = new HashSet<>();
  private final Set<String> tornFiles = new LinkedHashSet<>();
  private final Set<String> damagedFiles = new LinkedHashSet<>();
  private long entries;
  private long entriesSkipped;
  private long entriesFlushed;

  synchronized void recovered(String region, long count) {
    regions.add(region);
    entries += count;
  }

  synchronized void skipped(long count) {
    entriesSkipped += count;
  }

  synchronized void flushed(long count) {
    entriesFlushed += count;
  }

  synchronized void torn(String file) {
    tornFiles.add(file);
  }

  synchronized void damaged(String file) {
    damagedFiles.add(file);
  }

  synchronized SplitSummary summary(String directory, int files) {
    return new SplitSummary(
        directory,
        files,
        entries,
        regions.size(),
        entriesSkipped,
        entriesFlushed,
        List.copyOf(tornFiles),
        List.copyOf(damagedFiles));
  }
}
