package dev.cairn.server.http;

import dev.cairn.server.health.HealthReport;
import dev.cairn.server.health.HealthStatus;
import dev.cairn.server.metrics.MetricPages;
import dev.cairn.server.page.Pages;
import dev.cairn.server.page.WebSender;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The addresses of the web server: {@link Pages}, and {@code /health} as text or as JSON, with HTTP
 * status 503 if a check fails. A master has its report at {@code /report}, as text or with {@code
 * ?format=json}, and where HBase's master has that of its catalog janitor, {@code /hbck.jsp}.
 * HBase's shell also reads a server's tasks at {@code /rs-status?format=json}; this list is always
 * empty, because Cairn does not record tasks. {@code /jmx} and {@code /prometheus} are as in HBase,
 * and {@code /metrics} has the same metrics with labels.
 *
 * @param status returns the status, once for each request
 * @param health runs the health checks, once for each request
 * @param report the report; empty if the server has none
 * @param metrics the pages of metrics
 * @param pages all other addresses
 */
record StatusPages(
    Supplier<ServerStatus> status,
    Supplier<HealthReport> health,
    Optional<WebReport> report,
    MetricPages metrics,
    Pages pages) {
  WebResponse answer(WebRequest request) {
    return switch (request.path()) {
      case "/master-status", "/rs-status" ->
          request.hasJsonFormat() ? WebResponse.json(200, "[]") : page(request);
      case "/health" -> health(request.wantsJson());
      case "/node" -> WebResponse.json(200, status.get().node());
      case "/report", "/hbck.jsp" ->
          report.map(one -> report(one, request)).orElseGet(() -> page(request));
      case "/jmx" ->
          WebResponse.json(
              200,
              request
                  .parameter("get")
                  .map(metrics.jmx()::attribute)
                  .orElseGet(() -> metrics.jmx().query(request.parameter("qry").orElse("*:*"))));
      case "/prometheus" ->
          WebResponse.series(
              metrics.hbase().parts(request.parameter("description").equals(Optional.of("true"))));
      case "/metrics" -> WebResponse.series(metrics.labelled().parts());
      default -> page(request);
    };
  }

  /** Answers a request by POST, for an action. */
  WebResponse act(WebRequest request, WebSender sender) {
    return WebResponse.of(pages.act(request.path(), request.parameters(), sender));
  }

  private WebResponse page(WebRequest request) {
    Map<String, String> parameters = request.parameters();
    if (request.wantsJson()) { // for addresses with several forms, such as /conf
      parameters.putIfAbsent("format", "json");
    }
    return WebResponse.of(pages.answer(request.path(), parameters));
  }

  private static WebResponse report(WebReport report, WebRequest request) {
    try {
      return request.hasJsonFormat()
          ? WebResponse.json(200, report.json())
          : WebResponse.text(200, report.text());
    } catch (IOException e) {
      return WebResponse.text(503, e.getMessage() + "\n");
    }
  }

  private WebResponse health(boolean json) {
    HealthReport report = health.get();
    int code = report.status() == HealthStatus.FAIL ? 503 : 200;
    return json ? WebResponse.json(code, report.json()) : WebResponse.text(code, report.text());
  }
}
