package dev.cairn.coprocessor.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ServiceCallsTest {
  private final ServiceCalls calls = new ServiceCalls();

  @Test
  void noCallBeginsAfterTheClose() {
    assertThat(calls.begin()).isTrue();
    calls.end();
    assertThat(calls.close(1)).isTrue();
    assertThat(calls.begin()).isFalse();
  }

  @Test
  void theCloseWaitsForRunningCallsForALimitedTime() {
    assertThat(calls.begin()).isTrue();
    assertThat(calls.close(1)).isFalse();
    CompletableFuture<Boolean> closing =
        CompletableFuture.supplyAsync(() -> calls.close(Long.MAX_VALUE / 1_000_000));
    calls.end();
    assertThat(closing.join()).isTrue();
  }
}
