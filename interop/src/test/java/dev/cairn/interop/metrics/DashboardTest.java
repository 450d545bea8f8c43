package dev.cairn.interop.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

/** {@code docs/grafana-dashboard.json} asks for series and labels that a server has. */
class DashboardTest {
  private static final Path FILE = Path.of("..", "docs", "grafana-dashboard.json");
  private static final Pattern SERIES = Pattern.compile("cairn_\\w+");
  private static final Pattern LABEL = Pattern.compile("([a-z]+)(?:=~?\"|=)");
  private static final Pattern GROUPING = Pattern.compile("by \\(([^)]*)\\)");
  private static final Pattern LEGEND = Pattern.compile("\\{\\{(\\w+)}}");

  /** Labels that Prometheus adds. */
  private static final Set<String> ADDED = Set.of("instance", "job");

  private final JsonObject dashboard =
      JsonParser.parseString(Files.readString(FILE)).getAsJsonObject();

  DashboardTest() throws IOException {}

  @Test
  void eachQueryAsksForSeriesAndLabelsOfARealServer() throws IOException {
    Set<String> known = new HashSet<>();
    try (MeasuredServer server = MeasuredServer.start("cairn.metrics.histograms", "true")) {
      for (String line : server.get("/metrics").split("\n")) {
        String name = line.replaceAll("[{ ].*", "");
        known.add(name);
        Matcher label = Pattern.compile("([a-z]+)=\"").matcher(line);
        while (label.find()) {
          known.add(name + "/" + label.group(1));
        }
      }
    }
    List<JsonObject> queries = queries();
    assertThat(queries).hasSizeGreaterThan(30);
    for (JsonObject query : queries) {
      String expression = query.get("expr").getAsString();
      Set<String> labels = new TreeSet<>();
      find(LEGEND, query.get("legendFormat").getAsString(), labels);
      find(LABEL, expression, labels);
      for (String group : all(GROUPING, expression)) {
        labels.addAll(List.of(group.split(", ")));
      }
      labels.removeAll(ADDED);
      List<String> series = all(SERIES, expression);
      assertThat(series).as(expression).isNotEmpty();
      for (String name : series) {
        assertThat(known).as(expression).contains(name);
        assertThat(labels).as(expression).allMatch(label -> known.contains(name + "/" + label));
      }
    }
    for (JsonElement variable : dashboard.getAsJsonObject("templating").getAsJsonArray("list")) {
      JsonElement query = variable.getAsJsonObject().get("query");
      if (query.isJsonObject()) {
        assertThat(known)
            .containsAll(all(SERIES, query.getAsJsonObject().get("query").getAsString()));
      }
    }
  }

  @Test
  void panelsHaveNumbersOfTheirOwnAndDoNotOverlap() {
    Set<Integer> numbers = new HashSet<>();
    Set<String> places = new HashSet<>();
    for (JsonElement element : dashboard.getAsJsonArray("panels")) {
      JsonObject panel = element.getAsJsonObject();
      assertThat(numbers.add(panel.get("id").getAsInt())).isTrue();
      JsonObject place = panel.getAsJsonObject("gridPos");
      for (int x = 0; x < place.get("w").getAsInt(); x++) {
        for (int y = 0; y < place.get("h").getAsInt(); y++) {
          int column = place.get("x").getAsInt() + x;
          assertThat(column).isLessThan(24);
          assertThat(places.add(column + "," + (place.get("y").getAsInt() + y)))
              .as(panel.get("title").getAsString())
              .isTrue();
        }
      }
    }
  }

  private List<JsonObject> queries() {
    List<JsonObject> queries = new ArrayList<>();
    for (JsonElement panel : dashboard.getAsJsonArray("panels")) {
      if (panel.getAsJsonObject().has("targets")) {
        panel
            .getAsJsonObject()
            .getAsJsonArray("targets")
            .forEach(target -> queries.add(target.getAsJsonObject()));
      }
    }
    return queries;
  }

  private static void find(Pattern pattern, String text, Set<String> to) {
    to.addAll(all(pattern, text));
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(match -> match.groupCount() == 0 ? match.group() : match.group(1))
        .toList();
  }
}
