package dev.cairn.tools.advise;

import dev.cairn.server.advise.Observation;
import dev.cairn.server.advise.ReportJson;
import dev.cairn.server.advise.TableReport;
import dev.cairn.server.advise.page.AdvicePages;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;

/** Asks the web pages of all region servers for their facts about a table. */
public final class ReportReader {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int FOUND = 200;
  private static final int NOT_FOUND = 404;

  private final HttpClient web =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();
  private final Map<ServerName, Integer> servers = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();

  /**
   * Asks the master for the region servers.
   *
   * @throws IOException if no master answers
   */
  public ReportReader(Admin admin) throws IOException {
    Map<ServerName, ServerMetrics> live =
        admin
            .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS))
            .getLiveServerMetrics();
    live.forEach((name, metrics) -> servers.put(name, metrics.getInfoServerPort()));
    servers.forEach(
        (name, port) -> {
          if (port <= 0) {
            problem(name, "has no web page (hbase.regionserver.info.port)");
          }
        });
  }

  private void problem(ServerName server, String what) {
    String sentence = server.getHostname() + ":" + server.getPort() + " " + what;
    if (!problems.contains(sentence)) {
      problems.add(sentence);
    }
  }

  /** Returns the servers that could not be asked, a sentence for each. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /** Returns what all servers know of a table; empty if none has a region of it. */
  public Optional<Observation> read(String table) {
    Map<ServerName, CompletableFuture<HttpResponse<String>>> answers = new LinkedHashMap<>();
    servers.forEach(
        (name, port) -> {
          if (port > 0) {
            answers.put(name, ask(name.getHostname(), port, table));
          }
        });
    List<TableReport> reports = new ArrayList<>();
    answers.forEach(
        (name, answer) -> {
          try {
            HttpResponse<String> response = answer.join();
            if (response.statusCode() == FOUND) {
              reports.add(ReportJson.parse(response.body()));
            } else if (response.statusCode() != NOT_FOUND) {
              problem(name, "answers with HTTP status " + response.statusCode());
            }
          } catch (CompletionException e) {
            problem(name, "does not answer: " + e.getCause());
          } catch (RuntimeException e) {
            problem(name, "sent an answer that cannot be read: " + e);
          }
        });
    return reports.isEmpty()
        ? Optional.empty()
        : Optional.of(TableReport.together(reports, OptionalInt.of(servers.size())));
  }

  private CompletableFuture<HttpResponse<String>> ask(String host, int port, String table) {
    String path = AdvicePages.REPORT + URLEncoder.encode(table, StandardCharsets.UTF_8);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + path))
            .timeout(PATIENCE)
            .build();
    return web.sendAsync(request, HttpResponse.BodyHandlers.ofString());
  }
}
