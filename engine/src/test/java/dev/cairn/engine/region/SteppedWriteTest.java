package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.deleteOf;
import static dev.cairn.engine.region.RegionHarness.putOf;
import static dev.cairn.engine.region.WriteStepsTest.beside;
import static dev.cairn.engine.region.WriteStepsTest.increment;
import static dev.cairn.engine.region.WriteStepsTest.isAbsent;
import static dev.cairn.engine.region.WriteStepsTest.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.region.state.RegionGate;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.region.steps.RegionWriteSteps;
import dev.cairn.engine.region.steps.ResolvedMutation;
import dev.cairn.engine.region.steps.SteppedWrite;
import dev.cairn.engine.region.steps.WriteSteps;
import dev.cairn.engine.region.write.ExplicitRowLocks;
import dev.cairn.engine.region.write.ExplicitRowLocks.Mode;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationCheck;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.ResolutionListener;
import dev.cairn.engine.region.write.StagedWrite;
import dev.cairn.engine.region.write.WriteListener;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.wal.file.ClusterIds;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of one write in steps: order of the steps, and what it refuses. */
@Timeout(120)
class SteppedWriteTest {
  @AutoClose private final RegionHarness harness = RegionHarness.ofTwoFamilies();

  SteppedWriteTest() throws IOException {
    harness.offerSteps();
    reopen();
  }

  private void reopen() throws IOException {
    harness.closeCleanly();
    harness.open();
  }

  private WriteSteps steps() {
    return harness.region().steps().orElseThrow();
  }

  private ExplicitRowLocks.Held lock(String row) throws IOException {
    return steps().locks().lock(Bytes.utf8(row), Mode.EXCLUSIVE);
  }

  private PendingWrite stage(SteppedWrite write, Mutation mutation) throws IOException {
    return write.stage(
        write.assemble(write.resolveTogether(List.of(mutation), 0, ResolutionListener.NONE)));
  }

  @Test
  void aStagedWriteThatNobodyJoinsCompletesAtTheEnd_andHoldsUpNoOther() throws Exception {
    assertThatThrownBy(
            () -> {
              try (SteppedWrite write = steps().begin();
                  ExplicitRowLocks.Held held = lock("r")) {
                stage(write, put("r", "v"));
                throw new IllegalArgumentException("a hook");
              }
            })
        .hasMessage("a hook");
    beside(
            () -> {
              harness.put("s", "q", "w");
              return null;
            })
        .get(60, TimeUnit.SECONDS);
    assertThat(harness.dump()).containsExactly("r/f:q=v", "s/f:q=w");
  }

