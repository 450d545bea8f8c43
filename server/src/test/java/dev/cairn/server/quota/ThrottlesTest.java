package dev.cairn.server.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.quota.Throttles.ThrottleInForce;
import dev.cairn.server.quota.Throttles.Usage;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.quotas.RpcThrottlingException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetQuotaRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Quotas;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.ThrottleRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.ThrottleType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.TimedQuota;
import org.junit.jupiter.api.Test;

class ThrottlesTest {
  private static final TableName T = TableName.parse("ns:t");
  private static final TableName U = TableName.parse("ns:u");
  private static final Usage GET = new Usage(1, 0, 0, 0);
  private static final Usage PUT = new Usage(0, 1, 0, 100);

  private long nanos;
  private final Clock clock =
      new Clock() {
        @Override
        public long currentTimeMillis() {
          return TimeUnit.NANOSECONDS.toMillis(nanos);
        }

        @Override
        public long nanoTime() {
          return nanos;
        }
      };
  private final Throttles throttles = new Throttles(clock);

  @Test
  void withoutLimitsEverythingIsAllowed() throws Exception {
    assertThat(throttles.isActive()).isFalse();
    throttles.done(throttles.admit("anna", T, PUT), 1_000_000);
  }

  @Test
  void whatIsUsedUpComesBackEvenlyOverTheTime() throws Exception {
    throttles.set(Map.of(QuotaTarget.table(T), limit(ThrottleType.REQUEST_NUMBER, 10)), false);
    for (int i = 0; i < 10; i++) {
      throttles.admit("anna", T, i % 2 == 0 ? GET : PUT);
    }
    assertThatThrownBy(() -> throttles.admit("bert", T, GET))
        .isInstanceOf(RpcThrottlingException.class)
        .hasMessageContaining("number of requests exceeded - wait 100");
    throttles.admit("anna", U, GET);
    nanos += TimeUnit.MILLISECONDS.toNanos(100);
    throttles.admit("bert", T, GET);
    assertThatThrownBy(() -> throttles.admit("bert", T, GET))
        .isInstanceOf(RpcThrottlingException.class);
  }

  @Test
  void theLimitsInForceTellWhatIsLeft() throws Exception {
    assertThat(throttles.inForce()).isEmpty();
    throttles.set(
        Map.of(
            QuotaTarget.table(T),
            limit(ThrottleType.REQUEST_NUMBER, 10),
            QuotaTarget.user("ada"),
            limit(ThrottleType.READ_SIZE, 1_000),
            QuotaTarget.userOfTable("ada", U),
            limit(ThrottleType.WRITE_NUMBER, 3),
            QuotaTarget.userOfNamespace("ada", "ns"),
            limit(ThrottleType.WRITE_NUMBER, 4),
            QuotaTarget.SERVERS,
            limit(ThrottleType.REQUEST_NUMBER, 20)),
        false);
    throttles.done(throttles.admit("bert", T, GET), 100);
    throttles.done(throttles.admit("ada", new TableName("other", "t"), GET), 3_000);
    assertThat(throttles.inForce())
        .containsExactly(
            new ThrottleInForce("each region server", "REQUEST_NUMBER", 20, "seconds", 18),
            new ThrottleInForce("table ns:t", "REQUEST_NUMBER", 10, "seconds", 9),
            new ThrottleInForce("user ada", "READ_SIZE", 1_000, "seconds", -2_000),
            new ThrottleInForce("user ada, namespace ns", "WRITE_NUMBER", 4, "seconds", 4),
            new ThrottleInForce("user ada, table ns:u", "WRITE_NUMBER", 3, "seconds", 3));
  }

  @Test
  void aCallThatIsNotMadeAfterAllUsesNothing() throws Exception {
    throttles.set(Map.of(QuotaTarget.table(T), limit(ThrottleType.WRITE_NUMBER, 1)), false);
    throttles.giveBack(throttles.admit("anna", T, PUT));
    throttles.admit("anna", T, PUT);
    assertThatThrownBy(() -> throttles.admit("anna", T, PUT))
        .isInstanceOf(RpcThrottlingException.class);
  }

  @Test
  void aRefreshDoesNotGiveBackWhatIsUsed() throws Exception {
    Map<QuotaTarget, Quotas> settings =
        Map.of(QuotaTarget.SERVERS, limit(ThrottleType.WRITE_NUMBER, 1));
    throttles.set(settings, false);
    throttles.admit("anna", T, PUT);
    throttles.set(settings, false);
    assertThatThrownBy(() -> throttles.admit("anna", T, PUT))
        .isInstanceOf(RpcThrottlingException.class);
    throttles.admit("anna", T, GET);
    throttles.set(Map.of(QuotaTarget.SERVERS, limit(ThrottleType.WRITE_NUMBER, 2)), false);
    throttles.admit("anna", T, PUT);
  }

