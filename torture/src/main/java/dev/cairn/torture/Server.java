package dev.cairn.torture;

import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.lifecycle.RegionFamilyTree;
import dev.cairn.engine.region.lifecycle.RegionSplit;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.torture.model.Query;
import dev.cairn.torture.model.TableModel;
import dev.cairn.torture.model.Version;
import dev.cairn.torture.simulation.Crash;
import dev.cairn.torture.simulation.Engine;
import dev.cairn.torture.simulation.Machine;
import dev.cairn.torture.simulation.Tally;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The simulated server with the models of its tables: starts, stops, crashes, starts again, and
 * compares all that is there each time. There is no {@code hbase:meta}: each start asks {@link
 * RegionFamilyTree#settle} which regions count.
 */
final class Server {
  private static final int ATTEMPTS_TO_START = 20;

  private final Machine machine;
  private final List<TableModel> tables;
  private final List<RegionInfo> catalog = new ArrayList<>();
  private final List<HostedRegion> regions = new ArrayList<>();

  /** Stores whose files a major compaction may have replaced since the last look. */
  private final Set<String> compacting = new HashSet<>();

  /**
   * Stores with a failed major compaction: its file may be in place all the same, unseen until it
   * is removed or the next life finds it.
   */
  private final Set<String> halfCompacted = new HashSet<>();

  private Engine engine;
  private boolean gaveUp;
  private long logFailuresBefore;
  private long crashes;
  private long powerCuts;
  private long restarts;
  private long splits;
  private long life;

  Server(Machine machine, List<TableModel> tables, List<RegionInfo> catalog) {
    this.machine = machine;
    this.tables = tables;
    this.catalog.addAll(catalog);
  }

  Machine machine() {
    return machine;
  }

  Engine engine() {
    return engine;
  }

  List<TableModel> tables() {
    return tables;
  }

  List<HostedRegion> regions() {
    return regions;
  }

  List<HostedRegion> regionsOf(TableModel table) {
    return regions.stream().filter(region -> region.model() == table).toList();
  }

  HostedRegion regionOf(TableModel table, String row) {
    return regionsOf(table).stream().filter(r -> r.contains(row)).findFirst().orElseThrow();
  }

  long kills() {
    return crashes - powerCuts;
  }

  long powerCuts() {
    return powerCuts;
  }

  long splits() {
    return splits;
  }

  long restarts() {
    return restarts;
  }

  long now() {
    return machine.clock().currentTimeMillis();
  }

  /** Starts for the first time. */
  void start() throws IOException {
    engine = Engine.start(machine);
    openRegions();
  }

  private void openRegions() throws IOException {
    if (life++ > 0) {
      catalog.clear();
      for (TableModel table : tables) {
        catalog.addAll(engine.familyTree(table.schema().name()).settle().serving());
      }
    }
    for (RegionInfo info : catalog) {
      TableModel model =
          tables.stream().filter(t -> t.schema().name().equals(info.table())).findFirst().get();
      regions.add(new HostedRegion(engine.open(info, model.schema()), model));
    }
  }

  /** Stops in order and starts again. If that does not go well, it becomes a crash. */
  void restart(RandomGenerator random) throws IOException {
    try {
      for (HostedRegion region : regions) {
        region.region().close(false);
        region.model().filedLate(region.start(), region.end());
      }
      engine.wal().close();
    } catch (IOException e) {
      crash(Crash.KILL, random);
      return;
    }
    tables.forEach(TableModel::synced);
    restarts++;
    regions.clear();
    boot(random, false);
    compacting.addAll(halfCompacted);
    settle();
    compareAll();
  }

  /**
   * Closes a region in order and opens it again. If either fails, the region stays closed, and the
   * server gives up.
   */
  void reopen(HostedRegion region) throws IOException {
    gaveUp = true;
    region.region().close(false);
    region.model().filedLate(region.start(), region.end());
    Region again = engine.open(region.info(), region.model().schema());
    regions.set(regions.indexOf(region), new HostedRegion(again, region.model()));
    tookHalfCompacted(region.info());
    gaveUp = false;
  }

  /** An opening uses what a compaction left in its place, although the compaction failed. */
  private void tookHalfCompacted(RegionInfo opened) {
    compacting.addAll(halfCompactedStoresOf(opened));
  }

  private List<String> halfCompactedStoresOf(RegionInfo region) {
    String home = region.encodedName() + "/";
    return halfCompacted.stream().filter(store -> store.startsWith(home)).toList();
  }

  /**
   * Splits a region before a row, if it can be, and opens the daughters. If something fails, the
   * server gives up.
   */
  void split(HostedRegion region, byte[] row) throws IOException {
    if (region.region().hasReferences()) {
      return;
    }
    RegionSplit split = RegionSplit.plan(region.region(), row);
    List<RegionInfo> daughters = List.of(split.lower(), split.upper());
    daughters.forEach(daughter -> inheritHalfCompacted(region.info(), daughter));
    gaveUp = true;
    split.run(region.region());
    region.model().filedLate(region.start(), region.end());
    regions.remove(region);
    for (RegionInfo daughter : daughters) {
      regions.add(new HostedRegion(engine.open(daughter, region.model().schema()), region.model()));
      tookHalfCompacted(daughter);
    }
    gaveUp = false;
    splits++;
  }

  /**
   * A split opens the parent's files, too: its daughters refer to the result of a compaction that
   * failed if that is in its place. The split may count even if it fails.
   */
  private void inheritHalfCompacted(RegionInfo parent, RegionInfo daughter) {
    for (String store : halfCompactedStoresOf(parent)) {
      halfCompacted.add(daughter.encodedName() + store.substring(store.indexOf('/')));
    }
  }

  /** Removes the parents of splits whose files are no longer needed. */
  void retireParents() throws IOException {
    for (TableModel table : tables) {
      RegionFamilyTree tree = engine.familyTree(table.schema().name());
      for (RegionInfo parent : tree.settle().parents()) {
        tree.retire(parent);
      }
    }
  }

  /** Ends the process, unless that has happened, and starts another one on the remaining files. */
  void crash(Crash how, RandomGenerator random) throws IOException {
    Crash end = machine.crash(how, random);
    crashes++;
    powerCuts += end == Crash.POWER_CUT ? 1 : 0;
    noteCompactions();
    abandon();
    tables.forEach(TableModel::crashed);
    boot(random, true);
    compacting.addAll(halfCompacted);
    if (end == Crash.POWER_CUT) {
      // Only now is it certain that the name of a result whose deletion failed does not come back.
      halfCompacted.clear();
    }
    for (TableModel table : tables) {
      table.filedLate("", ""); // an opening writes the recovered entries to files
    }
    settle();
    compareAll();
  }

  /** Tells whether the log has failed, or a region: a server stops then. */
  boolean hasFailed() {
    machine.settle();
    return gaveUp || machine.tally().logFailures() > logFailuresBefore;
  }

  /** Tells whether there is something to {@link #settle}. */
  boolean hasCompacted() {
    noteCompactions();
    return !compacting.isEmpty();
  }

  /** Remembers the running compactions, until {@link #settle}. */
  void noteCompactions() {
    for (Tally.Compaction compaction : machine.tally().takeCompactions()) {
      if (compaction.major()) {
        compacting.add(compaction.region() + "/" + compaction.family());
      }
    }
  }

  /** Remembers that the compactions of this step may be incomplete. */
  void doubtCompactions() {
    noteCompactions();
    halfCompacted.addAll(compacting);
  }

  /** Takes the files that the major compactions since the last call left. */
  void settle() throws IOException {
    noteCompactions();
    for (HostedRegion region : regions) {
      String name = region.info().encodedName();
      region
          .model()
          .settle(
              region.start(),
              region.end(),
              Scans.rows(region, Query.EVERYTHING, () -> ReadBudget.WHOLE_ROWS),
              family -> compacting.contains(name + "/" + family),
              now());
    }
    compacting.clear();
  }

  /** Compares every row of every table. */
  void compareAll() throws IOException {
    for (TableModel table : tables) {
      compare(table, Query.ALL_VERSIONS);
    }
  }

  /** Asks a whole table and compares. */
  void compare(TableModel table, Query query) throws IOException {
    compare(table, query, () -> ReadBudget.WHOLE_ROWS);
  }

  /** As {@link #compare(TableModel, Query)}, with limits for each call of the scanners. */
  void compare(TableModel table, Query query, Supplier<ReadBudget> limits) throws IOException {
    compare(table, query, limits, Scans.Pause.NONE);
  }

  /** As {@link #compare(TableModel, Query, Supplier)}, with pauses between calls. */
  void compare(TableModel table, Query query, Supplier<ReadBudget> limits, Scans.Pause pause)
      throws IOException {
    Map<String, List<Version>> found = new LinkedHashMap<>();
    List<HostedRegion> inOrder = new ArrayList<>(regionsOf(table));
    inOrder.sort(Comparator.comparing(HostedRegion::start));
    if (query.reversed()) {
      Collections.reverse(inOrder);
    }
    for (HostedRegion region : inOrder) {
      found.putAll(Scans.rows(region, query, limits, pause));
    }
    table.check(query, found, Optional.empty(), now());
  }

  private void boot(RandomGenerator random, boolean mayCrash) throws IOException {
    for (int attempt = 1; ; attempt++) {
      machine.newLife();
      machine.heal();
      boolean disturbed = attempt < ATTEMPTS_TO_START && random.nextInt(3) == 0;
      if (disturbed && random.nextBoolean() && mayCrash) {
        machine.crashAfter(random.nextInt(60), crashKind(random), random);
      } else if (disturbed) {
        FaultInjector.any(random, machine);
      }
      try {
        engine = Engine.start(machine);
        openRegions();
        machine.goOn();
        machine.heal();
        gaveUp = false;
        logFailuresBefore = machine.tally().logFailures();
        return;
      } catch (IOException e) {
        machine.heal();
        if (!disturbed) {
          throw e;
        }
        crashes += machine.hasCrashed() ? 1 : 0;
        machine.crash(Crash.KILL, random);
        abandon();
      }
    }
  }

  static Crash crashKind(RandomGenerator random) {
    return random.nextBoolean() ? Crash.KILL : Crash.POWER_CUT;
  }

  /** Lets go of a life that has ended; nothing that is done here reaches the disk. */
  private void abandon() {
    for (HostedRegion region : regions) {
      try {
        region.region().close(true);
      } catch (IOException e) {
        // It is dead.
      }
    }
    regions.clear();
    try {
      engine.wal().close();
    } catch (IOException e) {
      // Likewise.
    }
  }

  /** Ends everything, without a check of the contents. */
  void discard(RandomGenerator random) {
    machine.heal();
    machine.crash(Crash.KILL, random);
    abandon();
  }
}
