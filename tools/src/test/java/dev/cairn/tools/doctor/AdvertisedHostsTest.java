package dev.cairn.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.tools.doctor.AdvertisedHosts.Bound;
import dev.cairn.tools.doctor.OtherHostsCheck.Listener;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the facts about the hosts that a server advertises, serving or expected. */
class AdvertisedHostsTest {
  private static final Bound LOOPBACK = new Bound("127.0.0.1", "127.0.0.1", "127.0.0.1");

  @Test
  void aServerThatServesAdvertisesItsAddresses() {
    AdvertisedHosts hosts =
        AdvertisedHosts.ofServer(
            LOOPBACK,
            "[2001:db8::1]:16000",
            "db1.example.org:16020",
            "localhost:2181",
            Optional.of("http://localhost:16010"));
    assertThat(hosts.lines())
        .containsExactly(
            "ZooKeeper, for hbase.zookeeper.quorum: localhost:2181.",
            "Master: [2001:db8::1]:16000.",
            "Region server: db1.example.org:16020.",
            "Web page: http://localhost:16010");
    assertThat(hosts.listeners())
        .extracting(Listener::told)
        .containsExactly("", "2001:db8::1", "db1.example.org");
  }

  @Test
  void aStoppedServerWouldAdvertiseTheHostOfTheSettings() {
    SiteConfig config = new SiteConfig(Map.of("hbase.master.hostname", "m.example.org"));
    assertThat(AdvertisedHosts.expected(LOOPBACK, config).lines())
        .containsExactly(
            "A server with these settings would tell clients the host m.example.org (master),"
                + " localhost.");
  }

  @Test
  void anUnknownAddressToListenOnIsAnErrorOfTheSettings() {
    Bound unknown = new Bound("outside.invalid", "127.0.0.1", "127.0.0.1");
    assertThatThrownBy(() -> AdvertisedHosts.expected(unknown, new SiteConfig(Map.of())))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("outside.invalid");
  }
}
