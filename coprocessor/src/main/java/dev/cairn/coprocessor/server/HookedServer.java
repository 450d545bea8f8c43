package dev.cairn.coprocessor.server;

import dev.cairn.coprocessor.facade.ServicesOfServer;
import dev.cairn.coprocessor.load.ClassRules;
import dev.cairn.coprocessor.load.HookSet;
import dev.cairn.coprocessor.load.SitePlan;
import dev.cairn.server.hook.HookFailedException;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionServerObserver;
import org.apache.hadoop.hbase.regionserver.RegionServerCoprocessorHost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's host of a region server's coprocessors, which loads, starts, orders and calls them. A
 * hook that throws an unexpected exception fails the call, and its coprocessor stays in force.
 * Thread-safe.
 */
final class HookedServer extends RegionServerCoprocessorHost {
  private static final Logger LOG = LoggerFactory.getLogger(HookedServer.class);

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
    overridden = new HashSet<>();
    ((SitePlan) settings)
        .start(
            new SitePlan.Host<RegionServerCoprocessorEnvironment>() {
              @Override
              public RegionServerCoprocessorEnvironment start(
                  Class<?> type, int priority, Configuration seen) throws IOException {
                RegionServerCoprocessorEnvironment environment =
                    checkAndLoadInstance(type, priority, seen);
                coprocEnvironments.add(environment);
                return environment;
              }

              @Override
              public void accept(RegionServerCoprocessorEnvironment environment)
                  throws HookFailedException {
                note(environment);
              }

              @Override
              public void stop(RegionServerCoprocessorEnvironment environment) {
                shutdown(environment);
              }

              @Override
              public void stopAll() {
                HookedServer.this.stopAll();
              }
            });
  }

  private void note(RegionServerCoprocessorEnvironment environment) throws HookFailedException {
    Optional<RegionServerObserver> observer = environment.getInstance().getRegionServerObserver();
    if (observer.isEmpty()) {
      return;
    }
    Class<?> type = observer.get().getClass();
    Optional<String> reason =
        ClassRules.refusalOfObserver(ClassRules.SERVER, environment.getInstance().getClass(), type);
    if (reason.isPresent()) {
      throw new HookFailedException(reason.get(), null);
    }
    HookSet.of(type).hooks().stream()
        .filter(hook -> hook.kind() == RegionServerObserver.class)
        .forEach(hook -> overridden.add(hook.name()));
  }

  /** Tells whether a coprocessor overrides one of the hooks. */
  boolean hasAny(String... hooks) {
    return List.of(hooks).stream().anyMatch(overridden::contains);
  }

  /** Returns the services that the coprocessors have registered. */
  ServicesOfServer services() {
    return services;
  }

  /** Stops all coprocessors that run, without a hook. One that fails does not keep others. */
  void stopAll() {
    for (RegionServerCoprocessorEnvironment environment : List.copyOf(coprocEnvironments)) {
      try {
        shutdown(environment);
      } catch (OutOfMemoryError e) {
        throw e;
      } catch (Throwable e) { // whatever a user's code throws
        LOG.warn(
            "The coprocessor {} could not be stopped", environment.getInstance().getClass(), e);
      }
    }
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
