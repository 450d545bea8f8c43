package dev.cairn.coprocessor.server;

import dev.cairn.coprocessor.facade.ServicesOfServer;
import dev.cairn.coprocessor.load.SitePlan;
import dev.cairn.server.hook.HookFailedException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.RegionServerCoprocessorHost;

/**
 * HBase's host of a region server's coprocessors, which loads, starts, orders and calls them. A
 * hook that throws an unexpected exception fails the call, and its coprocessor stays in force.
 * Thread-safe.
 */
final class HookedServer extends RegionServerCoprocessorHost {
  private final ServicesOfServer services;

  /** Set while HBase's constructor runs, so without an initializer, which would run after it. */
  private Set<String> overridden;

  private HookedServer(ServicesOfServer services, SitePlan plan) {
    super(services.view(), plan);
    this.services = services;
  }

  /**
   * Loads and starts the coprocessors.
   *
   * @throws HookFailedException if one that must run does not; then none does
   */
  static HookedServer start(ServicesOfServer services, SitePlan plan) throws HookFailedException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try {
      return new HookedServer(services, plan);
    } catch (SitePlan.NotStarted e) {
      throw e.failure();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Loads the planned classes, before the fields of this class are set. */
  @Override
  protected void loadSystemCoprocessors(Configuration settings, String key) {
    overridden =
        ((SitePlan) settings)
            .<RegionServerCoprocessorEnvironment>start(
                this::checkAndLoadInstance,
                coprocEnvironments,
                environment -> environment.getInstance().getRegionServerObserver(),
                this::shutdown);
  }

  /** Tells whether a coprocessor overrides one of the hooks. */
  boolean hasAny(String... hooks) {
    return List.of(hooks).stream().anyMatch(overridden::contains);
  }

  /** Returns the services that the coprocessors have registered. */
  ServicesOfServer services() {
    return services;
  }

  /** Stops all coprocessors that run, without a hook. */
  void stopAll() {
    SitePlan.stopAll(coprocEnvironments, this::shutdown);
  }

  /** Once: HBase's host does it after {@code preStopRegionServer}. */
  @Override
  public void shutdown(RegionServerCoprocessorEnvironment environment) {
    if (coprocEnvironments.remove(environment)) {
      super.shutdown(environment);
    }
  }

  @Override
  protected void handleCoprocessorThrowable(
      RegionServerCoprocessorEnvironment environment, Throwable failure) throws IOException {
    throw SitePlan.failure(environment, failure, "the region server");
  }
}
