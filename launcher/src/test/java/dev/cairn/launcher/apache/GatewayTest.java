package dev.cairn.launcher.apache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.config.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GatewayTest {
  private static final String LOOPBACK = "127.0.0.1";

  @Test
  void listensWhereCairnDoesUnlessItsOwnKeySaysOtherwise() throws IOException {
    Gateway.Plan plan =
        Gateway.REST.plan(
            Map.of("hbase.rest.port", "0", "hbase.rest.info.port", "-1"), LOOPBACK, List.of());
    assertThat(plan.settings())
        .containsEntry("hbase.rest.host", LOOPBACK)
        .containsEntry("hbase.rest.info.bindAddress", LOOPBACK);
    Gateway.Plan everywhere =
        Gateway.THRIFT.plan(
            Map.of(
                "hbase.regionserver.thrift.port", "0",
                "hbase.thrift.info.port", "-1",
                "hbase.regionserver.thrift.ipaddress", "0.0.0.0"),
            LOOPBACK,
            List.of());
    assertThat(everywhere.settings())
        .containsEntry("hbase.regionserver.thrift.ipaddress", "0.0.0.0");
    assertThat(everywhere.address().getAddress())
        .as("for this machine")
        .isEqualTo(InetAddress.getLoopbackAddress());
  }

  @Test
  void choosesAFreePortForPortZero() throws IOException {
    Gateway.Plan plan =
        Gateway.THRIFT2.plan(
            Map.of("hbase.regionserver.thrift.port", "0", "hbase.thrift.info.port", "-1"),
            LOOPBACK,
            List.of());
    assertThat(plan.address().getPort()).isPositive();
    assertThat(plan.settings())
        .containsEntry(
            "hbase.regionserver.thrift.port", Integer.toString(plan.address().getPort()));
  }

  @Test
  void takesApachesOptionsForPortAndAddressAndHandsTheOthersOn() throws IOException {
    Gateway.Plan plan =
        Gateway.THRIFT.plan(
            Map.of("hbase.regionserver.thrift.port", "9090", "hbase.thrift.info.port", "-1"),
            "0.0.0.0",
            List.of("-f", "-p", "0", "-b", LOOPBACK, "-hsha"));
    assertThat(plan.arguments()).containsExactly("-f", "-hsha", "start");
    assertThat(plan.address().getPort()).isNotEqualTo(9090);
    assertThat(plan.settings()).containsEntry("hbase.regionserver.thrift.ipaddress", LOOPBACK);
  }

  @Test
  void refusesAPortInUseAndNamesItsKey() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      assertThatThrownBy(() -> Gateway.REST.plan(Map.of(), LOOPBACK, List.of("-p", port)))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("cannot listen on 127.0.0.1:" + port)
          .hasMessageContaining("hbase.rest.port");
    }
  }

  @Test
  void refusesAWebPortInUseBeforeTheGatewayAnswers() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      Map<String, String> site =
          Map.of("hbase.regionserver.thrift.port", "0", "hbase.thrift.info.port", port);
      assertThatThrownBy(() -> Gateway.THRIFT2.plan(site, LOOPBACK, List.of()))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("cannot listen on 127.0.0.1:" + port)
          .hasMessageContaining("hbase.thrift.info.port");
      Gateway.Plan without = Gateway.THRIFT2.plan(site, LOOPBACK, List.of("--infoport", "-1"));
      assertThat(without.settings()).containsEntry("hbase.thrift.info.port", "-1");
    }
  }

  @Test
  void refusesAnInvalidPort() {
    assertThatThrownBy(() -> Gateway.REST.plan(Map.of(), LOOPBACK, List.of("-p", "http")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("hbase.rest.port");
    assertThatThrownBy(() -> Gateway.THRIFT.plan(Map.of(), LOOPBACK, List.of("--port")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--port");
  }
}
