package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.regionserver.hosted.SpaceLimits;
import dev.cairn.server.regionserver.hosted.SpaceLimits.Change;
import dev.cairn.server.rpc.wire.NamedException;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuotaSnapshot;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuotaStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceViolationPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpaceLimitsTest {
  private static final TableName TABLE = TableName.parse("t");

  private final SpaceLimits limits = new SpaceLimits();

  private void exceed(SpaceViolationPolicy policy) {
    limits.set(
        Map.of(
            TABLE,
            SpaceQuotaSnapshot.newBuilder()
                .setQuotaStatus(
                    SpaceQuotaStatus.newBuilder().setInViolation(true).setViolationPolicy(policy))
                .setQuotaUsage(30)
                .setQuotaLimit(20)
                .build()));
  }

  @ParameterizedTest
  @CsvSource({
    "NO_INSERTS, true, true",
    "NO_WRITES, false, true",
    "NO_WRITES_COMPACTIONS, false, false",
    "DISABLE, false, true"
  })
  void policiesForbid(SpaceViolationPolicy policy, boolean deletes, boolean compactions)
      throws NamedException {
    exceed(policy);
    assertThatThrownBy(() -> limits.check(TABLE, Change.INSERT))
        .hasMessage(policy + " Puts are disallowed due to a space quota: t uses 30 of 20 bytes")
        .satisfies(
            error ->
                assertThat(NamedException.nameOf(error))
                    .isEqualTo("org.apache.hadoop.hbase.quotas.SpaceLimitingException"));
    assertThatThrownBy(() -> limits.check(TABLE, Change.LOAD)).isNotNull();
    if (deletes) {
      limits.check(TABLE, Change.DELETE);
    } else {
      assertThatThrownBy(() -> limits.check(TABLE, Change.DELETE)).isNotNull();
    }
    assertThat(limits.mayCompact(TABLE)).isEqualTo(compactions);
    limits.check(TableName.parse("other"), Change.INSERT);
  }

  @Test
  void onlyLoadsThatFitAreAllowed() throws NamedException {
    limits.set(
        Map.of(
            TABLE,
            SpaceQuotaSnapshot.newBuilder()
                .setQuotaStatus(SpaceQuotaStatus.newBuilder().setInViolation(false))
                .setQuotaUsage(5)
                .setQuotaLimit(20)
                .build()));
    limits.check(TABLE, Change.INSERT);
    limits.checkLoad(TABLE, 15);
    assertThatThrownBy(() -> limits.checkLoad(TABLE, 16))
        .hasMessageContaining("Bulk load of 16 bytes is disallowed");
    limits.set(Map.of());
    limits.checkLoad(TABLE, 16);
  }
}
