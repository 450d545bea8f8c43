package dev.cairn.server.process;

import dev.cairn.server.advise.page.AdvicePages;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.http.ServerStatus;
import dev.cairn.server.http.StatusServer;
import dev.cairn.server.http.WebLimits;
import dev.cairn.server.log.LogPages;
import dev.cairn.server.log.ServerLog;
import dev.cairn.server.metrics.MetricPages;
import dev.cairn.server.metrics.MetricRegistry;
import dev.cairn.server.page.WebParts;
import dev.cairn.server.process.keys.SettingWarnings;
import dev.cairn.server.traffic.HeatMaps;
import dev.cairn.server.traffic.page.TrafficPages;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Serves the pages of all servers of a process at the port of each of them. */
final class WebServer {
  private final Host host;
  private final HostedServers servers;
  private final ServerSessions sessions;
  private final MetricRegistry metrics;
  private final SettingWarnings warnings;

  /** Creates the web server; nothing is served yet. */
  WebServer(
      Host host,
      HostedServers servers,
      ServerSessions sessions,
      MetricRegistry metrics,
      SettingWarnings warnings) {
    this.host = host;
    this.servers = servers;
    this.sessions = sessions;
    this.metrics = metrics;
    this.warnings = warnings;
  }

  /**
   * Starts to serve. The ports of the servers are bound.
   *
   * @return the address of the pages by server; those that are off are missing
   */
  Map<ServerRole, InetSocketAddress> start() throws IOException {
    Map<ServerRole, InetSocketAddress> addresses = new EnumMap<>(ServerRole.class);
    Optional<StatusServer> web = Optional.empty();
    for (HostedServer hosted : servers.all()) {
      ServerRole role = hosted.bound().role();
      WebAddress wanted = WebAddress.of(host.config(), role);
      if (!wanted.isOn()) {
        continue;
      }
      if (web.isPresent()) {
        addresses.put(role, web.get().listen(wanted.address(), wanted.keys()));
      } else {
        StatusServer server = start(wanted);
        host.shutdown().then("web page", server::close);
        addresses.put(role, server.address());
        web = Optional.of(server);
      }
    }
    return addresses;
  }

  private StatusServer start(WebAddress at) throws IOException {
    return StatusServer.start(
        at.address(),
        at.keys(),
        this::status,
        host.health()::report,
        servers.all().stream().flatMap(hosted -> hosted.report().stream()).findFirst(),
        MetricPages.of(metrics, ManagementFactory::getPlatformMBeanServer),
        WebPages.of(
            host,
            servers::all,
            this::status,
            host.health()::report,
            new TrafficPages(
                servers::traffic,
                new HeatMaps(host.storage(), host.clock(), servers::traffic),
                new TableKeys(host.storage(), servers::regions)),
            new AdvicePages(new OpenTables(host, servers::regions, servers::traffic)),
            logPages()),
        host.threads().web(),
        WebLimits.DEFAULTS,
        ServerThreads.named("cairn-web-network"));
  }

  private WebParts logPages() {
    Optional<ServerLog> log = ServerLog.open();
    log.ifPresent(open -> host.shutdown().then("log pages", open::close));
    return log.map(open -> new LogPages(open).parts()).orElse(WebParts.NONE);
  }

  private ServerStatus status() {
    return StatusReport.of(
        servers.all(),
        sessions.quorum(),
        host.engine().memoryUsage(),
        host.storage().bytesRead(),
        warnings.all(),
        sessions.timeout(),
        host.clock());
  }
}
