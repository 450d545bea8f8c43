package dev.cairn.server.master.page;

import dev.cairn.server.page.Facts.Fact;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Section;
import dev.cairn.server.page.Section.Tiles;
import dev.cairn.server.page.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The first page of a cluster. Stateless. */
final class MasterOverview {
  private MasterOverview() {}

  static List<Section> sections(ClusterView cluster, long nowMillis) {
    List<Section> sections = new ArrayList<>();
    sections.add(tiles(cluster));
    sections.add(ServerTables.live(cluster, nowMillis));
    if (!cluster.inTransition().isEmpty()) {
      sections.add(RegionTables.inTransition(cluster.inTransition(), nowMillis));
    }
    sections.add(TableTables.of("tables", "Tables", cluster));
    return sections;
  }

  private static Tiles tiles(ClusterView cluster) {
    int moving = cluster.inTransition().size();
    long perSecond =
        cluster.servers().stream().mapToLong(server -> server.load().getNumberOfRequests()).sum();
    return new Tiles(
        "cluster",
        List.of(
            tile("servers", "Region servers", Value.count(cluster.servers().size()), "servers"),
            new Fact(
                "dead",
                "Dead servers",
                cluster.dead().isEmpty()
                    ? Value.count(0)
                    : link(
                        Value.state(Level.WARN, Integer.toString(cluster.dead().size())),
                        "servers")),
            tile("tables", "Tables", Value.count(cluster.tables().size()), "tables"),
            tile("regions", "Regions", Value.count(cluster.regions().size()), "regions"),
            new Fact("open", "Open regions", Value.count(cluster.openRegions())),
            new Fact(
                "transitions",
                "In transition",
                moving == 0
                    ? Value.count(0)
                    : link(Value.state(Level.WARN, Integer.toString(moving)), "transitions")),
            new Fact("requestsPerSecond", "Requests", Value.perSecond(perSecond)),
            new Fact(
                "fileBytes",
                "On disk",
                Value.bytes(
                    cluster.regions().stream().mapToLong(ClusterView.Region::fileBytes).sum()))));
  }

  private static Fact tile(String id, String title, Value value, String page) {
    return new Fact(id, title, link(value, page));
  }

  private static Value link(Value value, String page) {
    return new Value.Link(value, page, Map.of());
  }
}
