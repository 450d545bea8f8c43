package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static dev.cairn.engine.region.RegionHarness.deleteOf;
import static dev.cairn.engine.region.RegionHarness.putOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.state.NoSuchFamilyException;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.region.state.RegionGate;
import dev.cairn.engine.region.state.WrongRowException;
import dev.cairn.engine.region.steps.ResolvedMutation;
import dev.cairn.engine.region.steps.SteppedWrite;
import dev.cairn.engine.region.steps.WriteSteps;
import dev.cairn.engine.region.write.ExplicitRowLocks;
import dev.cairn.engine.region.write.ExplicitRowLocks.Mode;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.ResolutionListener;
import dev.cairn.engine.region.write.StagedWrite;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteListener;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.wal.file.Nonce;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A new concern of writes is one layer, such as {@link ValueIndex}, over the steps of a region. */
@Timeout(120)
class WriteStepsTest {
  private static final long LATEST = Cell.LATEST_TIMESTAMP;

  @AutoClose private final RegionHarness harness = RegionHarness.ofTwoFamilies();
  private final ValueIndex index = new ValueIndex();

  WriteStepsTest() throws IOException {
    harness.closeCleanly();
    harness.offerSteps(); // the line of wiring
    harness.open();
  }

  /** Opens the region again; no test waits as long as its writers then wait for rows. */
  private void waitLong() throws IOException {
    harness.closeCleanly();
    harness.waitForRows(600_000);
    harness.open();
  }

  private WriteSteps steps() {
    return harness.region().steps().orElseThrow();
  }

  /**
   * Keeps, for each value of a row, a row in the family g whose key is the value, and refuses the
   * value {@code secret}. Both are one atomic write. It acts once for each mutation, between the
   * steps of the write.
   */
  private final class ValueIndex {
    final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();

    /** Writes a batch; each mutation has its outcome. */
    List<MutationOutcome> write(List<Mutation> mutations) throws IOException {
      List<MutationOutcome> outcomes = new ArrayList<>();
      List<byte[]> rows = mutations.stream().map(Mutation::row).toList();
      try (SteppedWrite write = steps().begin();
          ExplicitRowLocks.Held held = steps().locks().lockAll(rows, Mode.EXCLUSIVE)) {
        List<Mutation> written = new ArrayList<>();
        List<Mutation> added = new ArrayList<>();
        for (ResolvedMutation one : write.resolveEach(mutations, ResolutionListener.NONE)) {
          Optional<IOException> refusal = one.refusal().or(() -> refusal(one.mutation()));
          outcomes.add(refusal.isPresent() ? new MutationOutcome.Refused(refusal.get()) : null);
          if (refusal.isEmpty()) {
            written.add(one.mutation());
            added.addAll(entries(one.mutation()));
          }
        }
        List<byte[]> more = added.stream().map(Mutation::row).toList();
        try (ExplicitRowLocks.Held others = steps().locks().lockAll(more, Mode.EXCLUSIVE)) {
          write
              .resolveEach(added, ResolutionListener.NONE)
              .forEach(one -> written.add(one.mutation()));
          MutationOutcome outcome = write.stage(write.assemble(written)).outcome();
          outcomes.replaceAll(own -> own == null ? outcome : own);
        }
      }
      mutations.forEach(mutation -> seen.add(Bytes.utf8(mutation.row())));
      return outcomes;
    }

    private Optional<IOException> refusal(Mutation mutation) {
      CellBuffer cells = mutation.cells();
      for (int i = 0; i < cells.size(); i++) {
        if (Bytes.utf8(cells.get(i).value()).equals("secret")) {
          return Optional.of(new InvalidMutationException("secrets are not stored"));
        }
      }
      return Optional.empty();
    }

    private List<Mutation> entries(Mutation mutation) {
      List<Mutation> entries = new ArrayList<>();
      CellBuffer cells = mutation.cells();
      for (int i = 0; i < cells.size(); i++) {
        String value = Bytes.utf8(cells.get(i).value());
        if (!value.isEmpty()) {
          entries.add(putOf(value, G, Bytes.utf8(mutation.row()), LATEST, ""));
        }
      }
      return entries;
    }

    void put(String row, String value) throws IOException {
      RegionHarness.done(write(List.of(WriteStepsTest.put(row, value))));
    }
  }

