package dev.cairn.launcher.inspect;

import dev.cairn.launcher.client.ClientConfiguration;
import dev.cairn.launcher.client.RunningServer;
import dev.cairn.launcher.control.ServerControl;
import dev.cairn.launcher.folder.DataFolder;
import dev.cairn.launcher.folder.SiteFolders;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.process.ServerState;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.server.config.ClockKeys;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.HostNames;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.keys.ProcessSettings;
import dev.cairn.tools.doctor.ClientCheck;
import dev.cairn.tools.doctor.Diagnosis;
import dev.cairn.tools.doctor.DiagnosisJson;
import dev.cairn.tools.doctor.DiagnosisText;
import dev.cairn.tools.doctor.DiskCheck;
import dev.cairn.tools.doctor.Finding.Area;
import dev.cairn.tools.doctor.Machine;
import dev.cairn.tools.doctor.MachineCheck;
import dev.cairn.tools.doctor.OtherHostsCheck;
import dev.cairn.tools.doctor.Patience;
import dev.cairn.tools.overview.ClusterOverview;
import dev.cairn.tools.overview.OverviewReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn doctor}: finds problems that keep clients from working. */
@Command(
    name = "doctor",
    description = {
      "Shows the addresses that a client gets, tries them with HBase's client, and names"
          + " those that would not work from another host.",
      "Checks the machine and the JVM as HBase's guide advises. Works without a running server, too,"
          + " and changes nothing."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:no problem; there may be advice", "1:a problem was found"})
public final class DoctorCommand implements Callable<Integer> {
  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "20",
      description = "The longest time of each question to the network (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Override
  public Integer call() {
    cairn.logErrorsOnly();
    Diagnosis diagnosis = new Diagnosis();
    SiteConfig config = cairn.siteConfig();
    boolean usable = checkSettings(config, diagnosis);
    Optional<Long> pid = Optional.empty();
    if (ProcessSettings.usesOtherZooKeeper(config)) {
      if (usable) {
        checkCluster(config, diagnosis);
      }
    } else {
      DataFolder folder = new SiteFolders(cairn).data();
      ServerState state = folder.state();
      pid = pid(state);
      checkState(state, folder, diagnosis);
      if (usable) {
        try (Patience patience = new Patience(Duration.ofSeconds(seconds))) {
          checkClients(config, state, patience, diagnosis);
        }
        long roomMin = ProcessSettings.diskRoomMin(config);
        checkDisk(folder, roomMin, diagnosis);
      }
    }
    new MachineCheck(Machine.local(), pid).run(diagnosis);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(DiagnosisJson.of(diagnosis));
    } else {
      new DiagnosisText(out).print(diagnosis);
    }
    out.flush();
    return diagnosis.hasProblem() ? 1 : 0;
  }

  /** Returns whether a server starts with the settings. */
  private boolean checkSettings(SiteConfig config, Diagnosis diagnosis) {
    String file = cairn.installation().siteFile();
    try {
      List<String> warnings = ProcessSettings.review(config);
      diagnosis.ok(
          Area.SETTINGS, config.texts().size() + " keys are set (" + file + "), and can be used.");
      warnings.forEach(
          warning ->
              diagnosis.advise(
                  Area.SETTINGS, warning, file, "See bin/cairn config KEY, or remove the key."));
      return true;
    } catch (ConfigException e) {
      diagnosis.problem(
          Area.SETTINGS,
          "No server starts with these settings: " + e.getMessage(),
          file,
          "Correct the value; bin/cairn config KEY shows the possible values.");
      return false;
    }
  }

  /** Checks all servers of the cluster of the settings, as a client on this machine sees them. */
  private void checkCluster(SiteConfig config, Diagnosis diagnosis) {
    Configuration client = ClientConfiguration.of(config.texts());
    Duration longest = Duration.ofSeconds(seconds);
    try (Patience patience = new Patience(longest)) {
      new ClientCheck(client, patience, Failures::reason).run(diagnosis);
    }
    try {
      ClusterOverview cluster =
          new OverviewReader(
                  client,
                  ProcessSettings.masterInfoPort(config),
                  config.get(ClockKeys.REFUSE_MILLIS),
                  longest)
              .read();
      diagnosis.ok(Area.SERVER, cluster.nodes().size() + " servers of the cluster are alive.");
      for (String problem : cluster.problems()) {
        diagnosis.problem(
            Area.SERVER, problem, "cluster", "bin/cairn status shows all of its servers.");
      }
    } catch (IOException e) {
      diagnosis.problem(
          Area.SERVER,
          "No master of the cluster answers: " + Failures.reason(e),
          client.get(HConstants.ZOOKEEPER_QUORUM),
          "Start a master (bin/cairn start master), or read its log.");
    }
  }

  private void checkState(ServerState state, DataFolder folder, Diagnosis diagnosis) {
    if (state instanceof ServerState.Serving serving) {
      diagnosis.ok(
          Area.SERVER,
          "The server runs (process "
              + serving.status().process().pid()
              + ") on "
              + folder.path()
              + ".");
    } else if (state instanceof ServerState.Starting starting) {
      diagnosis.advise(
          Area.SERVER,
          "The server is starting or stopping (process " + starting.process().pid() + ").",
          folder.path().toString(),
          "Run the doctor again when bin/cairn status says that it serves.");
    } else if (state instanceof ServerState.Died died) {
      diagnosis.problem(
          Area.SERVER,
          "The server ended without a clean stop (process " + died.process().pid() + ").",
          folder.path().toString(),
          "Look for the reason in the log, and start it: the start recovers all data.");
    } else {
      diagnosis.ok(Area.SERVER, "No server runs on " + folder.path() + ": bin/cairn start.");
      ServerControl.of(cairn)
          .lastFailure()
          .ifPresent(
              failure ->
                  diagnosis.problem(
                      Area.SERVER,
                      "The last start failed: " + failure.reason(),
                      failure.log().toString(),
                      "Correct the reason and start the server."));
    }
  }

  private void checkClients(
      SiteConfig config, ServerState state, Patience patience, Diagnosis diagnosis) {
    Optional<ToldHosts> hosts = hosts(config, state, diagnosis);
    hosts.ifPresent(told -> told.lines().forEach(line -> diagnosis.ok(Area.TOLD, line)));
    RunningServer.find(cairn)
        .ifPresent(
            server ->
                new ClientCheck(server.configuration(), patience, Failures::reason).run(diagnosis));
    hosts.ifPresent(
        told -> new OtherHostsCheck(HostNames.system(), patience).run(told.listeners(), diagnosis));
  }

  private Optional<ToldHosts> hosts(SiteConfig config, ServerState state, Diagnosis diagnosis) {
    try {
      return Optional.of(
          state instanceof ServerState.Serving serving
              ? ToldHosts.of(config, serving.status().addresses())
              : ToldHosts.expected(config));
    } catch (ConfigException e) {
      diagnosis.problem(
          Area.TOLD, e.getMessage(), cairn.installation().siteFile(), "Correct the value.");
      return Optional.empty();
    }
  }

  private static void checkDisk(DataFolder folder, long roomMin, Diagnosis diagnosis) {
    String key = ProcessSettings.DISK_ROOM_KEY;
    new DiskCheck(folder.path(), "the data", key, roomMin).run(diagnosis);
    if (folder.wals().isApart()) {
      new DiskCheck(folder.wals().path(), "the logs", key, roomMin).run(diagnosis);
    }
  }

  private static Optional<Long> pid(ServerState state) {
    return state instanceof ServerState.Serving serving
        ? Optional.of(serving.status().process().pid())
        : Optional.empty();
  }
}
