package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.regionserver.assignment.OpeningFailures;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests which failures to open a region are reported as new. */
class OpeningFailuresTest {
  private final OpeningFailures failures = new OpeningFailures();

  @Test
  void theSameCauseOfTheSameRegionIsNewOnce() {
    assertThat(failures.isNew("a", new IOException("block 7 is damaged"))).isTrue();
    assertThat(failures.isNew("a", new IOException("block 7 is damaged"))).isFalse();
    assertThat(failures.isNew("b", new IOException("block 7 is damaged"))).isTrue();
  }

  @Test
  void anotherCauseIsNew() {
    failures.isNew("a", new IOException("block 7 is damaged"));
    assertThat(failures.isNew("a", new IOException("block 8 is damaged"))).isTrue();
    assertThat(failures.isNew("a", new IllegalStateException("block 8 is damaged"))).isTrue();
  }

  @Test
  void afterItWasOpenEveryCauseIsNew() {
    failures.isNew("a", new IOException("block 7 is damaged"));
    failures.opened("a");
    assertThat(failures.isNew("a", new IOException("block 7 is damaged"))).isTrue();
  }
}
