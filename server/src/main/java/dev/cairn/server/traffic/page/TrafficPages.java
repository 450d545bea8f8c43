package dev.cairn.server.traffic.page;

import dev.cairn.keys.KeyDisplay;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.page.Asset;
import dev.cairn.server.page.Endpoint;
import dev.cairn.server.page.Endpoint.Content;
import dev.cairn.server.page.Figure;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Page;
import dev.cairn.server.page.PageException;
import dev.cairn.server.page.PageInfo;
import dev.cairn.server.page.PageInfo.MenuGroup;
import dev.cairn.server.page.PageRequest;
import dev.cairn.server.page.PageSource;
import dev.cairn.server.page.Section;
import dev.cairn.server.page.Section.Notice;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import dev.cairn.server.page.WebParts;
import dev.cairn.server.traffic.HeatMapQuery;
import dev.cairn.server.traffic.HeatMaps;
import dev.cairn.server.traffic.RegionTraffic;
import dev.cairn.server.traffic.SkippedRange;
import dev.cairn.server.traffic.Traffic;
import dev.cairn.server.traffic.Traffic.Caller;
import dev.cairn.server.traffic.TrafficJson;
import dev.cairn.server.traffic.heatmap.HeatMap;
import dev.cairn.server.traffic.heatmap.HeatMapImage;
import dev.cairn.server.traffic.heatmap.HeatMapText;
import dev.cairn.server.traffic.heatmap.TrafficMetric;
import dev.cairn.server.traffic.sketch.SpaceSaving.HeavyKey;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** The pages of traffic, and their data. Thread-safe. */
public final class TrafficPages {
  /** The latest traffic of this server, as one JSON object. */
  static final String LIVE = "/api/v1/top";

  /** The heat map of the table whose name follows. */
  static final String HEAT_MAP = "/api/v1/traffic/";

  private static final int CALLERS_MAX = 32;
  private static final int KEYS_MAX = 5;

  private final Supplier<Optional<Traffic>> traffic;
  private final HeatMaps maps;
  private final KeyDisplays keys;

  /**
   * Creates the pages.
   *
   * @param traffic returns the traffic of the region server in this process; empty if there is none
   * @param maps the heat maps of all servers
   * @param keys finds how the row keys of tables are shown
   */
  public TrafficPages(Supplier<Optional<Traffic>> traffic, HeatMaps maps, KeyDisplays keys) {
    this.traffic = traffic;
    this.maps = maps;
    this.keys = keys;
  }

  /** A hot row or prefix of a region. */
  private record Hot(RegionTraffic region, boolean isRow, HeavyKey<ByteString> key) {
    double perSecond() {
      return key.count() * 1_000 / region.millis();
    }
  }

  /** Returns the heat map: its page, data and script. */
  public WebParts heatMap() {
    return new WebParts(
        List.of(
            PageSource.of(
                PageInfo.of(
                        "heatmap",
                        "Heat map",
                        MenuGroup.CLUSTER,
                        "The traffic of a table by time and key.")
                    .with(
                        "table",
                        "the table's name; the first one with traffic unless given",
                        false),
                this::heatMapPage)),
        List.of(
            new Endpoint(
                HEAT_MAP,
                "The heat map of the table in the address, as JSON, CSV or PNG (format=).",
                this::heatMap)),
        List.of(Asset.of(TrafficPages.class, "heatmap.js")));
  }

  /** Returns the page and the data of the latest traffic of this server. */
  public WebParts live() {
    return new WebParts(
        List.of(
            PageSource.of(
                PageInfo.of(
                    "traffic",
                    "Traffic",
                    MenuGroup.SERVER,
                    "The latest traffic of this server: regions, hot rows and prefixes, ranges in which scans"
                        + " skip rows, callers."),
                request -> livePage())),
        List.of(
            new Endpoint(
                LIVE,
                "The latest traffic of this server, for bin/cairn top.",
                request -> new Content("application/json", liveJson() + "\n"))),
        List.of());
  }

