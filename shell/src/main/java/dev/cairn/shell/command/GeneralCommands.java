package dev.cairn.shell.command;

import dev.cairn.shell.output.Output;
import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Group;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.TableMethods;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
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
            "Prints the servers of the cluster and their load: in one line, 'simple' in a line each,"
                + " 'detailed' with all regions, 'tasks' with what they do.",
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
            "Lists what the servers do at the moment: 'all' tasks, 'general' ones, or those of a"
                + " server.",
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
    String host =
        arguments.size() > 1
            ? arguments.letters(1, "The server")
            : arguments.names(0, "The kind of tasks").stream()
                .filter(
                    kind ->
                        !List.of("all", "general", "handler", "rpc", "operation").contains(kind))
                .findFirst()
                .orElse("");
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
    session
        .output()
        .line(tasks.size() + " tasks as of: " + TIME.format(LocalDateTime.now(session.clock())));
    if (tasks.isEmpty()) {
      session.output().line("No general tasks currently running.");
    }
    for (ServerTask task : tasks) {
      session
          .output()
          .line(
              task.getState()
                  + " since "
                  + TIME.format(
                      LocalDateTime.ofInstant(
                          Instant.ofEpochMilli(task.getStartTime()), session.clock().getZone()))
                  + ": "
                  + task.getDescription()
                  + ": "
                  + task.getStatus());
    }
    return Value.NIL;
  }
}