  @Test
  void bytesThatWereReadHaveToComeBackBeforeTheNextRead() throws Exception {
    throttles.set(Map.of(QuotaTarget.table(T), limit(ThrottleType.READ_SIZE, 1_000)), false);
    throttles.done(throttles.admit("anna", T, GET), 3_000);
    throttles.admit("anna", T, PUT);
    assertThatThrownBy(() -> throttles.admit("anna", T, GET))
        .isInstanceOf(RpcThrottlingException.class)
        .hasMessageContaining("read size limit exceeded");
    nanos += TimeUnit.MILLISECONDS.toNanos(2_001);
    throttles.admit("anna", T, GET);
  }

  @Test
  void aUsersOwnLimitForATableStandsBeforeThatForItsNamespaceAndForAll() throws Exception {
    throttles.set(
        Map.of(
            QuotaTarget.user("anna"), limit(ThrottleType.REQUEST_NUMBER, 1),
            QuotaTarget.userOfNamespace("anna", "ns"), limit(ThrottleType.REQUEST_NUMBER, 2),
            QuotaTarget.userOfTable("anna", T), limit(ThrottleType.REQUEST_NUMBER, 3)),
        false);
    assertThat(allowed("anna", T)).isEqualTo(3);
    assertThat(allowed("anna", U)).isEqualTo(2);
    assertThat(allowed("anna", TableName.parse("other:t"))).isEqualTo(1);
    assertThat(allowed("bert", T)).isEqualTo(50);
  }

  @Test
  void whoBypassesOnlyHasTheUsersOwnLimits_andSystemTablesHaveNone() throws Exception {
    throttles.set(
        Map.of(
            QuotaTarget.user("anna"), Quotas.newBuilder().setBypassGlobals(true).build(),
            QuotaTarget.namespace("ns"), limit(ThrottleType.REQUEST_NUMBER, 1),
            QuotaTarget.namespace("hbase"), limit(ThrottleType.REQUEST_NUMBER, 1)),
        false);
    assertThat(allowed("anna", T)).isEqualTo(50);
    assertThat(allowed("bert", T)).isEqualTo(1);
    assertThat(allowed("bert", TableName.META)).isEqualTo(50);
  }

  @Test
  void whatAServerHasToSpareMayBeUsedIfThatIsSwitchedOn() throws Exception {
    throttles.set(
        Map.of(
            QuotaTarget.table(T),
            limit(ThrottleType.REQUEST_NUMBER, 1),
            QuotaTarget.SERVERS,
            limit(ThrottleType.REQUEST_NUMBER, 5)),
        true);
    assertThat(allowed("anna", T)).isEqualTo(5);
  }

  @Test
  void settingsChangeOneByOne() throws Exception {
    Quotas reads = change(Quotas.getDefaultInstance(), ThrottleType.READ_NUMBER, 5);
    Quotas both = change(reads, ThrottleType.WRITE_SIZE, 7);
    assertThat(both.getThrottle().getReadNum().getSoftLimit()).isEqualTo(5);
    assertThat(both.getThrottle().getWriteSize().getSoftLimit()).isEqualTo(7);
    SetQuotaRequest withoutReads =
        SetQuotaRequest.newBuilder()
            .setThrottle(ThrottleRequest.newBuilder().setType(ThrottleType.READ_NUMBER))
            .build();
    Quotas writes = QuotaChange.apply(both, withoutReads).orElseThrow();
    assertThat(writes.getThrottle().hasReadNum()).isFalse();
    assertThat(QuotaChange.apply(reads, withoutReads)).isEmpty();
    assertThat(
            QuotaChange.apply(
                both,
                SetQuotaRequest.newBuilder()
                    .setThrottle(ThrottleRequest.getDefaultInstance())
                    .build()))
        .isEmpty();
    assertThatThrownBy(() -> change(both, ThrottleType.READ_NUMBER, 0))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("The throttle limit must be greater then 0, got 0");
  }

  private int allowed(String user, TableName table) {
    for (int i = 0; i < 50; i++) {
      try {
        throttles.admit(user, table, GET);
      } catch (RpcThrottlingException e) {
        return i;
      }
    }
    return 50;
  }

  private static Quotas change(Quotas present, ThrottleType type, long limit) throws Exception {
    return QuotaChange.apply(
            present,
            SetQuotaRequest.newBuilder()
                .setThrottle(
                    ThrottleRequest.newBuilder().setType(type).setTimedQuota(perSecond(limit)))
                .build())
        .orElseThrow();
  }

  private static Quotas limit(ThrottleType type, long limit) throws Exception {
    return change(Quotas.getDefaultInstance(), type, limit);
  }

  private static TimedQuota perSecond(long limit) {
    return TimedQuota.newBuilder()
        .setTimeUnit(HBaseProtos.TimeUnit.SECONDS)
        .setSoftLimit(limit)
        .build();
  }
}
