package dev.cairn.torture.cluster;

import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.schema.TableName;
import dev.cairn.torture.scheduler.Machine;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.DeleteType;

/**
 * A client that reads, scans, writes and deletes random numbers, unless it {@linkplain #rest
 * rests}. Each client does without some kinds of changes, so some rows are only put. Some rows of a
 * place are prefixes of others.
 */
final class Workload {
  static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration REPLICA_PATIENCE = Duration.ofSeconds(5);
  private static final int REGISTERS = 12;
  private static final int COUNTERS = 4;
  private static final int SWITCHES = 4;
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** One increment in this many is a repeat of the last one. */
  private static final int REPEAT = 4;

  private static final int BATCH_MAX = 5;
  private static final int PLACES = 100;
  private static final int SCAN_ROWS_MAX = 100;
  private static final int SCAN_BYTES_MAX = 1000;

  /** The kinds of changes that a client may do without. */
  private static final int CHANGES = 4;

  /** The number of places with rows. */
  private static final int PLACES_USED = 20;

  private static final String LETTERS = "\0" + "0a";
  private static final long SCAN_PAUSE_MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

  /** The network delivers a repeated request within this time. */
  private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** No server works longer on a request whose client has given up. */
  private static final long REPEATED_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Servers remember nonces for half an hour. */
  private static final long REPEAT_NANOS = TimeUnit.MINUTES.toNanos(20);

  private final int number;
  private final ClusterClient client;
  private final Machine machine;
  private final RowCalls rows;
  private final BatchCalls batches;
  private final ScanCalls scans;
  private final History history;
  private final RandomGenerator random;
  private final LongSupplier pauseMaxNanos;

  /** The kinds of changes that it makes: puts of several rows, deletes, increments, conditions. */
  private final boolean[] does = new boolean[CHANGES];

  private final Map<String, Long> deletableNanos = new HashMap<>(); // never iterated
  private long operations;
  private long filteredScans;
  private long value;
  private long nonce;
  private Optional<Increment> lastIncrement = Optional.empty();

  /** What this client has read from each replica: by row and number of the replica. */
  private final List<NavigableMap<String, Long>> seen = List.of(new TreeMap<>(), new TreeMap<>());

  private boolean resting;
  private boolean working;

  private record Increment(String row, long nonce, long doneNanos) {}

  /**
   * Creates a client.
   *
   * @param pauseMaxNanos returns the longest pause between two operations
   */
  Workload(
      int number,
      ClusterClient client,
      TableName table,
      History history,
      RandomGenerator random,
      LongSupplier pauseMaxNanos) {
    this.number = number;
    this.client = client;
    this.machine = client.machine();
    this.rows = new RowCalls(client, table);
    this.batches = new BatchCalls(client, table);
    this.scans = new ScanCalls(client, table);
    this.history = history;
    this.random = random;
    this.pauseMaxNanos = pauseMaxNanos;
    for (int kind = 0; kind < CHANGES; kind++) {
      does[kind] = random.nextInt(3) > 0;
    }
  }

  /** Starts the client, on a thread of its machine. */
  void start() {
    machine.spawn("workload", this::work);
  }

  /** Pauses it after its present operation, until {@link #resume}. */
  void rest() {
    resting = true;
  }

  /** Ends {@link #rest}. */
  void resume() {
    resting = false;
  }

  /** Tells whether it is paused and its last operation has ended. */
  boolean isAtRest() {
    return resting && !working;
  }

  @Override
  public String toString() {
    return "client " + number + ": " + client.lastCall();
  }

  long operations() {
    return operations;
  }

  /** Returns the number of scans for some numbers that have ended. */
  long filteredScans() {
    return filteredScans;
  }

  private void work() {
    while (true) {
      if (resting) {
        machine.clock().park(REST_NANOS);
        continue;
      }
      working = true;
      operations++;
      switch (random.nextInt(16)) {
        case 0, 1 -> put();
        case 2 -> changeOrPut(0, this::putSeveral);
        case 3 -> changeOrPut(1, this::delete);
        case 4, 5 -> changeOrPut(2, this::increment);
        case 6, 7 -> changeOrPut(3, this::change);
        case 8, 9 -> scan();
        case 10 -> scanNumbers();
        case 11 -> readReplica();
        case 12 -> scanReplica();
        default -> read();
      }
      working = false;
      machine.clock().park(random.nextLong(1, pauseMaxNanos.getAsLong()));
    }
  }

  private void changeOrPut(int kind, Runnable change) {
    if (does[kind]) {
      change.run();
    } else {
      put();
    }
  }

  private void put() {
    String row = register(number, random.nextInt(REGISTERS));
    long next = ++value;
    long failures = client.failures();
    history.beginPut(row, next);
    try {
      rows.put(row, next, PATIENCE);
      history.put(row, next);
    } catch (IOException e) {
      history.lostSight();
    }
    noteChange(row, failures);
  }

