package dev.cairn.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.tools.backup.ServerClocks.Reading;
import java.util.Map;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.Test;

/**
 * The bounds of moments are safe for servers whose clocks differ, and for those that come and go.
 */
class ServerClocksTest {
  private static final ServerName SLOW = ServerName.valueOf("slow", 1, 1);
  private static final ServerName FAST = ServerName.valueOf("fast", 1, 1);
  private static final ServerName STARTED = ServerName.valueOf("started", 1, 950);

  private final Reading both = new Reading(Map.of(SLOW, 1_000L, FAST, 1_030L));

  @Test
  void allChangesUpToTheSlowestClockAreInTheLogs() {
    assertThat(both.lowerBound(new Reading(Map.of(SLOW, 2_000L, FAST, 2_030L)))).isEqualTo(1_000);
  }

  @Test
  void aServerThatStartsMeanwhileMayHaveASlowerClock() {
    assertThat(both.lowerBound(new Reading(Map.of(FAST, 2_030L, STARTED, 960L)))).isEqualTo(949);
  }

  @Test
  void noServerHasPassedTheFastestClock() {
    assertThat(both.upperBound(both)).isEqualTo(1_030);
  }

  @Test
  void aServerThatHasEndedMayHaveHadAFasterClock() {
    Reading later = new Reading(Map.of(SLOW, 1_500L));
    assertThat(later.upperBound(both)).isGreaterThan(1_530);
  }
}
