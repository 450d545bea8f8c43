package dev.cairn.coprocessor.server;

import dev.cairn.coprocessor.environment.Endings;
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
 * hook that throws an unexpected exception fails the call. Its coprocessor stays in force, where
 * HBase would end the server; with {@code hbase.coprocessor.abortonerror} off it is removed, as in
 * HBase. Thread-safe.
 */
final class HookedServer extends RegionServerCoprocessorHost {
  private final ServicesOfServer services;

  private final SitePlan plan;
  private final Endings endings;

  /** Set while HBase's constructor runs, so without an initializer, which would run after it. */
  private Set<String> overridden;

  private HookedServer(ServicesOfServer services, SitePlan plan, Endings endings) {
    super(services.view(), plan);
    this.plan = plan;
    this.endings = endings;
    this.services = services;
  }

  /**
   * Loads and starts the coprocessors.
   *
   * @throws HookFailedException if one that must run does not; then none does
   */
  static HookedServer start(ServicesOfServer services, SitePlan plan, Endings endings)
      throws HookFailedException {
    return SitePlan.host(() -> new HookedServer(services, plan, endings));
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
    plan.ended();
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
    throw plan.failure(
        environment,
        failure,
        "the region server",
        () ->
            endings.remove(
                environment.getInstance().getClass(),
                () -> SitePlan.stopAll(List.of(environment), this::shutdown)));
  }
}
