package dev.cairn.launcher.server;

import dev.cairn.launcher.client.ClientConfiguration;
import dev.cairn.launcher.control.RoleControl;
import dev.cairn.launcher.control.ServerControl;
import dev.cairn.launcher.control.StartOutput;
import dev.cairn.launcher.folder.DataFolder;
import dev.cairn.launcher.folder.SiteFolders;
import dev.cairn.launcher.output.Descriptions;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.process.ServerState;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.server.config.ClockKeys;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.health.HealthReport;
import dev.cairn.server.process.keys.ProcessSettings;
import dev.cairn.tools.overview.ClusterOverview;
import dev.cairn.tools.overview.OverviewJson;
import dev.cairn.tools.overview.OverviewReader;
import dev.cairn.tools.overview.OverviewText;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.apache.zookeeper.KeeperException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * {@code cairn status}. The exit status follows the Linux Standard Base: 0 running, 1 dead although
 * it was not stopped, 3 not running.
 */
@Command(
    name = "status",
    description =
        "Shows whether the server of the data folder, or a process of a cluster, runs, and its"
            + " health. Without a role, where hbase.cluster.distributed is true: shows all servers"
            + " of the cluster, their clocks and sessions, and what recoveries wait for.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:running, whatever its health",
      "1:not running, and the last one did not stop in order; or an error",
      "3:not running"
    })
public final class StatusCommand implements Callable<Integer> {
  /** The exit status if the server runs. */
  public static final int RUNNING = 0;

  /** The exit status if the last server ended without a clean stop. */
  static final int DEAD = 1;

  /** The exit status if no server runs. */
  public static final int STOPPED = 3;

  /** Part of the message of Apache's client if it has no connection to ZooKeeper. */
  private static final String UNCONNECTED =
      KeeperException.create(KeeperException.Code.CONNECTIONLOSS).getMessage();

  private static final Duration HEALTH_PATIENCE = Duration.ofSeconds(10);

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;
  @Mixin private RoleOptions process;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    cairn.logErrorsOnly();
    PrintWriter out = spec.commandLine().getOut();
    Optional<RoleControl> role = process.control(cairn);
    if (role.isPresent()) {
      if (json) {
        throw new LauncherException("--json works only without a role");
      }
      return RoleText.print(role.get(), new HealthQuery(HEALTH_PATIENCE), out);
    }
    if (ProcessSettings.usesOtherZooKeeper(cairn.siteConfig())) {
      return cluster(out);
    }
    DataFolder folder = new SiteFolders(cairn).data();
    ServerState state = folder.state();
    if (json) {
      out.println(
          StatusJson.of(state, folder.path(), health(state), notices(state), failure(state)));
    } else {
      print(state, new StatusText(out));
      Descriptions.line("data folder", folder.path(), out);
    }
    out.flush();
    return exitStatus(state);
  }

  private int cluster(PrintWriter out) {
    SiteConfig site = cairn.siteConfig();
    Configuration client = ClientConfiguration.of(site.texts());
    try {
      ClusterOverview cluster =
          new OverviewReader(
                  client,
                  ProcessSettings.masterInfoPort(site),
                  site.get(ClockKeys.REFUSE_MILLIS),
                  HEALTH_PATIENCE)
              .read();
      if (json) {
        out.println(OverviewJson.of(cluster));
      } else {
        new OverviewText(out).print(cluster);
      }
      out.flush();
      return RUNNING;
    } catch (IOException e) {
      throw unanswered(e, ZKConfig.getZKQuorumServersString(client));
    }
  }

  /** Returns the exception for a cluster that does not answer. */
  private static LauncherException unanswered(IOException failure, String zooKeeper) {
    // The message lists all attempts; the cause is the failure of the last one.
    boolean repeated = failure instanceof RetriesExhaustedException && failure.getCause() != null;
    String reason = Failures.reason(repeated ? failure.getCause() : failure);
    return new LauncherException(
        reason.contains(UNCONNECTED)
            ? "ZooKeeper at " + zooKeeper + " does not answer"
            : "no master of the cluster answers (ZooKeeper at " + zooKeeper + "): " + reason);
  }

  private void print(ServerState state, StatusText text) {
    if (state instanceof ServerState.Serving serving) {
      long upMillis = System.currentTimeMillis() - serving.status().servingMillis();
      text.serving(
          serving.status(), Duration.ofMillis(Math.max(0, upMillis)), health(state).orElseThrow());
    } else {
      text.other(state, notices(state));
      failure(state).ifPresent(text::failure);
    }
  }

  private static Optional<HealthReport> health(ServerState state) {
    return state instanceof ServerState.Serving serving
        ? Optional.of(new HealthQuery(HEALTH_PATIENCE).ask(serving.status().addresses().health()))
        : Optional.empty();
  }

  /** Returns what a server that starts waits for. */
  private List<String> notices(ServerState state) {
    return state instanceof ServerState.Starting starting
        ? ServerControl.of(cairn).notices(starting.process())
        : List.of();
  }

  /** Returns why no server runs, if the last start failed. */
  private Optional<StartOutput.Failure> failure(ServerState state) {
    return exitStatus(state) == RUNNING ? Optional.empty() : ServerControl.of(cairn).lastFailure();
  }

  private static int exitStatus(ServerState state) {
    if (state instanceof ServerState.Stopped) {
      return STOPPED;
    }
    return state instanceof ServerState.Died ? DEAD : RUNNING;
  }
}
