package dev.cairn.server.master.service;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import java.util.Map;
import org.apache.hadoop.hbase.ClockOutOfSyncException;
import org.junit.jupiter.api.Test;

class ClockSkewTest {
  private static final ServerName SERVER = new ServerName("host", 16020, 1);
  private static final long NOW = 1_700_000_000_000L;

  private final ClockSkew skew =
      ClockSkew.of(new SiteConfig(Map.of("hbase.master.maxclockskew", "5000")));

  @Test
  void aClockThatIsNearEnough() {
    assertThatCode(() -> skew.check(SERVER, NOW - 5000, NOW)).doesNotThrowAnyException();
    assertThatCode(() -> skew.check(SERVER, NOW + 5000, NOW)).doesNotThrowAnyException();
  }

  @Test
  void aClockThatIsTooFarOff() {
    assertThatThrownBy(() -> skew.check(SERVER, NOW - 5001, NOW))
        .isInstanceOf(ClockOutOfSyncException.class)
        .hasMessageContainingAll("host,16020,1", "5001 ms behind", "hbase.master.maxclockskew");
    assertThatThrownBy(() -> skew.check(SERVER, NOW + 60_000, NOW))
        .hasMessageContaining("60000 ms ahead of");
  }

  @Test
  void aClockOfAnyValueIsTooFarOff() {
    assertThatThrownBy(() -> skew.check(SERVER, Long.MIN_VALUE, NOW))
        .isInstanceOf(ClockOutOfSyncException.class)
        .hasMessageContaining("behind");
    assertThatThrownBy(() -> skew.check(SERVER, Long.MAX_VALUE, -1))
        .isInstanceOf(ClockOutOfSyncException.class)
        .hasMessageContaining("ahead of");
  }
}
