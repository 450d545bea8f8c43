package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.regionserver.maintenance.MemStorePressure.BlockedTime;
import org.junit.jupiter.api.Test;

class BlockedTimeTest {
  private final BlockedTime blocked = new BlockedTime();

  @Test
  void timesAddUp() {
    assertThat(blocked.nanos(5)).isZero();
    blocked.begin(10);
    blocked.begin(12);
    assertThat(blocked.nanos(15)).as("still blocked").isEqualTo(5);
    blocked.end(20);
    blocked.end(30);
    assertThat(blocked.nanos(40)).isEqualTo(10);
    blocked.begin(50);
    assertThat(blocked.nanos(53)).isEqualTo(13);
  }
}
