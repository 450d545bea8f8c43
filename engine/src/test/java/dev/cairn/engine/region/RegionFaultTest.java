package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.tracking.StoreFileTracking;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;

/**
 * Random operations on a region whose storage fails now and then. Whatever fails: what was
 * acknowledged stays, what a read returns is right, each row is whole, and an operation either
 * succeeds or throws an {@link IOException}. Set the system property {@code cairn.seed} to run one
 * seed again (the log's thread makes runs with one seed similar, not equal).
 */
class RegionFaultTest {
  private static final List<String> TRACKERS = List.of("DEFAULT", "FILE");
  private static final String ABSENT = "";
  private static final int ROWS = 12;

  private final long seed = Long.getLong("cairn.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final AtomicLong operations = new AtomicLong();
  private volatile int oneIn = Integer.MAX_VALUE; // of storage operations, how many fail

  /** By row: the values that a read may find. More than one since a write failed. */
  private final Map<String, Set<String>> possible = new HashMap<>();

  private RegionHarness harness;
  private int step;

  @RepeatedTest(10)
  void whatIsAcknowledgedStaysAndWhatIsReadIsRight() throws IOException {
    harness = new RegionHarness(schema());
    harness.failWith(this::fails);
    for (int row = 0; row < ROWS; row++) {
      possible.put(row(row), Set.of(ABSENT));
    }
    try {
      restart(true);
      for (step = 0; step < 250; step++) {
        if (!succeeds()) {
          restart(random.nextBoolean());
        }
      }
      restart(true);
    } finally {
      harness.close();
    }
    assertThat(harness.openFiles()).as("store files left open; seed %d", seed).isZero();
  }

  private TableSchema schema() {
    return TableSchema.of(
        TableName.parse("t"),
        FamilySchema.of("f", Map.of("BLOCKSIZE", "512", StoreFileTracking.KEY, tracker())),
        FamilySchema.of(
            "g", Map.of("IS_MOB", "true", "MOB_THRESHOLD", "4", StoreFileTracking.KEY, tracker())));
  }

  private String tracker() {
    return TRACKERS.get(random.nextInt(TRACKERS.size()));
  }

  private boolean fails(StorageOperation operation, String path) {
    long mixed = (operations.incrementAndGet() ^ seed) * 0x9E3779B97F4A7C15L;
    return Math.floorMod(mixed ^ mixed >>> 29, oneIn) == 0 && oneIn < Integer.MAX_VALUE;
  }

  /** Does something; false if it failed in a way after which a server stops. */
  private boolean succeeds() throws IOException {
    int dice = random.nextInt(100);
    try {
      if (dice < 57) {
        return writes(row(random.nextInt(ROWS)), random.nextInt(8) == 0);
      } else if (dice < 60) {
        return loads(row(random.nextInt(ROWS)));
      } else if (dice < 80) {
        check(row(random.nextInt(ROWS)));
      } else if (dice < 88) {
        boolean all = random.nextBoolean();
        harness
            .region()
            .flush(
                all
                    ? FlushScope.ALL
                    : new FlushScope.Families(List.of(random.nextBoolean() ? F : G)));
      } else if (dice < 94) {
        harness.region().compact(random.nextBoolean());
      } else if (dice < 97) {
        harness.closeCleanly();
        harness.open();
      } else {
        return false;
      }
      return true;
    } catch (IOException e) {
      // Reads and compactions may fail and the region goes on; whether a flush or a closing did any
      // harm shows later.
      return dice < 80 || dice >= 88 && dice < 94 || dice < 88 && random.nextBoolean();
    }
  }

  private boolean writes(String row, boolean delete) {
    String value = delete ? ABSENT : "v" + step + "x".repeat(random.nextInt(300));
    Mutation mutation =
        delete
            ? Mutation.delete(Bytes.utf8(row), new CellBuffer())
            : RegionHarness.put(row, List.of(F, G), value);
    try {
      RegionHarness.done(
          step % 2 == 0
              ? harness.mutate(List.of(mutation))
              : List.of(RegionHarness.begun(harness.region(), mutation)));
      possible.put(row, Set.of(value));
      return true;
    } catch (IOException e) {
      Set<String> either = new HashSet<>(possible.get(row));
      either.add(value);
      possible.put(row, either);
      return false;
    }
  }

  /** Loads a row in bulk, whose file may be left behind if that fails. */
  private boolean loads(String row) throws IOException {
    String value = "v" + step;
    String source = "staging/" + step + "/";
    long now = harness.clock.currentTimeMillis();
    BulkLoadTest.write(harness, source + "f", F, now, value, row);
    BulkLoadTest.write(harness, source + "g", G, now, value, row);
    Set<String> either = new HashSet<>(possible.get(row));
    either.add(value);
    possible.put(row, either);
    harness
        .region()
        .bulkLoad(
            new BulkLoadRequest(
                Integer.toHexString(step),
                List.of(
                    new BulkLoadRequest.File(F, source + "f"),
                    new BulkLoadRequest.File(G, source + "g")),
                BulkLoadRequest.Sequence.NEW,
                BulkLoadRequest.Check.ALL));
    possible.put(row, Set.of(value));
    return true;
  }

  private String check(String row) throws IOException {
    List<String> cells = harness.dump(ScanRequest.row(Bytes.utf8(row)).build());
    String found = ABSENT;
    if (!cells.isEmpty()) {
      found = cells.get(0).substring((row + "/f:q=").length());
      assertThat(cells)
          .as("whole row; %s", where())
          .containsExactly(row + "/f:q=" + found, row + "/g:q=" + found);
    }
    assertThat(possible.get(row)).as("%s; %s", row, where()).contains(found);
    return found;
  }

  /** Crashes, starts again on what is left, and looks at everything. */
  private void restart(boolean kill) throws IOException {
    oneIn = Integer.MAX_VALUE;
    if (kill) {
      harness.kill();
    } else {
      harness.powerCut(random);
    }
    for (int row = 0; row < ROWS; row++) {
      possible.put(row(row), Set.of(check(row(row))));
    }
    oneIn = 20 + random.nextInt(300);
  }

  private String where() {
    return "seed %d, step %d, one in %d fails".formatted(seed, step, oneIn);
  }

  private static String row(int number) {
    return "r%02d".formatted(number);
  }
}