  private Page heatMapPage(PageRequest request) throws PageException {
    try {
      List<String> tables = new ArrayList<>(maps.tables());
      Optional<String> asked = request.parameter("table");
      if (asked.isPresent() && !tables.contains(asked.get())) {
        check(asked.get());
        tables.add(0, asked.get());
      }
      if (tables.isEmpty()) {
        return Page.of(
            "Heat map", new Notice(Level.GOOD, "No table had traffic in the last two hours."));
      }
      String table = asked.orElse(tables.get(0));
      return Page.of(
          "Heat map",
          new Figure(
              "heatmap",
              "Traffic by time and key",
              "Time runs from left to right, and keys from top to bottom; brighter cells have more"
                  + " traffic. The same numbers are at api/v1/traffic/TABLE, as JSON, CSV and PNG.",
              "heatmap",
              "heatmap.js",
              HEAT_MAP.substring(1)
                  + URLEncoder.encode(table, StandardCharsets.UTF_8)
                  + "?format=png",
              Map.of(
                  "table", table,
                  "tables", String.join(",", tables),
                  "metrics", String.join(",", TrafficMetric.labels()))));
    } catch (IllegalArgumentException e) {
      throw PageException.badRequest(e.getMessage());
    } catch (IOException e) {
      throw PageException.unavailable("The heat maps cannot be read: " + e.getMessage());
    }
  }

  private Content heatMap(PageRequest request) throws PageException {
    String table = request.page().substring(HEAT_MAP.length() - 1);
    try {
      HeatMap.Query query = HeatMapQuery.of(table, request::parameter, maps.nowMillis());
      HeatMap map = maps.map(query);
      if (map.total() == 0) {
        check(table);
      }
      return switch (request.parameter("format").orElse("json")) {
        case "json" ->
            new Content("application/json", HeatMapText.json(table, map, keys.of(table)) + "\n");
        case "csv" -> new Content("text/csv", HeatMapText.csv(map));
        case "png" -> new Content("image/png", HeatMapImage.png(map));
        default -> throw PageException.badRequest("format must be json, csv or png");
      };
    } catch (IllegalArgumentException e) {
      throw PageException.badRequest(e.getMessage());
    } catch (IOException e) {
      throw PageException.unavailable("The heat maps cannot be read: " + e.getMessage());
    }
  }

  private void check(String table) throws IOException, PageException {
    if (!maps.exists(table)) {
      throw PageException.notFound("There is no table " + table + ".");
    }
  }

  private String liveJson() throws PageException {
    return traffic
        .get()
        .map(found -> TrafficJson.of(found, keys::ofOpen))
        .orElseThrow(() -> PageException.unavailable("There is no region server here."));
  }

  private Page livePage() {
    Optional<Traffic> here = traffic.get();
    if (here.isEmpty() || !here.get().isOn()) {
      return Page.of(
          "Traffic",
          new Notice(
              Level.WARN,
              here.isEmpty()
                  ? "There is no region server in this process; see the pages of region servers."
                  : "Traffic is not recorded, because cairn.traffic.enabled is false."));
    }
    List<RegionTraffic> regions = here.get().regions();
    List<SkippedRange> skipped = here.get().skippedRanges(KEYS_MAX);
    Displays displays = new Displays(keys);
    List<Section> sections = new ArrayList<>();
    Stream.concat(
            regions.stream().map(RegionTraffic::table), skipped.stream().map(SkippedRange::table))
        .distinct()
        .sorted()
        .flatMap(
            table -> displays.of(table).problem().map(why -> table + ": " + why + ".").stream())
        .forEach(problem -> sections.add(new Notice(Level.WARN, problem)));
    sections.add(regions(regions, displays));
    sections.add(hot("rows", "Hot rows", regions, true, displays));
    sections.add(hot("prefixes", "Hot prefixes", regions, false, displays));
    sections.add(skipped(skipped, displays));
    sections.add(callers(here.get().callers(CALLERS_MAX)));
    return new Page("Traffic", sections);
  }

  /** The displays of one page, each found once. */
  private static final class Displays {
    private final KeyDisplays keys;
    private final Map<String, KeyDisplay> found = new HashMap<>();

    Displays(KeyDisplays keys) {
      this.keys = keys;
    }

    KeyDisplay of(String table) {
      return found.computeIfAbsent(table, keys::ofOpen);
    }

    Value border(String table, byte[] key) {
      return key.length == 0 ? Value.NONE : Value.name(of(table).textOfBorder(key));
    }

