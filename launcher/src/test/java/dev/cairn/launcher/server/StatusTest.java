package dev.cairn.launcher.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.cairn.launcher.CairnCommand;
import dev.cairn.launcher.CommandHome;
import dev.cairn.launcher.process.Addresses;
import dev.cairn.launcher.process.ProcessIdentity;
import dev.cairn.launcher.process.ServerState;
import dev.cairn.launcher.process.ServerStatus;
import dev.cairn.launcher.run.CairnDatabase;
import dev.cairn.server.health.HealthReport;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.health.HealthStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
          new Addresses("m:1", "r:2", "z:3", Optional.empty(), Optional.empty(), Optional.empty()),
          Optional.of(Path.of("/logs/cairn.log")));

  private final StringWriter out = new StringWriter();

  @TempDir private Path home;

  @Test
  void peopleSeeWhatIsNotWell() {
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
        StatusJson.of(
            new ServerState.Serving(SERVING),
            Path.of("/data"),
            Optional.of(FULL),
            List.of(),
            Optional.empty());
    JsonObject json = JsonParser.parseString(text).getAsJsonObject();
    assertThat(json.get("state").getAsString()).isEqualTo("serving");
    assertThat(json.get("process").getAsLong()).isEqualTo(7);
    assertThat(json.getAsJsonObject("health").get("status").getAsString()).isEqualTo("fail");
    String none =
        StatusJson.of(
            new ServerState.Stopped(),
            Path.of("/data"),
            Optional.empty(),
            List.of(),
            Optional.empty());
    assertThat(JsonParser.parseString(none).getAsJsonObject().keySet())
        .containsExactly("state", "dataFolder");
  }

  @Test
  void aServerThatStartsShowsWhatItWaitsFor() {
    ServerState starting = new ServerState.Starting(SERVING.process());
    String text =
        StatusJson.of(
            starting, Path.of("/data"), Optional.empty(), List.of("a reason"), Optional.empty());
    assertThat(JsonParser.parseString(text).getAsJsonObject().getAsJsonArray("waits").toString())
        .isEqualTo("[\"a reason\"]");
    StringWriter printed = new StringWriter();
    new StatusText(new PrintWriter(printed, true)).other(starting, List.of("a reason"));
    assertThat(printed.toString()).containsPattern("waits +a reason");
  }

  @Test
  void afterAFailedStartTheReasonAndTheLogAreNamed() throws Exception {
    startThatPrints("some log\ncairn: port 7 is in use\n");

    assertThat(status()).isEqualTo(3);
    assertThat(out.toString())
        .startsWith("Cairn is not running.")
        .containsPattern("last failure +port 7 is in use")
        .containsPattern("log +" + home.resolve("logs/cairn.out"));

    assertThat(status("--json")).isEqualTo(3);
    JsonObject json = JsonParser.parseString(out.toString()).getAsJsonObject();
    assertThat(json.getAsJsonObject("lastFailure").get("reason").getAsString())
        .isEqualTo("port 7 is in use");
  }

  @Test
  void anEndWithoutAReasonIsNamedByItsLastLine() throws Exception {
    startThatPrints("Error: Could not create the Java Virtual Machine.\n");
    assertThat(status()).isEqualTo(3);
    assertThat(out.toString()).containsPattern("last failure +Error: Could not create the Java");
  }

  @Test
  void whatAStartWaitedForIsNoReason() throws Exception {
    startThatPrints("Killed\nnote: Waiting for ZooKeeper at zk:2181\n");
    assertThat(status()).isEqualTo(3);
    assertThat(out.toString()).containsPattern("last failure +Killed");
  }

  @Test
  void afterAServerThatServedThereIsNoFailure() throws Exception {
    startThatPrints("Cairn serves.\n  process   7\n");
    assertThat(status()).isEqualTo(3);
    assertThat(out.toString()).doesNotContain("failure");
  }

  /** Leaves what a start leaves whose process printed {@code output}. */
  private void startThatPrints(String output) throws IOException {
    Files.createDirectories(home.resolve("data"));
    Files.writeString(Files.createDirectories(home.resolve("logs")).resolve("cairn.out"), output);
  }

  private int status(String... options) {
    out.getBuffer().setLength(0);
    Properties properties = new Properties();
    properties.setProperty("cairn.home", home.toString());
    List<String> arguments = new ArrayList<>(List.of("status"));
    arguments.addAll(List.of(options));
    return new CairnCommand(new CairnDatabase(), properties, Map.of())
        .commandLine()
        .setOut(new PrintWriter(out))
        .execute(arguments.toArray(String[]::new));
  }

  @Test
  void aClusterWithoutZooKeeperIsToldInASentence() throws Exception {
    try (Socket unanswered = new Socket()) {
      unanswered.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String zooKeeper = "127.0.0.1:" + unanswered.getLocalPort();
      new CommandHome(home).site(zooKeeper);
      Path site = home.resolve("conf/hbase-site.xml");
      Files.writeString(
          site,
          Files.readString(site)
              .replace(
                  "</configuration>",
                  "<property><name>hbase.cluster.distributed</name><value>true</value></property>"
                      + "</configuration>"));
      assertThat(new CommandHome(home).run("status").lines())
          .containsExactly("cairn: ZooKeeper at " + zooKeeper + " does not answer");
      assertThat(status()).isEqualTo(1);
    }
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
