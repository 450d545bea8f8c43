package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static dev.cairn.engine.region.RegionHarness.putOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.state.NoSuchFamilyException;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PutBatch;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteHook;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A new concern of writes is one class, such as {@link ValueIndex}, and one line of wiring. */
class WriteHookTest {
  @AutoClose private final RegionHarness harness = RegionHarness.ofTwoFamilies();
  private final ValueIndex index = new ValueIndex();

  WriteHookTest() throws IOException {
    harness.closeCleanly();
    harness.hookWith(index); // the line of wiring
    harness.open();
  }

  /**
   * Keeps, for each value of a row, a row in the family g whose key is the value, and refuses the
   * value {@code secret}. Both are one atomic write.
   */
  private static final class ValueIndex implements WriteHook {
    final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();

    @Override
    public Optional<List<Mutation>> underLocks(WriteRequest request) throws IOException {
      List<Mutation> all = new ArrayList<>();
      for (int i = 0; i < request.mutationCount(); i++) {
        if (request.kind(i) != Mutation.Kind.PUT || !request.families(i).contains(F)) {
          return Optional.empty();
        }
        CellBuffer cells = request.cells(i);
        all.add(Mutation.put(request.row(i), cells));
        for (int c = 0; c < cells.size(); c++) {
          String value = Bytes.utf8(cells.get(c).value());
          if (value.equals("secret")) {
            throw new InvalidMutationException("secrets are not stored");
          }
          String row = Bytes.utf8(request.row(i));
          all.add(putOf(value, G, row, Cell.LATEST_TIMESTAMP, ""));
        }
      }
      return Optional.of(all);
    }

    @Override
    public void visible(WriteRequest written) {
      seen.add(written.mutationCount() + " mutations, first of " + Bytes.utf8(written.row(0)));
    }
  }

  private static Mutation put(String row, String value) {
    return putOf(row, F, "q", Cell.LATEST_TIMESTAMP, value);
  }

  @Test
  void addsMutationsOfOtherRowsAtomically() throws IOException {
    harness.put("r", "q", "v");
    assertThat(harness.dump()).containsExactly("r/f:q=v", "v/g:r=");
    assertThat(index.seen).containsExactly("2 mutations, first of r");
    RegionHarness.done(harness.mutate(List.of(put("a", "x"), put("b", "y"))));
    assertThat(harness.dump())
        .containsExactly("a/f:q=x", "b/f:q=y", "r/f:q=v", "v/g:r=", "x/g:a=", "y/g:b=");
    assertThat(index.seen).containsExactly("2 mutations, first of r", "4 mutations, first of a");
  }

  @Test
  void seesBatchesOfPuts() throws IOException {
    CellBuffer cells = new CellBuffer();
    cells.addAll(put("a", "x").cells());
    cells.addAll(put("b", "y").cells());
    int[] ends = {1, 2};
    RegionHarness.done(harness.write(new PutBatch(cells, ends, Mutation.Durability.USE_DEFAULT)));
    assertThat(harness.dump()).containsExactly("a/f:q=x", "b/f:q=y", "x/g:a=", "y/g:b=");
  }

  @Test
  void refusesAWrite() throws IOException {
    assertThatThrownBy(() -> harness.put("r", "q", "secret"))
        .isInstanceOf(InvalidMutationException.class)
        .hasMessage("secrets are not stored");
    harness.put("r", "q", "v");
    assertThat(harness.dump()).containsExactly("r/f:q=v", "v/g:r=");
  }

  @Test
  void refusesOneMutationOfABatch() throws IOException {
    List<MutationOutcome> outcomes =
        harness.mutate(List.of(put("a", "x"), put("b", "secret"), put("c", "y")));
    assertThat(outcomes).hasSize(3);
    assertThat(outcomes.get(1))
        .isInstanceOfSatisfying(
            MutationOutcome.Refused.class,
            refused -> assertThat(refused.cause()).hasMessage("secrets are not stored"));
    assertThat(outcomes).filteredOn(MutationOutcome.Done.class::isInstance).hasSize(2);
    assertThat(harness.dump()).containsExactly("a/f:q=x", "c/f:q=y", "x/g:a=", "y/g:c=");
  }