    Value key(Hot hot) {
      byte[] key = hot.key().key().toByteArray();
      KeyDisplay display = of(hot.region().table());
      boolean isRow = hot.isRow() && LoadSample.isWhole(key);
      return Value.name(isRow ? display.text(key) : display.textOfPrefix(key));
    }
  }

  private static Table<RegionTraffic> regions(List<RegionTraffic> regions, Displays displays) {
    Table.Builder<RegionTraffic> table =
        Table.of("regions", "Regions, in the last 15 to 30 seconds", regions)
            .column(
                "table",
                "Table",
                Kind.NAME,
                one -> Value.link(one.table(), "heatmap", "table", one.table()))
            .column("region", "Region", Kind.NAME, one -> Value.name(one.region()))
            .column(
                "start", "Start key", Kind.NAME, one -> displays.border(one.table(), one.start()));
    for (TrafficMetric metric : TrafficMetric.values()) {
      table.column(
          metric.label(),
          heading(metric),
          Kind.PER_SECOND,
          one -> Value.perSecond(scaled(metric, one.perSecond()[metric.ordinal()])));
    }
    return table.sortedBy("-time").whenEmpty("No region has traffic.").build();
  }

  private static String heading(TrafficMetric metric) {
    return switch (metric) {
      case READS -> "Reads";
      case WRITES -> "Writes";
      case ROWS -> "Rows";
      case BYTES -> "Bytes";
      case TIME -> "Processor ms";
      case ERRORS -> "Errors";
    };
  }

  private static double scaled(TrafficMetric metric, double value) {
    return metric == TrafficMetric.TIME ? value / 1e6 : value;
  }

  private static Table<Hot> hot(
      String id, String title, List<RegionTraffic> regions, boolean rows, Displays displays) {
    List<Hot> hot = new ArrayList<>();
    for (RegionTraffic region : regions) {
      (rows ? region.hot().rows(KEYS_MAX) : region.hot().prefixes(KEYS_MAX))
          .forEach(key -> hot.add(new Hot(region, rows, key)));
    }
    return Table.of(id, title, hot)
        .column("key", rows ? "Row" : "Prefix", Kind.NAME, displays::key)
        .column("table", "Table", Kind.NAME, one -> Value.name(one.region().table()))
        .column("requests", "Requests", Kind.PER_SECOND, one -> Value.perSecond(one.perSecond()))
        .column(
            "error",
            "Error, at most",
            Kind.PER_SECOND,
            one -> Value.perSecond(one.key().error() * 1_000 / one.region().millis()))
        .column(
            "share",
            "Share of the region",
            Kind.RATIO,
            one -> Value.ratio(Math.min(1, one.key().count() / one.region().hot().total())))
        .sortedBy("-requests")
        .whenEmpty("No region has traffic.")
        .build();
  }

  private static Table<SkippedRange> skipped(List<SkippedRange> ranges, Displays displays) {
    return Table.of("skipped", "Ranges in which scans skip rows", ranges)
        .column(
            "table",
            "Table",
            Kind.NAME,
            one -> Value.link(one.table(), "advice", "name", one.table()))
        .column("low", "From row", Kind.NAME, one -> displays.border(one.table(), one.low()))
        .column("high", "To row", Kind.NAME, one -> displays.border(one.table(), one.high()))
        .count("skipped", "Rows without a result", one -> Math.round(one.skipped()))
        .count("rows", "of rows looked at", one -> Math.round(one.rows()))
        .column("share", "Share", Kind.RATIO, one -> Value.ratio(one.share()))
        .count("scans", "Calls of scans", one -> Math.round(one.scans()))
        .sortedBy("-skipped")
        .whenEmpty("No sampled scan skipped rows.")
        .build();
  }

  private static Table<HeavyKey<Caller>> callers(List<HeavyKey<Caller>> callers) {
    return Table.of("callers", "Callers", callers)
        .column("user", "User", Kind.NAME, one -> Value.name(one.key().user()))
        .column("host", "Host", Kind.NAME, one -> Value.name(one.key().host().getHostAddress()))
        .column("calls", "Calls", Kind.PER_SECOND, one -> Value.perSecond(one.count()))
        .sortedBy("-calls")
        .whenEmpty("No caller was sampled.")
        .build();
  }
}