  private void putSeveral() {
    Map<String, Long> values = new TreeMap<>();
    for (int i = 0; i < BATCH_MAX; i++) {
      values.put(register(number, random.nextInt(REGISTERS)), ++value);
    }
    long failures = client.failures();
    values.forEach(history::beginPut);
    Set<String> left = new HashSet<>(values.keySet());
    try {
      batches.put(
          values,
          PATIENCE,
          row -> {
            history.put(row, values.get(row));
            left.remove(row);
          });
    } catch (IOException e) {
      left.forEach(row -> history.lostSight());
    }
    values.keySet().forEach(row -> noteChange(row, failures));
  }

  private void delete() {
    String row = register(number, random.nextInt(REGISTERS));
    Long safe = deletableNanos.get(row);
    if (safe == null || machine.clock().nanoTime() < safe) {
      put();
      return;
    }
    long next = ++value;
    DeleteType type =
        random.nextBoolean() ? DeleteType.DELETE_FAMILY : DeleteType.DELETE_MULTIPLE_VERSIONS;
    history.beginDelete(row, next);
    try {
      rows.delete(row, next, type, PATIENCE);
      history.put(row, next);
    } catch (IOException e) {
      history.lostSight();
    }
  }

  /**
   * Decides when a row may be deleted: not while a repeated put may still be on its way, because it
   * counts again after a compaction has removed the deletion.
   *
   * @param failures the client's failures before the put
   */
  private void noteChange(String row, long failures) {
    long wait = client.failures() == failures ? SETTLED_NANOS : REPEATED_NANOS;
    deletableNanos.merge(row, machine.clock().nanoTime() + wait, Math::max);
  }

  /** Scans a range, and checks each of its rows as a read that began with the scan. */
  private void scan() {
    int start = random.nextInt(PLACES);
    int stop = start + random.nextInt(1, PLACES / 2);
    scan(place(start), stop < PLACES ? place(stop) : "");
  }

  private ScanCalls.Paging paging() {
    return new ScanCalls.Paging(
        random.nextInt(1, random.nextInt(3) == 0 ? SCAN_ROWS_MAX : 6),
        random.nextInt(4) == 0 ? random.nextInt(1, SCAN_BYTES_MAX) : 0,
        random.nextBoolean(),
        random.nextLong(1, SCAN_PAUSE_MAX_NANOS),
        0);
  }

  private void scan(String start, String stop) {
    ScanCalls.Paging paging = paging();
    NavigableMap<String, Long> left = history.leasts(start, stop);
    String[] last = {""};
    try {
      scans.scan(
          start,
          stop,
          paging,
          PATIENCE,
          (row, seen) -> {
            if (row.compareTo(last[0]) <= 0) {
              history.disorder(last[0], row);
            }
            last[0] = row;
            Long least = left.remove(row);
            history.read(row, OptionalLong.of(seen), least == null ? 0 : least);
          });
    } catch (IOException e) {
      return; // Only the rows that came were read.
    }
    left.forEach((row, least) -> history.read(row, OptionalLong.empty(), least));
  }

  /**
   * Scans a range for some numbers, once with each hint on the use of indexes. A row with another
   * number may be left out, and must be.
   */
  private void scanNumbers() {
    int first = random.nextInt(PLACES);
    int last = random.nextBoolean() ? PLACES : first + random.nextInt(1, PLACES);
    String start = random.nextBoolean() ? "" : place(first);
    String stop = last < PLACES ? place(last) : "";
    ScanCalls.Numbers wanted = numbers(history.leasts(start, stop).values());
    for (IndexHint hint : IndexHint.values()) {
      scan(start, stop, wanted.with(hint));
    }
  }

  /** Draws a range of numbers that begins with one of some rows. */
  private ScanCalls.Numbers numbers(Collection<Long> ofRows) {
    List<Long> known = List.copyOf(ofRows);
    long from = known.isEmpty() ? 1 : Math.max(1, known.get(random.nextInt(known.size())));
    long to =
        switch (random.nextInt(4)) {
          case 0 -> from + 3;
          case 1 -> Long.MAX_VALUE;
          default -> from;
        };
    return new ScanCalls.Numbers(from, to, false, IndexHint.AUTO);
  }

  private void scan(String start, String stop, ScanCalls.Numbers wanted) {
    NavigableMap<String, Long> left = history.leasts(start, stop);
    String[] before = {""};
    try {
      scans.scan(
          start,
          stop,
          paging(),
          wanted,
          PATIENCE,
          (row, seen) -> {
            if (row.compareTo(before[0]) <= 0) {
              history.disorder(before[0], row);
            }
            before[0] = row;
            Long least = left.remove(row);
            history.read(row, OptionalLong.of(seen), least == null ? 0 : least);
            checkWanted(row, seen, wanted);
          });
    } catch (IOException e) {
      return; // Only the rows that came were read.
    }
    filteredScans++;
    left.forEach((row, least) -> history.leftOut(row, wanted.from(), wanted.to(), least));
  }

  private void checkWanted(String row, long value, ScanCalls.Numbers wanted) {
    if (!wanted.contains(value)) {
      history.unwanted(row, value, wanted.toString());
    }
  }

