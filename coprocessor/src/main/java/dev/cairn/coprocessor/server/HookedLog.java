package dev.cairn.coprocessor.server;

import dev.cairn.coprocessor.environment.Endings;
import dev.cairn.coprocessor.load.SitePlan;
import dev.cairn.server.hook.HookFailedException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.coprocessor.WALCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.wal.WALCoprocessorHost;
import org.apache.hadoop.hbase.wal.WAL;

/** HBase's host of the coprocessors of logs; otherwise as {@link HookedServer}. */
final class HookedLog extends WALCoprocessorHost {
  private final SitePlan plan;
  private final Endings endings;

  /** Set while HBase's constructor runs, so without an initializer, which would run after it. */
  private Set<String> overridden;

  private HookedLog(WAL log, SitePlan plan, Endings endings) {
    super(log, plan);
    this.plan = plan;
    this.endings = endings;
  }

  /**
   * Loads and starts the coprocessors.
   *
   * @throws HookFailedException if one that must run does not; then none does
   */
  static HookedLog start(SitePlan plan, Endings endings) throws HookFailedException {
    return SitePlan.host(() -> new HookedLog(log(), plan, endings));
  }

  /** Returns the log as coprocessors see it; all its methods fail by name. */
  private static WAL log() {
    return (WAL)
        Proxy.newProxyInstance(
            HookedLog.class.getClassLoader(),
            new Class<?>[] {WAL.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "equals" -> proxy == arguments[0];
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "toString" -> "the logs of the region server";
                  default ->
                      throw new UnsupportedOperationException(
                          "WAL." + method.getName() + " is not served by Cairn");
                });
  }

  /** Loads the planned classes, before the fields of this class are set. */
  @Override
  protected void loadSystemCoprocessors(Configuration settings, String key) {
    overridden =
        ((SitePlan) settings)
            .<WALCoprocessorEnvironment>start(
                this::checkAndLoadInstance,
                coprocEnvironments,
                environment -> environment.getInstance().getWALObserver(),
                this::shutdown);
  }

  /** Tells whether a coprocessor overrides a hook. */
  boolean has(String hook) {
    return overridden.contains(hook);
  }

  /** Stops all coprocessors that run. */
  void stopAll() {
    plan.ended();
    SitePlan.stopAll(coprocEnvironments, this::shutdown);
  }

  @Override
  public void shutdown(WALCoprocessorEnvironment environment) {
    if (coprocEnvironments.remove(environment)) {
      super.shutdown(environment);
    }
  }

  @Override
  protected void handleCoprocessorThrowable(
      WALCoprocessorEnvironment environment, Throwable failure) throws IOException {
    throw plan.failure(
        environment,
        failure,
        "the log",
        () ->
            endings.remove(
                environment.getInstance().getClass(),
                () -> SitePlan.stopAll(List.of(environment), this::shutdown)));
  }
}
