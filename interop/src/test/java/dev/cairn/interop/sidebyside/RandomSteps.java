package dev.cairn.interop.sidebyside;

import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.torture.model.Change;
import dev.cairn.torture.model.Query;
import dev.cairn.torture.model.Swarm;
import dev.cairn.torture.model.Swarm.Feature;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.client.Scan.ReadType;

/** Draws steps for one table, without regard to any answer. */
final class RandomSteps {
  private static final int SMALL_TABLE_ROWS = 300;

  /** The approximate limit of calls for one scan of a large table. */
  private static final int CALLS_MAX = 100;

  private final RandomGenerator random;
  private final Swarm swarm;
  private final RandomRequests requests;
  private final RandomSieve sieves;
  private final RandomTable tables;

  RandomSteps(RandomGenerator random, TableSchema schema, Swarm swarm, TableKind kind, long base) {
    this.random = random;
    this.swarm = swarm;
    this.requests = new RandomRequests(random, schema, swarm, kind, base);
    this.sieves = new RandomSieve(requests);
    this.tables = new RandomTable(random, swarm);
  }

  /** Returns the next step. */
  Step next() {
    int dice = random.nextInt(1000);
    if (dice < 5) {
      return new Step.Housekeeping(Step.Place.CAIRN, Step.Work.FLUSH);
    } else if (dice < 8) {
      return new Step.Housekeeping(Step.Place.CAIRN, Step.Work.COMPACT);
    } else if (dice < 10) {
      return new Step.Housekeeping(Step.Place.CAIRN, Step.Work.MAJOR_COMPACT);
    } else if (dice < 15) {
      return new Step.Housekeeping(Step.Place.HBASE, Step.Work.FLUSH);
    } else if (dice < 18) {
      return new Step.Housekeeping(Step.Place.HBASE, Step.Work.MAJOR_COMPACT);
    } else if (dice < 30) {
      Mistake[] all = Mistake.values();
      return new Step.Misuse(all[random.nextInt(all.length)], requests.row());
    }
    if (dice < 35 && swarm.has(Feature.INDEXES)) {
      return new Step.Indexes(
          tables.indexes(requests.schema(), requests.has()), random.nextInt(4) > 0);
    }
    int kind = dice % 20;
    if (kind >= 10 && kind < 15 && !swarm.has(Feature.TOGETHER)) {
      return writes();
    }
    return switch (kind) {
      case 0, 1, 2, 3 -> scan();
      case 4 -> swarm.has(Feature.FILTERS) ? filteredScan() : scan();
      case 15, 16 -> swarm.has(Feature.INDEXES) ? filteredScan() : writes();
      case 5, 6, 7 -> get(random.nextInt(5) == 0);
      case 8 -> gets();
      case 9 -> writes();
      case 10 -> new Step.Together(together(requests.row(), true));
      case 11, 12 -> check(true);
      case 13 -> checks();
      case 14 -> batch();
      default -> new Step.Write(requests.change(requests.row(), requests.kindOfChange(), false));
    };
  }

  /** Returns the next step, most often a scan, whose answer does not depend on lost answers. */
  Step nextOfReads() {
    return switch (random.nextInt(100)) {
      case 0, 1 -> new Step.Housekeeping(Step.Place.CAIRN, Step.Work.FLUSH);
      case 2 -> new Step.Housekeeping(Step.Place.CAIRN, Step.Work.COMPACT);
      case 3, 4, 5, 6, 7, 8, 9 -> {
        Step.Get get = get(random.nextInt(5) == 0);
        yield isPredictable(get.sieve())
            ? get
            : new Step.Get(get.query(), Optional.empty(), get.existence());
      }
      case 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 -> writes();
      case 20, 21, 22, 23, 24 ->
          new Step.Write(requests.change(requests.row(), requests.kindOfChange(), false));
      default -> {
        Step.Scan scan =
            swarm.has(Feature.FILTERS) && random.nextInt(4) == 0 ? filteredScan() : scan();
        yield isPredictable(scan.sieve()) ? scan : scan();
      }
    };
  }