  private void increment() {
    if (random.nextInt(REPEAT) == 0 && lastIncrement.isPresent()) {
      repeat(lastIncrement.get());
      return;
    }
    String row = counter(random.nextInt(COUNTERS));
    long least = history.least(row);
    history.beginIncrement(row);
    try {
      long returned = rows.increment(row, (long) number << 40 | ++nonce, PATIENCE);
      history.increment(row, returned, least);
      lastIncrement = Optional.of(new Increment(row, nonce, machine.clock().nanoTime()));
    } catch (IOException e) {
      history.lostSight();
    }
  }

  /** Repeats an increment, as a client does that has not received the answer. */
  private void repeat(Increment last) {
    if (machine.clock().nanoTime() - last.doneNanos() > REPEAT_NANOS) {
      return;
    }
    try {
      history.repeated(
          last.row(), rows.increment(last.row(), (long) number << 40 | last.nonce(), PATIENCE));
    } catch (IOException e) {
      // Nobody depends on the answer.
    }
  }

  private void change() {
    String row = toggle(random.nextInt(SWITCHES));
    try {
      long least = history.least(row);
      OptionalLong present = rows.get(row, PATIENCE);
      history.read(row, present, least);
      long before = present.orElse(0);
      history.beginPut(row, before + 1);
      if (rows.checkAndPut(row, before, before + 1, Duration.ZERO)) {
        history.change(row, before + 1);
      }
    } catch (IOException e) {
      history.lostSight();
    }
  }

  /** Reads a replica, which may be behind but never goes back. */
  private void readReplica() {
    String row = anyRow();
    int id = random.nextInt(8) == 0 ? 2 : 1;
    try {
      OptionalLong value = rows.getFromReplica(row, id, REPLICA_PATIENCE);
      seen(id, row, value);
    } catch (IOException e) {
      // Nothing was read: perhaps the table has no such replica.
    }
  }

  private void seen(int id, String row, OptionalLong value) {
    NavigableMap<String, Long> known = seen.get(id - 1);
    known.put(row, history.readReplica(row, value, known.getOrDefault(row, 0L)));
  }

  /** Scans a range of a replica. */
  private void scanReplica() {
    int first = random.nextInt(PLACES);
    String start = place(first);
    String stop = first + PLACES / 10 < PLACES ? place(first + PLACES / 10) : "";
    ScanCalls.Paging paging =
        new ScanCalls.Paging(
            random.nextInt(1, 6), 0, true, random.nextLong(1, SCAN_PAUSE_MAX_NANOS), 1);
    NavigableMap<String, Long> known = seen.get(0);
    ScanCalls.Numbers wanted =
        random.nextBoolean()
            ? ScanCalls.Numbers.ALL
            : numbers(known.values())
                .with(IndexHint.values()[random.nextInt(IndexHint.values().length)]);
    NavigableSet<String> left =
        new TreeSet<>(
            (stop.isEmpty() ? known.tailMap(start, true) : known.subMap(start, true, stop, false))
                .keySet());
    String[] last = {""};
    try {
      scans.scan(
          start,
          stop,
          paging,
          wanted,
          REPLICA_PATIENCE,
          (row, value) -> {
            if (row.compareTo(last[0]) <= 0) {
              history.disorder(last[0], row);
            }
            last[0] = row;
            left.remove(row);
            seen(1, row, OptionalLong.of(value));
            checkWanted(row, value, wanted);
          });
    } catch (IOException e) {
      return; // Only the rows that came were read.
    }
    if (wanted.equals(ScanCalls.Numbers.ALL)) {
      left.forEach(row -> seen(1, row, OptionalLong.empty()));
    } else {
      filteredScans++;
      left.forEach(
          row ->
              known.put(
                  row,
                  history.leftOutByReplica(
                      row, wanted.from(), wanted.to(), known.getOrDefault(row, 0L))));
    }
  }

  private String anyRow() {
    return switch (random.nextInt(3)) {
      case 0 -> counter(random.nextInt(COUNTERS));
      case 1 -> toggle(random.nextInt(SWITCHES));
      default -> register(random.nextInt(number + 1), random.nextInt(REGISTERS));
    };
  }

  private void read() {
    String row = anyRow();
    long least = history.least(row);
    try {
      history.read(row, rows.get(row, PATIENCE), least);
    } catch (IOException e) {
      // Nothing was read.
    }
  }

  private static String counter(int row) {
    return key(row);
  }

  private static String toggle(int row) {
    return key(COUNTERS + row);
  }

  private static String register(int client, int row) {
    return key(COUNTERS + SWITCHES + client * REGISTERS + row);
  }

  /**
   * Returns the row of a number: a place and a word. Some words of a place are prefixes of others.
   */
  private static String key(int number) {
    StringBuilder word = new StringBuilder();
    for (int left = number / PLACES_USED; left > 0; left = (left - 1) / LETTERS.length()) {
      word.insert(0, LETTERS.charAt((left - 1) % LETTERS.length()));
    }
    return place(number * 7 % PLACES_USED * (PLACES / PLACES_USED)) + word;
  }

  private static String place(int number) {
    return (number < 10 ? "0" : "") + number;
  }
}
