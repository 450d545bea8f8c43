package dev.cairn.server.config;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which settings cause a warning at the start, and which prevent it. */
class SiteReviewTest {
  private static final List<ConfigKey<?>> KEYS =
      List.of(
          HostKeys.HOSTNAME,
          SecurityRules.IGNORE_UNSUPPORTED,
          ConfigKey.number("hbase.hstore.compaction.min", 3, 0, 100, "A key."));

  @Test
  void aSettingWithoutEffectIsNamedWithTheReason() {
    assertThat(review("hbase.rs.cacheblocksonwrite", "true"))
        .singleElement(as(STRING))
        .startsWith(
            "hbase.rs.cacheblocksonwrite = true has no effect. The cache takes blocks when");
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.regionserver.slowlog.systable.enabled, true, false",
    "hbase.ipc.server.metacallqueue.read.ratio, 0.5, 0.9",
    "hbase.ipc.server.metacallqueue.scan.ratio, 0.5, 0",
    "hbase.ipc.server.callqueue.type, codel, fifo",
    "hbase.ipc.server.callqueue.type, deadline, FIFO",
    "hbase.ipc.server.callqueue.type, pluggable, fifo",
  })
  void aRequestForAnotherBehaviourIsNamed(String name, String other, String cairns) {
    assertThat(review(name, other))
        .singleElement(as(STRING))
        .startsWith(name + " = " + other + " has no effect. ");
    assertThat(review(name, cairns)).isEmpty();
  }

  @Test
  void hbasesDefaultCausesNoWarning() {
    assertThat(review("hbase.zookeeper.property.tickTime", " 6000 ")).isEmpty();
    assertThat(review("hbase.ipc.server.metacallqueue.read.ratio", "0.9F")).isEmpty();
    assertThat(review("hbase.rs.cacheblocksonwrite", "FALSE")).isEmpty();
    assertThat(review("hbase.bucketcache.ioengine", "")).isEmpty();
  }

  @Test
  void aSettingThatMustNotBeIgnoredIsRefused() {
    assertThatThrownBy(() -> review("hbase.snapshot.before.destructive.action.enabled", "true"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("hbase.snapshot.before.destructive.action.enabled = true")
        .hasMessageContaining("takes no snapshot");
    assertThat(review("hbase.snapshot.before.destructive.action.enabled", "false")).isEmpty();
  }

  @Test
  void onlyTheHarmfulEntriesOfAListAreNamed() {
    String known = "org.apache.hadoop.hbase.master.cleaner.TimeToLiveLogCleaner";
    assertThat(review("hbase.master.logcleaner.plugins", known)).isEmpty();
    assertThatThrownBy(
            () -> review("hbase.master.logcleaner.plugins", known + ", com.example.BackupCleaner"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("= com.example.BackupCleaner is not supported");
  }

  @Test
  void settingsOfClientsAndOtherSoftwareAreIgnored() {
    assertThat(review("hbase.client.retries.number", "3")).isEmpty();
    assertThat(review("phoenix.query.timeoutMs", "1")).isEmpty();
    assertThat(review("hbase.crm.my.own.setting", "1")).isEmpty();
    assertThat(review("com.example.setting", "1")).isEmpty();
  }

  @Test
  void aMisspeltSettingIsNamedWithTheNearestKnownOne() {
    assertThat(review("hbase.hstore.compaction.mim", "4"))
        .containsExactly(
            "hbase.hstore.compaction.mim is unknown and has no effect."
                + " Did you mean hbase.hstore.compaction.min?");
    assertThat(review("hbase.client.retires.number", "4"))
        .containsExactly(
            "hbase.client.retires.number is unknown and has no effect."
                + " Did you mean hbase.client.retries.number?");
    assertThat(review("hbase.hstore.Compaction.Min", "4")).hasSize(1);
    assertThat(review("hbase.security.authorisation", "true"))
        .containsExactly(
            "hbase.security.authorisation is unknown and has no effect."
                + " Did you mean hbase.security.authorization?");
  }

  @Test
  void aMisspeltOrMissingPrefixIsNamed() {
    assertThat(review("hbse.hstore.compaction.min", "4"))
        .containsExactly(
            "hbse.hstore.compaction.min is unknown and has no effect."
                + " Did you mean hbase.hstore.compaction.min?");
    assertThat(review("hstore.compaction.min", "4"))
        .containsExactly(
            "hstore.compaction.min is unknown and has no effect."
                + " Did you mean hbase.hstore.compaction.min?");
  }

  @Test
  void anOldNameIsNotUnknown() {
    ConfigKey<Long> key =
        ConfigKey.number("hbase.hstore.new", 3, 0, 100, "A key.").formerly("hbase.hstore.old");
    SiteConfig site = new SiteConfig(Map.of("hbase.hstore.old", "5"));
    assertThat(new SiteReview(List.of(key)).review(site)).isEmpty();
    assertThat(site.get(key)).isEqualTo(5);
  }

  @Test
  void everyUnknownCairnSettingIsNamed() {
    assertThat(review("cairn.hostnme", "here"))
        .containsExactly(
            "cairn.hostnme is unknown and has no effect. Did you mean cairn.hostname?");
    assertThat(review("cairn.turbo", "true"))
        .containsExactly("cairn.turbo is unknown and has no effect.");
  }

  @Test
  void anIgnoredRequestForProtectionIsNamed() {
    assertThatThrownBy(() -> review("hbase.ssl.enabled", "true"))
        .isInstanceOf(ConfigException.class);
    assertThat(
            new SiteReview(KEYS)
                .review(
                    new SiteConfig(
                        Map.of(
                            "hbase.ssl.enabled",
                            "true",
                            SecurityRules.IGNORE_UNSUPPORTED.name(),
                            "true"))))
        .singleElement()
        .asString()
        .startsWith("hbase.ssl.enabled is <true>")
        .endsWith("cairn.security.ignore.unsupported is true.");
  }

  private static List<String> review(String name, String value) {
    return new SiteReview(KEYS).review(new SiteConfig(Map.of(name, value)));
  }
}
