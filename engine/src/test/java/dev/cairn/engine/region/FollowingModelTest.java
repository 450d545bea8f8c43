package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.probe.FollowMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.region.feed.FeedBatch;
import dev.cairn.engine.region.feed.FlushedNumbers;
import dev.cairn.engine.region.feed.RegionFeed;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.follow.FeedGapException;
import dev.cairn.engine.region.follow.FollowerMemory.Flushed;
import dev.cairn.engine.region.follow.FormerOwnerException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;

/**
 * A replica follows a region's log over a way that loses, repeats and reorders messages, while the
 * region flushes, compacts, loads files and moves. At each moment, what the replica has of a row's
 * family is what the region once had, and never an older state than before. When the way is good
 * again, the replica has what the region has. Set the system property {@code cairn.seed} to run one
 * seed again.
 */
class FollowingModelTest {
  private static final int STEPS = 1500;
  private static final int ROWS = 12;
  private static final List<byte[]> FAMILIES = List.of(F, G);

  /** The branches that a run reaches often. */
  private static final Set<FollowMark> COMMON =
      EnumSet.complementOf(EnumSet.of(FollowMark.SEGMENTS_FULL));

  private static Marks.Watch<FollowMark> marks;

  private final long seed = Long.getLong("cairn.seed", new Random().nextLong());
  private final Random random = new Random(seed);

  /** The features of this run. */
  private final boolean loses = random.nextBoolean();

  private final boolean moves = random.nextBoolean();
  private final boolean looksByItself = random.nextBoolean();
  private final boolean loads = random.nextBoolean();
  private final boolean keepsNumbers = random.nextBoolean();
  private final long feedBytes = random.nextBoolean() ? 1 << 20 : 6_000;

  private final RegionHarness harness = harness();

  /** All states of each row and family, {@code row/family}, oldest first. */
  private final Map<String, List<String>> history = new HashMap<>();

  private final List<Copy> copies = new ArrayList<>();
  private int loaded;
  private int written;

