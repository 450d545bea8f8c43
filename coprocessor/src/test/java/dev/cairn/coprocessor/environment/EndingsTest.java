package dev.cairn.coprocessor.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class EndingsTest {
  @Test
  void aTaskThatDoesNotEndIsInterruptedAndLeft() throws InterruptedException {
    Endings endings = new Endings(1, 1);
    CountDownLatch interrupted = new CountDownLatch(1);
    boolean ended =
        endings.run(
            "hangs",
            false,
            () -> {
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
            });
    assertThat(ended).isFalse();
    interrupted.await();
  }

  @Test
  void aTaskIsWaitedFor() {
    AtomicBoolean ran = new AtomicBoolean();
    assertThat(new Endings(600_000, 600_000).run("ends", true, () -> ran.set(true))).isTrue();
    assertThat(ran).isTrue();
  }

  @Test
  void theAbortsOfManyRegionsWaitLittleLongerThanThatOfOne() {
    Endings endings = new Endings(600_000, 8);
    assertThat(endings.limitMillis(true)).isEqualTo(8);
    long waited = 0;
    CountDownLatch end = new CountDownLatch(1);
    for (int i = 0; i < 10; i++) {
      waited += endings.limitMillis(true);
      assertThat(endings.run("hangs", true, () -> awaitUninterruptibly(end))).isFalse();
    }
    end.countDown();
    assertThat(waited).isLessThanOrEqualTo(2 * 8 + 10);
    assertThat(endings.limitMillis(false)).isEqualTo(600_000);
  }

  private static void awaitUninterruptibly(CountDownLatch end) {
    while (true) {
      try {
        end.await();
        return;
      } catch (InterruptedException e) {
        // The test ends it.
      }
    }
  }
}
