package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.cairn.server.health.HealthReport;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.health.HealthStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

/** The output of {@code cairn status}, as text and as JSON. */
class StatusTest {
  private static final HealthReport FULL =
      new HealthReport(
          List.of(
              new HealthReport.Entry("server", HealthResult.ok("Clients are served.")),
              new HealthReport.Entry("disk", HealthResult.fail("The disk is full."))));

  private static final ServerStatus SERVING =
      new ServerStatus(
          new ProcessIdentity(7, 1),
          5,
          new Addresses("m:1", "r:2", "z:3", Optional.empty(), Optional.empty()),
          Optional.of(Path.of("/logs/cairn.log")));

  @Test
  void peopleSeeWhatIsNotWell() {
    StringWriter out = new StringWriter();
    new StatusText(new PrintWriter(out)).serving(SERVING, Duration.ofSeconds(90), FULL);
    assertThat(out.toString())
        .startsWith("Cairn has been serving for 1 min 30 s.")
        .containsPattern("health +fail")
        .containsPattern("disk +fail: The disk is full.")
        .contains("/logs/cairn.log")
        .doesNotContain("Clients are served");
  }

  @Test
  void eachFindingHasALine() {
    StringWriter out = new StringWriter();
    HealthResult two = HealthResult.warn("One has no effect.\nTwo is unknown.");
    new StatusText(new PrintWriter(out))
        .serving(
            SERVING,
            Duration.ZERO,
            new HealthReport(List.of(new HealthReport.Entry("settings", two))));
    assertThat(out.toString().lines())
        .containsSequence(
            "  settings       warn: One has no effect.", "                 warn: Two is unknown.");
  }

  @Test
  void programsGetOneObject() {
    String text =
        StatusJson.of(new ServerState.Serving(SERVING), Path.of("/data"), Optional.of(FULL));
    JsonObject json = JsonParser.parseString(text).getAsJsonObject();
    assertThat(json.get("state").getAsString()).isEqualTo("serving");
    assertThat(json.get("process").getAsLong()).isEqualTo(7);
    assertThat(json.getAsJsonObject("health").get("status").getAsString()).isEqualTo("fail");
    String none = StatusJson.of(new ServerState.Stopped(), Path.of("/data"), Optional.empty());
    assertThat(JsonParser.parseString(none).getAsJsonObject().keySet())
        .containsExactly("state", "dataFolder");
  }

  @Test
  void aServerIsAskedWhateverStatusItAnswersWith() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = FULL.json().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(503, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/health?format=json";
    HealthQuery query = new HealthQuery(Duration.ofSeconds(20));
    try {
      assertThat(query.ask(Optional.of(url))).isEqualTo(FULL);
    } finally {
      server.stop(0);
    }
    HealthReport unknown = query.ask(Optional.of(url));
    assertThat(unknown.status()).isEqualTo(HealthStatus.WARN);
    assertThat(unknown.problems()).contains("unknown", url);
    assertThat(query.ask(Optional.empty()).problems()).contains("hbase.master.info.port");
  }
}
