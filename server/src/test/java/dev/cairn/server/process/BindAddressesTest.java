package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.keys.BindAddresses;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BindAddressesTest {
  private static final BindAddresses LOOPBACK = all("127.0.0.1");
  private static final BindAddresses EVERYWHERE = all("0.0.0.0");

  @Test
  void byDefaultOnlyThisMachineCanConnect() {
    assertThat(of(Map.of())).isEqualTo(LOOPBACK);
    assertThat(of(Map.of("hbase.rootdir", "data", "hbase.master.port", "16001")))
        .isEqualTo(LOOPBACK);
    assertThat(of(Map.of("cairn.hostname", " ", "hbase.cluster.distributed", "false")))
        .isEqualTo(LOOPBACK);
  }

  @ParameterizedTest
  @CsvSource({
    "cairn.bind.address, 0.0.0.0",
    "cairn.hostname, db.example.com",
    "hbase.master.hostname, db.example.com",
    "hbase.regionserver.hostname, db.example.com",
    "hbase.unsafe.regionserver.hostname, db.example.com",
    "hbase.cluster.distributed, true",
    "hbase.master.ipc.address, 0.0.0.0",
    "hbase.regionserver.ipc.address, 0.0.0.0",
    "hbase.master.info.bindAddress, 0.0.0.0",
    "hbase.regionserver.info.bindAddress, 0.0.0.0",
    "hbase.zookeeper.property.clientPortAddress, 0.0.0.0"
  })
  void aSiteForRemoteClientsListensOnAllAddresses(String key, String value) {
    assertThat(of(Map.of(key, value))).isEqualTo(EVERYWHERE);
  }

  @Test
  void aListenersOwnKeyHasPrecedence() {
    assertThat(
            of(
                Map.of(
                    "cairn.bind.address",
                    "10.0.0.5",
                    "hbase.master.info.bindAddress",
                    "127.0.0.1")))
        .isEqualTo(new BindAddresses("10.0.0.5", "10.0.0.5", "127.0.0.1", "10.0.0.5", "10.0.0.5"));
    assertThat(of(Map.of("hbase.regionserver.ipc.address", "10.0.0.5")))
        .isEqualTo(new BindAddresses("0.0.0.0", "10.0.0.5", "0.0.0.0", "0.0.0.0", "0.0.0.0"));
  }

  @Test
  void aLoopbackAddressOpensNothing() {
    assertThat(of(Map.of("hbase.regionserver.ipc.address", "127.0.0.1"))).isEqualTo(LOOPBACK);
    assertThat(of(Map.of("hbase.master.ipc.address", "localhost")))
        .isEqualTo(
            new BindAddresses("localhost", "127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1"));
    assertThat(of(Map.of("hbase.regionserver.ipc.address", "127.1")).web()).isEqualTo("127.0.0.1");
    assertThat(of(Map.of("cairn.hostname", "localhost"))).isEqualTo(LOOPBACK);
    assertThat(of(Map.of("hbase.regionserver.hostname", "127.0.0.1"))).isEqualTo(LOOPBACK);
    assertThat(of(Map.of("cairn.hostname", "db", "cairn.bind.address", "127.0.0.1")))
        .isEqualTo(LOOPBACK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.0.1.1",
        "127.1",
        "0:0:0:0:0:0:0:01",
        "::ffff:127.0.0.1",
        "localhost",
        "LOCALHOST",
        "::1",
        "[::1]"
      })
  void knowsTheLoopback(String address) {
    assertThat(BindAddresses.isLoopback(address)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "10.0.0.1", "localhost.example.com", "fe80::1"})
  void knowsOtherAddresses(String address) {
    assertThat(BindAddresses.isLoopback(address)).isFalse();
  }

  private static BindAddresses of(Map<String, String> texts) {
    return BindAddresses.of(new SiteConfig(texts));
  }

  private static BindAddresses all(String address) {
    return new BindAddresses(address, address, address, address, address);
  }
}
