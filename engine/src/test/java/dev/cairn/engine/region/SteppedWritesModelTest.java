package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.steps.ResolvedMutation;
import dev.cairn.engine.region.steps.SteppedWrite;
import dev.cairn.engine.region.steps.WriteSteps;
import dev.cairn.engine.region.write.ExplicitRowLocks;
import dev.cairn.engine.region.write.ExplicitRowLocks.Mode;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.ResolutionListener;
import dev.cairn.engine.region.write.RowStripes;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.time.Effort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads that add one to the counters of a few rows, in steps and in one call, on network threads
 * and on handlers, alone, together and inside each other's locks. Rows share stripes. All versions
 * of a counter stay, so that each successful addition must be a version of its own, in the order of
 * timestamps. A failure prints its seed, which draws the same operations in other interleavings.
 */
@Tag("forms")
@Timeout(300)
class SteppedWritesModelTest {
  private static final int ROUNDS = Effort.rounds(3, 300);
  private static final int THREADS = 4;
  private static final int OPERATIONS = 250;
  private static final byte[] N = Bytes.utf8("n");

  /** What the operations must reach. */
  private enum Reached {
    STEPPED,
    NESTED,
    DECLINED_INLINE,
    CONDITION,
    BUSY
  }

  private final Map<Reached, AtomicLong> reached = new EnumMap<>(Reached.class);

  @Test
  void eachAdditionIsAVersionOfItsOwn() throws Exception {
    for (Reached one : Reached.values()) {
      reached.put(one, new AtomicLong());
    }
    Long one = Long.getLong("cairn.seed");
    long first = one != null ? one : new Random().nextLong() >>> 16;
    for (long seed = first; seed < first + (one != null ? 1 : ROUNDS); seed++) {
      try (Run run = new Run(seed)) {
        run.run();
      } catch (Exception | AssertionError e) {
        throw new AssertionError("Run it again with -Dcairn.seed=" + seed, e);
      }
    }
    assertThat(reached).allSatisfy((what, count) -> assertThat(count).doesNotHaveValue(0));
  }

  /** Returns rows of which some share a stripe. */
  private static List<byte[]> rows() {
    List<byte[]> rows = new ArrayList<>(List.of(Bytes.utf8("a"), Bytes.utf8("b")));
    for (int i = 0; rows.size() < 4; i++) {
      byte[] row = Bytes.utf8("c" + i);
      if (RowStripes.of(row) == RowStripes.of(rows.get(0))) {
        rows.add(row);
      }
    }
    return rows;
  }

  private final class Run implements AutoCloseable {
    private final long seed;
    private final List<byte[]> rows = rows();
    private final long[] added = new long[rows.size()];
    private final RegionHarness harness =
        new RegionHarness(
            TableSchema.of(
                TableName.parse("t"),
                FamilySchema.of("f", Map.of("VERSIONS", "" + Integer.MAX_VALUE))));

    Run(long seed) throws IOException {
      this.seed = seed;
      harness.closeCleanly();
      harness.offerSteps();
      harness.waitForRows(300);
      harness.open();
    }

    void run() throws Exception {
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      try {
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          Random random = new Random(seed * THREADS + i);
          ends.add(
              threads.submit(
                  () -> {
                    for (int operation = 0; operation < OPERATIONS; operation++) {
                      operate(random);
                    }
                    return null;
                  }));
        }
        for (Future<?> end : ends) {
          end.get(200, TimeUnit.SECONDS);
        }
      } finally {
        threads.shutdownNow();
      }
      check();
      harness.kill();
      check();
    }

    private void operate(Random random) throws Exception {
      int row = random.nextInt(rows.size());
      int other = random.nextInt(rows.size());
      try {
        switch (random.nextInt(10)) {
          case 0, 1 -> underLock(row, () -> addInSteps(row));
          case 2 ->
              underLock(
                  row,
                  () ->
                      underLock(
                          other,
                          () -> {
                            addInSteps(other);
                            addInSteps(row);
                          }));
          case 3 ->
              underLock(
                  row,
                  () -> {
                    increment(List.of(row, other));
                    incrementInline(row);
                    addInSteps(row);
                    reached(Reached.NESTED);
                  });
          case 4, 5 -> incrementInline(row);
          case 6 -> increment(List.of(row, other, random.nextInt(rows.size())));
          case 7 -> addIfUnchanged(row);
          case 8 -> incrementTogether(row, other);
          default -> {
            if (random.nextInt(10) == 0) {
              harness.region().flush();
            } else {
              giveUp(row);
            }
          }
        }
      } catch (RegionBusyException e) {
        reached(Reached.BUSY);
      }
    }

    private interface Action {
      void run() throws Exception;
    }

    private void underLock(int row, Action action) throws Exception {
      try (ExplicitRowLocks.Held held = steps().locks().lock(rows.get(row), Mode.EXCLUSIVE)) {
        action.run();
      }
    }

    private WriteSteps steps() {
      return harness.region().steps().orElseThrow();
    }

