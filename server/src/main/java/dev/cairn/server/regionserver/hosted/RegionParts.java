package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.steps.WriteSteps;
import dev.cairn.server.loadsplit.LoadSampler;
import dev.cairn.server.split.SplitPolicy;
import java.util.Optional;

/**
 * The parts of an open region for its server. A {@link RegionLayer} replaces some of them.
 *
 * @param reads reads for calls
 * @param writes writes for calls
 * @param maintenance the server's own work on the region
 * @param splitPolicy decides when the region is split
 * @param load takes samples of the region's calls; empty if nothing needs them
 * @param space the limits on space that the region is held to
 * @param times records the times of operations on the region's table
 * @param services the services that hooks bring
 * @param steps the region's writes in steps, below all layers; empty if it has no hooks
 */
public record RegionParts(
    RegionReads reads,
    RegionWrites writes,
    RegionMaintenance maintenance,
    SplitPolicy splitPolicy,
    Optional<LoadSampler> load,
    SpaceLimits space,
    TableTimes times,
    RegionServices services,
    Optional<WriteSteps> steps) {
  /** Creates the parts of a region that is used as it is, and never split by itself. */
  public RegionParts(RegionReads reads, RegionWrites writes, RegionMaintenance maintenance) {
    this(
        reads,
        writes,
        maintenance,
        SplitPolicy.DISABLED,
        Optional.empty(),
        new SpaceLimits(),
        TableTimes.OFF,
        RegionServices.NONE,
        Optional.empty());
  }

  /** Returns the same parts with other reads. */
  public RegionParts reading(RegionReads other) {
    return new RegionParts(
        other, writes, maintenance, splitPolicy, load, space, times, services, steps);
  }

  /** Returns the same parts with other writes. */
  public RegionParts writing(RegionWrites other) {
    return new RegionParts(
        reads, other, maintenance, splitPolicy, load, space, times, services, steps);
  }

  /** Returns the same parts with other work of the server. */
  public RegionParts maintainedBy(RegionMaintenance other) {
    return new RegionParts(reads, writes, other, splitPolicy, load, space, times, services, steps);
  }

  /** Returns the same parts, split as {@code policy} says. */
  public RegionParts splitBy(SplitPolicy policy) {
    return new RegionParts(reads, writes, maintenance, policy, load, space, times, services, steps);
  }

  /** Returns the same parts, with samples of the calls given to {@code sampler}. */
  public RegionParts sampledBy(LoadSampler sampler) {
    SampledRegion sampled = new SampledRegion(reads, writes, sampler);
    return new RegionParts(
        sampled,
        sampled,
        maintenance,
        splitPolicy,
        Optional.of(sampler),
        space,
        times,
        services,
        steps);
  }

  /** Returns the same parts, with bulk loads and compactions held to {@code limits}. */
  RegionParts limitedBy(SpaceLimits limits) {
    return new RegionParts(
        reads, writes, maintenance, splitPolicy, load, limits, times, services, steps);
  }

  /** Returns the same parts, with the times of operations given to {@code recorder}. */
  public RegionParts timedBy(TableTimes recorder) {
    return new RegionParts(
        reads, writes, maintenance, splitPolicy, load, space, recorder, services, steps);
  }

  /** Returns the same parts with the services that hooks bring. */
  public RegionParts servedBy(RegionServices other) {
    return new RegionParts(
        reads, writes, maintenance, splitPolicy, load, space, times, other, steps);
  }

  /** Returns the same parts with the region's writes in steps. */
  RegionParts inSteps(Optional<WriteSteps> own) {
    return new RegionParts(
        reads, writes, maintenance, splitPolicy, load, space, times, services, own);
  }
}
