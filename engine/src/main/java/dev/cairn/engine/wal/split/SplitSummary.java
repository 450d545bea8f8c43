package dev.cairn.engine.wal.split;

import java.util.List;

/**
 * The result of splitting a dead server's log.
 *
 * @param directory the log's directory
 * @param files the number of files read
 * @param entries the number of entries written for regions
 * @param regions the number of regions that got entries
 * @param entriesSkipped the number of entries of regions that no longer exist
 * @param entriesFlushed the number of entries left out because store files have them
 * @param tornFiles files that end within an entry, with the offset and the reason
 * @param damagedFiles damaged files that were set aside, with the offset and the reason
 */
public record SplitSummary(
    String directory,
    int files,
    long entries,
    int regions,
    long entriesSkipped,
    long entriesFlushed,
    List<String> tornFiles,
    List<String> damagedFiles) {
  @Override
  public String toString() {
    return "Split %s: %d files, %d entries for %d regions%s%s%s%s"
        .formatted(
            directory,
            files,
            entries,
            regions,
            entriesSkipped == 0 ? "" : ", skipped " + entriesSkipped + " of regions that are gone",
            entriesFlushed == 0 ? "" : ", left out " + entriesFlushed + " that are in store files",
            told(tornFiles),
            told(damagedFiles));
  }

  private static String told(List<String> files) {
    return files.isEmpty() ? "" : "; " + String.join("; ", files);
  }
}
