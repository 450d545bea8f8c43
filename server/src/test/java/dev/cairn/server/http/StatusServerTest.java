package dev.cairn.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.health.HealthReport;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.health.HealthStatus;
import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.MetricPages;
import dev.cairn.server.metrics.MetricRegistry;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.metrics.RecordName;
import dev.cairn.server.metrics.Scope;
import dev.cairn.server.page.Action;
import dev.cairn.server.page.Frame;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Page;
import dev.cairn.server.page.PageInfo;
import dev.cairn.server.page.PageInfo.MenuGroup;
import dev.cairn.server.page.PageSource;
import dev.cairn.server.page.Pages;
import dev.cairn.server.page.Section.TextBlock;
import dev.cairn.server.page.Value;
import dev.cairn.server.page.WebParts;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StatusServerTest {
  private static final WebLimits LIMITS =
      new WebLimits(5, Duration.ofSeconds(1), Duration.ofSeconds(1));

  private static final MetricSource REQUESTS =
      MetricSource.of(
          RecordName.of("RegionServer", "Server", "regionserver"),
          to -> to.add(Metric.counter("readRequestCount", "Rows."), 7));

  private volatile HealthResult health = HealthResult.ok("There is room.");
  private volatile List<MetricSource> sources = List.of(REQUESTS);
  private volatile boolean actsAllowed = true;
  private final List<String> ended = new ArrayList<>();
  private StatusServer server;

  @BeforeEach
  void start() throws IOException {
    server = start(0);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private StatusServer start(int port) throws IOException {
    ServerStatus status =
        new ServerStatus(
            "localhost,16020,1",
            "1.0",
            List.of(),
            1_700_000_000_000L,
            Optional.of(Duration.ofSeconds(40)));
    return StatusServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        new StatusServer.Keys("hbase.master.info.port", "hbase.master.info.bindAddress"),
        () -> status,
        () -> new HealthReport(List.of(new HealthReport.Entry("disk", health))),
        Optional.of(
            new WebReport() {
              @Override
              public String text() {
                return "all is well";
              }

              @Override
              public String json() {
                return "[]";
              }
            }),
        MetricPages.of(
            new MetricRegistry(Clock.SYSTEM, () -> "localhost", () -> sources),
            ManagementFactory::getPlatformMBeanServer),
        new Pages(
            WebParts.of(List.of(overview())).with(List.of(ending())),
            () ->
                new Frame(
                    "localhost:16020",
                    List.of("Region server"),
                    "1.0",
                    new Value.State(Level.GOOD, "ok"),
                    1_700_000_000_000L),
            () -> actsAllowed),
        Runnable::run,
        LIMITS,
        runnable -> new Thread(runnable, "web"));
  }

  private static PageSource overview() {
    return PageSource.of(
        PageInfo.of("overview", "Overview", MenuGroup.CLUSTER, "The first page.")
            .alsoAt("master-status", "rs-status"),
        request -> Page.of("Overview", new TextBlock("folder", "Data folder", "/data/<&>")));
  }

  private Action ending() {
    return new Action(
        "end-it",
        "End it",
        "It ends.",
        List.of(Action.Input.text("which", "Which")),
        "overview",
        request -> {
          ended.add(request.require("which"));
          return "Ended <" + ended + ">.";
        });
  }

  private HttpResponse<String> post(String path, String form, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.address().getPort() + path))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private String token() throws Exception {
    return JsonParser.parseString(get("/api/v1/actions").body())
        .getAsJsonObject()
        .get("token")
        .getAsString();
  }

  @Test
  void anActionAsksForAConfirmationAndActsByPostOnly() throws Exception {
    String form = get("/actions/end-it?which=%3Ca%3E").body();
    assertThat(form)
        .contains("method=\"post\" action=\"../actions/end-it\"", "value=\"&lt;a&gt;\"", token());
    assertThat(get("/api/v1/actions/end-it?which=a&token=" + token()).statusCode()).isEqualTo(400);
    assertThat(ended).isEmpty();
    HttpResponse<String> done = post("/actions/end-it", "which=%3Ca%3E&token=" + token());
    assertThat(done.statusCode()).isEqualTo(200);
    assertThat(done.body()).contains("Ended &lt;[&lt;a&gt;]&gt;.");
    assertThat(post("/api/v1/actions/end-it", "which=b&token=" + token()).body())
        .contains("\"done\":");
    assertThat(ended).containsExactly("<a>", "b");
    assertThat(post("/api/v1/actions/end-it", "token=" + token()).statusCode()).isEqualTo(400);
    assertThat(post("/api/v1/actions/none", "token=" + token()).statusCode()).isEqualTo(405);
    assertThat(post("/overview", "token=" + token()).statusCode()).isEqualTo(405);
  }

  @Test
  void pagesOfOtherServersCannotAskForActions() throws Exception {
    String form = "which=a&token=" + token();
    String address = "http://localhost:" + server.address().getPort();
    assertThat(post("/actions/end-it", "which=a").statusCode()).isEqualTo(403);
    assertThat(post("/actions/end-it", "which=a&token=0").statusCode()).isEqualTo(403);
    assertThat(post("/actions/end-it", form, "Origin", "http://evil.example").statusCode())
        .isEqualTo(403);
    assertThat(post("/actions/end-it", form, "Origin", "null").statusCode()).isEqualTo(403);
    assertThat(post("/actions/end-it", form, "Sec-Fetch-Site", "cross-site").statusCode())
        .isEqualTo(403);
    try (Socket socket = connect()) { // a name that was made to lead here
      send(
          socket,
          "POST /actions/end-it HTTP/1.1\r\nHost: evil.example\r\nContent-Length: "
              + form.length()
              + "\r\nConnection: close\r\n\r\n"
              + form);
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 403 ")
          .contains("evil.example");
    }
    assertThat(ended).isEmpty();
    HttpResponse<String> own =
        post("/actions/end-it", form, "Origin", address, "Sec-Fetch-Site", "same-origin");
    assertThat(own.statusCode()).isEqualTo(200);
  }

  @Test
  void actionsAreRefusedUnlessTheSettingsAllowThem() throws Exception {
    String token = token();
    actsAllowed = false;
    HttpResponse<String> page = get("/actions/end-it");
    assertThat(page.statusCode()).isEqualTo(403);
    assertThat(page.body()).contains("cairn.web.actions.enabled").doesNotContain("<form");
    assertThat(get("/api/v1/actions").body()).contains("\"allowed\":false").doesNotContain(token);
    assertThat(post("/api/v1/actions/end-it", "which=a&token=" + token).statusCode())
        .isEqualTo(403);
    assertThat(ended).isEmpty();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Tells whether the server closes the connection without waiting for the client. */
  private static boolean isEndedByServer(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }

  private HttpResponse<String> get(String path) throws Exception {
    URI uri = URI.create("http://localhost:" + server.address().getPort() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aPageIsServedAsHtmlAndAsJson() throws Exception {
    HttpResponse<String> page = get("/");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
    assertThat(page.body()).contains("<h1>Overview</h1>", "/data/&lt;&amp;&gt;");
    assertThat(get("/rs-status").body()).isEqualTo(page.body());
    HttpResponse<String> json = get("/api/v1/overview");
    assertThat(json.headers().firstValue("Content-Type"))
        .contains("application/json; charset=utf-8");
    assertThat(json.body()).contains("\"page\":\"overview\"");
  }

  @Test
  void aPageLoadsAndRunsNothingButTheServersOwnFiles() throws Exception {
    HttpResponse<String> page = get("/");
    String policy = page.headers().firstValue("Content-Security-Policy").orElseThrow();
    assertThat(policy)
        .contains("default-src 'none'", "script-src 'self';")
        .doesNotContain("unsafe");
    assertThat(page.headers().firstValue("X-Frame-Options")).contains("DENY");
    assertThat(page.headers().firstValue("Cache-Control")).contains("no-store");
    HttpResponse<String> style = get("/static/cairn.css");
    assertThat(style.headers().firstValue("Content-Type")).contains("text/css; charset=utf-8");
    assertThat(style.headers().firstValue("Cache-Control")).contains("max-age=300");
    assertThat(get("/static/../cairn.css").statusCode()).isEqualTo(404);
    assertThat(get("/static/Pages.class").statusCode()).isEqualTo(404);
  }

  @Test
  void hbasesShellAsksForTasks() throws Exception {
    HttpResponse<String> tasks = get("/rs-status?format=json&filter=general");
    assertThat(tasks.headers().firstValue("Content-Type"))
        .contains("application/json; charset=utf-8");
    assertThat(tasks.body()).isEqualToIgnoringNewLines("[]");
  }

  @Test
  void aMasterShowsItsReport() throws Exception {
    assertThat(get("/report").body()).isEqualTo("all is well");
    assertThat(get("/report?format=json").body()).isEqualToIgnoringNewLines("[]");
    assertThat(get("/hbck.jsp").body()).isEqualTo("all is well");
  }

  @Test
  void healthAndWhatIsNotThere() throws Exception {
    HttpResponse<String> answer = get("/health");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("ok\ndisk  ok    There is room.\n");
    assertThat(get("/nothing").statusCode()).isEqualTo(404);
  }

  @Test
  void healthHasAnErrorStatusIfACheckFails() throws Exception {
    health = HealthResult.warn("One region is closed.");
    assertThat(get("/health").statusCode()).isEqualTo(200);
    health = HealthResult.fail("The disk is full.");
    HttpResponse<String> answer = get("/health?format=json");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Content-Type"))
        .contains("application/json; charset=utf-8");
    assertThat(HealthReport.parse(answer.body()).status()).isEqualTo(HealthStatus.FAIL);
  }

  @Test
  void healthIsJsonForClientsThatAcceptOnlyJson() throws Exception {
    URI uri = URI.create("http://localhost:" + server.address().getPort() + "/health");
    HttpRequest request = HttpRequest.newBuilder(uri).header("Accept", "application/json").build();
    String body =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    assertThat(HealthReport.parse(body).status()).isEqualTo(HealthStatus.OK);
  }

  @Test
  void metricsAreServedInThreeForms() throws Exception {
    String bean = "Hadoop:service=HBase,name=RegionServer,sub=Server";
    assertThat(get("/jmx?qry=" + bean).body()).contains("\"readRequestCount\": 7");
    assertThat(get("/jmx?get=" + bean + "::readRequestCount").body()).contains("Count\": 7");
    assertThat(get("/jmx").body()).contains("java.lang:type=Memory", bean);
    assertThat(get("/prometheus").body()).contains("server_read_request_count{");
    assertThat(get("/prometheus").body()).doesNotContain("# HELP");
    assertThat(get("/prometheus?description=true").body()).contains("# HELP");
    HttpResponse<String> labelled = get("/metrics");
    assertThat(labelled.body()).contains("cairn_regionserver_read_request_total 7");
    assertThat(labelled.headers().firstValue("Content-Type"))
        .contains("text/plain; version=0.0.4; charset=utf-8");
  }

  @Test
  void aLongPageComesInPartsAndTheConnectionGoesOn() throws Exception {
    sources =
        List.of(
            MetricSource.of(
                RecordName.of("RegionServer", "Regions", "region"),
                to -> {
                  for (int i = 0; i < 10_000; i++) {
                    to.add(
                        Metric.counter("readRequestCount", "Reads."),
                        Scope.region(TableName.parse("t"), "region" + i),
                        i);
                  }
                }));
    HttpResponse<String> page = get("/metrics");
    assertThat(page.body().lines().filter(line -> !line.startsWith("#"))).hasSize(10_000);
    assertThat(page.body()).endsWith("region=\"region9999\"} 9999\n");
    assertThat(page.headers().firstValue("Transfer-Encoding")).contains("chunked");
    try (Socket socket = connect()) {
      send(socket, "HEAD /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
      send(socket, "GET /node HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      String answers =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answers).doesNotContain("region9999");
      assertThat(answers.split("HTTP/1.1 200 OK", -1)).as(answers).hasSize(3);
    }
  }

  @Test
  void idleAndSlowConnectionsDoNotBlockOthers() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 10 * LIMITS.connectionsMax(); i++) {
        Socket socket = connect();
        sockets.add(socket);
        if (i % 2 == 0) {
          send(socket, "GET / HTTP/1.1\r\nHost: ");
        }
      }
      assertThat(get("/").statusCode()).isEqualTo(200);
      for (Socket socket : sockets) {
        assertThat(isEndedByServer(socket)).isTrue();
      }
      assertThat(get("/").statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void aRequestThatTricklesInTimesOut() throws Exception {
    try (Socket socket = connect()) {
      send(socket, "GET / HTTP/1.1\r\n");
      // The deadline is for the whole request; each byte arrives before it.
      CompletableFuture<Void> trickle =
          CompletableFuture.runAsync(
              () -> {
                try {
                  while (true) {
                    send(socket, "X: y\r\n");
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                  }
                } catch (IOException e) {
                  // The connection has ended.
                }
              });
      assertThat(isEndedByServer(socket)).isTrue();
      trickle.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws Exception {
    try (Socket socket = connect()) {
      send(
          socket,
          "GET /health HTTP/1.1\r\nHost: h\r\n\r\n"
              + "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n"
              + "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx"
              + "GET /none HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
      String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answers.lines().filter(line -> line.startsWith("HTTP/1.1 ")))
          .containsExactly(
              "HTTP/1.1 200 OK",
              "HTTP/1.1 200 OK",
              "HTTP/1.1 405 Method Not Allowed",
              "HTTP/1.1 404 Not Found");
      assertThat(answers).doesNotContain("<h1>Overview");
    }
  }

  @Test
  void aRequestMayComeInManyPieces() throws Exception {
    try (Socket socket = connect()) {
      socket.setTcpNoDelay(true);
      send(socket, "GET /health HTTP/1.1\r\nConnection: close\r\nCookie: ");
      for (int i = 0; i < 100; i++) {
        send(socket, "x".repeat(100));
      }
      send(socket, "\r\n\r\n");
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void aMalformedRequestIsRefused() throws Exception {
    for (String nonsense : new String[] {"GET / NONSENSE\r\n\r\n", "GET /" + "x".repeat(5_000)}) {
      try (Socket socket = connect()) {
        send(socket, nonsense);
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .startsWith("HTTP/1.1 4");
      }
    }
    assertThat(get("/").statusCode()).isEqualTo(200);
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