  @Test
  void aBatchOfPutsOfWhichOneIsRefusedIsLeftToItsCaller() throws IOException {
    CellBuffer cells = new CellBuffer();
    cells.addAll(put("a", "x").cells());
    cells.addAll(put("b", "secret").cells());
    PutBatch puts = new PutBatch(cells, new int[] {1, 2}, Mutation.Durability.USE_DEFAULT);
    assertThatThrownBy(() -> RegionHarness.done(harness.write(puts)))
        .isInstanceOf(InvalidMutationException.class);
    assertThat(harness.dump()).isEmpty();
  }

  @Test
  void isNotAskedIfAConditionDoesNotHold() throws IOException {
    ScanRequest read =
        ScanRequest.row(Bytes.utf8("r")).family(F, FamilySelection.of(Bytes.utf8("q"))).build();
    Condition isAbsent = new Condition(read, Optional::isEmpty);
    assertThat(harness.checkAndMutate(isAbsent, List.of(put("r", "v")))).isTrue();
    assertThat(harness.checkAndMutate(isAbsent, List.of(put("r", "w")))).isFalse();
    assertThat(harness.dump()).containsExactly("r/f:q=v", "v/g:r=");
    assertThat(index.seen).hasSize(1);
  }

  @Test
  void whatItChangesIsCheckedAsAClientsWriteIs() throws IOException {
    harness.closeCleanly();
    harness.hookWith(
        request -> Optional.of(List.of(putOf("r", Bytes.utf8("unknown"), "q", 1, "v"))));
    harness.open();
    assertThatThrownBy(() -> harness.put("r", "q", "v")).isInstanceOf(NoSuchFamilyException.class);
    assertThat(harness.dump()).isEmpty();
  }

  @Test
  void aThreadThatMustNotWaitDoesNotBegin() throws IOException {
    assertThat(harness.region().write(put("r", "v"), WriteBudget.AT_ONCE).isBegun()).isFalse();
    assertThat(harness.dump()).isEmpty();
  }

  /** The stripes of the added rows must not be taken for those of the write. */
  @Test
  void aWriteThatIsNotExtendedAfterAllKeepsTheTimesOfItsOwnRows() throws IOException {
    harness.closeCleanly();
    AtomicInteger asked = new AtomicInteger();
    harness.hookWith(
        request -> {
          List<Mutation> more = new ArrayList<>();
          for (int i = 0; i < 50; i++) {
            more.add(put("other" + i, "v"));
          }
          return asked.getAndIncrement() % 2 == 0 ? Optional.of(more) : Optional.empty();
        });
    harness.open();
    harness.clock.stop();
    for (int i = 0; i < 20; i++) {
      String row = "r" + i;
      harness.put(row, "q", "old");
      RegionHarness.done(harness.mutate(List.of(delete(row))));
      harness.put(row, "q", "new");
      assertThat(harness.get(row, "q")).as(row).isEqualTo("new");
    }
    assertThat(asked).hasValue(120);
  }

  private static Mutation delete(String row) {
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8(row),
        F,
        Bytes.EMPTY,
        Cell.LATEST_TIMESTAMP,
        CellType.DELETE_FAMILY.code(),
        Bytes.EMPTY,
        Bytes.EMPTY);
    return Mutation.delete(Bytes.utf8(row), cells);
  }

  @Test
  void learnsWhatABatchHasWritten() throws IOException {
    harness.closeCleanly();
    List<String> written = new ArrayList<>();
    harness.hookWith(
        new WriteHook() {
          @Override
          public Optional<List<Mutation>> underLocks(WriteRequest request) {
            return Optional.empty();
          }

          @Override
          public void visible(WriteRequest request) {
            for (int i = 0; i < request.mutationCount(); i++) {
              written.add(Bytes.utf8(request.row(i)));
            }
            throw new IllegalStateException("does no harm");
          }
        });
    harness.open();
    RegionHarness.done(harness.mutate(List.of(put("a", "1"), put("b", "2"))));
    assertThat(written).containsExactly("a", "b");
    assertThat(harness.dump()).containsExactly("a/f:q=1", "b/f:q=2");
  }

  /** Rows and values name each other, so that each write locks rows in the other's order. */
  @Test
  void addedRowsDoNotLockEachOtherOut() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> writes = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        String row = "k" + i % 4;
        String value = "k" + (i + 1 + i / 4 % 3) % 4;
        writes.add(
            threads.submit(
                () -> {
                  harness.put(row, "q", value);
                  return null;
                }));
      }
      for (Future<?> write : writes) {
        write.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(index.seen).hasSize(400);
  }
}
