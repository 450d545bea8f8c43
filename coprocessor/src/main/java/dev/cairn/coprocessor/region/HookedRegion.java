package dev.cairn.coprocessor.region;

import dev.cairn.coprocessor.environment.Endings;
import dev.cairn.coprocessor.facade.RegionFacade;
import dev.cairn.coprocessor.facade.ServicesOfServer;
import dev.cairn.coprocessor.load.ClassRules;
import dev.cairn.coprocessor.load.CoprocessorLoader;
import dev.cairn.coprocessor.load.HookSet;
import dev.cairn.coprocessor.load.SitePlan;
import dev.cairn.coprocessor.measure.HookCall;
import dev.cairn.coprocessor.measure.MeasuredEnvironment;
import dev.cairn.coprocessor.measure.MeasuredRegionHost;
import dev.cairn.coprocessor.measure.RegionMeter;
import dev.cairn.server.hook.CoprocessorClass;
import dev.cairn.server.hook.HookFailedException;
import dev.cairn.server.regionserver.hooked.AbsentClasses;
import dev.cairn.server.regionserver.hooked.AbsentClasses.Absent;
import dev.cairn.server.regionserver.hooked.LoadedClass;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;

/**
 * HBase's host of a region's coprocessors, which loads, starts, orders and calls them. A hook that
 * throws an unexpected exception fails the call. Its coprocessor stays in force, where HBase would
 * end the server; with {@code hbase.coprocessor.abortonerror} off it is removed, as in HBase.
 * Thread-safe.
 */
final class HookedRegion extends MeasuredRegionHost {
  private final RegionFacade region;

  // Set while HBase's constructor runs, so without initializers, which would run after it.
  private Set<String> overridden;
  private RegionMeter meter;
  private List<LoadedClass> loaded;

  private boolean removesFailing; // set as overridden
  private Endings endings; // set as overridden
  private CoprocessorLoader loader; // set as overridden
  private Map<String, CoprocessorClass> named; // by the class of the object, set as overridden

  /**
   * The class whose hook failed last. Read during the opening, when only one thread calls hooks.
   */
  private volatile Optional<Class<?>> failed;

  private HookedRegion(RegionFacade region, ServicesOfServer services, LoadPlan plan) {
    super(region, services.view(), plan);
    this.region = region;
  }

  /**
   * Loads and starts the coprocessors that the site and the table name.
   *
   * @throws IOException if one of the site's does not run now; then none does
   * @throws HookFailedException if one of the table's cannot run; then none does
   */
  static HookedRegion start(RegionFacade region, ServicesOfServer services, LoadPlan plan)
      throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try {
      HookedRegion started = new HookedRegion(region, services, plan);
      region.hostedBy(started);
      return started;
    } catch (NotStarted e) {
      String message = e.getMessage() + ". " + remedy(region, e.named);
      throw e.named.ofSite()
          ? new IOException(message, e.getCause())
          : new HookFailedException(message, e.getCause());
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Returns what a user can do about a class that does not let a region open. */
  private static String remedy(RegionFacade region, CoprocessorClass one) {
    String table = region.getRegionInfo().getTable().getNameAsString();
    return one.ofSite()
        ? "The region is tried again. Correct the cause, or remove the class from "
            + one.source()
            + " and restart the servers"
        : "Correct the cause, and disable and enable the table; or remove the class: alter '"
            + table
            + "', METHOD => 'table_remove_coprocessor', CLASSNAME => '"
            + one.className()
            + "'";
  }

  /** A class did not start. Thrown through HBase's constructor, which declares no exceptions. */
  private static final class NotStarted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final transient CoprocessorClass named;

    NotStarted(CoprocessorClass named, Throwable cause) {
      super(
          cause instanceof HookFailedException
              ? cause.getMessage() + " (" + named.source() + ")"
              : named.named() + " could not be started: " + cause,
          cause);
      this.named = named;
    }
  }

  /**
   * Loads the planned classes. HBase's constructor calls this before the fields of this class are
   * set, once for each key of the site.
   */
  @Override
  protected void loadSystemCoprocessors(Configuration settings, String key) {
    if (!key.equals(REGION_COPROCESSOR_CONF_KEY)) {
      return;
    }
    overridden = new HashSet<>();
    LoadPlan plan = (LoadPlan) settings;
    removesFailing = plan.removesFailing();
    endings = plan.endings();
    loader = plan.loader();
    named = new HashMap<>();
    failed = Optional.empty();
    meter = plan.meter();
    loaded = new ArrayList<>();
    for (CoprocessorClass one : plan.classes()) {
      try {
        load(one, plan);
      } catch (OutOfMemoryError e) {
        throw e;
      } catch (Throwable e) { // whatever a user's code throws
        stopAll();
        throw new NotStarted(one, e);
      }
    }
  }

