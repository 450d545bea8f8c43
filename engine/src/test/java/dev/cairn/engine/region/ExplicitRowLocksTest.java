package dev.cairn.engine.region;

import static dev.cairn.engine.region.WriteStepsTest.beside;
import static dev.cairn.engine.region.WriteStepsTest.increment;
import static dev.cairn.engine.region.WriteStepsTest.put;
import static dev.cairn.engine.region.WriteStepsTest.waiters;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.state.Mvcc;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.region.write.ExplicitRowLocks;
import dev.cairn.engine.region.write.ExplicitRowLocks.Mode;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.region.write.MutationCheck;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PutBatch;
import dev.cairn.engine.region.write.RowLocks;
import dev.cairn.engine.region.write.RowStripes;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.wal.file.Nonce;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks of single rows that other threads hold, share, release and ask for. */
@Timeout(120)
class ExplicitRowLocksTest {
  @AutoClose private final RegionHarness harness = RegionHarness.ofTwoFamilies();

  ExplicitRowLocksTest() throws IOException {
    harness.offerSteps();
    reopen(600_000);
  }

  private void reopen(long waitMillis) throws IOException {
    harness.closeCleanly();
    harness.waitForRows(waitMillis);
    harness.open();
  }

  private ExplicitRowLocks locks() {
    return harness.region().steps().orElseThrow().locks();
  }

  private ExplicitRowLocks.Held lock(String row, Mode mode) throws IOException {
    return locks().lock(Bytes.utf8(row), mode);
  }

  /** Locks of other rows come and go on other threads meanwhile: they release each other's. */
  @Test
  void aLockedRowIsNeverTakenForFree() throws Exception {
    int threads = 16;
    AtomicBoolean ended = new AtomicBoolean();
    AtomicLong admitted = new AtomicLong();
    List<CompletableFuture<?>> lockers = new ArrayList<>();
    AtomicReference<ExplicitRowLocks.Held> place = new AtomicReference<>();
    try (ExplicitRowLocks.Held held = lock("r", Mode.EXCLUSIVE)) {
      for (int i = 0; i < threads; i++) {
        int own = i;
        lockers.add(
            beside(
                () -> {
                  for (int n = 0; !ended.get(); n++) {
                    ExplicitRowLocks.Held mine =
                        n % 2 == 0 ? lock(own + "-" + n, Mode.EXCLUSIVE) : null;
                    ExplicitRowLocks.Held other = place.getAndSet(mine);
                    if (other != null) {
                      other.close();
                    }
                  }
                  return null;
                }));
      }
      beside(
              () -> {
                for (int i = 0; i < 200_000; i++) {
                  admitted.addAndGet(locks().admits(put("r", "v")) ? 1 : 0);
                }
                return null;
              })
          .get(100, TimeUnit.SECONDS);
      ended.set(true);
      for (CompletableFuture<?> locker : lockers) {
        locker.get(60, TimeUnit.SECONDS);
      }
    }
    assertThat(admitted).hasValue(0);
    if (place.get() != null) {
      place.get().close();
    }
    assertThat(beside(() -> locks().admits(put("r", "v"))).get(60, TimeUnit.SECONDS)).isTrue();
  }

  /** The other holder has left a write that is not durable yet. */
  @Test
  void whoSharesARow_seesTheWritesOfOtherHoldersWhenItLocksItAgain() throws Exception {
    for (Mode again : Mode.values()) {
      AtomicBoolean held = new AtomicBoolean();
      CompletableFuture<Void> gate = new CompletableFuture<>();
      harness.failWith(
          (operation, path) -> {
            if (operation == StorageOperation.SYNC && held.get()) {
              gate.join();
            }
            return false;
          });
      reopen(600_000);
      String row = "row of " + again;
      CompletableFuture<Void> written = new CompletableFuture<>();
      CompletableFuture<Void> shared = new CompletableFuture<>();
      try {
        CompletableFuture<String> reader =
            beside(
                () -> {
                  try (ExplicitRowLocks.Held first = lock(row, Mode.SHARED)) {
                    shared.complete(null);
                    written.get(60, TimeUnit.SECONDS);
                    try (ExplicitRowLocks.Held second = lock(row, again)) {
                      return harness.get(row, "q");
                    }
                  }
                });
        shared.get(60, TimeUnit.SECONDS);
        held.set(true);
        CompletableFuture<CellBuffer> durable;
        try (ExplicitRowLocks.Held other = lock(row, Mode.SHARED)) {
          durable = RegionHarness.begin(harness.region(), put(row, "v")).orElseThrow();
          harness.region().context().wal().requestSync();
        }
        written.complete(null);
        Awaitility.await().until(() -> reader.isDone() || waiters() == 1);
        assertThat(reader).isNotDone();
        gate.complete(null);
        assertThat(reader.get(60, TimeUnit.SECONDS)).isEqualTo("v");
        durable.get(60, TimeUnit.SECONDS);
      } finally {
        gate.complete(null);
      }
    }
  }

