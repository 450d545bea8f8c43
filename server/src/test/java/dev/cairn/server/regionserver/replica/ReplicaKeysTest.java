package dev.cairn.server.regionserver.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The keys of replicas, which differ for {@code hbase:meta} and all other tables. */
class ReplicaKeysTest {
  private static final TableName TABLE = TableName.parse("t");
  private static final String ALL = "hbase.regionserver.storefile.refresh.period";
  private static final String META = "hbase.regionserver.meta.storefile.refresh.period";
  private static final String FOLLOW = "hbase.region.replica.replication.enabled";
  private static final String FOLLOW_META = "hbase.region.replica.replication.catalog.enabled";

  private static ReplicaRefresh.Periods periods(Map<String, String> site) {
    return ReplicaRefresh.Periods.of(new SiteConfig(site));
  }

  private static long checkMillis(Map<String, String> site) {
    return new ReplicaRefresh(
            new OnlineRegions(new ServerName("one", 16020, 1), Clock.SYSTEM),
            Clock.SYSTEM,
            periods(site),
            1_000,
            region -> {})
        .checkMillis();
  }

  @Test
  void aPeriodOfMetaIsForMetaAlone() {
    assertThat(periods(Map.of()).of(TableName.META)).isZero();
    assertThat(periods(Map.of(META, "50")).of(TableName.META)).isEqualTo(50);
    assertThat(periods(Map.of(META, "50")).of(TABLE)).isZero();
    assertThat(periods(Map.of(ALL, "70")).of(TABLE)).isEqualTo(70);
    assertThat(periods(Map.of(ALL, "70", META, "50")).of(TableName.META)).isEqualTo(70);
  }

  @Test
  void replicasThatFailAreRefreshedWithoutAPeriodToo() {
    assertThat(checkMillis(Map.of())).isEqualTo(101);
    assertThat(checkMillis(Map.of(META, "50"))).isEqualTo(50);
    assertThat(checkMillis(Map.of(META, "500"))).isEqualTo(101);
    assertThat(checkMillis(Map.of(ALL, "500"))).isEqualTo(500);
  }

  @Test
  void metaFollowsItsLogByAKeyOfItsOwn() {
    assertThat(follows(Map.of(), TABLE)).isFalse();
    assertThat(follows(Map.of(FOLLOW, "true"), TABLE)).isTrue();
    assertThat(follows(Map.of(FOLLOW, "true"), TableName.META)).isFalse();
    assertThat(follows(Map.of(FOLLOW_META, "true"), TABLE)).isFalse();
    assertThat(follows(Map.of(FOLLOW_META, "true"), TableName.META)).isTrue();
  }

  private static boolean follows(Map<String, String> site, TableName table) {
    return FollowKeys.feeds(new SiteConfig(site), 1 << 30).of(table).hasFeeds();
  }
}
