package dev.cairn.server.master.quota;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.QuotaContents;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.metrics.Histogram;
import dev.cairn.server.quota.QuotaSchedule;
import dev.cairn.server.quota.QuotaTarget;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuotaSnapshot;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceViolationPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares tables and namespaces with their space quotas periodically. A table's usage is the sum
 * of the region sizes that the region servers report, or the size of its directory while it is
 * disabled, plus the additional space of its snapshots. The results lie in {@code hbase:quota},
 * where region servers find the violations to enforce. Tables are disabled if their quota says so,
 * and enabled when it is not exceeded any more. Owned by the loop.
 */
public final class SpaceObserver {
  private static final Logger LOG = LoggerFactory.getLogger(SpaceObserver.class);

  private final MasterLoop loop;
  private final Clock clock;
  private final QuotaSchedule schedule;
  private final QuotaSettings quotas;
  private final Tables tables;
  private final Assignments assignments;
  private final SpaceMeasure measure;
  private final TableSwitch tableSwitch;

  /** The sizes that region servers reported, by the region's encoded name. */
  private final Map<String, Long> regions = new HashMap<>();

  private Map<TableName, Map<String, Long>> snapshots = Map.of();
  private Optional<Long> snapshotsMeasuredNanos = Optional.empty();
  private SpaceStates states = SpaceStates.NONE;
  private String lastProblem = "";
  private long begunNanos;
  private final Histogram times = new Histogram();
  private final Histogram snapshotTimes = new Histogram();

  /** Enables and disables tables. */
  @FunctionalInterface
  public interface TableSwitch {
    /** Begins to bring a table into {@code goal}, which is ENABLED or DISABLED. */
    void turn(TableName table, State goal);
  }

  /** Creates it. It observes nothing before {@link #start}. */
  public SpaceObserver(
      MasterLoop loop,
      Clock clock,
      QuotaSchedule schedule,
      QuotaSettings quotas,
      Tables tables,
      Assignments assignments,
      SpaceMeasure measure,
      TableSwitch tableSwitch) {
    this.loop = loop;
    this.clock = clock;
    this.schedule = schedule;
    this.quotas = quotas;
    this.tables = tables;
    this.assignments = assignments;
    this.measure = measure;
    this.tableSwitch = tableSwitch;
  }

  /** Begins to observe, if there are quotas. */
  public void start() {
    if (schedule.enabled()) {
      loop.after(schedule.observation(), this::observe);
    }
  }

  /**
   * Takes note of the sizes of regions.
   *
   * @param sizes bytes by the encoded name of the region; those of unknown regions are ignored
   */
  public void reported(Map<String, Long> sizes) {
    sizes.forEach(
        (region, bytes) -> {
          if (assignments.find(region).isPresent()) {
            regions.put(region, Math.max(0, bytes));
          }
        });
  }

  /** Returns the bytes of each table with a reported region. */
  public Map<TableName, Long> tableSizes() {
    Map<TableName, Long> sizes = new TreeMap<>();
    for (Tables.Table table : tables.all()) {
      for (RegionInfo region : assignments.regionsOf(table.name())) {
        Optional.ofNullable(regions.get(region.encodedName()))
            .ifPresent(bytes -> sizes.merge(table.name(), bytes, Long::sum));
      }
    }
    return sizes;
  }

  /** Returns usage and limit of each table that has a limit of its own. */
  public Map<TableName, SpaceQuotaSnapshot> tableStates() {
    return states.tables();
  }

  /** Returns usage and limit of each namespace that has a limit. */
  public Map<String, SpaceQuotaSnapshot> namespaceStates() {
    return states.namespaces();
  }

  /**
   * Returns if a table may be enabled.
   *
   * @throws AccessDeniedException if it is disabled because it exceeds a limit
   */
  public void checkEnable(TableName table) throws AccessDeniedException {
    if (disables(states.enforced().get(table))) {
      throw new AccessDeniedException(
          "Enabling the table '" + table + "' is disallowed due to a violated space quota.");
    }
  }

  /** Returns the number of regions whose sizes are known. */
  public int knownRegions() {
    return regions.size();
  }

  /** Returns how long the comparisons with the limits took. Thread-safe. */
  public Histogram times() {
    return times;
  }

  /** Returns how long the measurements of snapshots took. Thread-safe. */
  public Histogram snapshotTimes() {
    return snapshotTimes;
  }

  private void observe() {
    begunNanos = clock.nanoTime();
    quotas.readAll(this::measure, this::failed);
  }

  private void failed(IOException cause) {
    String problem = cause.toString();
    if (!problem.equals(lastProblem)) {
      LOG.info("The limits on space are not compared with tables now: {}", problem);
    }
    lastProblem = problem;
    loop.after(schedule.observation(), this::observe);
  }

  /** The sizes found in the root directory. */
  private record Found(
      Map<TableName, Long> closed, Optional<Map<TableName, Map<String, Long>>> snapshots) {}

  private void measure(QuotaContents contents) {
    Set<TableName> present =
        tables.all().stream().map(Tables.Table::name).collect(Collectors.toSet());
    SpaceRules rules = SpaceRules.of(contents.settings(), present);
    Set<TableName> closed = new HashSet<>(rules.concerned());
    closed.removeIf(this::isEnabled);
    long now = clock.nanoTime();
    boolean due =
        snapshotsMeasuredNanos
            .map(then -> now - then >= schedule.snapshots().toNanos())
            .orElse(true);
    loop.perform(
        Lane.SPACE,
        () ->
            new Found(
                measure.tables(closed),
                due ? Optional.of(measureSnapshots(rules.concerned())) : Optional.empty()),
        found -> {
          if (found.snapshots().isPresent()) {
            snapshots = found.snapshots().get();
            snapshotsMeasuredNanos = Optional.of(now);
          }
          try {
            compare(contents, rules, found.closed());
          } catch (IOException e) {
            failed(e);
          }
        },
        this::failed);
  }