  @Test
  void aBatchWaitsOnceForAllItsLockedRows() throws Exception {
    long waitMillis = 30; // of the harness's clock, which goes on by one at each look
    reopen(waitMillis);
    List<Mutation> increments = new ArrayList<>();
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      rows.add(Bytes.utf8("r" + i));
      increments.add(increment("r" + i, 1, Nonce.NONE));
    }
    try (ExplicitRowLocks.Held held = locks().lockAll(rows, Mode.EXCLUSIVE)) {
      long begun = harness.clock.nanoTime();
      List<MutationOutcome> outcomes =
          beside(() -> harness.mutate(increments)).get(60, TimeUnit.SECONDS);
      long waited = TimeUnit.NANOSECONDS.toMillis(harness.clock.nanoTime() - begun);
      assertThat(outcomes).hasSize(10).allMatch(MutationOutcome.Refused.class::isInstance);
      assertThat(waited).isGreaterThanOrEqualTo(waitMillis).isLessThan(5 * waitMillis);
    }
  }

  @Test
  void aBatchDoesWhatItCan_andHoldsNoRowWhileItWaitsForAnother() throws Exception {
    CompletableFuture<List<MutationOutcome>> batch;
    try (ExplicitRowLocks.Held held = lock("m", Mode.EXCLUSIVE);
        ExplicitRowLocks.Held other = lock("z", Mode.EXCLUSIVE)) {
      batch =
          beside(
              () ->
                  harness.mutate(
                      List.of(
                          put("z", "1"),
                          put("a", "1"),
                          increment("i", 1, Nonce.NONE),
                          put("m", "1"),
                          put("b", "1"),
                          put("m", "2"))));
      Awaitility.await().until(() -> waiters() == 1);
      assertThat(harness.dump()).as("the first run waits for z").containsExactly("a/f:q=1");
      other.close();
      Awaitility.await().until(() -> harness.get("b", "q") != null && waiters() == 1);
      for (String row : List.of("a", "b", "z")) {
        CompletableFuture<Boolean> begins =
            beside(() -> RegionHarness.begin(harness.region(), put(row, "inline")).isPresent());
        assertThat(begins.get(60, TimeUnit.SECONDS)).as("a put of %s", row).isTrue();
      }
      harness.region().context().wal().requestSync();
    }
    List<MutationOutcome> outcomes = batch.get(60, TimeUnit.SECONDS);
    assertThat(outcomes).hasSize(6).allMatch(MutationOutcome.Done.class::isInstance);
    assertThat(harness.get("m", "q")).isEqualTo("2");
  }

  @Test
  void aBatchOfPutsIsLeftToTheCallerIfARowIsLocked() throws Exception {
    try (ExplicitRowLocks.Held held = lock("z", Mode.EXCLUSIVE)) {
      CellBuffer cells = new CellBuffer();
      cells.addAll(put("a", "1").cells());
      cells.addAll(put("z", "1").cells());
      PutBatch puts = new PutBatch(cells, new int[] {1, 2}, Durability.USE_DEFAULT);
      assertThatThrownBy(() -> beside(() -> harness.write(puts)).get(60, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(InvalidMutationException.class);
      assertThat(harness.dump()).isEmpty();
      harness.write(puts); // by the thread that has locked it
    }
    assertThat(harness.dump()).hasSize(2);
  }

  /** Otherwise two holders of a shared row would wait for each other, each in a write. */
  @Test
  void aWriteDoesNotWaitForOtherHoldersOfARowThatItsThreadShares() throws Exception {
    CompletableFuture<?> write;
    try (ExplicitRowLocks.Held shared = lock("b", Mode.SHARED)) {
      CompletableFuture<Void> ready = new CompletableFuture<>();
      try (ExplicitRowLocks.Held locked = lock("c", Mode.EXCLUSIVE)) {
        write =
            beside(
                () -> {
                  try (ExplicitRowLocks.Held own = lock("b", Mode.SHARED)) {
                    ready.complete(null);
                    return harness.mutateTogether(List.of(put("b", "v"), put("c", "v")));
                  }
                });
        ready.get(60, TimeUnit.SECONDS);
        Awaitility.await().until(() -> waiters() == 1);
      }
      write.get(60, TimeUnit.SECONDS); // while this thread shares the row b
    }
    assertThat(harness.dump()).hasSize(2);
  }

  @Test
  void aLockWaitsForAStripeNoLongerThanForTheRow() throws Exception {
    long waitMillis = 30; // of the harness's clock, which goes on by one at each look
    reopen(waitMillis);
    RowLocks stripes = new RowLocks(1_000_000, 0, harness.clock);
    ExplicitRowLocks slow =
        new ExplicitRowLocks(
            stripes,
            new MutationCheck(
                new RegionInfo(RegionHarness.TWO_FAMILIES.name(), Bytes.EMPTY, Bytes.EMPTY, 1),
                null,
                false,
                RegionSettings.DEFAULTS,
                harness.clock),
            new Mvcc(0, harness.clock),
            harness.clock,
            waitMillis);
    int[] stripe = {RowStripes.of(Bytes.utf8("r"))};
    try (RowLocks.Held held = stripes.lock(stripe, WriteBudget.UNLIMITED)) {
      assertThatThrownBy(
              () ->
                  beside(() -> slow.lock(Bytes.utf8("r"), Mode.EXCLUSIVE))
                      .get(60, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(RegionBusyException.class);
    }
  }
}
