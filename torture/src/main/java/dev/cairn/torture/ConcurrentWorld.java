package dev.cairn.torture;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.torture.model.Difference;
import dev.cairn.torture.model.Query;
import dev.cairn.torture.model.TableModel;
import dev.cairn.torture.model.Text;
import dev.cairn.torture.model.ValueFilter;
import dev.cairn.torture.model.Version;
import dev.cairn.torture.simulation.Crash;
import dev.cairn.torture.simulation.Engine;
import dev.cairn.torture.simulation.EngineSettings;
import dev.cairn.torture.simulation.Machine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.CompareOperator;

/**
 * One world with many threads at once: writers, readers, flushes, compactions, and a crash in the
 * middle of it all; then another life on the surviving files. It checks the facts that hold in any
 * order of operations:
 *
 * <ul>
 *   <li>Each row is written by one thread, with ascending numbers, in two families at once: a
 *       reader finds the same number in both, none below the last one acknowledged before it began,
 *       none above the last one tried.
 *   <li>One row counts the additions of all threads: no addition is lost, none is made twice.
 *   <li>Both columns are indexed: a scan for numbers from one on returns each row that has had such
 *       a number since before it began, and no row with a lower one.
 * </ul>
 *
 * A run with the same seed is similar, not the same. For one thread, which starts the others.
 */
final class ConcurrentWorld {
  private static final int WRITERS = 4;
  private static final int ROWS_OF_EACH = 3;
  private static final int LIVES = 4;
  private static final byte[] A = Bytes.utf8("a");
  private static final byte[] B = Bytes.utf8("b");
  private static final byte[] QUALIFIER = Bytes.utf8("q");
  private static final byte[] COUNTER = Bytes.utf8("w9-counter");

  private final long seed;
  private final ThreadFactory threads;
  private final SplittableRandom random;
  private final Machine machine;
  private final TortureReport report = new TortureReport();
  private final AtomicLong operations = new AtomicLong();
  private final AtomicLong comparisons = new AtomicLong();
  private final AtomicReference<Throwable> problem = new AtomicReference<>();
  private final List<Row> rows = new ArrayList<>();
  private final AtomicLong additionsTried = new AtomicLong();
  private final AtomicLong additionsDone = new AtomicLong();
  private final TableSchema schema;

  private volatile List<Region> regions = List.of();

  /** A row with the numbers that its writer tried last and has been acknowledged last. */
  private static final class Row {
    final byte[] key;
    volatile long tried;
    volatile long done;

    Row(byte[] key) {
      this.key = key;
    }

    void acknowledged() {
      done = tried;
    }
  }

  /** Something that a thread does again and again. */
  @FunctionalInterface
  private interface Task {
    void run(SplittableRandom random) throws IOException;
  }

  ConcurrentWorld(long seed, ThreadFactory threads) {
    this.seed = seed;
    this.threads = threads;
    this.random = new SplittableRandom(seed);
    this.machine = new Machine(EngineSettings.random(random), new SplittableRandom(seed + 1), true);
    this.schema =
        TableSchema.of(
                TableName.parse("t"),
                FamilySchema.of("a", Map.of("BLOCKSIZE", "512")),
                FamilySchema.of("b", Map.of("BLOCKSIZE", "512", "BLOOMFILTER", "ROWCOL")))
            .with("cairn.index.i", "a:q, b:q");
    for (int writer = 0; writer < WRITERS; writer++) {
      for (int i = 0; i < ROWS_OF_EACH; i++) {
        rows.add(new Row(Bytes.utf8("w" + writer + "-" + i)));
      }
    }
  }

  /** Runs some lives, of about so many operations together. */
  void run(int steps) {
    report.count("worlds", 1);
    try {
      for (int life = 0; life < LIVES; life++) {
        Engine engine = Engine.start(machine);
        regions =
            List.of(engine.open(region("", "w2"), schema), engine.open(region("w2", ""), schema));
        checkAll();
        live(engine, steps / LIVES);
      }
    } catch (IOException | RuntimeException | Error e) {
      throw new WorldFailure(seed, (int) operations.get(), "many threads at once", List.of(), e);
    } finally {
      machine.crash(Server.crashKind(random), random);
      report.count("operations", operations.get());
      report.count("comparisons", comparisons.get());
      report.add(machine);
    }
  }

  /** Returns what happened. */
  TortureReport report() {
    return report;
  }

  private RegionInfo region(String start, String end) {
    return new RegionInfo(schema.name(), Bytes.utf8(start), Bytes.utf8(end), 1);
  }

