package dev.cairn.server.master.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.quota.QuotaTarget;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Quotas;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuota;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuotaSnapshot;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceViolationPolicy;
import org.junit.jupiter.api.Test;

class SpaceStatesTest {
  private static final TableName A = TableName.parse("n:a");
  private static final TableName B = TableName.parse("n:b");
  private static final TableName OTHER = TableName.parse("o:c");

  private final Map<QuotaTarget, Quotas> settings = new HashMap<>();

  private void limit(QuotaTarget target, long bytes, SpaceViolationPolicy policy) {
    settings.put(
        target,
        Quotas.newBuilder()
            .setSpace(SpaceQuota.newBuilder().setSoftLimit(bytes).setViolationPolicy(policy))
            .build());
  }

  private SpaceStates states(Map<TableName, Long> usage, SpaceStates before) {
    return SpaceStates.of(SpaceRules.of(settings, Set.of(A, B, OTHER)), usage, before);
  }

  private static SpaceViolationPolicy policy(SpaceQuotaSnapshot state) {
    assertThat(state.getQuotaStatus().getInViolation()).isTrue();
    return state.getQuotaStatus().getViolationPolicy();
  }

  @Test
  void aLimitIsExceededOnceItIsReached() {
    limit(QuotaTarget.table(A), 10, SpaceViolationPolicy.NO_INSERTS);
    SpaceStates below = states(Map.of(A, 9L), SpaceStates.NONE);
    assertThat(below.enforced().get(A).getQuotaStatus().getInViolation()).isFalse();
    assertThat(below.enforced().get(A).getQuotaUsage()).isEqualTo(9);
    SpaceStates reached = states(Map.of(A, 10L), SpaceStates.NONE);
    assertThat(policy(reached.tables().get(A))).isEqualTo(SpaceViolationPolicy.NO_INSERTS);
  }

  @Test
  void anExceededLimitOfANamespaceConcernsAllItsTables() {
    limit(QuotaTarget.namespace("n"), 10, SpaceViolationPolicy.NO_WRITES);
    SpaceStates states = states(Map.of(A, 4L, B, 6L), SpaceStates.NONE);
    assertThat(policy(states.namespaces().get("n"))).isEqualTo(SpaceViolationPolicy.NO_WRITES);
    assertThat(states.enforced()).containsOnlyKeys(A, B);
    assertThat(states.tables()).isEmpty();
    assertThat(states(Map.of(A, 4L, B, 5L), states).enforced()).isEmpty();
  }

  @Test
  void theExceededLimitOfATableComesBeforeThatOfItsNamespace() {
    limit(QuotaTarget.namespace("n"), 10, SpaceViolationPolicy.DISABLE);
    limit(QuotaTarget.table(A), 5, SpaceViolationPolicy.NO_INSERTS);
    limit(QuotaTarget.table(B), 50, SpaceViolationPolicy.NO_INSERTS);
    SpaceStates states = states(Map.of(A, 5L, B, 6L), SpaceStates.NONE);
    assertThat(policy(states.enforced().get(A))).isEqualTo(SpaceViolationPolicy.NO_INSERTS);
    assertThat(policy(states.enforced().get(B))).isEqualTo(SpaceViolationPolicy.DISABLE);
  }

  @Test
  void whatIsNotKnownStaysAsItWas() {
    limit(QuotaTarget.namespace("n"), 10, SpaceViolationPolicy.NO_WRITES);
    limit(QuotaTarget.table(A), 5, SpaceViolationPolicy.NO_INSERTS);
    SpaceStates before = states(Map.of(A, 5L, B, 6L), SpaceStates.NONE);
    assertThat(states(Map.of(B, 0L), before)).isEqualTo(before);
    // A new master knows only what is enforced.
    SpaceStates stored = new SpaceStates(Map.of(), Map.of(), before.enforced());
    assertThat(states(Map.of(), stored).enforced()).isEqualTo(before.enforced());
  }

  @Test
  void limitsOfTablesThatAreGoneAreForgotten() {
    limit(QuotaTarget.table(TableName.parse("gone")), 1, SpaceViolationPolicy.DISABLE);
    assertThat(states(Map.of(), SpaceStates.NONE)).isEqualTo(SpaceStates.NONE);
  }
}
