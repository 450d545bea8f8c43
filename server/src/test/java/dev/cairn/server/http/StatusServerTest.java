package dev.cairn.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.config.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StatusServerTest {
  private StatusServer server;

  @BeforeEach
  void start() throws IOException {
    server = start(0);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static StatusServer start(int port) throws IOException {
    ServerStatus status =
        new ServerStatus(
            "localhost,16020,1",
            "1.0",
            List.of(new ServerStatus.Fact("Data folder", "/data/<&>")),
            List.of(new ServerStatus.RegionRow("t", "t,,1.abc.", 3, 1, 2, 2048, 10)));
    return StatusServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port), () -> status, Runnable::run);
  }

  private HttpResponse<String> get(String path) throws Exception {
    URI uri = URI.create("http://localhost:" + server.address().getPort() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void thePageShowsTheServerAndItsRegions() throws Exception {
    HttpResponse<String> page = get("/");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
    assertThat(page.body())
        .contains("<h1>Cairn 1.0</h1>", "/data/&lt;&amp;&gt;", "t,,1.abc.", "2.0 KiB");
    assertThat(get("/rs-status").body()).isEqualTo(page.body());
  }

  @Test
  void hbasesShellAsksForTasks() throws Exception {
    HttpResponse<String> tasks = get("/rs-status?format=json&filter=general");
    assertThat(tasks.headers().firstValue("Content-Type"))
        .contains("application/json; charset=utf-8");
    assertThat(tasks.body()).isEqualToIgnoringNewLines("[]");
  }

  @Test
  void healthAndWhatIsNotThere() throws Exception {
    assertThat(get("/health").body()).isEqualToIgnoringNewLines("ok");
    assertThat(get("/nothing").statusCode()).isEqualTo(404);
  }

  @Test
  void aPortInUseIsNamed() {
    int port = server.address().getPort();
    assertThatThrownBy(() -> start(port))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("port " + port)
        .hasMessageContaining("hbase.master.info.port");
  }
}
