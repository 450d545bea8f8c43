package dev.cairn.coprocessor.master;

import dev.cairn.coprocessor.environment.Endings;
import dev.cairn.coprocessor.facade.ServicesOfMaster;
import dev.cairn.coprocessor.load.SitePlan;
import dev.cairn.server.hook.HookFailedException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.master.MasterCoprocessorHost;

/**
 * HBase's host of a master's coprocessors, which loads, starts, orders and calls them. A hook that
 * throws an unexpected exception fails the call. Its coprocessor stays in force, where HBase would
 * end the master; with {@code hbase.coprocessor.abortonerror} off it is removed, as in HBase.
 * Thread-safe.
 */
final class HookedMaster extends MasterCoprocessorHost {
  /** Set while HBase's constructor runs, so without an initializer, which would run after it. */
  private Set<String> overridden;

  /** The environments that have stopped. Set as above. */
  private Set<MasterCoprocessorEnvironment> stopped;

  private final SitePlan plan;
  private final Endings endings;

  private HookedMaster(ServicesOfMaster services, SitePlan plan, Endings endings) {
    super(services.view(), plan);
    this.plan = plan;
    this.endings = endings;
  }

  /**
   * Loads and starts the coprocessors of a plan.
   *
   * @throws HookFailedException if one that must run does not; then none does
   */
  static HookedMaster start(ServicesOfMaster services, SitePlan plan, Endings endings)
      throws HookFailedException {
    return SitePlan.host(() -> new HookedMaster(services, plan, endings));
  }

  /** Loads the planned classes, before the fields of this class are set. */
  @Override
  protected void loadSystemCoprocessors(Configuration settings, String key) {
    stopped = ConcurrentHashMap.newKeySet();
    overridden =
        ((SitePlan) settings)
            .<MasterCoprocessorEnvironment>start(
                this::checkAndLoadInstance,
                coprocEnvironments,
                environment -> environment.getInstance().getMasterObserver(),
                this::remove);
  }

  private void remove(MasterCoprocessorEnvironment environment) {
    coprocEnvironments.remove(environment);
    shutdown(environment);
  }

  /** Returns the names of the hooks of {@code MasterObserver} that a coprocessor overrides. */
  Set<String> overridden() {
    return overridden;
  }

  /** Stops all coprocessors that run, without a hook. */
  void stopAll() {
    plan.ended();
    SitePlan.stopAll(coprocEnvironments, this::shutdown);
  }

  /**
   * Stops a coprocessor once: HBase's host does it after a hook, and {@link #stopAll} where it does
   * not. As in HBase, its hooks are called until the master ends.
   */
  @Override
  public void shutdown(MasterCoprocessorEnvironment environment) {
    if (stopped.add(environment)) {
      super.shutdown(environment);
    }
  }

  @Override
  protected void handleCoprocessorThrowable(
      MasterCoprocessorEnvironment environment, Throwable failure) throws IOException {
    throw plan.failure(
        environment,
        failure,
        "the master",
        () ->
            endings.remove(
                environment.getInstance().getClass(),
                () -> SitePlan.stopAll(List.of(environment), this::remove)));
  }
}