  static Mutation put(String row, String value) {
    return putOf(row, F, "q", LATEST, value);
  }

  static Mutation increment(String row, long amount, Nonce nonce) {
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8(row),
        F,
        Bytes.utf8("n"),
        LATEST,
        CellType.PUT.code(),
        Bytes.ofLong(amount),
        Bytes.EMPTY);
    return new Mutation(
        Kind.INCREMENT, Bytes.utf8(row), cells, Durability.USE_DEFAULT, TimeRange.ALL, true, nonce);
  }

  private ExplicitRowLocks.Held lock(String row) throws IOException {
    return steps().locks().lock(Bytes.utf8(row), Mode.EXCLUSIVE);
  }

  /** Begins a write as a network thread does; tells whether it begins. */
  private boolean beginsInline(WriteRequest request) throws IOException {
    PendingWrite pending = harness.region().write(request, WriteBudget.AT_ONCE);
    if (pending.isBegun()) {
      pending.whenDone(WriteListener.NONE);
      pending.requestSync().run();
    }
    return pending.isBegun();
  }

  private MutationOutcome stage(SteppedWrite write, List<Mutation> mutations) throws IOException {
    return write.stage(write.assemble(mutations)).outcome();
  }

  private long counter(String row) throws IOException {
    CellBuffer out = new CellBuffer();
    harness.get(ScanRequest.row(Bytes.utf8(row)).build(), out);
    return Bytes.getLong(out.get(0).value(), 0);
  }

  private List<Long> timestamps(String row) throws IOException {
    CellBuffer out = new CellBuffer();
    harness.get(ScanRequest.row(Bytes.utf8(row)).maxVersions(3).build(), out);
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < out.size(); i++) {
      times.add(out.get(i).timestamp());
    }
    return times;
  }

  static Condition isAbsent(String row) {
    return new Condition(
        ScanRequest.row(Bytes.utf8(row)).family(F, FamilySelection.of(Bytes.utf8("q"))).build(),
        Optional::isEmpty);
  }

  /** Runs a task on another thread. */
  static <T> CompletableFuture<T> beside(Task<T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(task.run());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return result;
  }

  interface Task<T> {
    T run() throws Exception;
  }

  @Test
  void aRegionOffersStepsOnlyIfItsContextAsksForThem() throws IOException {
    assertThat(harness.region().steps()).isPresent();
    try (RegionHarness plain = RegionHarness.ofTwoFamilies()) {
      assertThat(plain.region().steps()).isEmpty();
    }
  }

  @Test
  void aLayerAddsMutationsOfOtherRowsAtomically() throws IOException {
    index.put("r", "v");
    assertThat(harness.dump()).containsExactly("r/f:q=v", "v/g:r=");
    RegionHarness.done(index.write(List.of(put("a", "x"), put("b", "y"))));
    assertThat(harness.dump())
        .containsExactly("a/f:q=x", "b/f:q=y", "r/f:q=v", "v/g:r=", "x/g:a=", "y/g:b=");
    assertThat(index.seen).containsExactly("r", "a", "b");
    harness.kill();
    assertThat(harness.dump()).hasSize(6);
  }

  @Test
  void aLayerRefusesOneMutationOfABatch() throws IOException {
    List<MutationOutcome> outcomes =
        index.write(List.of(put("a", "x"), put("b", "secret"), put("c", "y")));
    assertThat(outcomes.get(1))
        .isInstanceOfSatisfying(
            MutationOutcome.Refused.class,
            refused -> assertThat(refused.cause()).hasMessage("secrets are not stored"));
    assertThat(outcomes).filteredOn(MutationOutcome.Done.class::isInstance).hasSize(2);
    assertThat(harness.dump()).containsExactly("a/f:q=x", "c/f:q=y", "x/g:a=", "y/g:c=");
  }

  @Test
  void theRegionRefusesOneMutationOfABatch() throws IOException {
    List<MutationOutcome> outcomes =
        index.write(List.of(put("a", "x"), putOf("b", Bytes.utf8("no"), "q", 1, "v")));
    assertThat(((MutationOutcome.Refused) outcomes.get(1)).cause())
        .isInstanceOf(NoSuchFamilyException.class);
    assertThat(harness.dump()).containsExactly("a/f:q=x", "x/g:a=");
  }

  @Test
  void aLayerTestsConditionsUnderItsLocks() throws IOException {
    for (boolean holds : new boolean[] {true, false}) {
      try (SteppedWrite write = steps().begin();
          ExplicitRowLocks.Held held = lock("r")) {
        OptionalLong newest = write.newestIfAllHold(List.of(isAbsent("r")));
        assertThat(newest.isPresent()).isEqualTo(holds);
        if (holds) {
          List<Mutation> resolved =
              write.resolveTogether(List.of(put("r", "v")), 0, ResolutionListener.NONE);
          assertThat(stage(write, resolved)).isInstanceOf(MutationOutcome.Done.class);
        }
      }
    }
    assertThat(harness.dump()).containsExactly("r/f:q=v");
  }

  @Test
  void aPutComesAfterTheCellsThatItsConditionFound() throws IOException {
    harness.put("r", F, "q", 5_000_000, "ahead");
    Condition isThere = new Condition(isAbsent("r").read(), Optional::isPresent);
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      long newest = write.newestIfAllHold(List.of(isThere)).orElseThrow();
      stage(write, write.resolveTogether(List.of(put("r", "v")), newest, ResolutionListener.NONE));
    }
    assertThat(harness.get("r", "q")).isEqualTo("v");
  }

  @Test
  void whatALayerWritesIsCheckedAsAClientsWriteIs() throws IOException {
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      assertThatThrownBy(() -> write.assemble(List.of(putOf("r", Bytes.utf8("no"), "q", 1, "v"))))
          .isInstanceOf(NoSuchFamilyException.class);
      Mutation mixed =
          new Mutation(
              Kind.PUT,
              Bytes.utf8("r"),
              put("s", "v").cells(),
              Durability.USE_DEFAULT,
              TimeRange.ALL,
              false);
      assertThatThrownBy(() -> write.assemble(List.of(mixed)))
          .isInstanceOf(InvalidMutationException.class);
    }
    assertThat(harness.dump()).isEmpty();
  }

  @Test
  void onlyLockedRowsAreResolvedAndWritten() throws IOException {
    try (SteppedWrite write = steps().begin()) {
      assertThatThrownBy(() -> write.resolveEach(List.of(put("r", "v")), ResolutionListener.NONE))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(
              () -> write.resolveTogether(List.of(put("r", "v")), 0, ResolutionListener.NONE))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> write.newestIfAllHold(List.of(isAbsent("r"))))
          .isInstanceOf(IllegalStateException.class);
      try (ExplicitRowLocks.Held held = steps().locks().lock(Bytes.utf8("r"), Mode.SHARED)) {
        assertThatThrownBy(() -> write.assemble(List.of(put("r", "v"))))
            .isInstanceOf(IllegalStateException.class);
      }
    }
  }

  @Test
  void aRowOfAnotherRegionIsNotLocked() throws IOException {
    try (RegionHarness part =
        new RegionHarness(RegionHarness.TWO_FAMILIES, Bytes.utf8("b"), Bytes.utf8("c"))) {
      part.closeCleanly();
      part.offerSteps();
      part.open();
      WriteSteps steps = part.region().steps().orElseThrow();
      assertThatThrownBy(() -> steps.locks().lock(Bytes.utf8("a"), Mode.SHARED))
          .isInstanceOf(WrongRowException.class);
    }
  }

  @Test
  void timestampsOfARowGrowWithItsWrites() throws IOException {
    harness.clock.stop();
    harness.put("r", "q", "1");
    index.put("r", "2");
    harness.put("r", "q", "3");
    List<Long> times = timestamps("r");
    assertThat(times)
        .hasSize(3)
        .doesNotHaveDuplicates()
        .isSortedAccordingTo((a, b) -> -a.compareTo(b));
    assertThat(harness.get("r", "q")).isEqualTo("3");
    RegionHarness.done(index.write(List.of(deleteOf("r", F, "", LATEST, CellType.DELETE_FAMILY))));
    index.put("r", "4");
    assertThat(harness.get("r", "q")).isEqualTo("4");
  }

  @Test
  void aMutationOfThePresentThreadMayWriteToTheRowThatItHasLocked() throws IOException {
    harness.clock.stop();
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      List<ResolvedMutation> outer =
          write.resolveEach(List.of(put("r", "outer")), ResolutionListener.NONE);
      harness.put("r", "in one call", "a");
      index.put("r", "inner");
      assertThat(harness.get("r", "q")).isEqualTo("inner");
      stage(write, List.of(outer.get(0).mutation()));
      assertThat(beginsInline(put("r", "inline"))).isTrue();
    }
  }

  @Test
  void anInlineWriterDeclines_andAHandlerWaits() throws Exception {
    CompletableFuture<?> handler;
    CompletableFuture<?> batch;
    try (ExplicitRowLocks.Held held = lock("r")) {
      assertThat(beside(() -> beginsInline(put("r", "v"))).get(60, TimeUnit.SECONDS)).isFalse();
      WriteRequest one = new WriteRequest.Batch(List.of(put("r", "v")));
      assertThat(beside(() -> beginsInline(one)).get(60, TimeUnit.SECONDS)).isFalse();
      assertThat(
              beside(() -> harness.checkAndMutate(isAbsent("other"), List.of(put("other", "v"))))
                  .get(60, TimeUnit.SECONDS))
          .isTrue();
      handler = beside(() -> harness.checkAndMutate(isAbsent("r"), List.of(put("other", "w"))));
      batch = beside(() -> harness.mutate(List.of(put("r", "late"))));
      Awaitility.await().until(() -> waiters() == 2);
      stageNow("r", "locked");
      assertThat(handler).isNotDone();
    }
    assertThat(handler.get(60, TimeUnit.SECONDS)).isEqualTo(false); // it saw the locker's write
    batch.get(60, TimeUnit.SECONDS);
    assertThat(harness.dump()).containsExactly("other/f:q=v", "r/f:q=late");
  }

  private void stageNow(String row, String value) throws IOException {
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock(row)) {
      stage(write, write.resolveTogether(List.of(put(row, value)), 0, ResolutionListener.NONE));
    }
  }

  /** Returns how many threads wait for a row. */
  static long waiters() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(
            thread ->
                thread.getKey().getState() == Thread.State.TIMED_WAITING
                    && List.of(thread.getValue()).stream()
                        .anyMatch(
                            frame -> frame.getClassName().equals(ExplicitRowLocks.class.getName())))
        .count();
  }

  /**
   * Otherwise the holder would wait for the first put of the batch, and the batch for the holder.
   */
  @Test
  void aBatchCompletesItsFirstPartsBeforeItWaitsForALockedRow() throws Exception {
    CompletableFuture<List<MutationOutcome>> batch;
    try (ExplicitRowLocks.Held held = lock("r")) {
      batch =
          beside(
              () ->
                  harness.mutate(
                      List.of(put("a", "first"), increment("r", 1, Nonce.NONE), put("b", "last"))));
      Awaitility.await().until(() -> waiters() == 1);
      assertThat(harness.dump()).containsExactly("a/f:q=first");
      stageNow("r", "holder");
    }
    RegionHarness.done(batch.get(60, TimeUnit.SECONDS));
    assertThat(harness.get("b", "q")).isEqualTo("last");
    assertThat(harness.get("r", "q")).isEqualTo("holder");
  }

  @Test
  void aReadUnderTheLockSeesAWriteThatWasStagedBefore() throws Exception {
    AtomicLong commits = new AtomicLong();
    CompletableFuture<Void> gate = new CompletableFuture<>();
    harness.closeCleanly();
    harness.failWith(
        (operation, path) -> {
          if (operation == StorageOperation.SYNC && commits.get() == 1) {
            gate.join();
          }
          return false;
        });
    harness.open();
    try {
      commits.set(1);
      CompletableFuture<?> put = beside(() -> harness.mutate(List.of(put("r", "v"))));
      Awaitility.await().until(() -> harness.region().memStoreBytes() > 0);
      CompletableFuture<String> locker =
          beside(
              () -> {
                try (ExplicitRowLocks.Held held = lock("r")) {
                  return harness.get("r", "q");
                }
              });
      Awaitility.await().until(() -> waiters() == 1);
      assertThat(harness.get("r", "q")).isNull();
      gate.complete(null);
      assertThat(locker.get(60, TimeUnit.SECONDS)).isEqualTo("v");
      put.get(60, TimeUnit.SECONDS);
    } finally {
      gate.complete(null);
    }
  }

  @Test
  void aLockThatIsNotFreeInTimeFailsAndLeavesNothingLocked() throws Exception {
    harness.closeCleanly();
    harness.waitForRows(20);
    harness.open();
    try (ExplicitRowLocks.Held held = lock("r")) {
      assertThatThrownBy(
              () ->
                  beside(
                          () ->
                              steps()
                                  .locks()
                                  .lockAll(
                                      List.of(Bytes.utf8("a"), Bytes.utf8("r")), Mode.EXCLUSIVE))
                      .get(60, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(RegionBusyException.class);
      assertThatThrownBy(() -> beside(() -> harness.write(put("r", "v"))).get(60, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(RegionBusyException.class);
      List<MutationOutcome> outcomes =
          beside(() -> harness.mutate(List.of(put("a", "v"), put("r", "v"))))
              .get(60, TimeUnit.SECONDS);
      assertThat(outcomes.get(0)).isInstanceOf(MutationOutcome.Done.class);
      assertThat(outcomes.get(1)).isInstanceOf(MutationOutcome.Refused.class);
    }
    assertThat(beginsInline(put("a", "v"))).isTrue();
    assertThat(harness.dump()).containsExactly("a/f:q=v");
  }

  @Test
  void sharedLocksExcludeExclusiveOnesAndWritesOfOthers() throws Exception {
    waitLong();
    ExplicitRowLocks locks = steps().locks();
    byte[] row = Bytes.utf8("r");
    ExplicitRowLocks.Held first = locks.lock(row, Mode.SHARED);
    CompletableFuture<Void> shared = new CompletableFuture<>();
    CompletableFuture<Void> release = new CompletableFuture<>();
    CompletableFuture<?> second =
        beside(
            () -> {
              try (ExplicitRowLocks.Held held = locks.lock(row, Mode.SHARED)) {
                shared.complete(null);
                release.get(60, TimeUnit.SECONDS);
                return beginsInline(put("r", "v"));
              }
            });
    shared.get(60, TimeUnit.SECONDS);
    assertThat(locks.isHeldExclusively(row)).isFalse();
    CompletableFuture<?> exclusive =
        beside(
            () -> {
              locks.lock(row, Mode.EXCLUSIVE).close();
              return null;
            });
    Awaitility.await().until(() -> waiters() == 1);
    CompletableFuture<?> upgrade =
        beside(
            () -> {
              try (ExplicitRowLocks.Held held = locks.lock(row, Mode.SHARED);
                  ExplicitRowLocks.Held more = locks.lock(row, Mode.EXCLUSIVE)) {
                return locks.isHeldExclusively(row);
              }
            });
    Awaitility.await().until(() -> waiters() == 2);
    release.complete(null);
    assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(true); // a holder may write
    assertThat(exclusive).isNotDone();
    assertThat(upgrade).isNotDone();
    first.close();
    first.close();
    assertThat(upgrade.get(60, TimeUnit.SECONDS)).isEqualTo(true);
    exclusive.get(60, TimeUnit.SECONDS);
    assertThat(beginsInline(put("r", "v"))).isTrue();
  }

  @Test
  void allThatWaitForASharedLockGetItTogether() throws Exception {
    waitLong();
    byte[] row = Bytes.utf8("r");
    CountDownLatch together = new CountDownLatch(3);
    List<CompletableFuture<?>> sharers = new ArrayList<>();
    try (ExplicitRowLocks.Held held = lock("r")) {
      for (int i = 0; i < 3; i++) {
        sharers.add(
            beside(
                () -> {
                  try (ExplicitRowLocks.Held shared = steps().locks().lock(row, Mode.SHARED)) {
                    together.countDown();
                    return together.await(60, TimeUnit.SECONDS);
                  }
                }));
      }
      Awaitility.await().until(() -> waiters() == 3);
    }
    for (CompletableFuture<?> sharer : sharers) {
      assertThat(sharer.get(90, TimeUnit.SECONDS)).isEqualTo(true);
    }
  }

  @Test
  void aRegionDoesNotCloseDuringAWriteInSteps_whichMayGoOn() throws Exception {
    CompletableFuture<?> closing;
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      closing = beside(() -> harness.region().close(false));
      Awaitility.await().until(() -> isClosing());
      try (RegionGate.Visit again = steps().enter()) {
        stageNow("inner", "v");
      }
      stage(write, write.resolveTogether(List.of(put("r", "v")), 0, ResolutionListener.NONE));
      assertThat(closing).isNotDone();
    }
    closing.get(60, TimeUnit.SECONDS);
    assertThatThrownBy(() -> steps().begin()).isInstanceOf(RegionClosedException.class);
    harness.kill();
    assertThat(harness.dump()).containsExactly("inner/f:q=v", "r/f:q=v");
  }

  private boolean isClosing() {
    try {
      return beside(
              () -> {
                steps().enter().close();
                return false;
              })
          .exceptionally(RegionClosedException.class::isInstance)
          .get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aListenerSeesAndReplacesComputedCells() throws IOException {
    List<String> told = new ArrayList<>();
    ResolutionListener listener =
        new ResolutionListener() {
          @Override
          public Cell computed(Mutation mutation, Optional<Cell> old, Cell computed) {
            long before = old.map(cell -> Bytes.getLong(cell.value(), 0)).orElse(-1L);
            long after = Bytes.getLong(computed.value(), 0);
            told.add(before + "->" + after);
            CellBuffer other = new CellBuffer();
            other.add(
                computed.row(),
                computed.family(),
                computed.qualifier(),
                computed.timestamp(),
                computed.typeCode(),
                Bytes.ofLong(after * 10),
                Bytes.EMPTY);
            return after == 3 ? other.get(0) : computed;
          }

          @Override
          public OptionalLong newestVersion(Mutation delete, Cell marker) {
            return OptionalLong.of(7);
          }
        };
    for (int i = 1; i <= 2; i++) {
      try (SteppedWrite write = steps().begin();
          ExplicitRowLocks.Held held = lock("r")) {
        Mutation resolved =
            write.resolveEach(List.of(increment("r", i, Nonce.NONE)), listener).get(0).mutation();
        MutationOutcome done = stage(write, List.of(resolved));
        assertThat(Bytes.getLong(done.cells().get(0).value(), 0)).isEqualTo(i == 1 ? 1 : 30);
      }
    }
    assertThat(told).containsExactly("-1->1", "1->3");
    assertThat(counter("r")).isEqualTo(30);
    Mutation newest = deleteOf("r", F, "n", LATEST, CellType.DELETE);
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      write.resolveEach(List.of(newest), listener);
    }
    assertThat(newest.cells().get(0).timestamp()).isEqualTo(7);
  }

  @Test
  void aNonceGoesIntoTheLog() throws IOException {
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      Mutation one = increment("r", 1, new Nonce(5, 6));
      stage(
          write,
          List.of(
              put("r", "v"),
              write.resolveEach(List.of(one), ResolutionListener.NONE).get(0).mutation()));
    }
    harness.kill();
    assertThat(harness.recovered()).contains(new Nonce(5, 6));
  }

  @Test
  void aMutationThatSkipsTheLogIsLostWithTheProcess() throws IOException {
    Mutation skips =
        new Mutation(
            Kind.PUT,
            Bytes.utf8("skips"),
            put("skips", "v").cells(),
            Durability.SKIP_WAL,
            TimeRange.ALL,
            false);
    RegionHarness.done(index.write(List.of(put("a", "x"), skips)));
    assertThat(harness.dump()).contains("a/f:q=x", "skips/f:q=v");
    harness.kill();
    assertThat(harness.dump()).contains("a/f:q=x").doesNotContain("skips/f:q=v");
  }

  @Test
  void aLayerMayLogOtherCells() throws IOException {
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      StagedWrite staged =
          write.assemble(
              write.resolveTogether(List.of(put("r", "shown")), 0, ResolutionListener.NONE));
      CellBuffer logged = putOf("r", F, "q", 3, "logged").cells();
      write.stage(staged.logging(logged)).join();
    }
    assertThat(harness.dump()).containsExactly("r/f:q=shown");
    harness.kill();
    assertThat(harness.dump()).containsExactly("r/f:q=logged");
  }

  @Test
  void cellsThatALayerAddsGetTimestamps_andMutationsWithoutCellsWriteNothing() throws IOException {
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      Mutation resolved =
          write.resolveTogether(List.of(put("r", "v")), 0, ResolutionListener.NONE).get(0);
      resolved.cells().addAll(putOf("r", F, "q2", LATEST, "added").cells());
      Mutation emptied = put("r", "v").withCells(new CellBuffer());
      stage(write, List.of(resolved, emptied));
      assertThat(stage(write, List.of(emptied))).isInstanceOf(MutationOutcome.Done.class);
    }
    assertThat(timestamps("r")).hasSize(2).allMatch(time -> time < 2_000_000);
  }

  @Test
  void aWriteThatTheLogKeepsWaitingIsUndecided_andLaterLockersOfItsRowsAreRefused()
      throws Exception {
    MutationOutcome outcome;
    harness.disk().limitTo(harness.disk().usedBytes());
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      Mutation large = put("r", "x".repeat(5000));
      outcome = stage(write, write.resolveTogether(List.of(large), 0, ResolutionListener.NONE));
    }
    assertThat(outcome).isInstanceOf(MutationOutcome.Undecided.class);
    assertThatThrownBy(() -> lock("r")).isInstanceOf(RegionBusyException.class);
    lock("s").close();
    CellBuffer result = put("r", "part").cells();
    CompletableFuture<CellBuffer> later =
        ((MutationOutcome.Undecided) outcome).cause().returning(result).outcome();
    assertThat(later).isNotDone();
    harness.disk().limitTo(Long.MAX_VALUE);
    assertThat(later.get(60, TimeUnit.SECONDS)).isSameAs(result);
    lock("r").close();
    assertThat(harness.get("r", "q")).hasSize(5000);
  }

  /** Counts what is reserved and not given back. */
  private static final class CountedRoom implements MemStoreRoom {
    final AtomicLong reserved = new AtomicLong();
    final AtomicLong kept = new AtomicLong();
    long most = Long.MAX_VALUE;

    @Override
    public void reserve(long bytes) throws RegionBusyException {
      if (reserved.get() + bytes > most) {
        throw new RegionBusyException("no room");
      }
      reserved.addAndGet(bytes);
    }

    @Override
    public void release(long bytes) {
      reserved.addAndGet(-bytes);
    }

    @Override
    public void keep(long bytes) throws RegionBusyException {
      reserve(bytes);
      kept.addAndGet(bytes);
    }

    @Override
    public void usedKept(long bytes) {
      kept.addAndGet(-bytes);
    }

    @Override
    public void releaseKept(long bytes) {
      release(bytes);
      kept.addAndGet(-bytes);
    }
  }

  @Test
  void memoryIsReservedWhenMutationsAreResolved_andGivenBackIfTheyAreNotWritten()
      throws IOException {
    CountedRoom room = new CountedRoom();
    harness.closeCleanly();
    harness.shareRoom(room);
    harness.open();
    Mutation written = put("r", "v");
    Mutation dropped = put("r", "x".repeat(1000));
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      write.resolveEach(List.of(written, dropped), ResolutionListener.NONE);
      assertThat(room.reserved).hasValue(written.memStoreBytes() + dropped.memStoreBytes());
      assertThat(room.kept).hasValue(room.reserved.get());
      room.most = room.reserved.get();
      stage(write, List.of(written)); // needs no more room
      assertThat(room.kept).hasValue(dropped.memStoreBytes());
    }
    assertThat(room.reserved).hasValue(written.memStoreBytes());
    assertThat(room.kept).hasValue(0);
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      room.most = 0;
      assertThatThrownBy(() -> write.resolveEach(List.of(put("r", "v")), ResolutionListener.NONE))
          .isInstanceOf(RegionBusyException.class);
    }
    assertThat(room.reserved).hasValue(written.memStoreBytes());
  }

  /** Rows and values name each other, so that each write locks rows in the other's order. */
  @Test
  void writesThatAddEachOthersRowsFailInTimeOrSucceed() throws Exception {
    harness.closeCleanly();
    harness.waitForRows(50);
    harness.open();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> writes = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        String row = "k" + i % 4;
        String value = "k" + (i + 1 + i / 4 % 3) % 4;
        writes.add(
            threads.submit(
                () -> {
                  boolean done = false;
                  while (!done) {
                    try {
                      index.put(row, value);
                      done = true;
                    } catch (RegionBusyException e) {
                      Thread.yield();
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> write : writes) {
        write.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(index.seen).hasSize(400);
  }
}
