package dev.cairn.server.master.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.keys.ProcessKeys;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A site turns groups on with the two classes that HBase needs for them. */
class GroupSettingsTest {
  private static final String COPROCESSORS = "hbase.coprocessor.master.classes";
  private static final String BALANCER = "hbase.master.loadbalancer.class";
  private static final String GROUPS = "org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer";

  private static void check(Map<String, String> settings) {
    SiteConfig site = new SiteConfig(settings);
    GroupSettings.check(site, ProcessKeys.hasGroups(site));
  }

  @Test
  void groupsAreOnWithTheEndpoint() {
    assertThat(ProcessKeys.hasGroups(new SiteConfig(Map.of()))).isFalse();
    assertThat(
            ProcessKeys.hasGroups(
                new SiteConfig(Map.of(COPROCESSORS, "x.Y, " + GroupSettings.ENDPOINT + "|5"))))
        .isTrue();
    assertThat(
            ProcessKeys.hasGroups(
                new SiteConfig(
                    Map.of(
                        COPROCESSORS,
                        GroupSettings.ENDPOINT,
                        "hbase.coprocessor.enabled",
                        "false"))))
        .isFalse();
  }

  @Test
  void oneClassNeedsTheOther() {
    assertThatCode(() -> check(Map.of())).doesNotThrowAnyException();
    assertThatCode(() -> check(Map.of(BALANCER, "x.Balancer"))).doesNotThrowAnyException();
    assertThatCode(() -> check(Map.of(COPROCESSORS, GroupSettings.ENDPOINT, BALANCER, GROUPS)))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> check(Map.of(COPROCESSORS, GroupSettings.ENDPOINT)))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("only the first is there");
    assertThatThrownBy(() -> check(Map.of(BALANCER, GROUPS)))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("only the second is there");
  }

  @Test
  void fallbackIsOffAtFirst() {
    assertThat(
            GroupSettings.of(LiveConfig.fixed(new SiteConfig(Map.of())), true)
                .fallback()
                .getAsBoolean())
        .isFalse();
    assertThat(
            GroupSettings.of(
                    LiveConfig.fixed(
                        new SiteConfig(Map.of("hbase.rsgroup.fallback.enable", "true"))),
                    true)
                .fallback()
                .getAsBoolean())
        .isTrue();
  }

  @Test
  void aBalancerThatCairnDoesNotHaveIsNamed() {
    assertThat(GroupSettings.warning(new SiteConfig(Map.of()))).isEmpty();
    assertThat(GroupSettings.warning(new SiteConfig(Map.of(BALANCER, GROUPS)))).isEmpty();
    assertThat(GroupSettings.warning(new SiteConfig(Map.of(BALANCER, "com.example.Mine"))))
        .contains(BALANCER + " = com.example.Mine has no effect. The balancer cannot be replaced.");
  }
}
