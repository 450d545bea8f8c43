package dev.cairn.server.hook;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.TableSupport;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SecurityRules;
import dev.cairn.server.master.hook.MasterHookSource;
import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.hook.MasterView;
import dev.cairn.server.master.table.CoprocessorVerdicts.Refusal;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.regionserver.hooked.AbsentClasses;
import dev.cairn.server.regionserver.hooked.AbsentClasses.Absent;
import dev.cairn.server.regionserver.hooked.HookTimes;
import dev.cairn.server.regionserver.hosted.PreparedRegion;
import dev.cairn.server.split.SplitPolicies;
import dev.cairn.server.split.SplitPolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which coprocessors of a process's site and tables run, and delegates to the module {@code
 * cairn-coprocessor}, which runs them and the users' split policies that tables name. Loads the
 * module when the first class that is not built in is named. Thread-safe.
 */
public final class HookModule implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HookModule.class);

  private final ServerHost host;

  /** The classes that the site names for regions, and that cannot be loaded. */
  private final Set<String> leftOut = ConcurrentHashMap.newKeySet();

  private Optional<ServerHooks> hooks = Optional.empty();
  private boolean closed;

  /** Creates it for a process. Loads nothing. */
  public HookModule(ServerHost host) {
    this.host = host;
  }

  /** Returns the counts of all hooks. */
  public HookTimes times() {
    return host.times();
  }

  /** Returns the sources of the metrics that coprocessors have registered. Loads nothing. */
  public Collection<MetricSource> metrics() {
    return loadedBefore().map(ServerHooks::metrics).orElse(List.of());
  }

  /** Returns the classes that are left out or removed. */
  public AbsentClasses absent() {
    return host.absent();
  }

  /** Returns the message for calls of a table that is not served for {@code reason}. */
  public static String unservable(TableSchema schema, String reason) {
    return "Table " + schema.name() + " cannot be served by Cairn: " + reason;
  }

  /**
   * Checks that the coprocessors of all regions can run. One that cannot is left out if the site
   * allows it.
   *
   * @throws ConfigException naming the key and the class
   */
  public void checkSite() {
    for (ConfigKey<String> key : List.of(HookKeys.REGION, HookKeys.USER_REGION)) {
      for (CoprocessorClass one : named(key)) {
        check(key, ServerHooks.Kind.REGION, one);
      }
    }
  }

  /**
   * Checks that the coprocessors of a whole site can be loaded, those of its servers included. Does
   * not start them.
   *
   * @throws ConfigException naming the key and the class
   */
  public void checkWholeSite() {
    checkSite();
    Map<ConfigKey<String>, ServerHooks.Kind> ofServers =
        Map.of(
            HookKeys.MASTER, ServerHooks.Kind.MASTER,
            HookKeys.SERVER, ServerHooks.Kind.SERVER,
            HookKeys.WAL, ServerHooks.Kind.LOG);
    ofServers.forEach((key, kind) -> ofServers(key).forEach(one -> check(key, kind, one)));
  }

  private void check(ConfigKey<String> key, ServerHooks.Kind kind, CoprocessorClass one) {
    Optional<String> reason = reason(kind, List.of(one));
    if (reason.isEmpty()) {
      return;
    }
    String message = key.name() + ": " + reason.get();
    if (host.config().get(HookKeys.ABORT_ON_ERROR)) {
      throw new ConfigException(
          message + ". If the coprocessor is not needed, remove it from this key");
    }
    LOG.error("{}. It is left out", message);
    if (kind == ServerHooks.Kind.REGION) {
      leftOut.add(one.className());
      host.absent()
          .add(one, new Absent("regions", one.className(), key.name(), false, reason.get()));
    }
  }

  /** Returns a message that says why a table's coprocessors cannot run; empty if they can. */
  public Optional<String> refusal(TableSchema schema) {
    try {
      List<CoprocessorClass> classes = named(schema);
      return guard(classes).or(() -> reason(ServerHooks.Kind.REGION, classes));
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
  }

  /**
   * Returns a message that says why a table cannot get its coprocessors or its split policy by a
   * change; empty if it can.
   */
  public Optional<Refusal> refusalOfChange(TableSchema schema) {
    return refusal(schema)
        .map(
            reason ->
                new Refusal(
                    "Table " + schema.name() + " cannot have these coprocessors: " + reason, false))
        .or(
            () ->
                SplitPolicies.classOfUser(schema)
                    .flatMap(
                        named ->
                            refusalOfSplitPolicy(named)
                                .map(reason -> unloadable(schema, named) + ": " + reason))
                    .map(reason -> new Refusal(reason, true)));
  }

  /** Tells whether {@link #refusalOfChange} depends on a table's attribute of this name. */
  public static boolean concerns(String attribute) {
    return CoprocessorClass.isAttribute(attribute)
        || attribute.equals(HookKeys.INCLUDED_CLASSES.name())
        || SplitPolicies.namesPolicy(attribute);
  }

  private static String unloadable(TableSchema schema, String policy) {
    return "Unable to load configured region split policy '"
        + policy
        + "' for table '"
        + schema.name()
        + "'";
  }

  private Optional<String> refusalOfSplitPolicy(String className) {
    Optional<ServerHooks> running = loaded();
    return running.isPresent()
        ? running.get().refusalOfSplitPolicy(className)
        : Optional.of(missing("split policy", className));
  }

  /**
   * Creates the split policy of a region whose table names a {@linkplain SplitPolicies#classOfUser
   * class of the user's own}. If the class cannot be used, the region is not split.
   *
   * @return empty if the table names none
   */
  public Optional<SplitPolicy> splitPolicy(RegionInfo info, TableSchema schema) {
    Optional<String> named = SplitPolicies.classOfUser(schema);
    if (named.isEmpty() || info.replicaId() != 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          loaded()
              .orElseThrow(
                  () -> new HookFailedException(missing("split policy", named.get()), null))
              .splitPolicy(named.get(), info, schema));
    } catch (HookFailedException e) {
      LOG.error("{} is not split: {}", info, e.getMessage(), e.getCause());
      return Optional.of(new SplitPolicy.Unusable(e.getMessage()));
    }
  }

  private static String missing(String kind, String className) {
    return "the "
        + kind
        + " "
        + className
        + " needs the module cairn-coprocessor, which is not on the class path";
  }

  private Optional<String> reason(ServerHooks.Kind kind, List<CoprocessorClass> classes) {
    if (classes.isEmpty()) {
      return Optional.empty();
    }
    return loaded()
        .map(running -> running.refusal(kind, classes))
        .orElseGet(() -> Optional.of(missing("coprocessor", classes.get(0).className())));
  }

  /** Refuses classes that control access: callers are not authenticated. */
  private static Optional<String> guard(List<CoprocessorClass> classes) {
    return classes.stream()
        .map(CoprocessorClass::className)
        .filter(SecurityRules::guardsAccess)
        .findFirst()
        .map(
            name ->
                "it has the coprocessor "
                    + name
                    + ", which controls access; Cairn does not authenticate its clients. Serve it"
                    + " with Apache HBase, or remove the coprocessor");
  }

  /** Returns the hooks of a region that is about to open; empty if it has none. */
  public Optional<RegionHooks> region(RegionInfo info, TableSchema schema, RegionHost server) {
    List<CoprocessorClass> classes = of(info, schema);
    return classes.isEmpty()
        ? Optional.empty()
        : loaded().map(running -> running.region(info, schema, server, classes));
  }

  /** Loads and starts coprocessors. */
  @FunctionalInterface
  private interface Start<T> {
    T start(ServerHooks running, List<CoprocessorClass> classes, boolean complete)
        throws HookFailedException;
  }

  /**
   * Loads and starts the coprocessors of a region server. The caller closes them.
   *
   * @throws HookFailedException naming the key, the class and the cause
   */
  public RegionServerHooks regionServer(RegionHost server) throws HookFailedException {
    return started(
            HookKeys.SERVER,
            (running, classes, complete) -> running.regionServer(server, classes, complete))
        .orElse(RegionServerHooks.NONE);
  }

  /**
   * Loads and starts the coprocessors of a region server's logs. The caller closes them.
   *
   * @return empty if the site names none
   * @throws HookFailedException naming the key, the class and the cause
   */
  public Optional<LogHooks> log(RegionHost server) throws HookFailedException {
    return started(
        HookKeys.WAL, (running, classes, complete) -> running.log(server, classes, complete));
  }

  private <T> Optional<T> started(ConfigKey<String> key, Start<T> start)
      throws HookFailedException {
    List<CoprocessorClass> classes = ofServers(key);
    if (classes.isEmpty()) {
      return Optional.empty();
    }
    try {
      Optional<ServerHooks> running = loaded();
      if (running.isEmpty()) {
        throw new HookFailedException(missing("coprocessor", classes.get(0).className()), null);
      }
      return Optional.of(
          start.start(running.get(), classes, host.config().get(HookKeys.ABORT_ON_ERROR)));
    } catch (HookFailedException e) {
      throw new HookFailedException(key.name() + ": " + e.getMessage(), e);
    }
  }

  /** Returns the enabled coprocessors of a key that are not built in, each once. */
  private List<CoprocessorClass> ofServers(ConfigKey<String> key) {
    List<CoprocessorClass> classes = new ArrayList<>();
    if (host.config().get(HookKeys.ENABLED)) {
      addNew(classes, HookKeys.classes(host.config(), key));
      classes.removeIf(one -> HookKeys.BUILT_IN_OF_MASTER.contains(one.className()));
    }
    return List.copyOf(classes);
  }

  /** Returns what starts the coprocessors of a master. */
  public MasterHookSource master() {
    boolean used = !ofServers(HookKeys.MASTER).isEmpty();
    return new MasterHookSource() {
      @Override
      public boolean isUsed() {
        return used;
      }

      @Override
      public MasterHooks open(MasterView view) throws HookFailedException {
        return started(
                HookKeys.MASTER,
                (running, classes, complete) -> running.master(view, classes, complete))
            .orElse(MasterHooks.NONE);
      }
    };
  }

  /** Returns a prepared region with its hooks around it. */
  public static PreparedRegion over(
      RegionInfo info, TableSchema schema, PreparedRegion prepared, RegionHooks hooks) {
    return new HookedPreparation(info, schema, prepared, hooks);
  }

  /**
   * Returns the coprocessors of a region in the order in which they are loaded, as HBase does: what
   * the site names twice is loaded once, and so is what a table names again, if the site says so.
   */
  private List<CoprocessorClass> of(RegionInfo info, TableSchema schema) {
    List<CoprocessorClass> ofSite = new ArrayList<>(named(HookKeys.REGION));
    if (!info.table().namespace().equals(TableName.SYSTEM_NAMESPACE)) {
      ofSite.addAll(named(HookKeys.USER_REGION));
    }
    List<CoprocessorClass> all = new ArrayList<>();
    addNew(all, ofSite);
    if (host.config().get(HookKeys.SKIP_DUPLICATES)) {
      addNew(all, named(schema));
    } else {
      all.addAll(named(schema));
    }
    return List.copyOf(all);
  }

  private static void addNew(List<CoprocessorClass> all, List<CoprocessorClass> more) {
    for (CoprocessorClass one : more) {
      if (all.stream().noneMatch(other -> other.className().equals(one.className()))) {
        all.add(one);
      }
    }
  }

  private List<CoprocessorClass> named(ConfigKey<String> key) {
    return withoutBuiltIn(HookKeys.regionClasses(host.config(), key.name())).stream()
        .filter(one -> !leftOut.contains(one.className()))
        .toList();
  }

  private List<CoprocessorClass> named(TableSchema schema) {
    return HookKeys.runsTableClasses(host.config())
        ? withoutBuiltIn(CoprocessorClass.ofTable(schema))
        : List.of();
  }

  private static List<CoprocessorClass> withoutBuiltIn(List<CoprocessorClass> classes) {
    return classes.stream()
        .filter(one -> !one.className().equals(TableSupport.MULTI_ROW_MUTATION))
        .toList();
  }

  /**
   * Returns the module; empty if it is not on the class path.
   *
   * @throws IllegalStateException if it is closed
   */
  private synchronized Optional<ServerHooks> loaded() {
    if (closed) {
      throw new IllegalStateException("the server is going down");
    }
    if (hooks.isEmpty()) {
      hooks =
          ServiceLoader.load(HookProvider.class, HookModule.class.getClassLoader())
              .findFirst()
              .map(provider -> provider.open(host));
    }
    return hooks;
  }

  private synchronized Optional<ServerHooks> loadedBefore() {
    return hooks;
  }

  /** Closes what coprocessors shared, after all regions have closed. */
  @Override
  public synchronized void close() {
    closed = true;
    hooks.ifPresent(ServerHooks::close);
    hooks = Optional.empty();
  }
}
