package dev.cairn.server.http;

import dev.cairn.server.health.HealthReport;
import dev.cairn.server.health.HealthStatus;
import java.util.function.Supplier;

/**
 * The pages of the web server: the status page at {@code /}, and {@code /health} as text or as
 * JSON, with HTTP status 503 if a check fails. HBase's shell also reads a server's tasks at {@code
 * /rs-status?format=json}; this list is always empty, because Cairn does not record tasks.
 *
 * @param status returns the status, once for each request
 * @param health runs the health checks, once for each request
 */
record StatusPages(Supplier<ServerStatus> status, Supplier<HealthReport> health) {
  WebResponse answer(WebRequest request) {
    return switch (request.path()) {
      case "/", "/index.html", "/master-status", "/rs-status" ->
          request.hasJsonFormat()
              ? WebResponse.json(200, "[]")
              : WebResponse.html(StatusPage.render(status.get(), health.get()));
      case "/health" -> health(request.wantsJson());
      default -> WebResponse.text(404, "Page not found. See / and /health.\n");
    };
  }

  private WebResponse health(boolean json) {
    HealthReport report = health.get();
    int code = report.status() == HealthStatus.FAIL ? 503 : 200;
    return json ? WebResponse.json(code, report.json()) : WebResponse.text(code, report.text());
  }
}
