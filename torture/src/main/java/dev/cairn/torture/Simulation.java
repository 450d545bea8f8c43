package dev.cairn.torture;

import dev.cairn.engine.region.bulkload.BulkLoadOutcome;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.wal.WalStalledException;
import dev.cairn.torture.model.BatchTimes;
import dev.cairn.torture.model.Change;
import dev.cairn.torture.model.Difference;
import dev.cairn.torture.model.Query;
import dev.cairn.torture.model.Swarm;
import dev.cairn.torture.model.Swarm.Feature;
import dev.cairn.torture.model.TableModel;
import dev.cairn.torture.model.TableModel.Outcome;
import dev.cairn.torture.model.Text;
import dev.cairn.torture.model.ValueFilter;
import dev.cairn.torture.model.Version;
import dev.cairn.torture.simulation.DuringCompaction;
import dev.cairn.torture.simulation.EngineSettings;
import dev.cairn.torture.simulation.Machine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * One world: random tables on a simulated server, and random steps, each drawn from its number and
 * the world's seed alone. For one thread.
 */
final class Simulation {
  /** The minimum step of the clock, so that no write of a step before has a later time. */
  private static final long STEP_MILLIS = 10;

  private static final int CHANGES_SHOWN = 10;

  /** In a world with indexes, one action in so many changes them. */
  private static final int ACTIONS_PER_ALTER = 60;

  /** More rows are counted less often: to count 10,000 takes longer than many steps. */
  private static final int ROWS_COUNTED_AT_EACH_STEP = 100;

  private final long seed;
  private final Swarm swarm;
  private final Server server;
  private final List<String> trace = new ArrayList<>();
  private final TortureReport report = new TortureReport();
  private RandomGenerator random;

  /** A bulk load of this step that failed. */
  private Optional<BulkLoad> undecided = Optional.empty();

  /** A row of the last batch. */
  private String written = "";

  private boolean disturbed;

  /** Whether a major compaction runs, which does not see what is flushed. */
  private boolean isCompacting;

  private int disturbedUntil;

  /** The rows of the table that was counted last. */
  private long countedRows;

