package dev.cairn.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Values of settings that are secrets are hidden, and others are not. */
class SecretsTest {
  @Test
  void valuesOfSecretKeysAreHidden() {
    for (String key :
        List.of(
            "ssl.server.keystore.password",
            "hbase.zookeeper.ssl.truststore.Password",
            "fs.s3a.secret.key",
            "fs.s3a.access.key",
            "fs.azure.account.key.store.blob",
            "hadoop.security.credential.provider.path",
            "dfs.client.oauth2.refresh.token",
            "ENCRYPTION_KEY",
            "my.app.client-secret")) {
      assertThat(Secrets.shown(key, "hunter2")).as(key).isEqualTo("<redacted>");
    }
  }

  @Test
  void passwordsInAddressesAreHidden() {
    assertThat(Secrets.shown("some.url", "jdbc:db://user:hunter2@host:1/x"))
        .isEqualTo("jdbc:db://user:<redacted>@host:1/x");
  }

  @Test
  void otherValuesAreShown() {
    assertThat(Secrets.shown("hbase.rootdir", "hdfs://host:8020/hbase"))
        .isEqualTo("hdfs://host:8020/hbase");
    assertThat(Secrets.shown("hbase.regionserver.handler.count", "30")).isEqualTo("30");
    assertThat(Secrets.shown("hbase.master.keytab.file", "/etc/key")).isEqualTo("/etc/key");
    assertThat(Secrets.shown("a.password", "")).isEmpty();
  }
}
