package dev.cairn.server.process;

import dev.cairn.server.health.HealthReport;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.health.HealthStatus;
import dev.cairn.server.http.ServerStatus;
import dev.cairn.server.page.Facts;
import dev.cairn.server.page.Facts.Fact;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The overview: parts of each server of the process, then facts about the process and its health.
 */
final class OverviewPage implements PageSource {
  private final Supplier<List<HostedServer>> servers;
  private final Supplier<ServerStatus> status;
  private final Supplier<HealthReport> health;

  OverviewPage(
      Supplier<List<HostedServer>> servers,
      Supplier<ServerStatus> status,
      Supplier<HealthReport> health) {
    this.servers = servers;
    this.status = status;
    this.health = health;
  }

  @Override
  public PageInfo info() {
    return PageInfo.of(
            PageInfo.OVERVIEW,
            "Overview",
            MenuGroup.CLUSTER,
            "Key numbers, servers, tables, health, and facts about the process.")
        .alsoAt("index.html", "master-status", "rs-status");
  }

  @Override
  public Page build(PageRequest request) {
    List<Section> sections = new ArrayList<>();
    for (HostedServer server : servers.get()) {
      try {
        sections.addAll(server.overview(servers.get().size() == 1));
      } catch (PageException e) {
        sections.add(new Notice(Level.WARN, e.getMessage()));
      }
    }
    sections.add(checks(health.get()));
    sections.add(facts(status.get()));
    return new Page("Overview", sections);
  }

  private static Section checks(HealthReport report) {
    return Table.of("health", "Health", report.checks())
        .text("check", "Check", HealthReport.Entry::name)
        .column("status", "Status", Kind.STATE, entry -> state(entry.result()))
        .text("message", "Message", entry -> entry.result().message())
        .build();
  }

  private static Value state(HealthResult result) {
    return state(result.status());
  }

  /** Returns a health status as a value. */
  static Value.State state(HealthStatus status) {
    return new Value.State(
        switch (status) {
          case OK -> Level.GOOD;
          case WARN -> Level.WARN;
          case FAIL -> Level.BAD;
        },
        status.word());
  }

  /** Returns the facts; equal names are numbered in JSON. */
  private static Section facts(ServerStatus status) {
    List<Fact> facts = new ArrayList<>();
    for (ServerStatus.Fact fact : status.facts()) {
      String id = id(fact.name());
      long same = facts.stream().filter(known -> known.title().equals(fact.name())).count();
      facts.add(new Fact(same == 0 ? id : id + (same + 1), fact.name(), Value.text(fact.value())));
    }
    return new Facts("process", "Process", facts);
  }

  private static String id(String name) {
    StringBuilder id = new StringBuilder();
    for (String word : name.split(" ")) {
      String lower = word.toLowerCase(Locale.ROOT);
      id.append(
          id.length() == 0
              ? lower
              : lower.substring(0, 1).toUpperCase(Locale.ROOT) + lower.substring(1));
    }
    return id.toString();
  }
}
