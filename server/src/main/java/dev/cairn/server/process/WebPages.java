package dev.cairn.server.process;

import dev.cairn.server.health.HealthReport;
import dev.cairn.server.http.ServerStatus;
import dev.cairn.server.page.Frame;
import dev.cairn.server.page.Pages;
import dev.cairn.server.page.WebParts;
import java.util.List;
import java.util.function.Supplier;

/** Puts together the pages of the servers of a process. */
final class WebPages {
  private WebPages() {}

  /**
   * Returns all pages.
   *
   * @param servers the servers, whose ports are bound
   */
  static Pages of(
      Supplier<List<HostedServer>> servers,
      Supplier<ServerStatus> status,
      Supplier<HealthReport> health) {
    WebParts parts = WebParts.of(List.of(new OverviewPage(servers, status, health)));
    for (HostedServer server : servers.get()) {
      parts = parts.and(server.web());
    }
    return new Pages(parts, () -> frame(servers.get(), status.get(), health.get()));
  }

  private static Frame frame(List<HostedServer> servers, ServerStatus status, HealthReport health) {
    return new Frame(
        servers.get(0).bound().name().hostAndPort(),
        servers.stream().map(server -> server.bound().role().title()).toList(),
        status.version(),
        OverviewPage.state(health.status()),
        status.timeMillis());
  }
}