  private void load(CoprocessorClass one, LoadPlan plan) throws IOException {
    Class<?> type = plan.loader().load(ClassRules.REGION, one);
    Thread.currentThread().setContextClassLoader(type.getClassLoader());
    RegionCoprocessorEnvironment environment;
    try (HookCall call = meter.begin("start", meter.ofClass(type.getName()))) {
      environment =
          call.measured(() -> checkAndLoadInstance(type, one.priority(), plan.settings(one)));
    }
    named.put(environment.getInstance().getClass().getName(), one);
    coprocEnvironments.add(
        MeasuredEnvironment.of(
            environment, meter.ofClass(environment.getInstance().getClass().getName())));
    // HBase's constructor looks at these after all have started.
    Class<?> made = environment.getInstance().getClass();
    for (; made != null; made = made.getSuperclass()) {
      made.getDeclaredMethods();
    }
    accept(environment.getInstance());
    Set<String> services = new TreeSet<>(((RegionFacade) environment.getRegion()).services());
    loaded.forEach(before -> services.removeAll(before.services()));
    loaded.add(describe(one, environment.getInstance(), services));
  }

  private static LoadedClass describe(
      CoprocessorClass one, RegionCoprocessor instance, Set<String> services) {
    Set<String> hooks = new TreeSet<>();
    observers(instance)
        .forEach(
            observer ->
                HookSet.of(observer.getClass()).hooks().forEach(hook -> hooks.add(hook.name())));
    return new LoadedClass(
        instance.getClass().getName(),
        one.priority(),
        (one.ofSite() ? "the site" : "the table") + one.jar().map(jar -> ", " + jar).orElse(""),
        List.copyOf(hooks),
        List.copyOf(services));
  }

  private static List<Object> observers(RegionCoprocessor instance) {
    List<Object> observers = new ArrayList<>();
    instance.getRegionObserver().ifPresent(observers::add);
    instance.getEndpointObserver().ifPresent(observers::add);
    instance.getBulkLoadObserver().ifPresent(observers::add);
    return observers;
  }

  /** Returns the coprocessors in the order in which they were loaded. */
  List<LoadedClass> loaded() {
    return loaded;
  }

  /** Takes note of hooks; an object with those of a coprocessor may be of another class. */
  private void accept(RegionCoprocessor instance) throws HookFailedException {
    for (Object observer : observers(instance)) {
      Optional<String> reason =
          ClassRules.refusalOfObserver(ClassRules.REGION, instance.getClass(), observer.getClass());
      if (reason.isPresent()) {
        throw new HookFailedException(reason.get(), null);
      }
    }
    Stream.of(instance.getRegionObserver(), instance.getEndpointObserver())
        .flatMap(Optional::stream)
        .flatMap(observer -> HookSet.of(observer.getClass()).hooks().stream())
        .filter(
            hook -> hook.kind() == RegionObserver.class || hook.kind() == EndpointObserver.class)
        .forEach(hook -> overridden.add(hook.name()));
  }

  /**
   * Calls the hooks before the opening.
   *
   * @throws IOException naming the class, what names it, and the remedy
   */
  @Override
  public void preOpen() throws IOException {
    try {
      super.preOpen();
    } catch (IOException e) {
      Optional<CoprocessorClass> culprit = failed.map(type -> named.get(type.getName()));
      throw culprit.isEmpty()
          ? e
          : new IOException(
              culprit.get().named()
                  + " does not let the region open: "
                  + e
                  + ". "
                  + remedy(region, culprit.get()),
              e);
    }
  }

  @Override
  public RegionMeter meter() {
    return meter;
  }

  /** Returns the region as its coprocessors see it. */
  RegionFacade region() {
    return region;
  }

  /** Returns the names of the hooks of regions and endpoints that coprocessors override. */
  Set<String> overridden() {
    return overridden;
  }

  /** Stops all coprocessors that run, without a hook. One that fails does not keep others. */
  void stopAll() {
    loader.absent().ended(this);
    SitePlan.stopAll(coprocEnvironments, this::shutdown);
  }

  /** Once: HBase's host does it after a hook, and {@link #stopAll} where it does not. */
  @Override
  public void shutdown(RegionCoprocessorEnvironment environment) {
    if (coprocEnvironments.remove(environment)) {
      super.shutdown(environment instanceof MeasuredEnvironment one ? one.own() : environment);
    }
  }

  private Absent removed(Class<?> type, Throwable failure) {
    return new Absent(
        AbsentClasses.place(meter.table()),
        type.getName(),
        Optional.ofNullable(named.get(type.getName())).map(CoprocessorClass::source).orElse(""),
        true,
        failure.toString());
  }

  @Override
  protected void handleCoprocessorThrowable(
      RegionCoprocessorEnvironment environment, Throwable failure) throws IOException {
    HookCall.currentFailed();
    Class<?> type = environment.getInstance().getClass();
    failed = Optional.of(type);
    if (failure instanceof IOException known) {
      throw known;
    }
    if (failure instanceof OutOfMemoryError error) {
      throw error;
    }
    String message =
        "The coprocessor "
            + type.getName()
            + " of region "
            + region
            + " failed"
            + (removesFailing ? " and is removed until the region opens again: " : ": ")
            + failure;
    loader.faults().failed(type, message, failure);
    if (removesFailing) {
      endings.remove(type, () -> SitePlan.stopAll(List.of(environment), this::shutdown));
      loader.absent().add(this, removed(type, failure));
    }
    throw new DoNotRetryIOException(message, failure);
  }
}
