package dev.cairn.server.master.page;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.balancer.BalancerRun;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Section;
import dev.cairn.server.page.Section.Notice;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tables of the balancer: the load of servers, its runs, and their moves. Stateless. */
final class BalancerTables {
  private static final double NANOS_OF_MILLI = 1e6;

  private BalancerTables() {}

  /** A move of a run. */
  private record Moved(long atMillis, String text) {}

  static List<Section> sections(ClusterView cluster) {
    ClusterView.Balancing balancing = cluster.balancing();
    List<Section> sections = new ArrayList<>();
    boolean isOn = cluster.switches().getOrDefault(Switch.BALANCER, false);
    sections.add(
        new Notice(
            isOn ? Level.PLAIN : Level.WARN,
            "The balancer is "
                + (isOn ? "on" : "off (balance_switch)")
                + ". It has begun "
                + balancing.movesOfHour()
                + " moves within the last hour; "
                + balancing.moving()
                + " are waiting or under way."));
    Optional<String> notice = balancing.notice();
    notice.ifPresent(text -> sections.add(new Notice(Level.WARN, text)));
    sections.add(loads(balancing.loads()));
    sections.add(runs(balancing.runs()));
    sections.add(moves(balancing.runs()));
    return sections;
  }

  private static Table<Map.Entry<ServerName, Double>> loads(Map<ServerName, Double> loads) {
    double mean = loads.values().stream().mapToDouble(one -> one).average().orElse(0);
    return Table.of("loads", "Load", loads.entrySet())
        .column("server", "Server", Kind.NAME, entry -> Value.name(entry.getKey().hostAndPort()))
        .column(
            "cpuMillis",
            "Processor time, ms",
            Kind.PER_SECOND,
            entry -> Value.perSecond(entry.getValue() / NANOS_OF_MILLI))
        .column(
            "ofMean",
            "Of the mean",
            Kind.RATIO,
            entry -> mean == 0 ? Value.NONE : Value.ratio(entry.getValue() / mean))
        .whenEmpty("No region server is ready.")
        .build();
  }

  private static Table<BalancerRun> runs(List<BalancerRun> runs) {
    return Table.of("runs", "Runs", runs)
        .time("atMillis", "At", BalancerRun::atMillis)
        .text("cause", "Because of", run -> run.cause().label())
        .count("moves", "Moves", run -> run.moves().size())
        .column("before", "Imbalance", Kind.RATIO, run -> Value.ratio(run.imbalanceBefore()))
        .column("after", "After", Kind.RATIO, run -> Value.ratio(run.imbalanceAfter()))
        .text("result", "Result", BalancerRun::result)
        .text("parts", "Parts of the imbalance", BalancerRun::partsBefore)
        .sortedBy("-atMillis")
        .whenEmpty("The balancer has not run since this master became active.")
        .build();
  }

  private static Table<Moved> moves(List<BalancerRun> runs) {
    List<Moved> moves =
        runs.stream()
            .flatMap(run -> run.moves().stream().map(move -> new Moved(run.atMillis(), move)))
            .toList();
    return Table.of("moves", "Planned moves", moves)
        .time("atMillis", "At", Moved::atMillis)
        .text("move", "Move", Moved::text)
        .sortedBy("-atMillis")
        .whenEmpty("The balancer has planned no moves since this master became active.")
        .build();
  }
}
