package dev.cairn.server.http;

import dev.cairn.server.health.HealthReport;
import dev.cairn.server.health.HealthStatus;
import java.util.function.Supplier;

/**
 * The pages that the web server has: the status page at {@code /}, and {@code /health}, as text or
 * as JSON, with status 503 if a check fails. Where HBase's shell asks for the tasks that a server
 * works on, {@code /rs-status?format=json}, the list is empty: Cairn keeps none.
 *
 * @param status gives what to show, at each request
 * @param health runs the health checks, at each request
 */
record StatusPages(Supplier<ServerStatus> status, Supplier<HealthReport> health) {
  WebAnswer answer(WebRequest request) {
    return switch (request.path()) {
      case "/", "/index.html", "/master-status", "/rs-status" ->
          request.hasJsonFormat()
              ? WebAnswer.json(200, "[]")
              : WebAnswer.html(StatusPage.render(status.get(), health.get()));
      case "/health" -> health(request.wantsJson());
      default -> WebAnswer.text(404, "There is nothing at this address. See / and /health.\n");
    };
  }

  private WebAnswer health(boolean json) {
    HealthReport report = health.get();
    int code = report.status() == HealthStatus.FAIL ? 503 : 200;
    return json ? WebAnswer.json(code, report.json()) : WebAnswer.text(code, report.text());
  }
}
