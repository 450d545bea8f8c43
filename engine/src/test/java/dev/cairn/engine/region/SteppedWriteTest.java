package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.deleteOf;
import static dev.cairn.engine.region.WriteStepsTest.beside;
import static dev.cairn.engine.region.WriteStepsTest.isAbsent;
import static dev.cairn.engine.region.WriteStepsTest.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.steps.SteppedWrite;
import dev.cairn.engine.region.steps.WriteSteps;
import dev.cairn.engine.region.write.ExplicitRowLocks;
import dev.cairn.engine.region.write.ExplicitRowLocks.Mode;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.ResolutionListener;
import dev.cairn.engine.region.write.WriteListener;
import java.io.IOException;
import java.util.List;
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
}
