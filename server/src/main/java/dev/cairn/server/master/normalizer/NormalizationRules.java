package dev.cairn.server.master.normalizer;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.SchemaSettings;
import dev.cairn.engine.schema.TableSchema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Plans how the regions of one table become about equally large. The wanted size is the table's
 * {@code NORMALIZER_TARGET_REGION_SIZE_MB}, or its size divided by {@code
 * NORMALIZER_TARGET_REGION_COUNT} or else by the number of its regions.
 *
 * @param settings the table's settings
 * @param splits whether regions may be split now
 * @param merges whether regions may be merged now
 * @param targetRegions the wanted number of regions; 0 or less if the table does not say it
 * @param targetMb the wanted size of a region, MB; 0 or less if the table does not say it
 */
record NormalizationRules(
    NormalizerSettings settings,
    boolean splits,
    boolean merges,
    long targetRegions,
    long targetMb) {
  private static final String TARGET_REGIONS = "NORMALIZER_TARGET_REGION_COUNT";
  private static final String TARGET_MB = "NORMALIZER_TARGET_REGION_SIZE_MB";
  private static final String OLD_TARGET_MB = "NORMALIZER_TARGET_REGION_SIZE";

  /** A region is split that is larger than this many wanted regions. */
  private static final int SPLIT_FACTOR = 2;

  /**
   * A region and its size.
   *
   * @param isOpen whether it is open
   * @param sizeMb the size of its store files, MB; negative if it is not known
   * @param requestsPerSecond its load since the last run, 0 if it is not known
   */
  record SizedRegion(RegionInfo region, boolean isOpen, long sizeMb, double requestsPerSecond) {}

  /**
   * Returns the rules of a table.
   *
   * @param site the site's settings
   * @param splits whether the switch for splits is on
   * @param merges whether the switch for merges is on
   * @throws IllegalArgumentException naming the table's key whose value is impossible
   */
  static NormalizationRules of(
      TableSchema schema, NormalizerSettings site, boolean splits, boolean merges) {
    NormalizerSettings settings = site.of(schema);
    SchemaSettings own = SchemaSettings.of(schema);
    long oldTargetMb = own.number(OLD_TARGET_MB, -1, Long.MIN_VALUE, Long.MAX_VALUE);
    return new NormalizationRules(
        settings,
        splits && settings.splits(),
        merges && settings.merges(),
        own.number(TARGET_REGIONS, -1, Long.MIN_VALUE, Long.MAX_VALUE),
        own.number(TARGET_MB, oldTargetMb, Long.MIN_VALUE, Long.MAX_VALUE));
  }

  /**
   * Returns the changes to make, splits before merges, as many as the limit of sizes allows.
   *
   * @param regions all regions of the table, in the order of their rows
   */
  List<NormalizationPlan> plan(List<SizedRegion> regions, Instant now) {
    List<NormalizationPlan> plans = new ArrayList<>();
    if (!regions.isEmpty()) {
      double wantedMb = wantedMb(regions);
      addSplits(plans, regions, wantedMb);
      if (merges && regions.size() >= settings.mergeMinRegions()) {
        addMerges(plans, regions, wantedMb, now);
      }
    }
    return limited(plans);
  }

  private double wantedMb(List<SizedRegion> regions) {
    if (targetMb > 0) {
      return targetMb;
    }
    long sum = regions.stream().mapToLong(SizedRegion::sizeMb).sum();
    return sum / (double) (targetRegions > 0 ? targetRegions : regions.size());
  }

  private void addSplits(
      List<NormalizationPlan> plans, List<SizedRegion> regions, double wantedMb) {
    for (SizedRegion one : regions) {
      if (isSplit(one, wantedMb)) {
        plans.add(new NormalizationPlan.Split(one.region(), one.sizeMb()));
      }
    }
  }

  private void addMerges(
      List<NormalizationPlan> plans, List<SizedRegion> regions, double wantedMb, Instant now) {
    long mergedMbMax = (long) wantedMb;
    if (mergedMbMax < settings.mergeMinMb()) {
      return;
    }
    Neighbours neighbours = new Neighbours();
    for (SizedRegion one : regions) {
      if (isSplit(one, wantedMb) || !isMergeable(one, now)) {
        neighbours.moveTo(plans);
      } else {
        if (!neighbours.takes(one, mergedMbMax)) {
          neighbours.moveTo(plans);
        }
        neighbours.add(one);
      }
    }
    neighbours.moveTo(plans);
  }

  private boolean isSplit(SizedRegion one, double wantedMb) {
    return splits && one.sizeMb() > SPLIT_FACTOR * wantedMb;
  }

  private boolean isMergeable(SizedRegion one, Instant now) {
    Instant made = Instant.ofEpochMilli(one.region().regionId());
    return one.isOpen()
        && now.isAfter(made.plus(settings.mergeMinAge()))
        && one.sizeMb() >= settings.mergeMinMb();
  }

  /** Leaves plans out, from the first on with which all are too large. */
  private List<NormalizationPlan> limited(List<NormalizationPlan> plans) {
    long sum = 0;
    for (int i = 0; i < plans.size(); i++) {
      sum += plans.get(i).sizeMb();
      if (sum > settings.plansMaxMb()) {
        return plans.subList(0, i);
      }
    }
    return plans;
  }

  /**
   * Regions side by side that are merged if there are two at least. Their loads are so small that
   * the merged region is not split for its load.
   */
  private final class Neighbours {
    private final List<RegionInfo> regions = new ArrayList<>();
    private long sizeMb;
    private double requestsPerSecond;

    /** Tells whether the region may be merged with the others; an empty one always may. */
    boolean takes(SizedRegion one, long mbMax) {
      boolean onlyEmpty = regions.size() == 1 && sizeMb == 0;
      boolean small = one.sizeMb() == 0 || sizeMb + one.sizeMb() <= mbMax;
      if (requestsPerSecond + one.requestsPerSecond() >= settings.load().mergedRequestsMax()) {
        return regions.isEmpty();
      }
      return regions.isEmpty() || onlyEmpty || small && regions.size() < settings.mergeMaxRegions();
    }

    void add(SizedRegion one) {
      regions.add(one.region());
      sizeMb += one.sizeMb();
      requestsPerSecond += one.requestsPerSecond();
    }

    void moveTo(List<NormalizationPlan> plans) {
      if (regions.size() > 1) {
        plans.add(new NormalizationPlan.Merge(List.copyOf(regions), sizeMb));
      }
      regions.clear();
      sizeMb = 0;
      requestsPerSecond = 0;
    }
  }
}
