package dev.cairn.tools.overview;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.cairn.tools.overview.ClusterOverview.Node;
import dev.cairn.tools.overview.ClusterOverview.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client is not told the web port of a backup master, so the probe checks who answers. */
class NodeProbeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private HttpServer web;
  private int port;

  @BeforeEach
  void start() throws IOException {
    web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    port = web.getAddress().getPort();
    answer(
        "/node",
        "{\"server\":\"127.0.0.1," + port + ",7\",\"timeMillis\":1,\"sessionMillis\":90000}");
    answer("/health", "{\"status\":\"ok\",\"checks\":[]}");
    web.start();
  }

  private void answer(String path, String text) {
    web.createContext(
        path,
        exchange -> {
          byte[] body = text.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
  }

  @AfterEach
  void stop() {
    web.stop(0);
  }

  private Node probed(long startCode) {
    ServerName name = ServerName.valueOf("127.0.0.1", port, startCode);
    return new NodeProbe(Role.BACKUP_MASTER, name, port, Optional.empty(), PATIENCE).call();
  }

  @Test
  void aBackupMasterHasItsOwnSession() {
    assertThat(probed(7).sessionMillis()).contains(90_000L);
  }

  @Test
  void theSessionOfAnotherServerIsNotShown() {
    Node node = probed(8);
    assertThat(node.sessionMillis()).isEmpty();
    assertThat(node.skewMillis()).isEmpty();
    assertThat(node.health())
        .isEqualTo(
            "unknown: port %1$d is that of another server, 127.0.0.1,%1$d,7".formatted(port));
  }
}
