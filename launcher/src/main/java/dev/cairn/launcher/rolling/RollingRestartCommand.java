package dev.cairn.launcher.rolling;

import dev.cairn.launcher.client.RunningServer;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.tools.rolling.RollingRestart;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn rolling-restart}. */
@Command(
    name = "rolling-restart",
    description = {
      "Restarts the masters and region servers of a running cluster, one after the other. The"
          + " regions of a region server move away before it stops, and back after it has started.",
      "Stops if the cluster is not well: a server is dead or does not come back, or a region is in"
          + " transition for too long. The next run continues where this one stopped."
    },
    mixinStandardHelpOptions = true)
public final class RollingRestartCommand implements Callable<Integer> {
  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Option(names = "--masters", description = "Restart masters; without --servers, only them.")
  private boolean masters;

  @Option(
      names = "--servers",
      description = "Restart region servers; without --masters, only them.")
  private boolean servers;

  @Option(
      names = "--only",
      paramLabel = "HOST[,PORT]",
      split = ";",
      description = "Restart only these processes; may be repeated.")
  private List<String> only = List.of();

  @Option(
      names = "--restart-command",
      paramLabel = "COMMAND",
      description = {
        "The command that stops a process and starts it again, run by bash on this machine. {host},"
            + " {port} and {role} (master or regionserver) stand for the process.",
        "Example: 'ssh {host} \"/opt/cairn/bin/cairn stop {role}; /opt/cairn/bin/cairn start"
            + " {role}\"'"
      })
  private String command;

  @Option(names = "--no-moves", description = "Leave the regions where they are before a stop.")
  private boolean noMoves;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description = "Maximum time without progress of one step (default: ${DEFAULT-VALUE}).")
  private int timeout;

  @Option(
      names = "--transition-max",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "Stop if a region is in transition for longer than this (default: ${DEFAULT-VALUE}).")
  private int transitionMax;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      defaultValue = "rolling-restart.state",
      description = "The file with the state of an unfinished restart (default: ${DEFAULT-VALUE}).")
  private Path state;

  @Option(names = "--dry-run", description = "Tell what would be done, and do nothing.")
  private boolean dryRun;

  @Override
  public Integer call() throws IOException, InterruptedException {
    cairn.logErrorsOnly();
    if (command == null && !dryRun) {
      throw new LauncherException("--restart-command is missing: it stops and starts a process");
    }
    boolean all = !masters && !servers;
    RollingRestart.Settings settings =
        new RollingRestart.Settings(
            masters || all,
            servers || all,
            this::isWanted,
            !noMoves,
            Duration.ofSeconds(timeout),
            Duration.ofSeconds(transitionMax),
            state.toAbsolutePath());
    PrintWriter out = spec.commandLine().getOut();
    try (Connection connection =
            ConnectionFactory.createConnection(RunningServer.configuration(cairn, Map.of()));
        Admin admin = connection.getAdmin()) {
      RollingRestart restart =
          new RollingRestart(
              admin,
              this::restart,
              settings,
              line -> {
                out.println(line);
                out.flush();
              });
      if (dryRun) {
        restart.describe();
      } else {
        restart.run();
      }
    } catch (RollingRestart.StoppedException e) {
      throw new LauncherException(e.getMessage(), e);
    }
    return 0;
  }

  private boolean isWanted(ServerName name) {
    return only.isEmpty()
        || only.contains(name.getHostname())
        || only.contains(name.getHostname() + "," + name.getPort());
  }

  private void restart(ServerName process, boolean isMaster)
      throws IOException, InterruptedException {
    String line =
        command
            .replace("{host}", process.getHostname())
            .replace("{port}", Integer.toString(process.getPort()))
            .replace("{role}", isMaster ? "master" : "regionserver");
    int status = new ProcessBuilder("bash", "-c", line).inheritIO().start().waitFor();
    if (status != 0) {
      throw new LauncherException(
          "the command failed with exit status %d: %s".formatted(status, line));
    }
  }
}
