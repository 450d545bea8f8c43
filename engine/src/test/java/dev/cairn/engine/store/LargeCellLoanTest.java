package dev.cairn.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.Waiting;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Flushes and compactions of very large cells borrow the memory of their blocks. */
class LargeCellLoanTest {
  private static final long MB = 1 << 20;

  private final MemoryAccount account = new MemoryAccount(100 * MB, 1, Clock.SYSTEM);

  @Test
  void smallCellsBorrowNothing() {
    try (LargeCellLoan loan =
        LargeCellLoan.take(
            account, Clock.SYSTEM, LargeCellLoan.SMALL_CELL_BYTES, 10, () -> false)) {
      assertThat(account.borrowedBytes()).isZero();
    }
  }

  @Test
  void largeCellsBorrowOneBlockPerInputAndThreeForTheOutput() {
    try (LargeCellLoan loan = LargeCellLoan.take(account, Clock.SYSTEM, 5 * MB, 4, () -> false)) {
      assertThat(account.borrowedBytes()).isEqualTo(35 * MB);
    }
    assertThat(account.borrowedBytes()).isZero();
  }

  @Test
  void aLoanThatCanNeverFitIsCutToTheLargestOne() {
    try (LargeCellLoan loan = LargeCellLoan.take(account, Clock.SYSTEM, 50 * MB, 10, () -> false)) {
      assertThat(account.borrowedBytes()).isEqualTo(account.largestLoan());
    }
    assertThat(account.borrowedBytes()).isZero();
  }

  @Test
  @Timeout(60)
  void aWaitThatHasBegunEndsInAHurry() throws Exception {
    assertThat(account.tryBorrow(account.largestLoan())).isTrue();
    AtomicBoolean hurry = new AtomicBoolean();
    CompletableFuture<LargeCellLoan> loan =
        CompletableFuture.supplyAsync(
            () -> LargeCellLoan.take(account, Clock.SYSTEM, 5 * MB, 4, hurry::get));
    Waiting.until(() -> account.snapshot().waiting() == 1);
    hurry.set(true);
    loan.get().close();
    assertThat(account.borrowedBytes()).isEqualTo(account.largestLoan());
    assertThat(account.snapshot().waiting()).isZero();
  }
}