  private RegionHarness harness() {
    try {
      String tracker = random.nextBoolean() ? "FILE" : "DEFAULT";
      Map<String, String> attributes = Map.of("hbase.store.file-tracker.impl", tracker);
      TableSchema plain =
          TableSchema.of(
              TableName.parse("t"),
              FamilySchema.of("f", attributes),
              FamilySchema.of("g", attributes));
      RegionHarness made =
          new RegionHarness(
              new TableSchema(
                  plain.message().toBuilder()
                      .addAttributes(
                          HBaseProtos.BytesBytesPair.newBuilder()
                              .setFirst(ByteString.copyFromUtf8("REGION_REPLICATION"))
                              .setSecond(ByteString.copyFromUtf8("3")))
                      .build()));
      made.feedReplicas(feedBytes);
      made.closeCleanly();
      made.open();
      return made;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** A message to a replica. */
  private record Message(Optional<FeedBatch> batch, Optional<Flushed> flushed) {}

  /** A replica, and what its region's server knows of it. */
  private final class Copy {
    private ReadOnlyRegion region;
    private final List<Message> late = new ArrayList<>();
    private final Map<String, Integer> seen = new HashMap<>();

    /** The number up to which the sender believes the replica to have everything. */
    private long acknowledged = -1;

    Copy() throws IOException {
      open();
    }

    private void open() throws IOException {
      try (RegionOpening opening = harness.readReplica((operation, path) -> false)) {
        region = opening.follow();
      }
      acknowledged = -1;
    }

    /** Opens the replica anew; answers from its files alone may be older than those before. */
    void restart() throws IOException {
      region.close();
      open();
      seen.clear();
    }

    void send() throws IOException {
      RegionFeed feed = harness.region().feed().orElseThrow();
      if (acknowledged < 0 || !feed.continuesAfter(acknowledged)) {
        deliver(new Message(Optional.empty(), Optional.of(flushed())));
        return;
      }
      Optional<FeedBatch> batch = feed.take(acknowledged, random.nextInt(4_000));
      if (batch.isPresent()) {
        deliver(new Message(batch, Optional.empty()));
      }
    }

    private Flushed flushed() {
      FlushedNumbers numbers = harness.region().flushedNumbers().orElseThrow();
      return new Flushed(harness.region().owner(), numbers);
    }

    void tellOfFiles() throws IOException {
      deliver(new Message(Optional.empty(), Optional.of(flushed())));
    }

    /** Lets a message arrive: at once, late, never, or twice. */
    private void deliver(Message message) throws IOException {
      int dice = loses ? random.nextInt(10) : 9;
      if (dice < 1) {
        // As after a restart of the replica's server that its sender does not know of.
        message.batch().ifPresent(lost -> acknowledged = lost.lastSequence());
      }
      if (dice < 2) {
        return;
      }
      if (dice < 4) {
        late.add(message);
        return;
      }
      if (dice < 5) {
        late.add(message);
      }
      arrive(message);
    }

    private void arrive(Message message) throws IOException {
      try {
        if (message.batch().isPresent()) {
          region.apply(message.batch().get());
          acknowledged = Math.max(acknowledged, message.batch().get().lastSequence());
        } else {
          region.refresh(message.flushed().orElseThrow());
          acknowledged = Math.max(acknowledged, message.flushed().get().numbers().ofRegion());
        }
      } catch (FeedGapException e) {
        acknowledged = -1;
      } catch (FormerOwnerException e) {
        assertThat(moves).isTrue();
      }
    }

    /** Lets a message arrive that was under way for long; its sender has given it up. */
    void arriveLate() throws IOException {
      if (!late.isEmpty()) {
        long before = acknowledged;
        arrive(late.remove(random.nextInt(late.size())));
        acknowledged = Math.min(before, acknowledged);
      }
    }

    void check(String context) throws IOException {
      Map<String, String> states = states(read(region));
      for (Map.Entry<String, List<String>> one : history.entrySet()) {
        String state = states.getOrDefault(one.getKey(), "");
        int from = seen.getOrDefault(one.getKey(), 0);
        int index = one.getValue().subList(from, one.getValue().size()).indexOf(state);
        assertThat(index)
            .as(
                "%s: the replica has %s of %s, which had since: %s",
                context, state, one.getKey(), one.getValue().subList(from, one.getValue().size()))
            .isGreaterThanOrEqualTo(0);
        seen.put(one.getKey(), from + index);
      }
    }
  }

  @BeforeAll
  static void watch() {
    marks = Marks.watch(FollowMark.class);
  }

  /** The runs together take each branch, unless they repeat one seed. */
  @AfterAll
  static void allBranchesAreTaken() {
    if (Long.getLong("cairn.seed") == null) {
      assertThat(marks.missed(COMMON))
          .as("branches that no run took; counts:%n%s", marks)
          .isEmpty();
    }
  }

  @RepeatedTest(20)
  void aReplicaIsNeverWrongAndSoonCurrent() throws IOException {
    String run =
        "seed %d, loses %s, moves %s, looks by itself %s, loads %s, keeps numbers %s, feed of %d bytes"
            .formatted(seed, loses, moves, looksByItself, loads, keepsNumbers, feedBytes);
    try (harness) {
      for (String row : rows()) {
        FAMILIES.forEach(family -> states(row, family).add(""));
      }
      copies.add(new Copy());
      copies.add(new Copy());
      for (int step = 0; step < STEPS; step++) {
        step();
        Copy copy = copies.get(random.nextInt(copies.size()));
        copy.check(run + ", step " + step);
        if (step % 300 == 299) {
          rest(run + ", step " + step);
        }
      }
      for (Copy copy : copies) {
        copy.region.close();
      }
    }
    assertThat(harness.openFiles()).as(run).isZero();
  }

  private void step() throws IOException {
    int dice = random.nextInt(1000);
    Copy copy = copies.get(random.nextInt(copies.size()));
    if (dice < 350) {
      write();
    } else if (dice < 750) {
      copy.send();
    } else if (dice < 800) {
      copy.arriveLate();
    } else if (dice < 860) {
      flush();
      for (Copy told : copies) {
        if (random.nextInt(3) > 0) {
          told.tellOfFiles();
        }
      }
    } else if (dice < 900) {
      harness.region().compact(random.nextBoolean());
      copy.tellOfFiles();
    } else if (dice < 940) {
      copy.tellOfFiles();
    } else if (dice < 970) {
      if (looksByItself) {
        copy.region.refresh();
      }
    } else if (dice < 980) {
      if (loads) {
        load();
      }
    } else if (dice < 990) {
      copy.restart();
    } else if (moves) {
      if (random.nextBoolean()) {
        // Takes a number that no later owner finds anywhere.
        harness.region().snapshot(RegionSnapshot.Memory.FLUSH);
        copy.tellOfFiles();
      }
      move();
    }
    trim();
  }

  private void trim() {
    long least = copies.stream().mapToLong(copy -> copy.acknowledged).min().orElse(0);
    if (random.nextBoolean()) {
      harness.region().feed().orElseThrow().trim(least);
    }
  }

  private void flush() throws IOException {
    FlushScope scope =
        switch (random.nextInt(3)) {
          case 0 -> new FlushScope.Families(List.of(random.nextBoolean() ? F : G));
          case 1 -> new FlushScope.UpTo(random.nextLong(harness.region().readPoint() + 1));
          default -> FlushScope.ALL;
        };
    harness.region().flush(scope);
  }

  private void move() throws IOException {
    if (random.nextBoolean()) {
      harness.closeCleanly();
      harness.open();
    } else {
      harness.takeOver().close(true);
    }
    for (Copy copy : copies) {
      copy.acknowledged = -1;
    }
  }

  /** Loads a file whose cell gets a new number, or keeps its own, or has none. */
  private void load() throws IOException {
    String row = row();
    byte[] family = random.nextBoolean() ? F : G;
    String path = "staging/token/" + Bytes.utf8(family) + "/" + ++loaded;
    boolean isNew = random.nextBoolean();
    boolean keeps = random.nextInt(3) == 0;
    long number = keepsNumbers && random.nextBoolean() ? number() : 0;
    Cell cell =
        Cell.of(
            Bytes.utf8(row),
            family,
            Bytes.utf8("q"),
            harness.clock.currentTimeMillis() + 1,
            CellType.PUT.code(),
            Bytes.utf8("loaded" + loaded),
            Bytes.EMPTY,
            number);
    LoadedNumbersTest.write(harness, path, family, cell, keepsNumbers && keeps);
    harness
        .region()
        .bulkLoad(
            new BulkLoadRequest(
                "0a",
                List.of(new BulkLoadRequest.File(family, path)),
                isNew || !keepsNumbers
                    ? BulkLoadRequest.Sequence.NEW
                    : BulkLoadRequest.Sequence.STORED,
                BulkLoadRequest.Check.ALL));
    note(row);
  }

  /** Returns a number around the present one. */
  private long number() {
    return Math.max(1, harness.region().readPoint() - 6 + random.nextInt(18));
  }

  private void write() throws IOException {
    String row = row();
    List<Mutation> together = new ArrayList<>();
    for (byte[] family : FAMILIES) {
      int dice = random.nextInt(10);
      if (dice < 7) {
        String value = "v" + ++written + "x".repeat(random.nextInt(60));
        together.add(RegionHarness.putOf(row, family, "n", Cell.LATEST_TIMESTAMP, value));
      }
      if (dice < 3) {
        together.add(
            RegionHarness.putOf(row, family, qualifier(), Cell.LATEST_TIMESTAMP, "v" + written));
      } else if (dice < 7) {
        together.add(
            RegionHarness.deleteOf(
                row, family, qualifier(), Cell.LATEST_TIMESTAMP, CellType.DELETE_COLUMN));
      } else if (dice < 8) {
        together.add(
            RegionHarness.deleteOf(row, family, "", Cell.LATEST_TIMESTAMP, CellType.DELETE_FAMILY));
      }
    }
    if (together.isEmpty()) {
      return;
    }
    Durability durability = random.nextInt(5) == 0 ? Durability.ASYNC_WAL : Durability.SYNC_WAL;
    harness.mutateTogether(together.stream().map(one -> with(durability, one)).toList());
    note(row);
  }

  private static Mutation with(Durability durability, Mutation mutation) {
    return new Mutation(
        mutation.kind(),
        mutation.row(),
        mutation.cells(),
        durability,
        mutation.timeRange(),
        mutation.returnResult());
  }

  private String qualifier() {
    return random.nextBoolean() ? "q" : "r";
  }

  /** Takes down the present state of a row. */
  private void note(String row) throws IOException {
    List<String> cells = harness.dump(ScanRequest.row(Bytes.utf8(row)).build());
    Map<String, String> present = states(cells);
    for (byte[] family : FAMILIES) {
      states(row, family).add(present.getOrDefault(key(row, family), ""));
    }
  }

  private List<String> states(String row, byte[] family) {
    return history.computeIfAbsent(key(row, family), key -> new ArrayList<>());
  }

  private static String key(String row, byte[] family) {
    return row + "/" + Bytes.utf8(family);
  }

  /** Returns the cells of each row and family. */
  private static Map<String, String> states(List<String> cells) {
    Map<String, String> states = new TreeMap<>();
    for (String cell : cells) {
      states.merge(cell.substring(0, cell.indexOf(':')), cell, (one, other) -> one + " " + other);
    }
    return states;
  }

  /** The way is good again: the replicas become current, without a flush if they lack nothing. */
  private void rest(String context) throws IOException {
    for (Copy copy : copies) {
      copy.late.clear();
    }
    checkCurrent(context);
    harness.region().flush();
    List<String> expected = harness.dump();
    for (Copy copy : copies) {
      copy.arrive(new Message(Optional.empty(), Optional.of(copy.flushed())));
      assertThat(read(copy.region)).as(context).isEqualTo(expected);
      assertThat(copy.region.stores())
          .as(context)
          .allMatch(store -> store.view().segments().stream().allMatch(s -> s.isEmpty()));
    }
    for (int i = 0; i < 20; i++) {
      write();
    }
    checkCurrent(context);
  }

  /** Checks that the replicas become current that lack no change that the feed does not have. */
  private void checkCurrent(String context) throws IOException {
    RegionFeed feed = harness.region().feed().orElseThrow();
    harness.region().context().wal().sync(harness.region().context().wal().lastTxid());
    for (Copy copy : copies) {
      copy.arrive(new Message(Optional.empty(), Optional.of(copy.flushed())));
      copy.acknowledged = copy.region.followedSequence();
      for (Optional<FeedBatch> batch = feed.take(copy.acknowledged, 500);
          batch.isPresent();
          batch = feed.take(copy.acknowledged, 500)) {
        copy.arrive(new Message(batch, Optional.empty()));
      }
      if (feed.continuesAfter(copy.acknowledged)) {
        assertThat(read(copy.region)).as(context).isEqualTo(harness.dump());
        assertThat(copy.region.followedSequence()).isGreaterThanOrEqualTo(feed.readySequence());
      }
    }
  }

  private static List<String> read(ReadOnlyRegion replica) throws IOException {
    List<String> cells = new ArrayList<>();
    try (RegionRead read =
        replica.read(ScanRequest.builder().build(), new ReadBudget(-1, -1, Long.MAX_VALUE, true))) {
      TableHarness.read(read, cells);
    }
    return cells;
  }

  private static List<String> rows() {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add("r%02d".formatted(i));
    }
    return Collections.unmodifiableList(rows);
  }

  private String row() {
    return rows().get(random.nextInt(ROWS));
  }
}
