package dev.cairn.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RateTest {
  private static long seconds(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void aWindowLastsFiveSecondsOrMore() {
    Rate rate = new Rate(seconds(100));
    assertThat(rate.perSecond(50, seconds(104))).isZero();
    assertThat(rate.perSecond(50, seconds(105))).isEqualTo(10);
    assertThat(rate.perSecond(1_000, seconds(109))).as("of the window before").isEqualTo(10);
    assertThat(rate.perSecond(1_050, seconds(125))).isEqualTo(50);
    assertThat(rate.perSecond(1_050, seconds(135))).isZero();
  }

  @Test
  void aCounterThatFallsHasNoNegativeRate() {
    Rate rate = new Rate(0);
    assertThat(rate.perSecond(50, seconds(5))).isEqualTo(10);
    assertThat(rate.perSecond(0, seconds(10))).isZero();
  }
}
