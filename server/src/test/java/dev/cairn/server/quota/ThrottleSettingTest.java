package dev.cairn.server.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.TableName;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.QuotaScope;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Quotas;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuota;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Throttle;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.TimedQuota;
import org.junit.jupiter.api.Test;

/** Limits on requests are found among the settings, whomever they limit. */
class ThrottleSettingTest {
  private static final TableName TABLE = TableName.parse("t");

  private static Quotas of(Throttle.Builder throttle) {
    return Quotas.newBuilder().setThrottle(throttle).build();
  }

  private static TimedQuota quota(long limit, TimeUnit unit, QuotaScope scope) {
    return TimedQuota.newBuilder().setSoftLimit(limit).setTimeUnit(unit).setScope(scope).build();
  }

  @Test
  void eachLimitOfEachTargetIsOne() {
    TimedQuota perSecond = quota(10, TimeUnit.SECONDS, QuotaScope.MACHINE);
    TimedQuota perDay = quota(5_000, TimeUnit.DAYS, QuotaScope.CLUSTER);
    Map<QuotaTarget, Quotas> settings =
        Map.of(
            QuotaTarget.user("ada"),
            of(Throttle.newBuilder().setReqNum(perSecond)),
            QuotaTarget.userOfTable("ada", TABLE),
            of(Throttle.newBuilder().setReadSize(perSecond)),
            QuotaTarget.userOfNamespace("ada", "n"),
            of(Throttle.newBuilder().setWriteNum(perSecond)),
            QuotaTarget.table(TABLE),
            of(Throttle.newBuilder().setReqSize(perDay).setReqNum(perSecond)),
            QuotaTarget.namespace("n"),
            of(Throttle.newBuilder().setReadNum(perSecond)),
            QuotaTarget.SERVERS,
            of(Throttle.newBuilder().setWriteSize(perSecond)));
    assertThat(ThrottleSetting.of(settings))
        .containsExactly(
            perSecond("each region server", "WRITE_SIZE"),
            perSecond("namespace n", "READ_NUMBER"),
            perSecond("table t", "REQUEST_NUMBER"),
            new ThrottleSetting(
                "table t", "REQUEST_SIZE", OptionalLong.of(5_000), "days", "cluster"),
            perSecond("user ada", "REQUEST_NUMBER"),
            perSecond("user ada, namespace n", "WRITE_NUMBER"),
            perSecond("user ada, table t", "READ_SIZE"));
  }

  private static ThrottleSetting perSecond(String limited, String kind) {
    return new ThrottleSetting(limited, kind, OptionalLong.of(10), "seconds", "machine");
  }

  @Test
  void aUserThatBypassesTheLimitsOfOthersIsListed() {
    assertThat(
            ThrottleSetting.of(
                Map.of(
                    QuotaTarget.user("carl"), Quotas.newBuilder().setBypassGlobals(true).build())))
        .containsExactly(
            new ThrottleSetting("user carl", ThrottleSetting.BYPASS, OptionalLong.empty(), "", ""));
  }

  @Test
  void limitsOnSpaceAreNotAmongThem() {
    assertThat(
            ThrottleSetting.of(
                Map.of(
                    QuotaTarget.table(TABLE),
                    Quotas.newBuilder().setSpace(SpaceQuota.newBuilder().setSoftLimit(1)).build())))
        .isEmpty();
  }
}