  /** A condition that does not hold waits for all writes that have begun, so for this one, too. */
  @Test
  void noStepIsPossibleUntilTheStagedWriteIsJoined() throws IOException {
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      PendingWrite staged = stage(write, put("r", "v"));
      List<Mutation> next = List.of(put("r", "w"));
      assertThatThrownBy(() -> write.newestIfAllHold(List.of(isAbsent("r"))))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> write.resolveEach(next, ResolutionListener.NONE))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> write.resolveTogether(next, 0, ResolutionListener.NONE))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> write.assemble(next)).isInstanceOf(IllegalStateException.class);
      staged.join();
      assertThat(write.newestIfAllHold(List.of(isAbsent("r")))).isEmpty();
      stage(write, put("r", "w")).whenDone(WriteListener.NONE);
      stage(write, put("r", "x")).join();
    }
    assertThat(harness.dump()).containsExactly("r/f:q=x");
  }

  @Test
  void aReadOfACellThatALayerAddedIsRefusedAsBusyIfItHasNoMemory() throws IOException {
    MemoryAccount account = new MemoryAccount(4 << 20, 0, harness.clock);
    harness.borrowFrom(account);
    reopen();
    harness.put("r", "q", "x".repeat(300_000));
    harness.region().flush();
    assertThat(account.tryBorrow(account.largestLoan())).isTrue();
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      Mutation newest = deleteOf("r", F, "q", Cell.LATEST_TIMESTAMP, CellType.DELETE);
      assertThatThrownBy(() -> write.assemble(List.of(newest)))
          .isInstanceOf(RegionBusyException.class);
    }
  }

  private static boolean isRefused(SteppedWrite write, Mutation mutation) throws IOException {
    Optional<IOException> refusal =
        write.resolveEach(List.of(mutation), ResolutionListener.NONE).get(0).refusal();
    refusal.ifPresent(cause -> assertThat(cause).isInstanceOf(InvalidMutationException.class));
    return refusal.isPresent();
  }

  @Test
  void anIncrementNeedsAWriteOfItsOwnIfAnotherMutationIsOfItsColumn() throws IOException {
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held =
            steps().locks().lockAll(List.of(Bytes.utf8("r"), Bytes.utf8("s")), Mode.EXCLUSIVE)) {
      Mutation one = increment("r", 1, Nonce.NONE);
      List<ResolvedMutation> both =
          write.resolveEach(List.of(one, increment("r", 1, Nonce.NONE)), ResolutionListener.NONE);
      assertThat(both.stream().map(each -> each.refusal().isPresent()))
          .containsExactly(false, true);
      assertThat(isRefused(write, increment("r", 1, Nonce.NONE))).isTrue();
      assertThat(isRefused(write, increment("s", 1, Nonce.NONE))).isFalse();
      assertThat(isRefused(write, put("r", "v"))).as("another column").isFalse();
      Mutation family = deleteOf("r", F, "", Cell.LATEST_TIMESTAMP, CellType.DELETE_FAMILY);
      assertThat(isRefused(write, family)).isTrue();
      assertThat(isRefused(write, Mutation.delete(Bytes.utf8("r"), new CellBuffer()))).isTrue();
      write.stage(write.assemble(List.of(both.get(0).mutation()))).join();
      assertThat(isRefused(write, increment("r", 1, Nonce.NONE))).as("after it").isFalse();
    }
  }

  @Test
  void mutationsOfDifferentOriginsAreNotOneWrite() throws IOException {
    Nonce nonce = new Nonce(5, 6);
    Mutation numbered = put("r", "v").numbered(nonce);
    Mutation passed = passed(put("r", "v"), 1);
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      for (Mutation other :
          List.of(put("r", "w").numbered(new Nonce(5, 7)), passed(put("r", "w"), 1))) {
        assertThatThrownBy(() -> write.assemble(List.of(numbered, other)))
            .isInstanceOf(IllegalArgumentException.class);
      }
      assertThatThrownBy(() -> write.assemble(List.of(passed, passed(put("r", "w"), 2))))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(write.assemble(List.of(passed, put("r", "added"))).clusterIds()).hasSize(1);
      assertThat(write.assemble(List.of(put("r", "w"), numbered, numbered)).nonce())
          .isEqualTo(nonce);
    }
  }

  private static Mutation passed(Mutation mutation, long cluster) {
    return new Mutation(
        mutation.kind(),
        mutation.row(),
        mutation.cells(),
        mutation.durability(),
        mutation.timeRange(),
        false,
        Nonce.NONE,
        Map.of(ClusterIds.ATTRIBUTE, ClusterIds.attribute(List.of(new UUID(0, cluster)))));
  }

  @Test
  void theServersOwnTimestampsMayBeAheadOfItsClock() throws IOException {
    harness.put("r", F, "q", 5_000_000, "tomorrow");
    harness.alter(RegionHarness.TWO_FAMILIES.with(RegionSettings.AHEAD_KEY, "0"));
    harness.clock.stop();
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held =
            steps().locks().lockAll(List.of(Bytes.utf8("r"), Bytes.utf8("s")), Mode.EXCLUSIVE)) {
      stage(write, put("s", "v")).join();
      harness.clock.advance(-2_000);
      stage(write, put("s", "w")).join();
      ResolvedMutation each =
          write.resolveEach(List.of(put("s", "x")), ResolutionListener.NONE).get(0);
      write.stage(write.assemble(List.of(each.mutation()))).join();
      Condition isThere = new Condition(isAbsent("r").read(), Optional::isPresent);
      long newest = write.newestIfAllHold(List.of(isThere)).orElseThrow();
      List<Mutation> put =
          write.resolveTogether(List.of(put("r", "v")), newest, ResolutionListener.NONE);
      write.stage(write.assemble(put)).join();
      assertThatThrownBy(() -> write.assemble(List.of(putOf("r", F, "q", 6_000_000, "v"))))
          .isInstanceOf(MutationCheck.FutureTimestampException.class);
    }
    assertThat(harness.dump()).containsExactly("r/f:q=v", "s/f:q=x");
  }

  @Test
  void aWriteHasTheTimeOfItsEntry_whenALayerHasTakenItsTime() throws IOException {
    List<Long> millis = new ArrayList<>();
    harness.replayWith(
        new ReplayHook() {
          @Override
          public Optional<CellBuffer> restores(WalEntry entry) {
            millis.add(entry.writeTimeMillis());
            return Optional.of(entry.cells());
          }
        });
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      StagedWrite assembled =
          write.assemble(write.resolveTogether(List.of(put("r", "v")), 0, ResolutionListener.NONE));
      harness.clock.advance(5_000);
      harness.put("s", "q", "meanwhile");
      write.stage(assembled).join();
    }
    harness.kill();
    assertThat(millis).hasSize(2).isSorted();
  }

  @Test
  void theDurabilityOfADroppedMutationCountsForTheCellsOfALayer() throws IOException {
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      Mutation dropped = put("r", "v").withCells(new CellBuffer());
      StagedWrite assembled = write.assemble(List.of(dropped));
      write.stage(assembled.logging(put("r", "logged").cells())).join();
    }
    harness.powerCut();
    assertThat(harness.dump()).hasSize(1);
  }

  @Test
  void aDeleteOfAWholeRowIsNotForgotten() throws IOException {
    harness.put("r", "q", "v");
    Mutation row = Mutation.delete(Bytes.utf8("r"), new CellBuffer());
    try (SteppedWrite write = steps().begin();
        ExplicitRowLocks.Held held = lock("r")) {
      assertThatThrownBy(() -> write.assemble(List.of(row)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(isRefused(write, row)).isFalse();
      Mutation emptied = row.withCells(new CellBuffer());
      assertThat(write.assemble(List.of(emptied)).cells().isEmpty()).isTrue();
      assertThatThrownBy(() -> write.assemble(List.of(emptied, emptied)))
          .isInstanceOf(IllegalArgumentException.class);
      write.stage(write.assemble(List.of(row))).join();
    }
    assertThat(harness.dump()).isEmpty();
  }

  /** Another thread ends the visit while its thread enters again, and the region closes. */
  @Test
  void noThreadEntersAgainAfterItsLastVisit() throws Exception {
    RegionInfo info =
        new RegionInfo(RegionHarness.TWO_FAMILIES.name(), Bytes.EMPTY, Bytes.EMPTY, 1);
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < 20_000; i++) {
        RegionGate gate = new RegionGate(info);
        RegionWriteSteps entered = new RegionWriteSteps(null, null, gate, () -> {});
        RegionGate.Visit first = entered.enter();
        CompletableFuture<Void> left = gate.shut().orElseThrow();
        Future<?> ended = other.submit(first::close);
        try (RegionGate.Visit again = entered.enter()) {
          ended.get(60, TimeUnit.SECONDS);
          assertThat(left).as("it has entered: nobody has seen the last one leave").isNotDone();
        } catch (RegionClosedException e) {
          ended.get(60, TimeUnit.SECONDS);
        }
        assertThat(left).isDone();
      }
    } finally {
      other.shutdownNow();
    }
  }

  @Test
  void aWriteLeavesTheRegionEvenIfItsMemoryIsNotGivenBack() throws Exception {
    harness.shareRoom(
        new MemStoreRoom() {
          @Override
          public void reserve(long bytes) {}

          @Override
          public void release(long bytes) {
            throw new IllegalStateException("not given back");
          }
        });
    reopen();
    assertThatThrownBy(
            () -> {
              try (SteppedWrite write = steps().begin();
                  ExplicitRowLocks.Held held = lock("r")) {
                write.resolveEach(List.of(put("r", "v")), ResolutionListener.NONE);
              }
            })
        .hasMessage("not given back");
    beside(
            () -> {
              harness.closeCleanly();
              return null;
            })
        .get(60, TimeUnit.SECONDS);
    harness.open();
  }
}
