package dev.cairn.server.master.page;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Section;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/** Tables of servers. Stateless. */
final class ServerTables {
  private static final long MEGA = 1 << 20;

  private ServerTables() {}

  static List<Section> sections(ClusterView cluster, long nowMillis) {
    return List.of(
        live(cluster, nowMillis),
        Table.of("dead", "Dead region servers", cluster.dead())
            .column("server", "Server", Kind.NAME, name -> Value.name(name.hostAndPort()))
            .time("startMillis", "Had started", ServerName::startCode)
            .column(
                "recovery",
                "Log",
                Kind.STATE,
                name ->
                    cluster.recoveries().stream().anyMatch(one -> one.server().equals(name))
                        ? Value.state(Level.WARN, "being recovered")
                        : Value.state(Level.GOOD, "recovered"))
            .whenEmpty("No region server has died since this master became active.")
            .build());
  }

  /** Returns the table of live servers. */
  static Table<ClusterView.Server> live(ClusterView cluster, long nowMillis) {
    return Table.of("servers", "Region servers", cluster.servers())
        .column("server", "Server", Kind.NAME, ServerTables::link)
        .column("state", "State", Kind.STATE, ServerTables::state)
        .count("regions", "Regions", ClusterView.Server::regions)
        .column(
            "requestsPerSecond",
            "Requests",
            Kind.PER_SECOND,
            server -> Value.perSecond(server.load().getNumberOfRequests()))
        .count("requests", "All requests", server -> server.load().getTotalNumberOfRequests())
        .bytes("heapBytes", "Heap used", server -> server.load().getUsedHeapMB() * MEGA)
        .bytes("heapMaxBytes", "Heap", server -> server.load().getMaxHeapMB() * MEGA)
        .bytes(
            "fileBytes",
            "On disk",
            server ->
                MEGA
                    * server.load().getRegionLoadsList().stream()
                        .mapToLong(region -> region.getStorefileSizeMB())
                        .sum())
        .bytes(
            "memStoreBytes",
            "In memory",
            server ->
                MEGA
                    * server.load().getRegionLoadsList().stream()
                        .mapToLong(region -> region.getMemStoreSizeMB())
                        .sum())
        .time("startMillis", "Started", server -> server.name().startCode())
        .column(
            "reportAgeMillis",
            "Last report",
            Kind.MILLIS,
            server ->
                server.load().getReportEndTime() == 0
                    ? Value.NONE
                    : Value.millis(Math.max(0, nowMillis - server.load().getReportEndTime())))
        .whenEmpty("No region server is live.")
        .build();
  }

  private static Value state(ClusterView.Server server) {
    if (server.isDraining()) {
      return Value.state(Level.WARN, "draining");
    }
    return server.isAccepted()
        ? Value.state(Level.GOOD, "live")
        : Value.state(Level.WARN, "not accepted yet");
  }

  /** Returns the server's name, as a link to its own pages if it has any. */
  private static Value link(ClusterView.Server server) {
    Value name = Value.name(server.name().hostAndPort());
    int port = server.load().getInfoServerPort();
    if (port <= 0) {
      return name;
    }
    try {
      return new Value.WebLink(
          name, new URI("http", null, server.name().host(), port, "/", null, null));
    } catch (URISyntaxException e) {
      return name;
    }
  }
}
