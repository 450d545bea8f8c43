package dev.cairn.server.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class QuickClientConfigTest {
  private final Map<String, String> before = new TreeMap<>();

  @AfterEach
  void restore() {
    before.forEach(
        (name, value) -> {
          if (value.isEmpty()) {
            System.clearProperty(name);
          } else {
            System.setProperty(name, value);
          }
        });
  }

  @Test
  void takesWhatZooKeepersOwnTakes() {
    set(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
    set(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, "Somebody");
    set(ZKClientConfig.ZOOKEEPER_SERVER_REALM, "REALM");
    set(ZKClientConfig.JUTE_MAXBUFFER, "2097152");
    assertSame();
  }

  @Test
  void takesTheSettingsOfTls() {
    set(ZKClientConfig.SECURE_CLIENT, "true");
    set("zookeeper.ssl.trustStore.location", "/nowhere");
    assertSame();
  }

  @Test
  void isThatOfAPlainClientWithoutSettings() {
    assertSame();
  }

  private static void assertSame() {
    ZKClientConfig expected = new ZKClientConfig();
    ZKClientConfig actual = new QuickClientConfig();
    Function<ZKClientConfig, Map<String, String>> settings =
        config -> {
          Map<String, String> found = new TreeMap<>();
          for (String name :
              new String[] {
                ZKClientConfig.ENABLE_CLIENT_SASL_KEY,
                ZKClientConfig.LOGIN_CONTEXT_NAME_KEY,
                ZKClientConfig.ZOOKEEPER_SERVER_REALM,
                ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET,
                ZKClientConfig.JUTE_MAXBUFFER,
                ZKClientConfig.SECURE_CLIENT,
                "zookeeper.ssl.trustStore.location"
              }) {
            found.put(name, String.valueOf(config.getProperty(name)));
          }
          return found;
        };
    assertThat(settings.apply(actual)).isEqualTo(settings.apply(expected));
    assertThat(actual.isSaslClientEnabled()).isEqualTo(expected.isSaslClientEnabled());
  }

  private void set(String name, String value) {
    before.putIfAbsent(name, System.getProperty(name, ""));
    System.setProperty(name, value);
  }
}
