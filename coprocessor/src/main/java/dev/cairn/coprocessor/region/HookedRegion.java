package dev.cairn.coprocessor.region;

import dev.cairn.coprocessor.facade.RegionFacade;
import dev.cairn.coprocessor.facade.ServicesOfServer;
import dev.cairn.coprocessor.load.ClassRules;
import dev.cairn.coprocessor.load.HookSet;
import dev.cairn.server.hook.HookFailedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;

/**
 * HBase's host of a region's coprocessors, which loads, starts, orders and calls them. A hook that
 * throws an unexpected exception fails the call, and its coprocessor stays in force; HBase would
 * end the server, or go on without the coprocessor. Thread-safe.
 */
final class HookedRegion extends RegionCoprocessorHost {
  private final RegionFacade region;

  private HookedRegion(RegionFacade region, ServicesOfServer services, Configuration settings) {
    super(region, services.view(), settings);
    this.region = region;
  }

  /**
   * Loads and starts the coprocessors that the site and the table name.
   *
   * @throws HookFailedException if one cannot run; then all are stopped
   */
  static HookedRegion start(RegionFacade region, ServicesOfServer services, Configuration settings)
      throws HookFailedException {
    HookedRegion host = loaded(region, services, settings);
    Optional<HookFailedException> failure =
        services
            .failure()
            .map(one -> new HookFailedException(message(one), one.cause()))
            .or(() -> host.refusal().map(reason -> new HookFailedException(reason, null)));
    if (failure.isPresent()) {
      host.stopAll();
      throw failure.get();
    }
    return host;
  }

  /** Restores the thread's class loader, which HBase's host changes. */
  private static HookedRegion loaded(
      RegionFacade region, ServicesOfServer services, Configuration settings) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try {
      return new HookedRegion(region, services, settings);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static String message(ServicesOfServer.Failure failure) {
    return "a coprocessor could not be started: "
        + (failure.cause() == null ? failure.reason() : failure.cause().toString());
  }

  /**
   * Returns why an object with a coprocessor's hooks cannot run: it overrides a hook that is not
   * called.
   */
  private Optional<String> refusal() {
    for (RegionCoprocessorEnvironment environment : coprocEnvironments) {
      RegionCoprocessor instance = environment.getInstance();
      List<Object> observers = new ArrayList<>();
      instance.getRegionObserver().ifPresent(observers::add);
      instance.getEndpointObserver().ifPresent(observers::add);
      instance.getBulkLoadObserver().ifPresent(observers::add);
      for (Object observer : observers) {
        Optional<String> reason =
            ClassRules.refusalOfObserver(instance.getClass(), observer.getClass());
        if (reason.isPresent()) {
          return reason;
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the region as its coprocessors see it. */
  RegionFacade region() {
    return region;
  }

  /** Returns the names of the hooks of {@code RegionObserver} that a coprocessor overrides. */
  Set<String> overridden() {
    Set<String> names = new HashSet<>();
    for (RegionCoprocessorEnvironment environment : coprocEnvironments) {
      environment
          .getInstance()
          .getRegionObserver()
          .ifPresent(
              observer ->
                  HookSet.of(observer.getClass()).hooks().stream()
                      .filter(hook -> hook.kind() == RegionObserver.class)
                      .forEach(hook -> names.add(hook.name())));
    }
    return names;
  }

  /** Stops all coprocessors without calling hooks. */
  void stopAll() {
    for (RegionCoprocessorEnvironment environment : List.copyOf(coprocEnvironments)) {
      shutdown(environment);
      coprocEnvironments.remove(environment);
    }
  }

  @Override
  protected void handleCoprocessorThrowable(
      RegionCoprocessorEnvironment environment, Throwable failure) throws IOException {
    if (failure instanceof IOException known) {
      throw known;
    }
    if (failure instanceof OutOfMemoryError error) {
      throw error;
    }
    throw new DoNotRetryIOException(
        "The coprocessor "
            + environment.getInstance().getClass().getName()
            + " of region "
            + region
            + " failed: "
            + failure,
        failure);
  }
}
