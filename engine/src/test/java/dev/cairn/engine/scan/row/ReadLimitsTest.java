package dev.cairn.engine.scan.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.CellRun;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.time.Clock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReadLimitsTest {
  private static final Cell CELL =
      Cell.put(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.utf8("q"), 1, Bytes.EMPTY);
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
  private final ReadLimits limits = new ReadLimits(clock);

  /** Looks at {@code cells} cells in one call; returns at which one the time was over, or 0. */
  private int call(long deadline, int cells) {
    begin(deadline);
    for (int i = 1; i <= cells; i++) {
      limits.looked(1);
      if (limits.isOutOfTime()) {
        return i;
      }
    }
    return 0;
  }

  private void begin(long deadline) {
    limits.begin(
        new ReadBudget(-1, -1, deadline, true), true, new CellBuffer(), CellRun.NO_ROWS, 1);
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
    begin(DEADLINE);
    for (int i = 0; i < 200; i++) {
      clock.nanos += TimeUnit.MILLISECONDS.toNanos(2);
      limits.looked(1);
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
    begin(DEADLINE);
    limits.liftTime();
    for (int i = 0; i < 100; i++) {
      limits.looked(1);
      assertThat(limits.isOutOfTime()).isFalse();
    }
    assertThat(call(DEADLINE, 10)).isEqualTo(2);
  }

  @Test
  void askingChangesNothing() {
    clock.nanos = DEADLINE;
    begin(DEADLINE);
    limits.looked(1);
    limits.looked(500);
    for (int i = 0; i < 3; i++) {
      assertThat(limits.isOutOfTime()).isTrue();
      assertThat(limits.isOver()).isTrue();
    }
  }

  @Test
  void aCallWhoseTimeWasLiftedEndsBehindTheRow() {
    clock.nanos = DEADLINE;
    begin(DEADLINE);
    limits.looked(1);
    limits.looked(1);
    limits.liftTime();
    assertThat(limits.isOutOfTime()).isFalse();
    assertThat(limits.isOver()).isTrue();
  }

  @Test
  void bytesAndRowsCountFromTheBeginningOfTheCall() {
    CellBuffer out = new CellBuffer();
    RowSizes rows = new RowSizes();
    out.add(CELL);
    rows.add(1);
    long cellSize = ReadBudget.size(1, out.byteSize());
    limits.begin(new ReadBudget(-1, 2 * cellSize, Long.MAX_VALUE, true), true, out, rows, 3);
    for (int cells = 0; cells < 2; cells++) {
      assertThat(limits.isFullInRow()).isFalse();
      assertThat(limits.run().cellsOfRow()).isZero();
      limits.run().copy(CELL);
      limits.run().rowEnds();
    }
    assertThat(limits.isFullInRow()).isTrue();
    assertThat(limits.isOver()).isTrue();
    limits.begin(new ReadBudget(-1, -1, Long.MAX_VALUE, true), true, out, rows, 1);
    assertThat(limits.isOver()).isFalse();
    limits.run().copy(CELL);
    limits.run().rowEnds();
    assertThat(limits.isOver()).isTrue();
  }

  @Test
  void aRunThatMayNotStopInARowEndsItAfterItsBytes() {
    CellBuffer out = new CellBuffer();
    limits.begin(new ReadBudget(-1, 1, Long.MAX_VALUE, false), true, out, new RowSizes(), 3);
    limits.letRunsCrossRows(CellRun.NO_END);
    assertThat(limits.nextRun().crossesRows()).isTrue();
    limits.run().copy(CELL);
    assertThat(limits.run().isFull()).isTrue();
    assertThat(limits.nextRun().crossesRows()).isFalse();
    assertThat(limits.run().isFull()).isFalse();
  }

  @Test
  void runsOfABatchStayInTheirRow() {
    CellBuffer out = new CellBuffer();
    limits.begin(new ReadBudget(2, -1, Long.MAX_VALUE, false), true, out, new RowSizes(), 3);
    limits.letRunsCrossRows(CellRun.NO_END);
    limits.run().copy(CELL);
    assertThat(limits.nextRun().crossesRows()).isFalse();
    assertThat(limits.run().cellsLeft()).isOne();
    limits.run().copy(CELL);
    assertThat(limits.isBatchFull()).isTrue();
  }
}
