package dev.cairn.coprocessor.split;

import dev.cairn.server.hook.HookFailedException;
import dev.cairn.server.split.SplitPolicy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.PolicyCalls;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A split policy of HBase's API in a class of the user's own. If it throws, the region is not split
 * this time. Thread-safe: it is asked by one thread at a time.
 */
public final class UserPolicy implements SplitPolicy.OfUser {
  private static final Logger LOG = LoggerFactory.getLogger(UserPolicy.class);
  private static final byte[] NONE = {};

  private final RegionSplitPolicy policy;
  private final PolicyRegion region;

  private UserPolicy(RegionSplitPolicy policy, PolicyRegion region) {
    this.policy = policy;
    this.region = region;
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
    try {
      RegionSplitPolicy policy = type.getDeclaredConstructor().newInstance();
      PolicyRegion region = PolicyRegion.of(info, descriptor);
      PolicyCalls.configure(policy, settings, region);
      return new UserPolicy(policy, region);
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) { // whatever a user's code throws
      throw new HookFailedException(
          "the split policy " + type.getName() + " could not be started: " + e, e);
    }
  }

  @Override
  public synchronized boolean shouldSplit(Candidate candidate) {
    region.show(RegionState.of(candidate));
    try {
      return PolicyCalls.shouldSplit(policy);
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) { // whatever a user's code throws
      LOG.warn("{} is not split, because its split policy failed", region, e);
      return false;
    }
  }

  @Override
  public synchronized byte[] restrict(byte[] row) {
    region.show(region.shown().at(row));
    try {
      byte[] allowed = PolicyCalls.splitPoint(policy);
      return allowed == null ? NONE : allowed;
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) { // whatever a user's code throws
      LOG.warn("{} is not split, because its split policy failed", region, e);
      return NONE;
    }
  }
}
