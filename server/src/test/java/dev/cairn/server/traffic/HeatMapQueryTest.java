package dev.cairn.server.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.server.traffic.heatmap.HeatMap;
import dev.cairn.server.traffic.heatmap.TrafficMetric;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HeatMapQueryTest {
  private static final long NOW = 1_700_000_000_000L;

  private static HeatMap.Query query(Map<String, String> parameters) {
    return HeatMapQuery.of("t", name -> Optional.ofNullable(parameters.get(name)), NOW);
  }

  @Test
  void withoutParametersItIsTheLastHourOfReads() {
    HeatMap.Query query = query(Map.of());
    assertThat(query.metric()).isEqualTo(TrafficMetric.READS);
    assertThat(query.toMillis() - query.fromMillis()).isEqualTo(3_600_000);
    assertThat(query.toMillis()).isEqualTo(NOW);
  }

  @Test
  void timesAreMillisIsoOrBeforeNow() {
    HeatMap.Query query = query(Map.of("from", "-6h", "to", "2023-11-14T20:00:00Z"));
    assertThat(query.fromMillis()).isEqualTo(NOW - 6 * 3_600_000);
    assertThat(query.toMillis()).isEqualTo(1_699_992_000_000L);
    assertThat(query(Map.of("from", "5")).fromMillis()).isEqualTo(5);
  }

  @Test
  void rowsMayHaveAnyByte() {
    HeatMap.Query query = query(Map.of("low", "a\\x00\\xFF\\", "high", "ä"));
    assertThat(query.low()).containsExactly('a', 0, 0xff, '\\');
    assertThat(query.high()).containsExactly(0xc3, 0xa4);
  }

  @Test
  void largeMapsAreLongOrWideButNotBoth() {
    assertThat(query(Map.of("buckets", "2000", "columns", "200")).buckets()).isEqualTo(2000);
    assertThat(query(Map.of("buckets", "200", "columns", "2000")).columns()).isEqualTo(2000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> query(Map.of("buckets", "2000", "columns", "2000")))
        .withMessage("buckets times columns must be at most 400000, not 2000 times 2000");
  }

  @Test
  void wrongParametersAreNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> query(Map.of("metric", "love")))
        .withMessageContaining("metric must be one of [reads");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> query(Map.of("buckets", "3")))
        .withMessageContaining("buckets must be 4 to 2000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> query(Map.of("from", "yesterday")))
        .withMessageContaining("from must be");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> query(Map.of("from", "-1h", "to", "-2h")))
        .withMessageContaining("before");
  }
}
