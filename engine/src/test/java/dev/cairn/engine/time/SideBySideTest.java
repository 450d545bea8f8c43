package dev.cairn.engine.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.SideBySide.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class SideBySideTest {
  private final List<String> done = Collections.synchronizedList(new ArrayList<>());

  @Test
  void withoutHelpersPartsRunInOrderUpToTheFirstFailure() {
    assertThatThrownBy(
            () -> SideBySide.run(Optional.empty(), List.of(part("a"), failing("b"), part("c"))))
        .isInstanceOf(IOException.class)
        .hasMessage("b");
    assertThat(done).containsExactly("a");
  }

  @Test
  void helpersRunPartsAtTheSameTime() throws Exception {
    ExecutorService helpers = Executors.newSingleThreadExecutor();
    try {
      CyclicBarrier both = new CyclicBarrier(2);
      Part meeting =
          () -> {
            try {
              both.await();
            } catch (InterruptedException | BrokenBarrierException e) {
              throw new IOException(e);
            }
            done.add("met");
          };
      SideBySide.run(Optional.of(helpers), List.of(meeting, meeting));
      assertThat(done).hasSize(2);
    } finally {
      helpers.shutdownNow();
    }
  }

  @Test
  void theCallerRunsWhatNoHelperBegins() throws IOException {
    Executor busy = task -> {};
    SideBySide.run(Optional.of(busy), List.of(part("a"), part("b")));
    Executor closed =
        task -> {
          throw new RejectedExecutionException();
        };
    SideBySide.run(Optional.of(closed), List.of(part("c")));
    assertThat(done).containsExactly("a", "b", "c");
  }

  @Test
  void allPartsEndBeforeAFailureIsThrown() {
    assertThatThrownBy(
            () ->
                SideBySide.run(
                    Optional.of(Runnable::run), List.of(failing("a"), part("b"), failing("c"))))
        .isInstanceOf(IOException.class)
        .hasMessage("a")
        .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
    assertThat(done).containsExactly("b");
  }

  @Test
  void anInterruptedCallerWaitsAndStaysInterrupted() throws IOException {
    Thread.currentThread().interrupt();
    SideBySide.run(Optional.of(Runnable::run), List.of(part("a")));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(done).containsExactly("a");
  }

  private Part part(String name) {
    return () -> done.add(name);
  }

  private Part failing(String name) {
    return () -> {
      throw new IOException(name);
    };
  }
}