  private void live(Engine engine, int steps) throws IOException {
    long until = operations.get() + steps;
    List<Thread> running = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      List<Row> own = rows.subList(writer * ROWS_OF_EACH, (writer + 1) * ROWS_OF_EACH);
      running.add(start(until, chance -> write(own, chance)));
    }
    running.add(start(until, this::add));
    running.add(start(until, this::add));
    running.add(start(until, chance -> check(rows.get(chance.nextInt(rows.size())))));
    running.add(start(until, this::checkFiltered));
    running.add(start(until, chance -> maintain(engine, chance)));
    var how = Server.crashKind(random);
    machine.crashAfter(random.nextInt(steps * 4), how, random.split());
    running.forEach(ConcurrentWorld::join);
    if (problem.get() != null) {
      throw new Difference(problem.get().toString());
    }
    Crash end = machine.crash(how, random);
    report.count(end == Crash.KILL ? "kills" : "power cuts", 1);
    for (Region region : regions) {
      try {
        region.close(true);
      } catch (IOException e) {
        // It is dead.
      }
    }
    try {
      engine.wal().close();
    } catch (IOException e) {
      // Likewise.
    }
    machine.newLife();
  }

  private Thread start(long until, Task task) {
    SplittableRandom own = random.split();
    Thread thread =
        threads.newThread(
            () -> {
              while (operations.getAndIncrement() < until
                  && !machine.hasCrashed()
                  && problem.get() == null) {
                try {
                  task.run(own);
                } catch (IOException e) {
                  if (!machine.hasCrashed()) {
                    problem.compareAndSet(null, e);
                  }
                } catch (RuntimeException | Error e) {
                  problem.compareAndSet(null, e);
                }
              }
            });
    thread.start();
    return thread;
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes the next number to some of a writer's rows, in one of the ways there are. */
  private void write(List<Row> own, SplittableRandom chance) throws IOException {
    List<Row> chosen = own.stream().filter(row -> chance.nextBoolean()).toList();
    if (chosen.isEmpty()) {
      return;
    }
    List<Mutation> batch = new ArrayList<>();
    for (Row row : chosen) {
      row.tried++;
      CellBuffer cells = new CellBuffer();
      byte[] value = Bytes.ofLong(row.tried);
      for (byte[] family : List.of(A, B)) {
        cells.add(row.key, family, QUALIFIER, row.tried, CellType.PUT.code(), value, Bytes.EMPTY);
      }
      batch.add(Mutation.put(row.key, cells));
    }
    Region region = of(chosen.get(0).key);
    try {
      switch (chance.nextInt(3)) {
        case 0 -> {
          WriteRequest request = new WriteRequest.Batch(batch);
          for (MutationOutcome outcome : region.write(request, WriteBudget.UNLIMITED).join()) {
            outcome.cells(); // or why it is not done
          }
          chosen.forEach(Row::acknowledged);
        }
        case 1 -> {
          QuickWrites.inOnePiece(region, batch).cells();
          chosen.forEach(Row::acknowledged);
        }
        default -> {
          var answers = QuickWrites.begin(region, batch);
          for (int i = 0; i < answers.size(); i++) {
            QuickWrites.await(answers.get(i)).cells();
            chosen.get(i).acknowledged();
          }
        }
      }
    } catch (RegionBusyException e) {
      region.flush();
    }
  }

  /** Adds one to the counter. */
  private void add(SplittableRandom chance) throws IOException {
    CellBuffer one = new CellBuffer();
    one.add(
        COUNTER,
        A,
        QUALIFIER,
        Cell.LATEST_TIMESTAMP,
        CellType.PUT.code(),
        Bytes.ofLong(1),
        Bytes.EMPTY);
    Mutation mutation =
        new Mutation(
            Mutation.Kind.INCREMENT,
            COUNTER,
            one,
            Mutation.Durability.USE_DEFAULT,
            TimeRange.ALL,
            true);
    long before = additionsDone.get();
    additionsTried.incrementAndGet();
    CellBuffer result = of(COUNTER).write(mutation, WriteBudget.UNLIMITED).outcome().cells();
    additionsDone.incrementAndGet();
    long value = Bytes.getLong(result.get(0).value(), 0);
    comparisons.incrementAndGet();
    if (value <= before || value > additionsTried.get()) {
      throw new Difference(
          "An addition came to %d; before it %d were done, now %d are tried"
              .formatted(value, before, additionsTried.get()));
    }
  }

  private void check(Row row) throws IOException {
    long least = row.done;
    Optional<Long> a = read(row.key, A);
    CellBuffer both = Scans.row(of(row.key), ScanRequest.row(row.key).build());
    long most = row.tried;
    comparisons.incrementAndGet();
    long first = both.isEmpty() ? 0 : Bytes.getLong(both.get(0).value(), 0);
    long last = both.isEmpty() ? 0 : Bytes.getLong(both.get(both.size() - 1).value(), 0);
    if (both.size() == 1 || first != last || first < least || first > most || a.orElse(0L) > last) {
      throw new Difference(
          "Row %s has %d and %d (and %s before); %d was acknowledged and %d tried"
              .formatted(Bytes.utf8(row.key), first, last, a, least, most));
    }
  }

  /** Scans for the rows with at least the number of a row, by an index or without one. */
  private void checkFiltered(SplittableRandom chance) throws IOException {
    long from = Math.max(1, rows.get(chance.nextInt(rows.size())).done);
    Map<String, Row> wanted = new TreeMap<>();
    rows.forEach(row -> wanted.put(Text.of(row.key), row));
    Set<String> missing = new TreeSet<>();
    wanted.forEach((key, row) -> missing.addAll(row.done >= from ? Set.of(key) : Set.of()));
    ValueFilter filter =
        new ValueFilter(
            List.of(
                new ValueFilter.Test(
                    chance.nextBoolean() ? "a" : "b",
                    Text.of(QUALIFIER),
                    CompareOperator.GREATER_OR_EQUAL,
                    false,
                    Text.of(Bytes.ofLong(from)),
                    true,
                    false)),
            ValueFilter.Judges.ROWS_BY_ALL,
            IndexHint.values()[chance.nextInt(IndexHint.values().length)]);
    Query query = Query.LATEST.filtered(Optional.of(filter)).reversed(chance.nextBoolean());
    Map<String, List<Version>> found = new TreeMap<>();
    TableModel model = new TableModel(schema); // it learns nothing
    for (Region region : regions) {
      found.putAll(Scans.rows(new HostedRegion(region, model), query, () -> ReadBudget.WHOLE_ROWS));
    }
    comparisons.addAndGet(found.size());
    found.remove(Text.of(COUNTER));
    found.forEach(
        (key, cells) -> {
          missing.remove(key);
          long first = Bytes.getLong(Text.bytes(cells.get(0).value()), 0);
          long last = Bytes.getLong(Text.bytes(cells.get(cells.size() - 1).value()), 0);
          if (cells.size() != 2 || first != last || first < from || first > wanted.get(key).tried) {
            throw new Difference("%s finds %s in %s".formatted(query, cells, key));
          }
        });
    if (!missing.isEmpty()) {
      throw new Difference("%s finds %s, but not %s".formatted(query, found.keySet(), missing));
    }
  }

  private Optional<Long> read(byte[] row, byte[] family) throws IOException {
    ScanRequest column = ScanRequest.row(row).family(family, FamilySelection.of(QUALIFIER)).build();
    CellBuffer out = Scans.row(of(row), column);
    return out.isEmpty() ? Optional.empty() : Optional.of(Bytes.getLong(out.get(0).value(), 0));
  }

  /** After a crash: the writers continue from the values that were found. */
  private void checkAll() throws IOException {
    for (Row row : rows) {
      check(row);
      long found = read(row.key, A).orElse(0L);
      row.done = found;
      row.tried = found;
    }
    long counted = read(COUNTER, A).orElse(0L);
    comparisons.incrementAndGet();
    if (counted < additionsDone.get() || counted > additionsTried.get()) {
      throw new Difference(
          "The counter is %d; %d additions were acknowledged, %d tried"
              .formatted(counted, additionsDone.get(), additionsTried.get()));
    }
    additionsDone.set(counted);
    additionsTried.set(counted);
  }

  private void maintain(Engine engine, SplittableRandom chance) throws IOException {
    Region region = regions.get(chance.nextInt(regions.size()));
    switch (chance.nextInt(8)) {
      case 0 -> region.compact(chance.nextInt(4) == 0);
      case 1 -> engine.wal().roll();
      case 2 -> region.flush(new FlushScope.Families(List.of(chance.nextBoolean() ? A : B)));
      case 3 -> region.flush(FlushScope.DUE);
      default -> region.flush();
    }
  }

  private Region of(byte[] row) {
    return regions.stream().filter(r -> r.info().contains(row)).findFirst().orElseThrow();
  }
}