    /** Reads a counter of a locked row and writes the next value. */
    private void addInSteps(int row) throws IOException {
      try (SteppedWrite write = steps().begin()) {
        long value = value(rows.get(row)).map(cell -> Bytes.getLong(cell.value(), 0)).orElse(0L);
        List<Mutation> put =
            write.resolveTogether(
                List.of(Mutation.put(rows.get(row), cells(row, value + 1))),
                0,
                ResolutionListener.NONE);
        count(row, write.stage(write.assemble(put)).outcome());
        reached(Reached.STEPPED);
      }
    }

    private void incrementTogether(int row, int other) throws IOException {
      List<byte[]> locked = List.of(rows.get(row), rows.get(other));
      try (SteppedWrite write = steps().begin();
          ExplicitRowLocks.Held held = steps().locks().lockAll(locked, Mode.EXCLUSIVE)) {
        List<Integer> each = row == other ? List.of(row) : List.of(row, other);
        List<Mutation> resolved = new ArrayList<>();
        for (ResolvedMutation one :
            write.resolveEach(
                each.stream().map(this::increment).toList(), ResolutionListener.NONE)) {
          assertThat(one.refusal()).isEmpty();
          resolved.add(one.mutation());
        }
        MutationOutcome outcome = write.stage(write.assemble(resolved)).outcome();
        each.forEach(index -> count(index, outcome));
      }
    }

    private void giveUp(int row) throws IOException {
      try (SteppedWrite write = steps().begin();
          ExplicitRowLocks.Held held = steps().locks().lock(rows.get(row), Mode.EXCLUSIVE)) {
        write.resolveEach(List.of(increment(row)), ResolutionListener.NONE);
      }
    }

    private Mutation increment(int row) {
      return new Mutation(
          Kind.INCREMENT,
          rows.get(row),
          cells(row, 1),
          Durability.USE_DEFAULT,
          TimeRange.ALL,
          false);
    }

    private void increment(List<Integer> each) throws IOException {
      List<MutationOutcome> outcomes = harness.mutate(each.stream().map(this::increment).toList());
      for (int i = 0; i < outcomes.size(); i++) {
        count(each.get(i), outcomes.get(i));
      }
    }

    private void incrementInline(int row) throws Exception {
      Optional<CompletableFuture<CellBuffer>> begun =
          RegionHarness.begin(harness.region(), increment(row));
      if (begun.isEmpty()) {
        reached(Reached.DECLINED_INLINE);
        increment(List.of(row));
        return;
      }
      harness.region().context().wal().requestSync();
      begun.get().get(60, TimeUnit.SECONDS);
      count(row, new MutationOutcome.Done(new CellBuffer()));
    }

    private void addIfUnchanged(int row) throws IOException {
      byte[] key = rows.get(row);
      Optional<byte[]> before = value(key).map(Cell::value);
      ScanRequest read = ScanRequest.row(key).family(F, FamilySelection.of(N)).build();
      Condition unchanged =
          new Condition(
              read,
              found ->
                  found.isPresent() == before.isPresent()
                      && (found.isEmpty() || Arrays.equals(found.get().value(), before.get())));
      long next = before.map(value -> Bytes.getLong(value, 0)).orElse(0L) + 1;
      WriteRequest write =
          new WriteRequest.Atomic(List.of(unchanged), List.of(Mutation.put(key, cells(row, next))));
      MutationOutcome outcome = harness.write(write).get(0);
      count(row, outcome);
      if (outcome instanceof MutationOutcome.NotMet) {
        reached(Reached.CONDITION);
      }
    }

    private void count(int row, MutationOutcome outcome) {
      if (outcome instanceof MutationOutcome.Done) {
        synchronized (added) {
          added[row]++;
        }
      } else if (outcome instanceof MutationOutcome.Refused refused) {
        assertThat(refused.cause()).isInstanceOf(RegionBusyException.class);
        reached(Reached.BUSY);
      }
    }

    private void reached(Reached what) {
      reached.get(what).incrementAndGet();
    }

    private CellBuffer cells(int row, long value) {
      CellBuffer cells = new CellBuffer();
      cells.add(
          rows.get(row),
          F,
          N,
          Cell.LATEST_TIMESTAMP,
          CellType.PUT.code(),
          Bytes.ofLong(value),
          Bytes.EMPTY);
      return cells;
    }

    private Optional<Cell> value(byte[] row) throws IOException {
      CellBuffer out = new CellBuffer();
      harness.get(ScanRequest.row(row).build(), out);
      return out.isEmpty() ? Optional.empty() : Optional.of(out.get(0));
    }

    private void check() throws IOException {
      for (int row = 0; row < rows.size(); row++) {
        CellBuffer out = new CellBuffer();
        harness.get(ScanRequest.row(rows.get(row)).maxVersions(Integer.MAX_VALUE).build(), out);
        assertThat(out.size()).as("versions of row %d", row).isEqualTo((int) added[row]);
        for (int i = 0; i < out.size(); i++) {
          assertThat(Bytes.getLong(out.get(i).value(), 0)).isEqualTo(added[row] - i);
          assertThat(i == 0 || out.get(i).timestamp() < out.get(i - 1).timestamp()).isTrue();
        }
      }
    }

    @Override
    public void close() throws IOException {
      harness.close();
    }
  }
}
