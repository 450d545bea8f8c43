package dev.cairn.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.time.Clock;
import org.junit.jupiter.api.Test;

/** Flushes and compactions of very large cells borrow the memory of their blocks. */
class LargeCellLoanTest {
  private static final long MB = 1 << 20;

  private final MemoryAccount account = new MemoryAccount(100 * MB, 1, Clock.SYSTEM);

  @Test
  void smallCellsBorrowNothing() {
    try (LargeCellLoan loan =
        LargeCellLoan.take(account, Clock.SYSTEM, LargeCellLoan.SMALL_CELL_BYTES, 10)) {
      assertThat(account.borrowedBytes()).isZero();
    }
  }

  @Test
  void largeCellsBorrowOneBlockPerInputAndThreeForTheOutput() {
    try (LargeCellLoan loan = LargeCellLoan.take(account, Clock.SYSTEM, 5 * MB, 4)) {
      assertThat(account.borrowedBytes()).isEqualTo(35 * MB);
    }
    assertThat(account.borrowedBytes()).isZero();
  }

  @Test
  void aLoanThatCanNeverFitIsCutToTheLargestOne() {
    try (LargeCellLoan loan = LargeCellLoan.take(account, Clock.SYSTEM, 50 * MB, 10)) {
      assertThat(account.borrowedBytes()).isEqualTo(account.largestLoan());
    }
    assertThat(account.borrowedBytes()).isZero();
  }
}
