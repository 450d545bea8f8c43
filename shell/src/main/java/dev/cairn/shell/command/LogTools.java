package dev.cairn.shell.command;

import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Conversions;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.LogEntry;
import org.apache.hadoop.hbase.client.ServerType;

/** The tools that show the records of servers: slow and large calls, and balancer decisions. */
final class LogTools {
  private static final int LIMIT = 10;

  private LogTools() {}

  static void declare(Declarations tools) {
    calls(tools, "get_slowlog_responses", "SLOW_LOG", "slow");
    calls(tools, "get_largelog_responses", "LARGE_LOG", "large");
    tools
        .add(
            "clear_slowlog_responses",
            0,
            1,
            "Forgets the slow and large calls of all servers, or of those that are named.",
            LogTools::clear,
            "clear_slowlog_responses",
            "clear_slowlog_responses ['host1,16020,1700000000000']")
        .add(
            "get_balancer_decisions",
            0,
            1,
            "Prints the last decisions of the balancer.",
            (session, arguments) ->
                ofMaster(session, arguments, "BALANCER_DECISION", "BalancerDecision Responses"),
            "get_balancer_decisions LIMIT => 20")
        .with(List.of("LIMIT"))
        .add(
            "get_balancer_rejections",
            0,
            1,
            "Prints the last reasons why the balancer moved no region.",
            (session, arguments) ->
                ofMaster(session, arguments, "BALANCER_REJECTION", "BalancerRejection Responses"),
            "get_balancer_rejections LIMIT => 20")
        .with(List.of("LIMIT"));
  }

  private static void calls(Declarations tools, String name, String log, String kind) {
    tools
        .add(
            name,
            1,
            2,
            "Prints the last "
                + kind
                + " calls of servers, '*' for all, as JSON. The options choose calls; they must all"
                + " match unless FILTER_BY_OP is 'OR'.",
            (session, arguments) -> calls(session, arguments, log),
            name + " '*'",
            name + " 'host1,16020,1700000000000', {TABLE_NAME => 't1', LIMIT => 20}")
        .with(List.of("LIMIT", "TABLE_NAME", "REGION_NAME", "CLIENT_IP", "USER", "FILTER_BY_OP"));
  }

  private static Set<ServerName> servers(Session session, Value value) throws IOException {
    Set<ServerName> servers = new HashSet<>();
    for (Value name : Conversions.list(value)) {
      String letters = Conversions.letters(name, "A server");
      if (letters.equals("*")) {
        servers.addAll(session.admin().getRegionServers());
      } else {
        servers.add(Names.server(letters));
      }
    }
    return servers;
  }

  private static Value calls(Session session, Arguments arguments, String log) throws IOException {
    Options options = arguments.options();
    int limit = options.integer("LIMIT").orElse(LIMIT);
    Map<String, Object> filter = new HashMap<>();
    options.letters("TABLE_NAME").ifPresent(text -> filter.put("tableName", text));
    options.letters("REGION_NAME").ifPresent(text -> filter.put("regionName", text));
    options.letters("CLIENT_IP").ifPresent(text -> filter.put("clientAddress", text));
    options.letters("USER").ifPresent(text -> filter.put("userName", text));
    options.letters("FILTER_BY_OP").ifPresent(text -> filter.put("filterByOperator", text));
    options.requireNoMore("The log");
    print(
        session,
        (log.equals("SLOW_LOG") ? "SlowLog" : "LargeLog") + " Responses from RegionServers",
        session
            .admin()
            .getLogEntries(
                servers(session, arguments.get(0)), log, ServerType.REGION_SERVER, limit, filter));
    return Value.NIL;
  }

  private static Value ofMaster(Session session, Arguments arguments, String log, String what)
      throws IOException {
    Options options = arguments.options();
    int limit = options.integer("LIMIT").orElse(LIMIT);
    options.requireNoMore("The log");
    print(
        session,
        what,
        session.admin().getLogEntries(null, log, ServerType.MASTER, limit, Map.of()));
    return Value.NIL;
  }

  private static void print(Session session, String what, List<LogEntry> entries) {
    session.output().line("Retrieved " + what);
    entries.forEach(entry -> session.output().line(CallText.of(entry)));
  }

  private static Value clear(Session session, Arguments arguments) throws IOException {
    Set<ServerName> servers =
        arguments.size() == 0
            ? new HashSet<>(session.admin().getRegionServers())
            : servers(session, arguments.get(0));
    List<Boolean> cleared = session.admin().clearSlowLogResponses(servers);
    session
        .output()
        .line(
            "Cleared Slowlog responses from "
                + cleared.stream().filter(Boolean::booleanValue).count()
                + "/"
                + servers.size()
                + " RegionServers");
    return Value.NIL;
  }
}
