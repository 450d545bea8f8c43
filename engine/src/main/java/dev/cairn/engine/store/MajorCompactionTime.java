package dev.cairn.engine.store;

import dev.cairn.engine.schema.FamilySchema;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * Decides when all files of a store are merged without a request: when the oldest is older than the
 * period, plus or minus the jitter. As in HBase, a store with a single file is left alone, unless
 * some of its cells may be past their time to live. Pure.
 */
final class MajorCompactionTime {
  private final StoreSettings settings;
  private final FamilySchema family;

  MajorCompactionTime(StoreSettings settings, FamilySchema family) {
    this.settings = settings;
    this.family = family;
  }

  /** Tells whether it is time, for files whose times of creation are known. */
  boolean isDue(List<StoreFile> files, long nowMillis) {
    OptionalLong oldest =
        files.stream().mapToLong(StoreFile::createdMillis).filter(made -> made > 0).min();
    if (settings.majorPeriodMillis() <= 0 || oldest.isEmpty()) {
      return false;
    }
    return oldest.getAsLong() < nowMillis - ageMillis(files)
        && (files.size() > 1 || holdsExpired(files.get(0), nowMillis));
  }

  /**
   * Returns at which age of the oldest file it is time. The same files have the same age however
   * often and wherever they are looked at.
   */
  long ageMillis(List<StoreFile> files) {
    double period = settings.majorPeriodMillis();
    int seed = files.stream().mapToInt(file -> file.name().hashCode()).sum();
    double share = 2 * new SplittableRandom(seed).nextDouble() - 1;
    return Math.round(period + period * settings.majorJitter() * share);
  }

  private boolean holdsExpired(StoreFile file, long nowMillis) {
    long ttl = family.minVersions() > 0 ? FamilySchema.FOREVER_MILLIS : family.timeToLiveMillis();
    return ttl != FamilySchema.FOREVER_MILLIS
        && nowMillis - file.reader().info().minTimestamp() > ttl;
  }
}