  /** Tells whether the model alone, without HBase, knows the answer over a wire that loses some. */
  private static boolean isPredictable(Optional<Sieve> sieve) {
    return sieve
        .filter(some -> some.dependsOnEarlierRows() || some.mayReturnUnjudgedRows())
        .isEmpty();
  }

  /** Returns a scan without a filter. */
  Step.Scan scan() {
    Query query = requests.ofRows(swarm.has(Feature.RAW) && random.nextInt(8) == 0, false);
    return new Step.Scan(query, Optional.empty(), hints(false, false));
  }

  /** Returns a scan with a filter. */
  Step.Scan filteredScan() {
    boolean prefix = random.nextInt(8) == 0;
    // In raw scans HBase lets filters count the markers of families as columns.
    boolean raw =
        swarm.has(Feature.RAW)
            && !prefix
            && !requests.has().familyMarkers()
            && random.nextInt(10) == 0;
    Query drawn = requests.ofRows(raw, prefix);
    // With a filter, HBase shows no markers behind the last version of a raw scan.
    Query query = raw ? drawn.allVersions() : drawn.withoutLimit();
    // HBase refuses filters of rows in scans that go backwards.
    boolean indexed = swarm.has(Feature.INDEXES) && random.nextInt(3) > 0;
    boolean ofRows = (indexed || random.nextBoolean()) && !raw && !query.reversed();
    Sieve sieve = indexed && ofRows ? sieves.ofRows() : sieves.sieve(ofRows);
    return new Step.Scan(query, Optional.of(sieve), hints(prefix, true));
  }

  private ScanHints hints(boolean prefix, boolean filtered) {
    ScanHints hints = random.nextInt(3) == 0 && !prefix ? ScanHints.NONE : drawn(prefix, filtered);
    if (!filtered || !swarm.has(Feature.INDEXES)) {
      return hints;
    }
    // In small tables, only some scans use an index without a hint.
    return switch (random.nextInt(6)) {
      case 0 -> hints.with(IndexHint.NEVER);
      case 1 -> hints.with(IndexHint.AUTO);
      case 2 -> hints;
      default -> hints.with(IndexHint.ALWAYS);
    };
  }

  private ScanHints drawn(boolean prefix, boolean filtered) {
    boolean parts = swarm.has(Feature.PARTS_OF_ROWS);
    boolean cursor = parts && random.nextInt(8) == 0;
    int rows = random.nextInt(6) == 0 ? 1 + random.nextInt(4) : 0;
    int caching = caching();
    int bytes = random.nextInt(6) == 0 ? 1 + random.nextInt(500) : 0;
    boolean large = swarm.bytes().rows() > SMALL_TABLE_ROWS;
    if (large && rows == 0 && (caching > 0 && caching < CALLS_MAX || bytes > 0)) {
      rows = 1 + random.nextInt(CALLS_MAX); // else one scan takes thousands of calls
    }
    return new ScanHints(
        rows,
        // The client counts parts of rows as rows.
        parts && random.nextInt(6) == 0 && !filtered && rows == 0 ? 1 + random.nextInt(4) : 0,
        caching,
        bytes,
        parts && random.nextInt(8) == 0 && !filtered,
        cursor,
        random.nextInt(8) == 0,
        random.nextBoolean(),
        random.nextInt(8) == 0 && !cursor, // the client's prefetching scanner knows no cursors
        ReadType.values()[random.nextInt(ReadType.values().length)],
        random.nextInt(3) == 0 ? Optional.of(random.nextBoolean()) : Optional.empty(),
        prefix,
        Optional.empty());
  }

