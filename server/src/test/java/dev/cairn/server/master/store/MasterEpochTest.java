package dev.cairn.server.master.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.master.SimulatedStore;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Epochs of masters only rise. */
class MasterEpochTest {
  private final MasterStore store = new SimulatedStore();

  @Test
  void theClockGivesTheEpoch() throws IOException {
    assertThat(begin(1_000)).isEqualTo(1_000);
    assertThat(begin(2_000)).isEqualTo(2_000);
  }

  @Test
  void aClockThatWasSetBackDoesNotLowerIt() throws IOException {
    assertThat(begin(1_000)).isEqualTo(1_000);
    assertThat(begin(500)).isEqualTo(1_001);
    assertThat(begin(1_001)).isEqualTo(1_002);
  }

  private long begin(long nowMillis) throws IOException {
    long epoch = MasterEpoch.next(store, nowMillis);
    MasterEpoch.begin(store, epoch);
    return epoch;
  }
}
