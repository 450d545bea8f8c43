package dev.cairn.server.master.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.page.PageRequest;
import dev.cairn.server.page.Value;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuotaSnapshot;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuotaStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceViolationPolicy;
import org.junit.jupiter.api.Test;

/** Limits on space are shown with their use, the fullest first. */
class SpaceTablesTest {
  private static ClusterView.Space space(String target, long used, boolean exceeded) {
    SpaceQuotaStatus.Builder status = SpaceQuotaStatus.newBuilder().setInViolation(exceeded);
    if (exceeded) {
      status.setViolationPolicy(SpaceViolationPolicy.NO_WRITES);
    }
    return new ClusterView.Space(
        target,
        SpaceQuotaSnapshot.newBuilder()
            .setQuotaUsage(used)
            .setQuotaLimit(1 << 20)
            .setQuotaStatus(status)
            .build());
  }

  @Test
  void anExceededLimitComesFirstWithThePolicyInForce() {
    List<List<String>> rows =
        SpaceTables.of(
                List.of(space("table small", 1 << 19, false), space("namespace n", 2 << 20, true)))
            .slice(new PageRequest("quotas", Map.of()))
            .rows()
            .stream()
            .map(row -> row.stream().map(Value::shown).toList())
            .toList();
    assertThat(rows)
        .containsExactly(
            List.of("namespace n", "exceeded", "2.0 MiB", "1.0 MiB", "200.0 %", "NO_WRITES"),
            List.of("table small", "kept", "512.0 KiB", "1.0 MiB", "50.0 %", ""));
  }
}