  private int caching() {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> 1 + random.nextInt(1000);
      default -> 1 + random.nextInt(5);
    };
  }

  /** Returns a get, with a filter or without. */
  Step.Get get(boolean existence) {
    Optional<Sieve> sieve =
        swarm.has(Feature.FILTERS) && random.nextInt(5) == 0
            ? Optional.of(sieves.sieve(true))
            : Optional.empty();
    Query query = requests.ofRow(requests.row());
    return new Step.Get(sieve.isPresent() ? query.withoutLimit() : query, sieve, existence);
  }

  private Step gets() {
    boolean existence = random.nextInt(4) == 0;
    List<Step.Get> all = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      all.add(get(false));
    }
    return new Step.Gets(all, existence);
  }

  /**
   * Returns puts or deletes of several rows. Only the first mutation of a row may take the server's
   * time: two of them would have the same time.
   */
  Step.Writes writes() {
    Kind kind = random.nextBoolean() || !swarm.has(Feature.DELETES) ? Kind.PUT : Kind.DELETE;
    List<Change> all = new ArrayList<>();
    TreeSet<String> rows = new TreeSet<>();
    for (int i = requests.batch(); i > 0; i--) {
      String row = requests.row();
      all.add(requests.change(row, kind, !rows.add(row)));
    }
    return new Step.Writes(all);
  }

  private List<Change> together(String row, boolean several) {
    List<Change> all = new ArrayList<>();
    for (int i = several ? 1 + random.nextInt(3) : 1; i > 0; i--) {
      all.add(requests.change(row, requests.kindOfChange(), false));
    }
    return all;
  }

  private Step.CheckAndChange check(boolean alone) {
    String row = requests.row();
    boolean bySieve = random.nextInt(4) == 0;
    boolean old = alone && !bySieve && random.nextInt(4) == 0;
    Optional<String> value =
        random.nextInt(3) == 0 ? Optional.empty() : Optional.of(requests.shortValue());
    Step.Check check =
        new Step.Check(
            row,
            requests.familyName(),
            requests.column(),
            value.isPresent() ? sieves.operator() : org.apache.hadoop.hbase.CompareOperator.EQUAL,
            value,
            bySieve ? Optional.of(sieves.sieve(true)) : Optional.empty(),
            random.nextInt(4) == 0 ? requests.range() : TimeRange.ALL);
    List<Change> changes = together(row, random.nextInt(3) == 0);
    boolean computed =
        changes.stream().anyMatch(c -> c.kind() == Kind.INCREMENT || c.kind() == Kind.APPEND);
    return new Step.CheckAndChange(check, changes, old && !computed);
  }

  private Step checks() {
    List<Step.CheckAndChange> all = new ArrayList<>();
    TreeSet<String> rows = new TreeSet<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      Step.CheckAndChange check = check(false);
      if (rows.add(check.check().row())) {
        all.add(check);
      }
    }
    return new Step.Checks(all);
  }

  private Step batch() {
    List<Step.Part> parts = new ArrayList<>();
    TreeSet<String> rows = new TreeSet<>();
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      String row = requests.row();
      switch (random.nextInt(6)) {
        case 0 -> {
          Step.Get get = new Step.Get(requests.ofRow(requests.row()), Optional.empty(), false);
          // HBase reads before it writes what comes earlier in the same call, Cairn does not.
          if (!rows.contains(get.query().start())) {
            parts.add(get);
          }
        }
        case 1 -> {
          if (rows.add(row)) {
            parts.add(new Step.Together(together(row, true)));
          }
        }
        case 2 -> {
          Step.CheckAndChange check = check(false);
          if (rows.add(check.check().row())) {
            parts.add(check);
          }
        }
        default -> {
          if (rows.add(row)) {
            parts.add(new Step.Write(requests.change(row, requests.kindOfChange(), false)));
          }
        }
      }
    }
    if (parts.isEmpty()) {
      parts.add(new Step.Get(requests.ofRow(requests.row()), Optional.empty(), false));
    }
    return new Step.Batch(parts);
  }
}
