package dev.cairn.server.master.normalizer;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.SchemaSettings;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.loadsplit.RegionRates;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plans splits and merges that make the regions of one table about equally large. The target size
 * is the table's {@code NORMALIZER_TARGET_REGION_SIZE_MB}, or its size divided by {@code
 * NORMALIZER_TARGET_REGION_COUNT} or by the number of its regions.
 *
 * @param settings the table's settings
 * @param splits whether regions may be split now
 * @param merges whether regions may be merged now
 * @param targetRegions the target number of regions; 0 or less if not set
 * @param targetMb the target size of a region, MB; 0 or less if not set
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

  /** A region larger than this multiple of the target size is split. */
  private static final int SPLIT_FACTOR = 2;

  /** One change of a table's regions. */
  sealed interface Plan {
    /** Returns the size of the regions that change, MB. */
    long sizeMb();

    /** Splits a region in its middle. */
    record Split(RegionInfo region, long sizeMb) implements Plan {}

    /** Merges neighbours. */
    record Merge(List<RegionInfo> regions, long sizeMb) implements Plan {}
  }

  /**
   * A region and its size.
   *
   * @param isOpen whether it is open
   * @param sizeMb the size of its store files, MB; negative if it is not known
   * @param rates its load since the last run; empty if it is not known
   */
  record SizedRegion(RegionInfo region, boolean isOpen, long sizeMb, Optional<RegionRates> rates) {
    private SizedRegion calmIfUnknown() {
      return rates.isPresent()
          ? this
          : new SizedRegion(region, isOpen, sizeMb, Optional.of(RegionRates.NONE));
    }
  }

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
   * Returns the plans, splits before merges, up to the limit on their total size.
   *
   * @param regions all regions of the table, in the order of their rows
   */
  List<Plan> plan(List<SizedRegion> regions, Instant now) {
    List<Plan> plans = new ArrayList<>();
    if (!regions.isEmpty()) {
      double wantedMb = wantedMb(regions);
      addSplits(plans, regions, wantedMb);
      if (merges && regions.size() >= settings.mergeMinRegions()) {
        addMerges(plans, regions, wantedMb, now);
      }
    }
    return limited(plans);
  }

  /**
   * Tells whether the plans depend on unknown loads: regions would be merged if their loads were
   * low.
   */
  boolean needsRates(List<SizedRegion> regions, Instant now) {
    return settings.load().enabled()
        && regions.stream().anyMatch(one -> one.rates().isEmpty())
        && plan(regions.stream().map(SizedRegion::calmIfUnknown).toList(), now).stream()
            .anyMatch(Plan.Merge.class::isInstance);
  }

  private double wantedMb(List<SizedRegion> regions) {
    if (targetMb > 0) {
      return targetMb;
    }
    long sum = regions.stream().mapToLong(SizedRegion::sizeMb).sum();
    return sum / (double) (targetRegions > 0 ? targetRegions : regions.size());
  }

  private void addSplits(List<Plan> plans, List<SizedRegion> regions, double wantedMb) {
    for (SizedRegion one : regions) {
      if (isSplit(one, wantedMb)) {
        plans.add(new Plan.Split(one.region(), one.sizeMb()));
      }
    }
  }

  private void addMerges(
      List<Plan> plans, List<SizedRegion> regions, double wantedMb, Instant now) {
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
        && one.sizeMb() >= settings.mergeMinMb()
        && (one.rates().isPresent() || !settings.load().enabled());
  }

  /** Drops the first plan that exceeds the limit on the total size, and all later ones. */
  private List<Plan> limited(List<Plan> plans) {
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
   * Adjacent regions to merge, if there are at least two. Their total load is too small for a split
   * by load.
   */
  private final class Neighbours {
    private final List<RegionInfo> regions = new ArrayList<>();
    private long sizeMb;
    private RegionRates rates = RegionRates.NONE;

    /** Tells whether the region may be merged with the others; always true for an empty one. */
    boolean takes(SizedRegion one, long mbMax) {
      boolean onlyEmpty = regions.size() == 1 && sizeMb == 0;
      boolean small = one.sizeMb() == 0 || sizeMb + one.sizeMb() <= mbMax;
      if (!settings.load().allowsMerge(rates.plus(known(one)))) {
        return regions.isEmpty();
      }
      return regions.isEmpty() || onlyEmpty || small && regions.size() < settings.mergeMaxRegions();
    }

    void add(SizedRegion one) {
      regions.add(one.region());
      sizeMb += one.sizeMb();
      rates = rates.plus(known(one));
    }

    private static RegionRates known(SizedRegion one) {
      return one.rates().orElse(RegionRates.NONE);
    }

    void moveTo(List<Plan> plans) {
      if (regions.size() > 1) {
        plans.add(new Plan.Merge(List.copyOf(regions), sizeMb));
      }
      regions.clear();
      sizeMb = 0;
      rates = RegionRates.NONE;
    }
  }
}
