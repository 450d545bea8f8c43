package dev.cairn.engine.store;

import dev.cairn.engine.hfile.reader.HFileInfo;
import dev.cairn.engine.schema.FamilySchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds files that a store can do without, unread: all in them is past the family's time to live.
 * No read sees any of it; a raw scan does, until the file goes, as it does before a compaction.
 *
 * <p>The newest file stays, as in HBase, whatever is in it: it records up to which number the
 * family is flushed. So does a file whose compaction's inputs still exist, because a scan holds
 * them: only this file records that they are replaced.
 */
final class ExpiredFiles {
  private final StoreContext context;
  private final FamilySchema family;

  ExpiredFiles(StoreContext context, FamilySchema family) {
    this.context = context;
    this.family = family;
  }

  /**
   * Returns those of {@code files} that can go.
   *
   * @param files all of a store, by ascending sequence number
   * @param directory where they lie
   */
  List<StoreFile> among(List<StoreFile> files, String directory) throws IOException {
    List<StoreFile> expired = new ArrayList<>();
    for (StoreFile file : candidates(files)) {
      if (!StoreFiles.hasInputsLeft(context.storage(), directory, file)) {
        expired.add(file);
      }
    }
    return expired;
  }

  /** As {@link #among}, without a look into the directory. */
  List<StoreFile> candidates(List<StoreFile> files) {
    long ttl = family.timeToLiveMillis();
    if (!context.settings().deletesExpiredFiles()
        || ttl == FamilySchema.FOREVER_MILLIS
        || family.minVersions() > 0
        || files.size() < 2) {
      return List.of();
    }
    long oldestLiving = context.clock().currentTimeMillis() - ttl;
    return files.subList(0, files.size() - 1).stream()
        .filter(file -> isOlder(file.reader().info(), oldestLiving))
        .toList();
  }

  private static boolean isOlder(HFileInfo file, long millis) {
    return file.entryCount() > 0 && file.maxTimestamp() < millis;
  }
}
