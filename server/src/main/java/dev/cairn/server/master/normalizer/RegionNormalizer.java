package dev.cairn.server.master.normalizer;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.chore.Switches;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.normalizer.NormalizationRules.Plan;
import dev.cairn.server.master.normalizer.NormalizationRules.SizedRegion;
import dev.cairn.server.master.remote.OnlineServers;
import dev.cairn.server.master.remote.RegionServerCalls;
import dev.cairn.server.master.table.Tables;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits and merges the regions of tables with normalization enabled until they are about equally
 * large. Runs periodically and on request, one table at a time. Owned by the loop.
 */
public final class RegionNormalizer {
  private static final Logger LOG = LoggerFactory.getLogger(RegionNormalizer.class);
  private static final long MB = 1L << 20;

  private final MasterLoop loop;
  private final Clock clock;
  private final Tables tables;
  private final Assignments assignments;
  private final OnlineServers servers;
  private final RegionServerCalls calls;
  private final Switches switches;
  private final HookedShapes shapes;
  private final NormalizerSettings settings;

  /** The tables still to be normalized. */
  private final Set<TableName> queue = new LinkedHashSet<>();

  private final LoadHistory history = new LoadHistory();
  private final LongAdder splitPlans = new LongAdder();
  private final LongAdder mergePlans = new LongAdder();
  private boolean running;

  /** Creates a normalizer that does nothing yet. */
  public RegionNormalizer(
      MasterLoop loop,
      Clock clock,
      Tables tables,
      Assignments assignments,
      OnlineServers servers,
      RegionServerCalls calls,
      Switches switches,
      HookedShapes shapes,
      NormalizerSettings settings) {
    this.loop = loop;
    this.clock = clock;
    this.tables = tables;
    this.assignments = assignments;
    this.servers = servers;
    this.calls = calls;
    this.switches = switches;
    this.shapes = shapes;
    this.settings = settings;
  }

  /** Starts the periodic runs. */
  public void start() {
    loop.after(
        settings.period(),
        () -> {
          normalize(tables.all().stream().map(Tables.Table::name).toList());
          start();
        });
  }

  /**
   * Starts to normalize tables, and returns. Skips disabled tables, tables without normalization,
   * and system tables.
   *
   * @return false if the normalizer's switch is off
   */
  public boolean normalize(Collection<TableName> wanted) {
    if (!switches.isOn(Switch.NORMALIZER)) {
      return false;
    }
    queue.addAll(wanted);
    if (!running) {
      running = true;
      next();
    }
    return true;
  }

  /** Returns how many splits were planned. Thread-safe. */
  public long splitPlans() {
    return splitPlans.sum();
  }

  /** Returns how many merges were planned. Thread-safe. */
  public long mergePlans() {
    return mergePlans.sum();
  }

  private void next() {
    Optional<TableName> name = queue.stream().findFirst();
    if (name.isEmpty()) {
      running = false;
      return;
    }
    queue.remove(name.get());
    look(name.get(), true);
  }

  /**
   * Asks region servers for the loads of regions, and makes plans.
   *
   * @param again whether to repeat this later if the plans depend on unknown loads, as after the
   *     start of the master
   */
  private void look(TableName name, boolean again) {
    Optional<NormalizationRules> rules = tables.find(name).flatMap(this::rules);
    if (rules.isEmpty()) {
      loop.post(this::next);
      return;
    }
    List<ServerName> asked = List.copyOf(servers.all());
    loop.perform(
        Lane.REQUESTS,
        () -> loads(asked),
        loads -> {
          List<SizedRegion> regions = regions(name, loads);
          Instant now = Instant.ofEpochMilli(clock.currentTimeMillis());
          if (again && rules.get().needsRates(regions, now)) {
            Duration pause = Duration.ofMillis(rules.get().settings().load().periodMillis());
            loop.after(pause, () -> look(name, false));
            return;
          }
          List<Plan> plans = rules.get().plan(regions, now);
          LOG.debug("Plans for {}: {}", name, plans);
          submit(new ArrayDeque<>(plans));
        },
        cause -> {
          LOG.info("{} is not normalized this time: {}", name, cause.toString());
          next();
        });
  }

  private Optional<NormalizationRules> rules(Tables.Table table) {
    boolean isSystem = table.name().namespace().equals(TableName.SYSTEM_NAMESPACE);
    if (isSystem || !table.isEnabled()) {
      return Optional.empty();
    }
    try {
      NormalizationRules rules =
          NormalizationRules.of(
              table.schema(), settings, switches.isOn(Switch.SPLIT), switches.isOn(Switch.MERGE));
      return rules.settings().enabled() ? Optional.of(rules) : Optional.empty();
    } catch (IllegalArgumentException e) {
      LOG.warn("{} is not normalized: {}", table.name(), e.getMessage());
      return Optional.empty();
    }
  }

  /** Asks the servers. Blocks. */
  private Map<ByteString, RegionLoad> loads(List<ServerName> asked) throws IOException {
    Map<ByteString, RegionLoad> loads = new HashMap<>();
    for (ServerName server : asked) {
      for (RegionLoad load : calls.loads(server)) {
        loads.put(load.getRegionSpecifier().getValue(), load);
      }
    }
    return loads;
  }

  private List<SizedRegion> regions(TableName table, Map<ByteString, RegionLoad> loads) {
    history.retain(loads.keySet());
    return assignments.of(table).stream()
        .sorted(
            (one, two) ->
                CellComparator.USER.compareRows(one.region().startKey(), two.region().startKey()))
        .map(node -> sized(node, Optional.ofNullable(loads.get(name(node)))))
        .toList();
  }

  private static ByteString name(RegionStateNode node) {
    return ByteString.copyFrom(node.region().regionName());
  }

  private SizedRegion sized(RegionStateNode node, Optional<RegionLoad> load) {
    return new SizedRegion(
        node.region(),
        node.state() == State.OPEN,
        load.map(known -> (long) known.getStorefileSizeMB()).orElse(-1L),
        load.flatMap(known -> history.next(known, clock.currentTimeMillis())));
  }

  private void submit(Deque<Plan> plans) {
    Plan plan = plans.poll();
    if (plan == null || !switches.isOn(Switch.NORMALIZER)) {
      next();
      return;
    }
    CompletableFuture<Long> accepted = new CompletableFuture<>();
    accepted.whenComplete(
        (id, refusal) -> {
          if (refusal == null) {
            LOG.info("The normalizer begins procedure {}: {}", id, plan);
          } else {
            LOG.info("The normalizer leaves out {}: {}", plan, refusal.getMessage());
          }
        });
    if (plan instanceof Plan.Split split) {
      splitPlans.increment();
      shapes.split(split.region(), accepted);
    } else if (plan instanceof Plan.Merge merge) {
      mergePlans.increment();
      shapes.merge(merge.regions(), accepted);
    }
    loop.after(pause(plan), () -> submit(plans));
  }

  /** Returns the time until the throughput limit allows the next plan. */
  private Duration pause(Plan plan) {
    double seconds = plan.sizeMb() * (double) MB / settings.bytesPerSecond();
    return Duration.ofNanos((long) (seconds * 1e9));
  }
}
