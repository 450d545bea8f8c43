package dev.cairn.engine.region.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.scan.RegionRead.ReadStoppedException;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The limits of a search of indexes. */
class SearchBudgetTest {
  private final MemoryAccount account = new MemoryAccount(64 << 20, 1, Clock.SYSTEM);
  private final RowsLoan loan = new RowsLoan(account);
  private boolean stopped;

  private SearchBudget budget(boolean always) {
    return new SearchBudget(Clock.SYSTEM, Long.MAX_VALUE, this::check, loan, always);
  }

  private void check() throws IOException {
    if (stopped) {
      throw new ReadStoppedException();
    }
  }

  private static int chunks(SearchBudget budget) throws IOException {
    int chunks = 0;
    while (budget.mayRead()) {
      chunks++;
    }
    assertThat(budget.isLeft()).isFalse();
    assertThat(budget.takeOverrun()).contains("the search would read too much of the index");
    return chunks;
  }

  @Test
  void theChunksThatASearchMayReadGrowWithTheRowsOfTheScan() throws IOException {
    assertThat(chunks(budget(false))).isEqualTo(50);
    SearchBudget large = budget(false);
    large.expectRows(100_000);
    large.expectRows(50_000); // another column of the same rows
    assertThat(chunks(large)).isEqualTo(200);
    SearchBudget huge = budget(false);
    huge.expectRows(1e9);
    assertThat(chunks(huge)).isEqualTo(2_000);
    assertThat(chunks(budget(true))).isEqualTo(20_000);
  }

  @Test
  void allColumnsTogetherHaveALimitOfEntries() throws IOException {
    SearchBudget budget = budget(false);
    int entries = 0;
    while (budget.found()) {
      entries++;
    }
    assertThat(entries).isEqualTo(40_000);
    assertThat(budget.takeOverrun()).contains("too many rows may match");
    assertThat(budget.takeOverrun()).isEmpty();
  }

  @Test
  void theRowsOfASearchAreBorrowedAndLimited() {
    SearchBudget budget = budget(false);
    byte[] row = new byte[960]; // 1,000 bytes with its overhead
    int rows = 0;
    while (budget.keeps(row)) {
      rows++;
      assertThat(account.borrowedBytes()).isGreaterThanOrEqualTo(rows * 1_000L - (16 << 10));
    }
    assertThat(rows).isEqualTo((4 << 20) / 1_000);
    budget.end(100_000);
    assertThat(account.borrowedBytes()).isEqualTo(128 << 10);
    loan.close();
    assertThat(account.borrowedBytes()).isZero();
  }

  @Test
  void aReadThatIsStoppedEndsItsSearch() throws IOException {
    SearchBudget budget = budget(true);
    assertThat(budget.mayRead()).isTrue();
    stopped = true;
    assertThatThrownBy(budget::mayRead).isInstanceOf(ReadStoppedException.class);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                budget.found();
              }
            })
        .isInstanceOf(ReadStoppedException.class);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                budget.maySeek();
              }
            })
        .isInstanceOf(ReadStoppedException.class);
  }
}
