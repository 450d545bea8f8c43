package dev.cairn.server.log;

import dev.cairn.server.log.ServerLog.LogLevel;
import dev.cairn.server.log.ServerLog.LogLine;
import dev.cairn.server.log.ServerLog.LoggerLevel;
import dev.cairn.server.page.Action;
import dev.cairn.server.page.Endpoint;
import dev.cairn.server.page.Facts.Fact;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Page;
import dev.cairn.server.page.PageException;
import dev.cairn.server.page.PageInfo;
import dev.cairn.server.page.PageInfo.MenuGroup;
import dev.cairn.server.page.PageRequest;
import dev.cairn.server.page.PageSource;
import dev.cairn.server.page.Section.Tiles;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import dev.cairn.server.page.WebParts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pages of the server's log: its latest lines, and the levels of its loggers. Levels are
 * changed by an action. {@code /logLevel} is the address at which HBase's and Hadoop's commands ask
 * for a level. Thread-safe.
 */
public final class LogPages {
  /** The page of the latest lines; they may contain requests of clients. */
  public static final String LINES = "log";

  private static final String LEVELS = "levels";
  private static final String SET_LEVEL = "set-log-level";
  private static final String INHERITED = "INHERITED";

  private final ServerLog log;

  /** Creates the pages of a log. */
  public LogPages(ServerLog log) {
    this.log = log;
  }

  /** Returns the pages of the log for the web server. */
  public WebParts parts() {
    PageInfo lines =
        PageInfo.of(
                LINES,
                "Log",
                MenuGroup.PROCESS,
                "The latest lines of this process's log, the latest first.")
            .with("level", "the lowest severity, such as `WARN`; all lines unless given", false);
    PageInfo levels =
        PageInfo.of(
            LEVELS,
            "Log levels",
            MenuGroup.PROCESS,
            "The loggers of this process and their levels.");
    return new WebParts(
            List.of(PageSource.of(lines, this::lines), PageSource.of(levels, request -> levels())),
            List.of(
                new Endpoint(
                    "/logLevel",
                    "The level of a logger in Hadoop's form: `log=NAME`",
                    this::hadoop)),
            List.of())
        .with(List.of(setLevel()));
  }

  private Page lines(PageRequest request) throws PageException {
    LogLevel lowest = LogLevel.TRACE;
    Optional<String> wanted = request.parameter("level").filter(text -> !text.isEmpty());
    if (wanted.isPresent()) {
      lowest = level(wanted.get());
    }
    LogLevel least = lowest;
    List<LogLine> all = log.lines();
    return Page.of(
        "Log",
        new Tiles(
            "severities",
            List.of(
                severity("errors", "Errors", all, LogLevel.ERROR),
                severity("warnings", "Warnings or worse", all, LogLevel.WARN),
                severity("lines", "All lines", all, LogLevel.TRACE))),
        Table.of(
                "lines", "Latest lines", all.stream().filter(one -> isAtLeast(one, least)).toList())
            .time("timeMillis", "Time", LogLine::timeMillis)
            .column("level", "Level", Kind.STATE, line -> state(line.level()))
            .text("message", "Message", LogLine::message)
            .column("logger", "Logger", Kind.NAME, line -> Value.name(line.logger()))
            .column("thread", "Thread", Kind.NAME, line -> Value.name(line.thread()))
            .whenEmpty("There are no such lines.")
            .build());
  }

  private static boolean isAtLeast(LogLine line, LogLevel level) {
    return line.level().compareTo(level) >= 0;
  }

  private static Fact severity(String id, String title, List<LogLine> all, LogLevel lowest) {
    long count = all.stream().filter(line -> isAtLeast(line, lowest)).count();
    return new Fact(
        id, title, new Value.Link(Value.count(count), LINES, Map.of("level", lowest.name())));
  }

  private static Value state(LogLevel level) {
    Level shown =
        switch (level) {
          case ERROR -> Level.BAD;
          case WARN -> Level.WARN;
          default -> Level.PLAIN;
        };
    return Value.state(shown, level.name());
  }

  private Page levels() {
    return Page.of(
        "Log levels",
        Table.of("loggers", "Loggers", log.loggers())
            .column("logger", "Logger", Kind.NAME, one -> Value.name(one.logger()))
            .column(
                "effective",
                "Logs from",
                Kind.STATE,
                one -> Value.state(Level.PLAIN, one.effective().name()))
            .column(
                "own",
                "Own level",
                Kind.TEXT,
                one -> Value.orNone(one.own().map(level -> Value.text(level.name()))))
            .column(
                "change",
                "Change it",
                Kind.TEXT,
                one ->
                    new Value.Link(
                        Value.text("Change"),
                        "actions/" + SET_LEVEL,
                        Map.of("log", one.logger(), "level", one.effective().name())))
            .build());
  }

  private Action setLevel() {
    List<String> choices =
        new ArrayList<>(Arrays.stream(LogLevel.values()).map(Enum::name).toList());
    choices.add(INHERITED);
    return new Action(
        SET_LEVEL,
        "Set the level",
        "Sets the level of a logger until the process ends. DEBUG and TRACE of much-used loggers"
            + " slow the server down.",
        List.of(Action.Input.text("log", "Logger"), new Action.Input("level", "Level", choices)),
        LEVELS,
        request -> {
          String name = checked(request.require("log"));
          LoggerLevel now = log.setLevel(name, LogLevel.of(request.require("level")));
          return "The logger " + name + " logs from " + now.effective() + " on.";
        });
  }

  private static LogLevel level(String name) throws PageException {
    return LogLevel.of(name)
        .orElseThrow(
            () ->
                PageException.badRequest(
                    "'level' must be one of " + Arrays.toString(LogLevel.values())));
  }

  /** Returns the name of a logger, which needs no escaping. */
  private static String checked(String name) throws PageException {
    if (!name.matches("[A-Za-z0-9_.$-]{1,500}")) {
      throw PageException.badRequest("'" + name + "' is not the name of a logger.");
    }
    return name;
  }

  /** Answers in the lines that Hadoop's command prints: those that begin with its marker. */
  private Endpoint.Content hadoop(PageRequest request) throws PageException {
    String name =
        checked(
            request
                .parameter("log")
                .orElseThrow(() -> PageException.badRequest("Ask with /logLevel?log=NAME.")));
    if (request.parameter("level").isPresent()) {
      throw PageException.badRequest(
          "Levels are set by POST only: /actions/" + SET_LEVEL + "?log=" + name);
    }
    String marker = "<!-- OUTPUT -->";
    return new Endpoint.Content(
        "text/html",
        marker
            + "Submitted Class Name: <b>"
            + name
            + "</b><br>\n"
            + marker
            + "Effective Level: <b>"
            + log.logger(name).effective()
            + "</b><br>\n");
  }
}
