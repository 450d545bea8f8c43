package dev.cairn.coprocessor.split;

import dev.cairn.server.hook.HookFailedException;
import dev.cairn.server.split.SplitPolicy;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.PolicyCalls;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A user's split policy of HBase's API. If it throws, or does not return in time, the region is not
 * split this time; the log says so once. Thread-safe: one thread at a time calls the class.
 */
public final class UserPolicy implements SplitPolicy.OfUser {
  /** The time that each call of the class has. */
  static final long LIMIT_MILLIS = TimeUnit.SECONDS.toMillis(10);

  private static final Logger LOG = LoggerFactory.getLogger(UserPolicy.class);

  private final RegionSplitPolicy policy;
  private final PolicyRegion region;
  private final LimitedCalls calls;
  private final AtomicBoolean hasFailed = new AtomicBoolean();

  private UserPolicy(RegionSplitPolicy policy, PolicyRegion region, LimitedCalls calls) {
    this.policy = policy;
    this.region = region;
    this.calls = calls;
  }

  /**
   * Creates the policy of a region.
   *
   * @param type a class that {@link PolicyClasses} has found
   * @param settings the site's settings, and above them the table's attributes
   * @throws HookFailedException if its constructor or its preparation fails
   */
  public static UserPolicy of(
      Class<? extends RegionSplitPolicy> type,
      Configuration settings,
      RegionInfo info,
      TableDescriptor descriptor)
      throws HookFailedException {
    return of(type, settings, info, descriptor, LIMIT_MILLIS);
  }

  static UserPolicy of(
      Class<? extends RegionSplitPolicy> type,
      Configuration settings,
      RegionInfo info,
      TableDescriptor descriptor,
      long limitMillis)
      throws HookFailedException {
    LimitedCalls calls = new LimitedCalls("the split policy " + type.getName(), limitMillis);
    PolicyRegion region = PolicyRegion.of(info, descriptor);
    return new UserPolicy(
        calls.call(
            () -> {
              RegionSplitPolicy policy = PolicyClasses.object(type);
              PolicyCalls.configure(policy, settings, region);
              return policy;
            }),
        region,
        calls);
  }

  /** A call of the policy. */
  private <T> T ask(Candidate candidate, Function<RegionSplitPolicy, T> question)
      throws HookFailedException {
    try {
      return calls.call(
          () -> {
            region.show(candidate);
            return question.apply(policy);
          });
    } catch (HookFailedException e) {
      if (!hasFailed.getAndSet(true)) {
        LOG.warn("{} is not split, because {}", region, e.getMessage(), e.getCause());
      }
      throw e;
    }
  }

  @Override
  public boolean shouldSplit(Candidate candidate) {
    try {
      return ask(candidate, PolicyCalls::shouldSplit);
    } catch (HookFailedException e) {
      return false; // It has been logged.
    }
  }

  @Override
  public Optional<String> refusal(Candidate candidate) {
    try {
      return ask(candidate, PolicyCalls::canSplit)
          ? Optional.empty()
          : Optional.of("its split policy " + policy.getClass().getName() + " does not allow it");
    } catch (HookFailedException e) {
      return Optional.of(e.getMessage());
    }
  }

  @Override
  public Point point(Candidate candidate) {
    Optional<String> refusal = refusal(candidate);
    if (refusal.isPresent()) {
      return new Point(Optional.empty(), refusal);
    }
    try {
      byte[] row = ask(candidate, PolicyCalls::splitPoint);
      return row == null || row.length == 0
          ? Point.none("its split policy " + policy.getClass().getName() + " names no row")
          : new Point(Optional.of(row), Optional.empty());
    } catch (HookFailedException e) {
      return Point.none(e.getMessage());
    }
  }
}
