package dev.cairn.tools.overview;

import dev.cairn.tools.overview.ClusterOverview.Node;
import dev.cairn.tools.overview.ClusterOverview.Task;
import dev.cairn.tools.overview.ClusterOverview.Transition;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Prints the state of a cluster as text.
 *
 * @param out receives the text
 */
public record OverviewText(PrintWriter out) {
  private static final int TRANSITIONS_MAX = 20;

  /** Prints everything. */
  public void print(ClusterOverview cluster) {
    out.println("Cluster " + cluster.clusterId() + ":");
    int width = cluster.nodes().stream().mapToInt(node -> node.name().length()).max().orElse(0);
    for (Node node : cluster.nodes()) {
      out.println(line(node, width));
    }
    cluster.dead().forEach(server -> line("dead", server));
    for (Task task : cluster.tasks()) {
      line(
          "task",
          "%s, for %s: %s"
              .formatted(
                  task.description(),
                  age(cluster.timeMillis() - task.sinceMillis()),
                  task.status()));
    }
    List<Transition> transitions = cluster.transitions();
    transitions.stream()
        .limit(TRANSITIONS_MAX)
        .forEach(
            one ->
                line(
                    "in transition",
                    "%s: %s%s, for %s"
                        .formatted(
                            one.region(),
                            one.state(),
                            one.server().map(server -> " at " + server).orElse(""),
                            age(cluster.timeMillis() - one.sinceMillis()))));
    if (transitions.size() > TRANSITIONS_MAX) {
      line("in transition", transitions.size() - TRANSITIONS_MAX + " more");
    }
    cluster.problems().forEach(problem -> line("problem", problem));
  }

  private static String line(Node node, int width) {
    List<String> facts = new ArrayList<>();
    node.regions().ifPresent(count -> facts.add(count + (count == 1 ? " region" : " regions")));
    node.skewMillis().ifPresent(skew -> facts.add("clock %+d ms".formatted(skew)));
    node.sessionMillis().ifPresent(session -> facts.add("session " + session + " ms"));
    facts.add("health " + node.health());
    return "  %-14s %s%s  %s"
        .formatted(
            node.role().title(),
            node.name(),
            " ".repeat(width - node.name().length()),
            facts.stream().collect(Collectors.joining(", ")));
  }

  private void line(String name, String value) {
    out.println("  %-14s %s".formatted(name, value));
  }

  private static String age(long millis) {
    return String.format(Locale.ROOT, "%.1f s", Math.max(0, millis) / 1000.0);
  }
}
