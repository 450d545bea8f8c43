package dev.cairn.server.process;

import dev.cairn.server.advise.page.AdvicePages;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.health.HealthReport;
import dev.cairn.server.http.ServerStatus;
import dev.cairn.server.log.LogPages;
import dev.cairn.server.page.Endpoint;
import dev.cairn.server.page.Frame;
import dev.cairn.server.page.PageException;
import dev.cairn.server.page.PageKeys;
import dev.cairn.server.page.PageRequest;
import dev.cairn.server.page.PageSource;
import dev.cairn.server.page.Pages;
import dev.cairn.server.page.TextPage;
import dev.cairn.server.page.WebParts;
import dev.cairn.server.process.page.ConfigurationPage;
import dev.cairn.server.process.page.ThreadsPage;
import dev.cairn.server.regionserver.page.RegionServerPages;
import dev.cairn.server.traffic.page.TrafficPages;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Puts together the pages of the servers of a process. */
final class WebPages {
  /**
   * The pages that a dump omits: long ones, and those with requests of clients or with hot rows,
   * which are data.
   */
  private static final Set<String> NOT_DUMPED =
      Set.of(
          "regions",
          "slow",
          "traffic",
          "heatmap",
          "advice",
          LogPages.LINES,
          RegionServerPages.BIG_ROWS);

  private WebPages() {}

  /**
   * Returns all pages.
   *
   * @param servers the servers, whose ports are bound
   * @param traffic shows the traffic of the servers
   * @param advice shows advice on their tables
   * @param log the pages of the process's log
   */
  static Pages of(
      Host host,
      Supplier<List<HostedServer>> servers,
      Supplier<ServerStatus> status,
      Supplier<HealthReport> health,
      TrafficPages traffic,
      AdvicePages advice,
      WebParts log) {
    EventsPage events = new EventsPage(host.clock(), host.engine().ring(), servers);
    WebParts parts = WebParts.of(List.of(new OverviewPage(servers, status, health), events));
    for (HostedServer server : servers.get()) {
      parts = parts.and(server.web());
    }
    parts = parts.and(traffic.heatMap());
    if (servers.get().stream().anyMatch(WebPages::hasRegions)) {
      parts = parts.and(traffic.live()).and(advice.parts());
    }
    parts =
        parts
            .and(new ConfigurationPage(host.live()::current).parts())
            .and(log)
            .and(ThreadsPage.parts());
    List<PageSource> dumped = parts.pages();
    Endpoint dump =
        new Endpoint(
            "/dump",
            "All pages of the menu as text, with the first rows of each table",
            request -> new Endpoint.Content("text/plain", dump(dumped)));
    parts = parts.and(new WebParts(List.of(), List.of(dump), List.of()));
    return new Pages(
        parts,
        () -> frame(servers.get(), health.get(), host.clock().currentTimeMillis()),
        () -> host.live().current().get(PageKeys.ACTIONS));
  }

  private static boolean hasRegions(HostedServer server) {
    return server.bound().role() == ServerRole.REGION_SERVER;
  }

  private static String dump(List<PageSource> pages) {
    StringBuilder text = new StringBuilder();
    for (PageSource page : pages) {
      String id = page.info().id();
      if (page.info().isInMenu() && !NOT_DUMPED.contains(id)) {
        PageRequest request = new PageRequest(id, Map.of());
        try {
          text.append(TextPage.render(page.build(request), request));
        } catch (PageException e) {
          text.append(page.info().title()).append(": ").append(e.getMessage()).append("\n\n");
        }
      }
    }
    return text.toString();
  }

  private static Frame frame(List<HostedServer> servers, HealthReport health, long nowMillis) {
    return new Frame(
        servers.get(0).bound().name().hostAndPort(),
        servers.stream().map(server -> server.bound().role().title()).toList(),
        StatusReport.version(),
        OverviewPage.state(health.status()),
        nowMillis);
  }
}
