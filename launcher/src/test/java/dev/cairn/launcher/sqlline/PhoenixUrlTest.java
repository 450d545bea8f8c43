package dev.cairn.launcher.sqlline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.launcher.output.LauncherException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class PhoenixUrlTest {
  @Test
  void hasTheDefaultsOfHBase() {
    assertThat(url()).isEqualTo("jdbc:phoenix:localhost:2181:/hbase");
  }

  @Test
  void hasQuorumPortAndNode() {
    assertThat(
            url(
                "hbase.zookeeper.quorum", "a, b",
                "hbase.zookeeper.property.clientPort", "2182",
                "zookeeper.znode.parent", "/other"))
        .isEqualTo("jdbc:phoenix:a,b:2182:/other");
  }

  @Test
  void thePortOfTheQuorumPrecedesTheOtherKey() {
    assertThat(url("hbase.zookeeper.quorum", "a:3,b:3", "hbase.zookeeper.property.clientPort", "2"))
        .isEqualTo("jdbc:phoenix:a,b:3:/hbase");
  }

  @Test
  void severalPortsAreRefused() {
    assertThatThrownBy(() -> url("hbase.zookeeper.quorum", "a:3,b"))
        .isInstanceOf(LauncherException.class)
        .hasMessageContaining("hbase.zookeeper.quorum has servers with different ports, 2181, 3");
  }

  private static String url(String... settings) {
    Configuration configuration = new Configuration(false);
    for (int i = 0; i < settings.length; i += 2) {
      configuration.set(settings[i], settings[i + 1]);
    }
    return PhoenixUrl.of(configuration);
  }
}