  Simulation(long seed) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.swarm = Swarm.draw(random);
    trace.add("swarm: " + swarm);
    List<TableModel> tables = new ArrayList<>();
    List<RegionInfo> regions = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      TableModel table = new TableModel(new RandomSchema(random, swarm).table("t" + i));
      tables.add(table);
      TreeSet<String> borders = new TreeSet<>(List.of(""));
      for (int more = random.nextInt(3); more > 0; more--) {
        borders.add(requests(table, 0, 0).border());
      }
      for (String border : borders) {
        String end = Optional.ofNullable(borders.higher(border)).orElse("");
        regions.add(
            new RegionInfo(table.schema().name(), Text.bytes(border), Text.bytes(end), 1 + i));
      }
    }
    Machine machine =
        new Machine(EngineSettings.random(random), new SplittableRandom(seed + 1), false);
    this.server = new Server(machine, tables, regions);
  }

  /** Runs so many steps; a failed check throws a {@link WorldFailure}. */
  void run(int steps) {
    report.count("worlds", 1);
    int step = 0;
    try {
      server.start();
      for (step = 1; step <= steps; step++) {
        random = new SplittableRandom(seed * 1_000_003 + step);
        step(step);
      }
      server.settle();
      server.compareAll();
    } catch (IOException | RuntimeException | Error e) {
      throw new WorldFailure(seed, step, swarm.toString(), trace, e);
    } finally {
      server.discard(random);
      report.add(server);
    }
  }

  /** Returns what happened. */
  TortureReport report() {
    return report;
  }

  private void step(int step) throws IOException {
    report.count("operations", 1);
    server
        .machine()
        .clock()
        .advance(
            STEP_MILLIS + (random.nextInt(20) == 0 ? random.nextInt(8000) : random.nextInt(200)));
    if (step < disturbedUntil) {
      note(step, "the disk is still full");
    } else if (swarm.has(Feature.FAULTS) && random.nextInt(40) == 0) {
      int after = random.nextInt(random.nextBoolean() ? 10 : 60);
      var how = Server.crashKind(random);
      server.machine().crashAfter(after, how, new SplittableRandom(random.nextLong()));
      note(step, how + " after " + after + " more operations of the disk");
      disturbed = true;
    } else if (swarm.has(Feature.FAULTS) && random.nextInt(9) == 0) {
      FaultInjector.failures(random, server.machine());
      note(step, "faults");
      disturbed = true;
    } else if (swarm.has(Feature.FAULTS) && random.nextInt(60) == 0) {
      server.machine().fill(random.nextInt(3) == 0 ? 0 : random.nextInt(20_000));
      disturbedUntil = step + 1 + random.nextInt(12);
      note(step, "the disk is full");
      disturbed = true;
    }
    try {
      act(step);
    } catch (IOException e) {
      note(step, "failed: " + e);
      if (!disturbed) {
        throw e;
      }
      server.doubtCompactions();
    }
    server.machine().settle();
    server.machine().goOn();
    if (step + 1 >= disturbedUntil) {
      server.machine().heal();
    }
    if (server.machine().hasCrashed() || server.hasFailed()) {
      note(step, "the server starts again");
      server.crash(Server.crashKind(random), random);
      disturbedUntil = 0;
    } else {
      if (disturbed && step + 1 >= disturbedUntil) {
        server.tables().forEach(TableModel::decided);
      }
      if (server.hasCompacted()) {
        server.settle();
      }
    }
    if (undecided.isPresent() && step + 1 >= disturbedUntil) {
      undecided.get().checkWholeOrAbsent(server);
    }
    undecided = Optional.empty();
    if (disturbed && random.nextInt(4) == 0) {
      server.compareAll();
    }
    if (!disturbed && random.nextLong(1 + countedRows / ROWS_COUNTED_AT_EACH_STEP) == 0) {
      count();
    }
    disturbed = step + 1 < disturbedUntil;
    for (TableModel table : server.tables()) {
      if (table.uncertainty() > 64 && !disturbed) {
        for (HostedRegion region : server.regionsOf(table)) {
          flush(region);
        }
        server.compare(table, Query.EVERYTHING);
      }
    }
  }

  /** Counts the rows of one table in several ways, and compares the numbers. */
  private void count() throws IOException {
    TableModel table = any(server.tables());
    boolean hasExpired = swarm.has(Feature.TTL) || swarm.has(Feature.TAGS);
    boolean isPlain = !hasExpired && !swarm.has(Feature.DELETES);
    countedRows = 0;
    for (HostedRegion region : server.regionsOf(table)) {
      countedRows += new RowCounts(region, random).check(isPlain, hasExpired);
    }
    report.count("counts", 1);
  }

  private void act(int step) throws IOException {
    TableModel table = any(server.tables());
    HostedRegion region = any(server.regionsOf(table));
    RandomRequests requests = requests(table, step, server.now());
    int dice = random.nextInt(1000);
    if (swarm.has(Feature.INDEXES) && random.nextInt(ACTIONS_PER_ALTER) == 0) {
      alter(step, table);
    } else if (dice < 444
        || dice < 450 && !swarm.has(Feature.BULK_LOADS)
        || dice >= 450 && dice < 600 && !swarm.has(Feature.TOGETHER)
        || dice >= 970 && dice < 985 && !swarm.has(Feature.MOVES)
        || dice >= 985 && !swarm.has(Feature.FAULTS)) {
      write(step, region, requests);
    } else if (dice < 450) {
      load(step, BulkLoad.of(region, requests));
    } else if (dice < 520) {
      writeTogether(step, region, requests);
    } else if (dice < 600) {
      checkAndWrite(step, table, requests);
    } else if (dice < 850) {
      compare(step, table, requests);
    } else if (dice < 900) {
      FlushScope scope = scope(table, region);
      note(step, "flush " + region.region() + " " + scope);
      flush(region, scope);
    } else if (dice < 950) {
      boolean major = random.nextInt(5) == 0;
      note(step, (major ? "major" : "minor") + " compaction of " + region.region());
      compact(step, region, requests, major);
    } else if (dice < 970) {
      note(step, "roll");
      roll();
    } else if (dice < 976) {
      split(step, region, requests);
    } else if (dice < 980) {
      note(step, "close and open " + region.region());
      server.reopen(region);
    } else if (dice < 985) {
      note(step, "stop and start");
      server.restart(random);
    } else {
      var how = Server.crashKind(random);
      note(step, how.toString());
      server.crash(how, random);
    }
  }

  /** Asks a query; one with a filter with each hint on the use of indexes. */
  private void compare(int step, TableModel table, RandomRequests requests) throws IOException {
    Query drawn = requests.query();
    Query query =
        random.nextInt(4) == 0
            ? drawn
            : drawn.filtered(drawn.filter().map(filter -> aimed(filter, table, requests)));
    note(step, table.schema().name() + " " + query);
    List<Query> asked = new ArrayList<>();
    if (query.filter().isEmpty()) {
      asked.add(query);
    } else {
      report.count("filtered reads", 1);
      for (IndexHint hint : IndexHint.values()) {
        asked.add(query.filtered(query.filter().map(filter -> filter.with(hint))));
      }
    }
    for (Query each : asked) {
      server.compare(table, each, requests.budgets(each), (on, read) -> pause(each, on, read));
    }
  }

  /** Compares with values of a row of the table, so that the filter lets something pass. */
  private ValueFilter aimed(ValueFilter filter, TableModel table, RandomRequests requests) {
    String row = random.nextBoolean() ? requests.row() : written; // that one is often in memory
    return filter.aimed(test -> table.values(row, test.family(), test.qualifier()), random);
  }

  /**
   * Creates, changes or drops indexes. Some regions open with them at once; the others when they
   * are opened again for another reason.
   */
  private void alter(int step, TableModel table) throws IOException {
    table.alter(new RandomSchema(random, swarm).indexed(table.schema()));
    note(step, table.schema().name() + " has the indexes " + table.schema().indexes().all());
    report.count("changes of indexes", 1);
    for (HostedRegion region : server.regionsOf(table)) {
      if (random.nextInt(4) > 0) {
        server.reopen(region);
      }
    }
  }

  /** May suspend a scan between two calls, flush its region, or return true to close the scan. */
  private boolean pause(Query query, HostedRegion region, RegionRead read) throws IOException {
    switch (random.nextInt(12)) {
      case 0 -> read.suspend();
      case 1 -> {
        if (!query.raw() && random.nextInt(4) == 0) {
          flush(region);
        }
      }
      case 2 -> {
        return true;
      }
      default -> {
        // The next call follows at once.
      }
    }
    return false;
  }

  private void write(int step, HostedRegion region, RandomRequests requests) throws IOException {
    List<Change> changes = new ArrayList<>();
    for (int i = requests.batch(); i > 0; i--) {
      String row = requests.row();
      if (region.contains(row)) {
        changes.add(requests.change(row));
      }
    }
    if (changes.isEmpty()) {
      return;
    }
    written = changes.get(0).row();
    List<Mutation> mutations = changes.stream().map(Change::mutation).toList();
    boolean quick = random.nextBoolean();
    if (quick && random.nextBoolean()) {
      note(step, region.region() + " begins " + shown(changes));
      begin(region, changes, mutations);
      return;
    }
    boolean inOnePiece = quick && QuickWrites.areBatch(mutations);
    note(
        step, region.region() + (inOnePiece ? " batch in one piece " : " batch ") + shown(changes));
    List<List<Change>> groups = groups(changes);
    BatchTimes times = new BatchTimes(server.now());
    List<MutationOutcome> outcomes;
    try {
      outcomes =
          inOnePiece
              ? inOnePiece(region, mutations)
              : region
                  .region()
                  .write(new WriteRequest.Batch(mutations), WriteBudget.UNLIMITED)
                  .join();
    } catch (RegionBusyException e) {
      flush(region);
      return;
    } catch (WalStalledException e) {
      throw e; // nothing was done
    } catch (IOException e) {
      for (List<Change> group : groups) {
        region.model().write(group, new Outcome.Unknown(), server.now(), List.of(of(group, times)));
        // A fault may have refused it before the batch failed, and the next one read the row
        // without.
        region.model().decided();
      }
      throw e;
    }
    int at = 0;
    Optional<IOException> failure = Optional.empty();
    // A fault refuses a group before or after it takes its times.
    BatchTimes unspent = new BatchTimes(server.now());
    for (List<Change> group : groups) {
      Optional<IOException> before = failure;
      MutationOutcome outcome = outcomes.get(at);
      Set<Map<Change, Long>> possible = new LinkedHashSet<>(List.of(of(group, times)));
      if (!isFault(outcome)) {
        possible.add(of(group, unspent));
      }
      failure = took(region, group, List.copyOf(possible), outcome).or(() -> before);
      at += group.size();
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private static String shown(List<Change> changes) {
    return changes.size() <= CHANGES_SHOWN
        ? changes.toString()
        : changes.size() + " changes of " + changes.stream().map(c -> Text.show(c.row())).toList();
  }

  private List<MutationOutcome> inOnePiece(HostedRegion region, List<Mutation> puts)
      throws IOException {
    report.count("puts in one piece", 1);
    MutationOutcome all = QuickWrites.inOnePiece(region.region(), puts);
    return Collections.nCopies(puts.size(), all);
  }

  /** Begins changes, each on its own, and then learns their outcomes. */
  private void begin(HostedRegion region, List<Change> changes, List<Mutation> mutations)
      throws IOException {
    report.count("writes begun", changes.size());
    BatchTimes times = new BatchTimes(server.now());
    var answers = QuickWrites.begin(region.region(), mutations);
    server.machine().settle();
    Optional<IOException> failure = Optional.empty();
    for (int i = 0; i < changes.size(); i++) {
      List<Change> one = changes.subList(i, i + 1);
      Map<Change, Long> time = times.together(one);
      try {
        Optional<IOException> before = failure;
        failure =
            took(region, one, List.of(time), QuickWrites.await(answers.get(i))).or(() -> before);
      } catch (IOException e) {
        region.model().write(one, new Outcome.Unknown(), server.now(), List.of(time));
        failure = Optional.of(e);
      }
    }
    if (failure.isPresent() && failure.get() instanceof RegionBusyException) {
      flush(region);
    } else if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private static Map<Change, Long> of(List<Change> group, BatchTimes times) {
    return group.size() == 1 ? times.together(group) : times.oneByOne(group);
  }

  /** Neighbouring puts and deletes of a batch are one write; each other change is its own. */
  private static List<List<Change>> groups(List<Change> changes) {
    List<List<Change>> groups = new ArrayList<>();
    boolean open = false;
    for (Change change : changes) {
      boolean joins = change.kind() == Mutation.Kind.PUT || change.kind() == Mutation.Kind.DELETE;
      if (!joins || !open) {
        groups.add(new ArrayList<>());
      }
      groups.get(groups.size() - 1).add(change);
      open = joins;
    }
    return groups;
  }

  /**
   * Reports the outcome of a group to the model; returns the reason of its failure, if it failed.
   */
  private Optional<IOException> took(
      HostedRegion region,
      List<Change> group,
      List<Map<Change, Long>> times,
      MutationOutcome outcome) {
    if (outcome instanceof MutationOutcome.Done done) {
      Outcome known = new Outcome.Acknowledged(Scans.cells(done.cells()));
      region.model().write(group, known, server.now(), times);
      synced(group);
    } else if (outcome instanceof MutationOutcome.Undecided undecided) {
      region.model().write(group, new Outcome.Unknown(), server.now(), times);
      return Optional.of(undecided.cause());
    } else if (outcome instanceof MutationOutcome.Refused refused) {
      if (isFault(outcome)) {
        return Optional.of(refused.cause());
      }
      report.count("refused changes", 1);
      region.model().write(group, new Outcome.Impossible(), server.now(), times);
    }
    return Optional.empty();
  }

  private static boolean isFault(MutationOutcome outcome) {
    return outcome instanceof MutationOutcome.Refused refused
        && !(refused.cause() instanceof InvalidMutationException);
  }

  private void acknowledged(TableModel table, List<Change> group, List<Version> result) {
    table.write(group, new Outcome.Acknowledged(result), server.now());
    synced(group);
  }

  private void synced(List<Change> group) {
    if (group.stream().anyMatch(Simulation::waitsForTheLog)) {
      server.tables().forEach(TableModel::synced);
    }
  }

  private static boolean waitsForTheLog(Change change) {
    return change.durability().compareTo(Mutation.Durability.ASYNC_WAL) > 0;
  }

  /** Several changes of one row, or puts and deletes of several, all or nothing. */
  private void writeTogether(int step, HostedRegion region, RandomRequests requests)
      throws IOException {
    boolean oneRow = random.nextBoolean();
    String row = requests.row();
    List<Change> changes = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      String next = oneRow ? row : requests.row();
      Change change = requests.change(next);
      boolean plain = change.kind() == Mutation.Kind.PUT || change.kind() == Mutation.Kind.DELETE;
      if (region.contains(next) && (oneRow || plain)) {
        changes.add(change);
      }
    }
    if (changes.isEmpty()) {
      return;
    }
    note(step, region.region() + " together " + changes);
    List<Mutation> mutations = changes.stream().map(Change::mutation).toList();
    try {
      acknowledged(
          region.model(), changes, Scans.cells(together(region, List.of(), mutations).cells()));
    } catch (RegionBusyException e) {
      flush(region);
    } catch (WalStalledException e) {
      throw e; // nothing was done
    } catch (InvalidMutationException e) {
      report.count("refused changes", 1);
      region.model().write(changes, new Outcome.Impossible(), server.now());
    } catch (IOException e) {
      region.model().write(changes, new Outcome.Unknown(), server.now());
      throw e;
    }
  }

  private static MutationOutcome together(
      HostedRegion region, List<Condition> conditions, List<Mutation> mutations)
      throws IOException {
    WriteRequest request = new WriteRequest.Atomic(conditions, mutations);
    return region.region().write(request, WriteBudget.UNLIMITED).outcome();
  }

  private void checkAndWrite(int step, TableModel table, RandomRequests requests)
      throws IOException {
    String row = requests.row();
    HostedRegion region = server.regionOf(table, row);
    List<Change> changes = new ArrayList<>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      changes.add(requests.change(row));
    }
    RandomCondition condition = RandomCondition.of(requests, row);
    note(step, region.region() + " " + condition + ", then " + changes);
    List<Mutation> mutations = changes.stream().map(Change::mutation).toList();
    Optional<Boolean> met = Optional.empty();
    Outcome outcome = new Outcome.Unknown();
    Optional<IOException> failure = Optional.empty();
    try {
      MutationOutcome result = together(region, List.of(condition.engine()), mutations);
      outcome = new Outcome.Acknowledged(Scans.cells(result.cells()));
      met = Optional.of(result instanceof MutationOutcome.Done);
    } catch (RegionBusyException e) {
      flush(region); // also where the condition cannot be checked before the log goes on
      return;
    } catch (WalStalledException e) {
      throw e; // nothing was done
    } catch (InvalidMutationException e) {
      report.count("refused changes", 1);
      outcome = new Outcome.Impossible();
    } catch (IOException e) {
      failure = Optional.of(e);
    }
    table.checkAndWrite(condition.read(), condition.model(), changes, met, outcome, server.now());
    if (met.isPresent() && met.get()) {
      synced(changes);
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private void load(int step, BulkLoad load) throws IOException {
    if (load.changes().isEmpty()) {
      return;
    }
    HostedRegion region = load.region();
    note(step, region.region() + " bulk load of " + load.changes());
    report.count("bulk loads", 1);
    undecided = Optional.of(load);
    boolean loaded;
    try {
      loaded = load.run(server, random) instanceof BulkLoadOutcome.Loaded;
    } catch (IOException e) {
      region.model().write(load.changes(), new Outcome.Unknown(), server.now());
      filed(region);
      throw e;
    }
    undecided = Optional.empty();
    if (loaded != load.fits()) {
      throw new Difference(loaded ? "A file of other regions was loaded" : "No file was loaded");
    }
    if (loaded) {
      region.model().write(load.changes(), new Outcome.Acknowledged(List.of()), server.now());
      filed(region);
    }
  }

  private void flush(HostedRegion region) throws IOException {
    flush(region, FlushScope.ALL);
  }

  private void flush(HostedRegion region, FlushScope scope) throws IOException {
    try {
      if (region.region().flush(scope)) {
        server.tables().forEach(TableModel::synced);
      }
    } finally {
      filed(region);
    }
  }

  /**
   * Compacts a region. During a major compaction, may write, flush, and run minor compactions of
   * the new files.
   */
  private void compact(int step, HostedRegion region, RandomRequests requests, boolean major)
      throws IOException {
    DuringCompaction during = server.machine().duringCompaction();
    if (major && random.nextBoolean()) {
      during.once(() -> compactBeside(step, region, requests));
    }
    try {
      region.region().compact(major);
    } finally {
      during.nothing();
    }
  }

  private void compactBeside(int step, HostedRegion region, RandomRequests requests)
      throws IOException {
    isCompacting = true;
    try {
      for (int files = random.nextInt(6); files > 0; files--) {
        server.machine().clock().advance(STEP_MILLIS); // the model expects new timestamps
        write(step, region, requests);
        flush(region);
      }
      note(step, "minor compaction beside the major one");
      region.region().compact(false);
      report.count("compactions beside others", 1);
    } finally {
      isCompacting = false;
    }
  }

  private void filed(HostedRegion region) {
    Set<String> families =
        region.region().stores().stream()
            .filter(store -> store.memStoreDataBytes() == 0)
            .map(store -> store.family().nameAsString())
            .collect(Collectors.toSet());
    if (isCompacting) {
      region.model().filedLate(region.start(), region.end(), families::contains);
    } else {
      region.model().filed(region.start(), region.end(), families::contains);
    }
  }

  private FlushScope scope(TableModel table, HostedRegion region) {
    List<byte[]> some =
        table.schema().families().stream()
            .map(FamilySchema::name)
            .filter(name -> random.nextBoolean())
            .toList();
    return switch (random.nextInt(4)) {
      case 0 -> FlushScope.ALL;
      case 1 -> FlushScope.DUE;
      case 2 -> new FlushScope.UpTo(random.nextLong(region.region().readPoint() + 1));
      default -> new FlushScope.Families(some);
    };
  }

  private void split(int step, HostedRegion region, RandomRequests requests) throws IOException {
    if (random.nextInt(4) == 0) {
      note(step, "retire parents");
      server.retireParents();
      return;
    }
    Optional<byte[]> middle =
        random.nextBoolean() ? region.region().splitPoint() : Optional.empty();
    byte[] row = middle.orElse(Text.bytes(requests.border()));
    if (region.contains(Text.of(row)) && !Text.of(row).equals(region.start())) {
      note(step, "split " + region.region() + " before " + Text.show(Text.of(row)));
      server.split(region, row);
    }
  }

  private void roll() throws IOException {
    server.engine().wal().roll();
    server.tables().forEach(TableModel::synced);
    for (Map.Entry<String, Long> holder : server.engine().wal().regionsToFlush().entrySet()) {
      for (HostedRegion region : server.regions()) {
        if (region.info().encodedName().equals(holder.getKey())) {
          flush(region, new FlushScope.UpTo(holder.getValue()));
        }
      }
    }
  }

  private RandomRequests requests(TableModel table, int step, long now) {
    return new RandomRequests(random, table.schema(), swarm, step, now);
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private void note(int step, String what) {
    trace.add(step + " at " + server.now() + ": " + what);
  }
}
