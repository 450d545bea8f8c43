package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.store.OffPeakHours;
import dev.cairn.engine.store.OffPeakRatio;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.keys.StoreKeys;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The settings of a site reach the stores. */
class StoreKeysTest {
  @Test
  void theOffPeakHoursHaveARatioOfTheirOwn() {
    OffPeakRatio set =
        StoreKeys.settings(
                new SiteConfig(
                    Map.of(
                        "hbase.offpeak.start.hour", "22",
                        "hbase.offpeak.end.hour", "6",
                        "hbase.hstore.compaction.ratio.offpeak", "3.5")))
            .offPeakRatio();
    assertThat(set.ratio()).isEqualTo(3.5);
    assertThat(set.hours()).isEqualTo(new OffPeakHours(22, 6));
    OffPeakRatio unset = StoreKeys.settings(new SiteConfig(Map.of())).offPeakRatio();
    assertThat(unset.ratio()).isEqualTo(5);
    assertThat(unset.hours()).isEqualTo(OffPeakHours.NONE);
  }
}
