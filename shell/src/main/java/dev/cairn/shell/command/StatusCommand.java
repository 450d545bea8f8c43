package dev.cairn.shell.command;

import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.ServerTask;

/** The command {@code status}. */
final class StatusCommand {
  private StatusCommand() {}

  static Value run(Session session, Arguments arguments) throws IOException {
    String format = arguments.find(0).isEmpty() ? "summary" : arguments.letters(0, "The format");
    ClusterMetrics cluster = session.admin().getClusterMetrics();
    Report report = new Report();
    switch (format.toLowerCase(Locale.ROOT)) {
      case "summary" -> summary(cluster, report);
      case "simple" -> simple(cluster, report);
      case "detailed" -> detailed(cluster, report);
      case "tasks" -> tasks(cluster, report);
      case "replication" -> throw new ShellException("status 'replication' is not supported yet");
      default ->
          throw new ShellException(
              "The format must be 'summary', 'simple', 'detailed' or 'tasks', not '"
                  + format
                  + "'");
    }
    session.output().report(report.lines(), report.fields());
    return Value.NIL;
  }

  /** The lines of text output, and the fields of JSON output. */
  private record Report(List<String> lines, Map<String, Object> fields) {
    Report() {
      this(new ArrayList<>(), new LinkedHashMap<>());
    }

    void line(String line) {
      lines.add(line);
    }
  }

  private static void summary(ClusterMetrics cluster, Report report) {
    int masters = cluster.getMasterName() == null ? 0 : 1;
    report.line(
        String.format(
            Locale.ROOT,
            "%d active master, %d backup masters, %d servers, %d dead, %.4f average load",
            masters,
            cluster.getBackupMasterNames().size(),
            cluster.getLiveServerMetrics().size(),
            cluster.getDeadServerNames().size(),
            cluster.getAverageLoad()));
    report.fields().put("active_masters", masters);
    report.fields().put("backup_masters", cluster.getBackupMasterNames().size());
    report.fields().put("live_servers", cluster.getLiveServerMetrics().size());
    report.fields().put("dead_servers", cluster.getDeadServerNames().size());
    report.fields().put("average_load", cluster.getAverageLoad());
  }

  private static String address(ServerName server) {
    return server.getHostname() + ":" + server.getPort() + " " + server.getStartCode();
  }

  private static List<String> texts(Collection<?> items) {
    return items.stream().map(Object::toString).toList();
  }

  private static void masters(ClusterMetrics cluster, Report report) {
    ServerName active = cluster.getMasterName();
    if (active != null) {
      report.line("active master:  " + address(active));
    }
    report.line(cluster.getBackupMasterNames().size() + " backup masters");
    cluster.getBackupMasterNames().forEach(server -> report.line("    " + address(server)));
    report.fields().put("active_master", active == null ? null : active.toString());
    report.fields().put("backup_masters", texts(cluster.getBackupMasterNames()));
  }

  private static void dead(ClusterMetrics cluster, Report report) {
    report.line(cluster.getDeadServerNames().size() + " dead servers");
    cluster.getDeadServerNames().forEach(server -> report.line("    " + server));
    report.fields().put("dead_servers", texts(cluster.getDeadServerNames()));
  }

  /** Reports a server's load, and returns its fields. */
  private static Map<String, Object> server(ServerMetrics server, Report report) {
    Map<String, Object> figures = LoadFigures.of(server);
    report.line("    " + address(server.getServerName()));
    report.line("        " + LoadFigures.text(figures));
    return named("server", server.getServerName().toString(), figures);
  }

  private static Map<String, Object> named(String kind, String name, Map<String, Object> figures) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(kind, name);
    fields.putAll(figures);
    return fields;
  }

  private static void simple(ClusterMetrics cluster, Report report) {
    masters(cluster, report);
    report.line(cluster.getLiveServerMetrics().size() + " live servers");
    List<Object> servers = new ArrayList<>();
    long load = 0;
    for (ServerMetrics server : cluster.getLiveServerMetrics().values()) {
      servers.add(server(server, report));
      load += server.getRequestCountPerSecond();
    }
    report.fields().put("live_servers", servers);
    dead(cluster, report);
    report.line("Aggregate load: " + load + ", regions: " + cluster.getRegionCount());
    report.fields().put("aggregate_load", load);
    report.fields().put("region_count", cluster.getRegionCount());
  }

  private static void detailed(ClusterMetrics cluster, Report report) {
    report.line("version " + cluster.getHBaseVersion());
    report.line(cluster.getRegionStatesInTransition().size() + " regionsInTransition");
    cluster.getRegionStatesInTransition().forEach(state -> report.line("    " + state));
    report.fields().put("version", cluster.getHBaseVersion());
    report.fields().put("regions_in_transition", texts(cluster.getRegionStatesInTransition()));
    masters(cluster, report);
    report.line("master coprocessors: " + cluster.getMasterCoprocessorNames());
    report.fields().put("master_coprocessors", texts(cluster.getMasterCoprocessorNames()));
    report.line(cluster.getLiveServerMetrics().size() + " live servers");
    List<Object> servers = new ArrayList<>();
    for (ServerMetrics server : cluster.getLiveServerMetrics().values()) {
      Map<String, Object> fields = server(server, report);
      List<Object> regions = new ArrayList<>();
      for (RegionMetrics region : server.getRegionMetrics().values()) {
        Map<String, Object> figures = LoadFigures.of(region);
        report.line("        \"" + region.getNameAsString() + "\"");
        report.line("            " + LoadFigures.text(figures));
        regions.add(named("region", region.getNameAsString(), figures));
      }
      fields.put("regions", regions);
      servers.add(fields);
    }
    report.fields().put("live_servers", servers);
    dead(cluster, report);
  }

  /** Reports the recoveries and procedures of the master, and the compactions of each server. */
  private static void tasks(ClusterMetrics cluster, Report report) {
    report.fields().put("master", tasks("master", cluster.getMasterTasks(), report));
    List<Object> servers = new ArrayList<>();
    new TreeMap<>(cluster.getLiveServerMetrics())
        .forEach(
            (name, server) -> {
              List<Object> tasks = tasks(address(name), server.getTasks(), report);
              servers.add(named("server", name.toString(), Map.of("tasks", tasks)));
            });
    report.fields().put("live_servers", servers);
  }

  private static List<Object> tasks(String owner, List<ServerTask> tasks, Report report) {
    report.line(owner + ": " + tasks.size() + " tasks");
    for (ServerTask task : tasks) {
      report.line("    " + task.getState() + " " + task.getDescription() + ": " + task.getStatus());
    }
    return tasks.stream().<Object>map(StatusCommand::fields).toList();
  }

  /** Returns a task as JSON output shows it. */
  static Map<String, Object> fields(ServerTask task) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("state", String.valueOf(task.getState()));
    fields.put("description", task.getDescription());
    fields.put("status", task.getStatus());
    fields.put("start_time", task.getStartTime());
    return fields;
  }
}
