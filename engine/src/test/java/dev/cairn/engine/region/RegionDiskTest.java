package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.DiskFullException;
import dev.cairn.engine.storage.FaultRule;
import dev.cairn.engine.storage.FaultRule.Manner;
import dev.cairn.engine.storage.Faults;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.wal.WalStalledException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A region whose disk fails once at any place, or is full for a while. */
@Timeout(120)
class RegionDiskTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f"), FamilySchema.of("g"));

  private final Faults faults = new Faults(new SplittableRandom(1));
  @AutoClose private RegionHarness harness;
  private boolean beginsOnly;

  /** The expected contents of the region: by row, the value in both families. */
  private final TreeMap<String, String> expected = new TreeMap<>();

  @BeforeEach
  void open() throws IOException {
    begin();
  }

  private void begin() throws IOException {
    expected.clear();
    faults.heal();
    harness = new RegionHarness(SCHEMA);
    harness.closeCleanly();
    harness.failBy(faults);
    harness.open();
  }

  private static Mutation both(String row, String value) {
    return RegionHarness.put(row, List.of(F, G), value);
  }

  private static Mutation increment(String row) {
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8(row),
        F,
        Bytes.utf8("n"),
        Cell.LATEST_TIMESTAMP,
        CellType.PUT.code(),
        Bytes.ofLong(1),
        Bytes.EMPTY);
    return new Mutation(
        Mutation.Kind.INCREMENT,
        Bytes.utf8(row),
        cells,
        Durability.USE_DEFAULT,
        TimeRange.ALL,
        true);
  }

  private MutationOutcome mutate(Mutation mutation) throws IOException {
    beginsOnly = !beginsOnly; // every other write is of those that must not wait
    return beginsOnly
        ? RegionHarness.begun(harness.region(), mutation)
        : harness.mutate(List.of(mutation)).get(0);
  }

  private void put(String row, String value) throws IOException {
    assertThat(mutate(both(row, value))).isInstanceOf(MutationOutcome.Done.class);
    expected.put(row, value);
  }

  private void assertHoldsWhatIsExpected(String where) throws IOException {
    List<String> cells = new ArrayList<>();
    expected.forEach(
        (row, value) -> {
          cells.add(row + "/f:q=" + value);
          cells.add(row + "/g:q=" + value);
        });
    List<String> found;
    try {
      found = harness.dump();
    } catch (IOException readFailed) {
      found = harness.dump();
    }
    assertThat(found).as(where).isEqualTo(cells);
  }

  /** One step of the life of a region. */
  private interface Step {
    void run() throws IOException;
  }

  private List<Step> life() {
    return List.of(
        () -> put("a", "1"),
        () -> put("b", "1".repeat(3000)),
        () -> harness.region().flush(),
        () -> put("a", "2"),
        () -> harness.rollLog(),
        () -> put("c", "2"),
        () -> harness.region().flush(),
        () -> harness.region().compact(true),
        () -> put("b", "3"),
        () -> harness.region().flush(),
        () -> harness.region().compact(true),
        () -> put("d", "4"),
        () -> harness.rollLog(),
        () -> put("a", "5"));
  }

  @ParameterizedTest
  @EnumSource(
      value = Manner.class,
      names = {"NOT_DONE", "PARTLY", "DONE", "DISK_FULL"})
  void whicheverOperationFailsNothingIsLostAndNothingInvented(Manner manner) throws IOException {
    boolean injected = true;
    int n = 1;
    for (; injected; n += 1 + n / 16) {
      harness.close();
      begin();
      String where = manner + " at operation " + n;
      faults.add(FaultRule.anything().nth(n).how(manner));
      long before = injectedFaults();
      for (Step step : life()) {
        try {
          step.run();
        } catch (IOException | AssertionError e) {
          // The fault is over; what failed is done again, as a client or the server would.
          if (e instanceof AssertionError || e instanceof WalStalledException) {
            awaitWritable();
          }
          step.run();
        }
        assertHoldsWhatIsExpected(where);
      }
      injected = injectedFaults() > before;
      faults.heal();
      for (Storage.FileInfo family : harness.memory().list(harness.directory() + "/.tmp")) {
        assertThat(harness.memory().list(family.path()))
            .as("no room is taken by what failed; %s", where)
            .allMatch(left -> left.length() == 0);
      }
      if (n % 2 == 0) {
        harness.kill();
      } else {
        harness.powerCut(new java.util.Random(n));
      }
      assertHoldsWhatIsExpected(where + ", after a crash");
      harness.closeCleanly();
      harness.open();
      assertHoldsWhatIsExpected(where + ", opened again");
    }
    assertThat(n).as("operations that were made to fail").isGreaterThan(100);
  }

  private long injectedFaults() {
    return faults.injected().values().stream().mapToLong(Long::longValue).sum();
  }

  private void awaitWritable() throws IOException {
    await()
        .pollInSameThread()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptionsMatching(WalStalledException.class::isInstance)
        .until(
            () -> {
              harness.mutateTogether(List.of(Mutation.delete(Bytes.utf8("x"), noSuchCell())));
              return true;
            });
  }

  private static CellBuffer noSuchCell() {
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8("x"), F, Bytes.utf8("x"), 1, CellType.DELETE.code(), Bytes.EMPTY, Bytes.EMPTY);
    return cells;
  }

  @Test
  void onAFullDiskWritesWaitUnseenAndCompleteWhenThereIsRoom() throws Exception {
    for (int blocks = 0; blocks < 12; blocks++) {
      harness.close();
      begin();
      beginsOnly = blocks % 4 < 2; // so that both kinds come upon the full disk
      put("before", "1");
      harness.disk().limitTo(harness.disk().usedBytes() + blocks * 4096L);
      List<CompletableFuture<CellBuffer>> open = new ArrayList<>();
      TreeMap<String, String> undecided = new TreeMap<>();
      int refused = 0;
      for (int i = 0; refused < 3; i++) {
        assertThat(i).isLessThan(100);
        String row = "row%02d".formatted(i);
        String value = "v" + "x".repeat(1500);
        try {
          MutationOutcome outcome = mutate(both(row, value));
          if (outcome instanceof MutationOutcome.Undecided one) {
            assertThat(one.cause()).hasRootCauseInstanceOf(DiskFullException.class);
            open.add(one.cause().outcome());
            undecided.put(row, value);
          } else {
            assertThat(outcome).isInstanceOf(MutationOutcome.Done.class);
            expected.put(row, value);
          }
        } catch (WalStalledException e) {
          refused++;
        }
        assertHoldsWhatIsExpected("unseen while undecided, " + blocks);
      }
      assertThat(open).as("the one that found the disk full").hasSize(1);
      assertThatThrownBy(() -> harness.region().flush())
          .hasRootCauseInstanceOf(DiskFullException.class);
      assertThatThrownBy(() -> harness.region().close(false))
          .hasRootCauseInstanceOf(DiskFullException.class);
      assertHoldsWhatIsExpected("open although it could not be closed, " + blocks);
      harness.disk().limitTo(Long.MAX_VALUE);
      for (CompletableFuture<CellBuffer> one : open) {
        one.get(60, TimeUnit.SECONDS);
      }
      expected.putAll(undecided);
      assertHoldsWhatIsExpected("complete, " + blocks);
      awaitWritable();
      put("after", "2");
      harness.region().flush();
      assertHoldsWhatIsExpected("flushed, " + blocks);
      put("last", "3");
      harness.kill();
      assertHoldsWhatIsExpected("after a crash, " + blocks);
    }
  }

  @Test
  void anUndecidedIncrementHasItsResultLater() throws Exception {
    put("a", "1");
    harness.disk().limitTo(harness.disk().usedBytes());
    MutationOutcome outcome = mutate(increment("counter"));
    for (int i = 0; outcome instanceof MutationOutcome.Done; i++) {
      outcome = mutate(increment("counter"));
      assertThat(i).isLessThan(1000);
    }
    long reached = counter();
    CompletableFuture<CellBuffer> result = ((MutationOutcome.Undecided) outcome).cause().outcome();
    assertThat(result).isNotDone();
    harness.disk().limitTo(Long.MAX_VALUE);
    CellBuffer cells = result.get(60, TimeUnit.SECONDS);
    assertThat(Bytes.getLong(cells.get(0).value(), 0)).isEqualTo(reached + 1);
    assertThat(counter()).isEqualTo(reached + 1);
    harness.kill();
    assertThat(counter()).isEqualTo(reached + 1);
  }

  private long counter() throws IOException {
    CellBuffer out = new CellBuffer();
    harness.get(dev.cairn.engine.scan.ScanRequest.row(Bytes.utf8("counter")).build(), out);
    return out.isEmpty() ? 0 : Bytes.getLong(out.get(0).value(), 0);
  }

  @Test
  void whatDoesNotNeedTheLogIsNotKeptWaitingEither() throws Exception {
    harness.disk().limitTo(harness.disk().usedBytes());
    MutationOutcome outcome = mutate(both("a", "x".repeat(5000)));
    assertThat(outcome).isInstanceOf(MutationOutcome.Undecided.class);
    Mutation put = both("b", "1");
    Mutation unlogged =
        new Mutation(put.kind(), put.row(), put.cells(), Durability.SKIP_WAL, TimeRange.ALL, false);
    assertThatThrownBy(() -> mutate(unlogged)).isInstanceOf(WalStalledException.class);
    assertThat(harness.dump()).isEmpty();
  }
}
