package dev.cairn.server.advise.page;

import dev.cairn.server.advise.Advice;
import dev.cairn.server.advise.AdviceText;
import dev.cairn.server.advise.Adviser;
import dev.cairn.server.advise.Finding;
import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.advise.Finding.Evidence;
import dev.cairn.server.advise.Finding.Proposal;
import dev.cairn.server.advise.ReportJson;
import dev.cairn.server.advise.TableReport;
import dev.cairn.server.page.Endpoint;
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
import dev.cairn.server.page.Section.TextBlock;
import dev.cairn.server.page.Section.Tiles;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import dev.cairn.server.page.WebParts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The adviser's page. Thread-safe if the tables are. */
public final class AdvicePages {
  /** The address of a server's report on the table whose name follows. */
  public static final String REPORT = "/api/v1/advice/";

  /** More tables would make the list slow. */
  private static final int TABLES_MAX = 100;

  private final KnownTables tables;

  /** Creates the page. */
  public AdvicePages(KnownTables tables) {
    this.tables = tables;
  }

  /** Returns the page, and the address of reports. */
  public WebParts parts() {
    return new WebParts(
        List.of(
            PageSource.of(
                PageInfo.of(
                        "advice",
                        "Advice",
                        MenuGroup.SERVER,
                        "The adviser's findings about the tables of this server.")
                    .with("name", "the table's name; all tables unless given", false),
                this::page)),
        List.of(
            new Endpoint(
                REPORT,
                "Sampled calls and figures of files of the table that follows, for bin/cairn"
                    + " advise.",
                this::report)),
        List.of());
  }

  private Endpoint.Content report(PageRequest request) throws PageException {
    String table = request.page().substring(REPORT.length() - 1);
    return new Endpoint.Content("application/json", ReportJson.of(known(table)) + "\n");
  }

  private TableReport known(String table) throws PageException {
    return tables
        .report(table)
        .orElseThrow(
            () -> PageException.notFound("This server has no region of a table " + table + "."));
  }

  private Page page(PageRequest request) throws PageException {
    Optional<String> name = request.parameter("name");
    return name.isPresent() ? ofTable(advice(known(name.get()))) : ofAll();
  }

  private Advice advice(TableReport report) {
    return Adviser.on(TableReport.together(List.of(report), tables.servers()));
  }

  private static Notice scope() {
    return new Notice(
        Level.PLAIN,
        "From the regions and calls of this server. bin/cairn advise asks all servers.");
  }

  private Page ofAll() {
    List<Advice> all =
        tables.names().stream()
            .limit(TABLES_MAX)
            .flatMap(name -> tables.report(name).stream())
            .map(this::advice)
            .toList();
    return Page.of(
        "Advice",
        scope(),
        Table.of("tables", "Tables", all)
            .column(
                "table",
                "Table",
                Kind.NAME,
                one -> Value.link(one.table(), "advice", "name", one.table()))
            .column("state", "Advice", Kind.STATE, one -> state(one))
            .text("findings", "Findings", AdvicePages::titles)
            .count("calls", "Sampled calls", Advice::calls)
            .whenEmpty("This server has no region of a table.")
            .build());
  }

  private static Value state(Advice advice) {
    return switch (advice.verdict()) {
      case FINDINGS -> Value.state(Level.WARN, advice.findings().size() + " to do");
      case NOTHING_TO_DO -> Value.state(Level.GOOD, "nothing to do");
      case TOO_FEW_CALLS -> Value.state(Level.PLAIN, "too few calls");
    };
  }

  private static String titles(Advice advice) {
    return advice.findings().stream()
        .map(one -> one.rule().title())
        .collect(Collectors.joining("; "));
  }

  private static Page ofTable(Advice advice) {
    List<Section> sections = new ArrayList<>();
    sections.add(scope());
    advice.gaps().forEach(gap -> sections.add(new Notice(Level.PLAIN, gap)));
    sections.add(
        new Tiles(
            "summary",
            List.of(
                new Fact("state", "Advice", state(advice)),
                new Fact("calls", "Sampled calls", Value.count(advice.calls())),
                new Fact("millis", "Seen for", Value.millis(1_000 * advice.seconds())))));
    for (int i = 0; i < advice.findings().size(); i++) {
      sections.addAll(finding("finding" + (i + 1), advice.findings().get(i)));
    }
    return new Page("Advice on " + advice.table(), sections);
  }

  private static List<Section> finding(String id, Finding finding) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("rule", "Rule", Value.name(finding.rule().id())));
    facts.add(new Fact("problem", "Problem", Value.text(finding.sentence())));
    for (int i = 0; i < finding.evidence().size(); i++) {
      Evidence one = finding.evidence().get(i);
      facts.add(new Fact("evidence" + (i + 1), one.what(), value(one.unit(), one.value())));
    }
    List<Section> sections = new ArrayList<>();
    sections.add(new Facts(id, finding.rule().title(), facts));
    sections.add(
        Table.of(id + "Proposals", "What to do", finding.proposals())
            .text("proposal", "Proposal", Proposal::sentence)
            .text("effect", "Effect on what was seen", one -> AdviceText.effect(one.effect()))
            .build());
    String commands =
        finding.proposals().stream()
            .flatMap(one -> one.commands().stream())
            .collect(Collectors.joining("\n"));
    if (!commands.isEmpty()) {
      sections.add(new TextBlock(id + "Commands", "Commands for the shell", commands));
    }
    return sections;
  }

  private static Value value(Effect.Unit unit, double value) {
    return switch (unit) {
      case SHARE -> Value.ratio(value);
      case BYTES -> Value.bytes(Math.round(value));
      case COUNT -> Value.count(Math.round(value));
    };
  }
}
