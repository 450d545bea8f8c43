package dev.cairn.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecurityRulesTest {
  @ParameterizedTest
  @CsvSource({
    "hbase.security.authentication, kerberos",
    "hbase.security.authentication, Kerberos",
    "hadoop.security.authentication, kerberos",
    "hbase.security.authorization, true",
    "hadoop.security.authorization, true",
    "hbase.security.exec.permission.checks, true",
    "hbase.security.visibility.mutations.checkauths, true",
    "hbase.rpc.protection, privacy",
    "hbase.rpc.protection, integrity",
    "hbase.rpc.protection, 'authentication,privacy'",
    "hbase.rpc.crypto.encryption.aes.enabled, true",
    "hbase.server.netty.tls.enabled, true",
    "hbase.client.netty.tls.enabled, true",
    "hbase.ssl.enabled, TRUE",
    "hbase.ssl.enabled, ' true '",
    "hbase.ssl.enabled, yes",
    "hbase.security.authentication.ui, kerberos",
    "hbase.http.filter.initializers, org.apache.hadoop.security.AuthenticationFilterInitializer",
    "hbase.regionserver.wal.encryption, true",
    "hbase.zookeeper.property.authProvider.1, org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
    "hbase.zookeeper.property.secureClientPort, 2281",
    "hbase.coprocessor.master.classes, org.apache.hadoop.hbase.security.access.AccessController",
    "hbase.coprocessor.region.classes, 'a.B , org.apache.hadoop.hbase.security.visibility.VisibilityController|100|'",
    "hbase.coprocessor.region.classes, org.apache.hadoop.hbase.security.token.TokenProvider",
    "hbase.coprocessor.regionserver.classes, org.apache.ranger.authorization.hbase.RangerAuthorizationCoprocessor",
    "hbase.coprocessor.user.region.classes, org.apache.hadoop.hbase.security.access.AccessController"
  })
  void refusesWithKeyValueAndRemedy(String key, String value) {
    assertThatThrownBy(() -> SecurityRules.check(site(key, value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(key + " is <" + value.strip() + ">, but Cairn ")
        .hasMessageContaining("cairn.security.ignore.unsupported")
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.security.authentication, simple",
    "hbase.security.authentication, ''",
    "hbase.security.authorization, false",
    "hbase.security.authorization, ' False '",
    "hbase.rpc.protection, authentication",
    "hbase.ssl.enabled, false",
    "hbase.server.netty.tls.enabled, false",
    "hbase.http.filter.initializers, org.apache.hadoop.hbase.http.lib.StaticUserWebFilter",
    "hbase.coprocessor.region.classes, org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint",
    "hbase.coprocessor.master.classes, org.apache.hadoop.hbase.security.access.CoprocessorWhitelistMasterObserver",
    "hbase.master.kerberos.principal, hbase/_HOST@EXAMPLE.COM",
    "hbase.superuser, admin"
  })
  void acceptsValuesThatRequestNoProtection(String key, String value) {
    assertThat(SecurityRules.check(site(key, value))).isEmpty();
  }

  @Test
  void acceptsAccessControlClassesIfCoprocessorsAreOff() {
    Map<String, String> texts = new HashMap<>();
    texts.put(
        "hbase.coprocessor.user.region.classes",
        "org.apache.hadoop.hbase.security.access.AccessController");
    texts.put("hbase.coprocessor.user.enabled", "false");
    assertThat(SecurityRules.check(new SiteConfig(texts))).isEmpty();
    texts.put(
        "hbase.coprocessor.region.classes",
        "org.apache.hadoop.hbase.security.access.AccessController");
    texts.put("hbase.coprocessor.enabled", "false");
    assertThat(SecurityRules.check(new SiteConfig(texts))).isEmpty();
  }

  @Test
  void namesAllKeysAtOnce() {
    assertThatThrownBy(
            () ->
                SecurityRules.check(
                    new SiteConfig(
                        Map.of(
                            "hbase.security.authentication",
                            "kerberos",
                            "hbase.security.authorization",
                            "true"))))
        .hasMessageContaining(
            "hbase.security.authentication is <kerberos>, but Cairn does not authenticate its"
                + " clients; hbase.security.authorization is <true>, but Cairn does not check what"
                + " a user may do. Cairn does not start");
  }

  @Test
  void returnsTheIgnoredRequestsIfTheSiteAllowsIt() {
    assertThat(
            SecurityRules.check(
                site("hbase.security.authentication", "kerberos")
                    .with(SecurityRules.IGNORE_UNSUPPORTED, "true")))
        .isEqualTo(
            List.of(
                new SecurityRules.Finding(
                    "hbase.security.authentication",
                    "kerberos",
                    Optional.empty(),
                    "does not authenticate its clients")));
  }

  @Test
  void findsTheRuleOfAKey() {
    assertThat(SecurityRules.of("hbase.zookeeper.property.authProvider.2")).isPresent();
    assertThat(SecurityRules.of("hbase.security.authentication.ui"))
        .hasValueSatisfying(
            rule -> assertThat(rule.key()).isEqualTo("hbase.security.authentication.ui"));
    assertThat(SecurityRules.of("hbase.rootdir")).isEmpty();
  }

  private static SiteConfig site(String key, String value) {
    return new SiteConfig(Map.of(key, value));
  }
}
