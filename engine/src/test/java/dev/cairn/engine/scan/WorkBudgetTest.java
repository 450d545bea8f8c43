package dev.cairn.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Clock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkBudgetTest {
  private static final long DEADLINE = TimeUnit.SECONDS.toNanos(1);

  /** A clock that counts how often it is read. */
  private static final class CountingClock implements Clock {
    private long nanos;
    private int reads;

    @Override
    public long currentTimeMillis() {
      return TimeUnit.NANOSECONDS.toMillis(nanoTime());
    }

    @Override
    public long nanoTime() {
      reads++;
      return nanos;
    }
  }

  private final CountingClock clock = new CountingClock();
  private final WorkBudget budget = new WorkBudget(clock);

  /** Looks at {@code cells} cells in one call; returns at which one the time was over, or 0. */
  private int call(long deadline, int cells) {
    budget.start(deadline);
    for (int i = 1; i <= cells; i++) {
      if (budget.isSpent()) {
        return i;
      }
    }
    return 0;
  }

  @Test
  void readsTheClockOnceForManyRowsThatGoQuickly() {
    for (int row = 0; row < 1000; row++) {
      assertThat(call(DEADLINE, 11)).isZero();
    }
    assertThat(clock.reads).isLessThan(200);
  }

  @Test
  void readsTheClockAtEachCellThatTakesItsTime() {
    call(DEADLINE, 200);
    int before = clock.reads;
    budget.start(DEADLINE);
    for (int i = 0; i < 200; i++) {
      clock.nanos += TimeUnit.MILLISECONDS.toNanos(2);
      budget.isSpent();
    }
    assertThat(clock.reads - before).isGreaterThan(100);
  }

  @Test
  void givesEachCallACellEvenIfTimeIsOver() {
    clock.nanos = DEADLINE;
    assertThat(call(DEADLINE, 10)).isEqualTo(2);
    assertThat(call(DEADLINE, 10)).isBetween(2, 4);
    assertThat(call(DEADLINE - 1, 10)).isEqualTo(2);
  }

  @Test
  void noticesTheEndOfTheTimeInACallThatFollows() {
    for (int row = 0; row < 1000; row++) {
      call(DEADLINE, 11);
    }
    clock.nanos = DEADLINE;
    int calls = 1;
    while (call(DEADLINE, 11) == 0) {
      calls++;
    }
    assertThat(calls).isLessThan(10);
  }

  @Test
  void neverReadsTheClockWithoutADeadlineOrAfterItWasLifted() {
    assertThat(call(Long.MAX_VALUE, 1000)).isZero();
    assertThat(clock.reads).isZero();
    clock.nanos = DEADLINE;
    budget.start(DEADLINE);
    budget.lift();
    for (int i = 0; i < 100; i++) {
      assertThat(budget.isSpent()).isFalse();
    }
    assertThat(call(DEADLINE, 10)).isEqualTo(2);
  }
}
