package dev.cairn.shell.command;

import dev.cairn.shell.output.Output;
import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Group;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.run.TableMethods;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerTask;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.VersionInfo;

/** The commands of the group general. */
final class GeneralCommands {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

  private GeneralCommands() {}

  static List<Command> all() {
    return new Declarations(Group.GENERAL)
        .add(
            "status",
            0,
            2,
            "Prints the servers of the cluster and their load: in one line, 'simple' in a"
                + " line each, 'detailed' with all regions, 'tasks' with their tasks.",
            StatusCommand::run,
            "status",
            "status 'simple'",
            "status 'detailed'",
            "status 'tasks'")
        .add(
            "version",
            0,
            0,
            "Prints the version of this shell and of HBase's client in it.",
            GeneralCommands::version,
            "version")
        .add(
            "whoami",
            0,
            0,
            "Prints the user of this shell and its groups.",
            GeneralCommands::whoami,
            "whoami")
        .add(
            "table_help",
            0,
            0,
            "Explains references to tables.",
            GeneralCommands::tableHelp,
            "table_help")
        .add(
            "processlist",
            0,
            2,
            "Lists the compactions that the servers run at the moment: all, or those of a server."
                + " Servers report no other tasks; those of the master are in status 'tasks'.",
            GeneralCommands::tasks,
            "processlist",
            "processlist 'all'",
            "processlist 'general', 'host1'")
        .all();
  }

  private static Value version(Session session, Arguments arguments) {
    String own =
        Optional.ofNullable(GeneralCommands.class.getPackage().getImplementationVersion())
            .orElse("of unknown version");
    session
        .output()
        .line("Cairn " + own + ", with the client of HBase " + VersionInfo.getVersion());
    return Value.NIL;
  }

  private static Value whoami(Session session, Arguments arguments) throws IOException {
    User user = User.getCurrent();
    session.output().line(user.toString());
    String[] groups = user.getGroupNames();
    if (groups.length > 0) {
      session.output().line("    groups: " + String.join(", ", groups));
    }
    return Value.NIL;
  }

  private static Value tableHelp(Session session, Arguments arguments) {
    Output output = session.output();
    output.line("A reference to a table saves writing its name in each command:");
    output.line("");
    output.line("  hbase> t = create 't1', 'f'");
    output.line("  hbase> t = get_table 't1'");
    output.line("  hbase> t.put 'r1', 'f:q', 'value'");
    output.line("  hbase> t.scan");
    output.line("  hbase> t.disable; t.drop");
    output.line("");
    output.line("Commands of references: " + String.join(", ", new TreeSet<>(TableMethods.NAMES)));
    return Value.NIL;
  }

  private static Value tasks(Session session, Arguments arguments) throws IOException {
    List<String> words = arguments.names(0, "The kind of tasks or the server");
    String kind = words.isEmpty() ? "" : words.get(0);
    if (List.of("handler", "rpc", "operation").contains(kind)) {
      throw new ShellException(
          "processlist '"
              + kind
              + "' is not supported yet: servers report only compactions as tasks");
    }
    int named = List.of("all", "general").contains(kind) ? 1 : 0;
    String host = words.size() > named ? words.get(named) : "";
    List<ServerTask> tasks = new ArrayList<>();
    ClusterMetrics cluster =
        session
            .admin()
            .getClusterMetrics(
                EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS, ClusterMetrics.Option.TASKS));
    for (ServerMetrics server : cluster.getLiveServerMetrics().values()) {
      if (server.getServerName().toString().startsWith(host)) {
        tasks.addAll(server.getTasks());
      }
    }
    List<String> lines = new ArrayList<>();
    lines.add(tasks.size() + " tasks as of: " + TIME.format(LocalDateTime.now(session.clock())));
    if (tasks.isEmpty()) {
      lines.add("No compactions currently running; servers report no other tasks.");
    }
    for (ServerTask task : tasks) {
      Instant start = Instant.ofEpochMilli(task.getStartTime());
      lines.add(
          task.getState()
              + " since "
              + TIME.format(LocalDateTime.ofInstant(start, session.clock().getZone()))
              + ": "
              + task.getDescription()
              + ": "
              + task.getStatus());
    }
    session
        .output()
        .report(lines, Map.of("tasks", tasks.stream().<Object>map(StatusCommand::fields).toList()));
    return Value.NIL;
  }
}
