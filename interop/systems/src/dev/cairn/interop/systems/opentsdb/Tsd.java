package dev.cairn.interop.systems.opentsdb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.interop.systems.check.JavaProcess;
import dev.cairn.interop.systems.check.Report;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A TSD of OpenTSDB in a process of its own. Not safe for use by several threads. */
final class Tsd implements AutoCloseable {
  private static final ObjectMapper json = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final int port;

  private Tsd(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Writes the configuration of a TSD, and of the tools. */
  static Path configuration(Path folder, String name, String quorum, Map<String, String> keys)
      throws IOException {
    Map<String, String> all = new TreeMap<>();
    all.put("tsd.network.port", "0");
    all.put("tsd.network.bind", "127.0.0.1");
    all.put("tsd.http.staticroot", folder.toString());
    all.put("tsd.http.cachedir", Files.createDirectories(folder.resolve("cache")).toString());
    all.put("tsd.http.show_stack_trace", "true");
    all.put("tsd.storage.hbase.zk_quorum", quorum);
    all.put("tsd.http.request.enable_chunked", "true");
    all.put("tsd.http.request.max_chunk", "1000000");
    all.put("tsd.core.auto_create_metrics", "true");
    all.put("tsd.core.authentication.enable", "false");
    // Rows are compacted soon: seconds, rows.
    all.put("tsd.storage.compaction.flush_interval", "1");
    all.put("tsd.storage.compaction.min_flush_threshold", "1");
    all.putAll(keys);
    Path file = folder.resolve(name + ".conf");
    StringBuilder text = new StringBuilder();
    all.forEach((key, value) -> text.append(key).append(" = ").append(value).append('\n'));
    return Files.writeString(file, text);
  }

  static Tsd start(Path configuration) throws Exception {
    int port = JavaProcess.freePort();
    Process process =
        JavaProcess.start(
            Path.of(configuration + ".log"),
            "net.opentsdb.tools.TSDMain",
            "--config=" + configuration,
            "--port=" + port);
    Tsd tsd = new Tsd(process, port);
    try {
      Report.await(() -> tsd.get("/api/version").path("version").asText(), v -> !v.isEmpty());
    } catch (Exception e) {
      tsd.close();
      throw e;
    }
    return tsd;
  }

  /** Sends lines by the telnet protocol. Returns the responses, which are empty without errors. */
  String telnet(String lines) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write((lines + "exit\n").getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  JsonNode get(String path) throws Exception {
    return call("GET", path, null);
  }

  JsonNode post(String path, String body) throws Exception {
    return call("POST", path, body);
  }

  /** Returns the response, also of a failed call. */
  JsonNode call(String method, String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofMinutes(1))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .header("Content-Type", "application/json")
            .build();
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    return json.readTree(response.body().isEmpty() ? "{}" : response.body());
  }

  /** Runs a query with a metric expression such as {@code sum:10m-avg:m{host=*}}. */
  JsonNode query(long from, long to, String expression) throws Exception {
    String encoded = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    return get("/api/query?start=" + from + "&end=" + to + "&m=" + encoded);
  }

  /** Ends the TSD in an orderly way, in which it writes what it still holds. */
  @Override
  public void close() throws Exception {
    process.destroy();
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      process.destroyForcibly();
    }
  }
}
