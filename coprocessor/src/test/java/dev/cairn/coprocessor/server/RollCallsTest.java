package dev.cairn.coprocessor.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Checks how long a log waits for the hooks around its files. */
class RollCallsTest {
  private static final long NEVER = 600_000;

  private final List<String> calls = new CopyOnWriteArrayList<>();

  @Test
  void aLogWaitsForAHook_andHearsItsRefusal() throws IOException {
    try (RollCalls rolls = new RollCalls(NEVER)) {
      rolls.before("a", () -> calls.add("before"));
      assertThat(calls).containsExactly("before");
      assertThatThrownBy(
              () ->
                  rolls.before(
                      "b",
                      () -> {
                        throw new IOException("no file");
                      }))
          .isInstanceOf(IOException.class)
          .hasMessage("no file");
      rolls.after("b", () -> calls.add("after"));
      rolls.before("c", () -> calls.add("next"));
      assertThat(calls).containsExactly("before", "after", "next");
    }
  }

  @Test
  void whileAHookHangs_noLogWaitsAndNoHookIsCalled() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (RollCalls rolls = new RollCalls(1)) {
      CountDownLatch begun = new CountDownLatch(1);
      while (begun.getCount() > 0) { // a call may be given up before it begins
        rolls.before(
            "a",
            () -> {
              begun.countDown();
              hang(interrupted, end);
            });
      }
      interrupted.await();
      rolls.before("b", () -> calls.add("before b"));
      rolls.after("b", () -> calls.add("after b"));
      end.countDown();
      Awaitility.await()
          .atMost(1, TimeUnit.MINUTES)
          .until(
              () -> {
                rolls.before("c", () -> calls.add("before c"));
                return calls.contains("before c");
              });
    }
    assertThat(calls).startsWith("too late", "before c").doesNotContain("before b", "after b");
  }

  @Test
  void aHookThatHangsAfterANewFileHoldsUpOneLaterFileAtMost() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (RollCalls rolls = new RollCalls(1)) {
      rolls.after(
          "a",
          () -> {
            begun.countDown();
            hang(interrupted, end);
          });
      begun.await();
      rolls.before("b", () -> calls.add("before b"));
      interrupted.await();
      rolls.after("b", () -> calls.add("after b"));
      end.countDown();
      Awaitility.await()
          .atMost(1, TimeUnit.MINUTES)
          .until(
              () -> {
                rolls.before("c", () -> calls.add("before c"));
                return calls.contains("before c");
              });
    }
    assertThat(calls).startsWith("too late", "before c").doesNotContain("before b", "after b");
  }

  private void hang(CountDownLatch interrupted, CountDownLatch end) throws IOException {
    while (true) {
      try {
        end.await();
        calls.add("too late");
        throw new IOException("a late refusal");
      } catch (InterruptedException e) {
        interrupted.countDown();
      }
    }
  }
}