  /** Measures the snapshots of tables. Blocks. */
  private Map<TableName, Map<String, Long>> measureSnapshots(Set<TableName> concerned)
      throws IOException {
    long begun = clock.nanoTime();
    Map<TableName, Map<String, Long>> sizes = measure.snapshots(concerned);
    snapshotTimes.record(clock.nanoTime() - begun);
    return sizes;
  }

  private boolean isEnabled(TableName table) {
    return tables.find(table).filter(Tables.Table::isEnabled).isPresent();
  }

  private void compare(QuotaContents contents, SpaceRules rules, Map<TableName, Long> closed)
      throws IOException {
    forgetRegions();
    Map<TableName, SpaceQuotaSnapshot> before = contents.spaceStates();
    states =
        SpaceStates.of(
            rules,
            usage(rules, closed),
            new SpaceStates(states.tables(), states.namespaces(), before));
    turnTables(before);
    Map<QuotaTarget, Optional<byte[]>> changes = changes(contents.usage(), usageCells(rules));
    if (changes.isEmpty()) {
      observedAll();
    } else {
      quotas.writeUsage(changes, Completion.of(this::observedAll, this::failed));
    }
  }

  private void observedAll() {
    lastProblem = "";
    times.record(clock.nanoTime() - begunNanos);
    loop.after(schedule.observation(), this::observe);
  }

  private void forgetRegions() {
    Set<String> present = new HashSet<>();
    for (Tables.Table table : tables.all()) {
      assignments.regionsOf(table.name()).forEach(region -> present.add(region.encodedName()));
    }
    regions.keySet().retainAll(present);
  }

  /** Returns the bytes of each table whose usage is known. */
  private Map<TableName, Long> usage(SpaceRules rules, Map<TableName, Long> closed) {
    Map<TableName, Long> usage = new HashMap<>();
    for (TableName table : rules.concerned()) {
      size(table, closed).ifPresent(bytes -> usage.put(table, bytes + snapshotBytes(table)));
    }
    return usage;
  }

  private Optional<Long> size(TableName table, Map<TableName, Long> closed) {
    if (!isEnabled(table)) {
      return Optional.ofNullable(closed.get(table));
    }
    List<RegionInfo> all = assignments.regionsOf(table);
    List<Long> known =
        all.stream()
            .flatMap(region -> Optional.ofNullable(regions.get(region.encodedName())).stream())
            .toList();
    return known.isEmpty() || known.size() < all.size() * schedule.reported()
        ? Optional.empty()
        : Optional.of(known.stream().mapToLong(Long::longValue).sum());
  }

  private long snapshotBytes(TableName table) {
    return snapshots.getOrDefault(table, Map.of()).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  private void turnTables(Map<TableName, SpaceQuotaSnapshot> before) {
    states
        .enforced()
        .forEach(
            (table, state) -> {
              if (disables(state) && isEnabled(table)) {
                LOG.warn("{} is disabled: it exceeds its limit on space", table);
                tableSwitch.turn(table, State.DISABLED);
              }
            });
    before.forEach(
        (table, state) -> {
          boolean closed =
              tables.find(table).filter(one -> one.state() == State.DISABLED).isPresent();
          if (disables(state) && closed && !disables(states.enforced().get(table))) {
            LOG.info("{} is enabled: it does not exceed its limit on space any more", table);
            tableSwitch.turn(table, State.ENABLED);
          }
        });
  }

  private static boolean disables(SpaceQuotaSnapshot state) {
    return SpaceStates.isExceeded(state)
        && state.getQuotaStatus().getViolationPolicy() == SpaceViolationPolicy.DISABLE;
  }

  /** Returns the cells of usages for {@code hbase:quota}. */
  private Map<QuotaTarget, byte[]> usageCells(SpaceRules rules) {
    Map<QuotaTarget, byte[]> cells = new HashMap<>();
    states
        .enforced()
        .forEach((table, state) -> cells.put(QuotaTarget.state(table), state.toByteArray()));
    Map<String, Long> ofNamespaces = new HashMap<>();
    snapshots.forEach(
        (table, sizes) -> {
          if (rules.concerned().contains(table)) {
            sizes.forEach(
                (name, bytes) -> cells.put(QuotaTarget.snapshotSize(table, name), size(bytes)));
            if (rules.namespaces().containsKey(table.namespace())) {
              ofNamespaces.merge(table.namespace(), snapshotBytes(table), Long::sum);
            }
          }
        });
    ofNamespaces.forEach(
        (namespace, bytes) -> cells.put(QuotaTarget.snapshotSize(namespace), size(bytes)));
    return cells;
  }

  private static byte[] size(long bytes) {
    return SpaceQuotaSnapshot.newBuilder().setQuotaUsage(bytes).build().toByteArray();
  }

  private static Map<QuotaTarget, Optional<byte[]>> changes(
      Map<QuotaTarget, byte[]> before, Map<QuotaTarget, byte[]> after) {
    Map<QuotaTarget, Optional<byte[]>> changes = new HashMap<>();
    after.forEach(
        (target, value) -> {
          if (!Arrays.equals(value, before.get(target))) {
            changes.put(target, Optional.of(value));
          }
        });
    before.keySet().stream()
        .filter(target -> !after.containsKey(target))
        .forEach(target -> changes.put(target, Optional.empty()));
    return changes;
  }
}
