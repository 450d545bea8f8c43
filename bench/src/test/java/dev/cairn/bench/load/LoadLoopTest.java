package dev.cairn.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.bench.report.Latencies;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Tests which operations are recorded. */
class LoadLoopTest {
  private static final long HOLD_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LoadLoop loop = new LoadLoop(Thread::new, TimeUnit.MILLISECONDS.toNanos(10));

  @Test
  void atAFixedRateAnOperationThatHoldsUpOthersIsBookedWithEachOfThem() throws Exception {
    // 100 in 100 ms; the first takes as long, so those that wait for it begin late by 0 to 100 ms.
    Latencies latencies = loop.run(List.of(new SlowAtFirst()), true, 0.1, 1000).latencies().get(0);

    assertThat(latencies.count()).isEqualTo(100);
    assertThat(latencies.micros(50)).isGreaterThan(45_000);
  }

  @Test
  void inAClosedLoopItIsBookedOnce() throws Exception {
    Latencies latencies =
        loop.run(List.of(new Counted(new AtomicInteger(100), 1)), true, 60, 0).latencies().get(0);

    assertThat(latencies.count()).isEqualTo(100);
  }

  @Test
  void allThreadsTogetherDoWhatThereIs() throws Exception {
    AtomicInteger left = new AtomicInteger(1000);

    LoadResult result = loop.run(List.of(new Counted(left, 2), new Counted(left, 2)), false, 60, 0);

    assertThat(result.operations()).isEqualTo(1000);
    assertThat(result.units()).isEqualTo(2000);
    assertThat(result.latencies()).isEmpty();
  }

  @Test
  void aFailureEndsTheRunAndIsTold() {
    AtomicBoolean closed = new AtomicBoolean();
    Task failing =
        new Task() {
          @Override
          public boolean next(Done done) throws IOException {
            throw new IOException("no such row");
          }

          @Override
          public void close() {
            closed.set(true);
          }
        };

    assertThatThrownBy(() -> loop.run(List.of(failing), true, 60, 0)).hasMessage("no such row");
    assertThat(closed).isTrue();
  }

  private static final class SlowAtFirst implements Task {
    private boolean first = true;

    @Override
    public boolean next(Done done) {
      if (first) {
        first = false;
        long end = System.nanoTime() + HOLD_UP_NANOS;
        while (System.nanoTime() < end) {
          LockSupport.parkNanos(end - System.nanoTime());
        }
      }
      done.was("call", 1, 0);
      return true;
    }

    @Override
    public void close() {}
  }

  private record Counted(AtomicInteger left, int units) implements Task {
    @Override
    public boolean next(Done done) {
      done.was("call", units, 0);
      return left.getAndDecrement() > 0;
    }

    @Override
    public void close() {}
  }
}
