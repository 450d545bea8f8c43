package dev.cairn.launcher.inspect;

import dev.cairn.engine.time.Clock;
import dev.cairn.launcher.client.ClientConfiguration;
import dev.cairn.launcher.client.RunningServer;
import dev.cairn.launcher.control.ServerControl;
import dev.cairn.launcher.folder.DataFolder;
import dev.cairn.launcher.folder.SiteFolders;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.process.Addresses;
import dev.cairn.launcher.process.ServerState;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.server.config.ClockKeys;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.HostNames;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.CoprocessorCheck;
import dev.cairn.server.process.keys.BindAddresses;
import dev.cairn.server.process.keys.ProcessSettings;
import dev.cairn.tools.doctor.AdvertisedHosts;
import dev.cairn.tools.doctor.AdvertisedHosts.Bound;
import dev.cairn.tools.doctor.ClientCheck;
import dev.cairn.tools.doctor.ClusterCheck;
import dev.cairn.tools.doctor.Diagnosis;
import dev.cairn.tools.doctor.DiagnosisJson;
import dev.cairn.tools.doctor.DiagnosisText;
import dev.cairn.tools.doctor.DiskCheck;
import dev.cairn.tools.doctor.Finding.Area;
import dev.cairn.tools.doctor.Machine;
import dev.cairn.tools.doctor.MachineCheck;
import dev.cairn.tools.doctor.OtherHostsCheck;
import dev.cairn.tools.doctor.Patience;
import dev.cairn.tools.doctor.ServerCheck;
import dev.cairn.tools.doctor.SettingsCheck;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
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
    new SettingsCheck(config, cairn.installation().siteFile(), DoctorCommand::review)
        .run(diagnosis);
    boolean usable = !diagnosis.hasProblem();
    Optional<Long> pid = Optional.empty();
    try (Patience patience = new Patience(Duration.ofSeconds(seconds))) {
      if (ProcessSettings.usesOtherZooKeeper(config)) {
        if (usable) {
          checkCluster(config, patience, diagnosis);
        }
      } else {
        DataFolder folder = new SiteFolders(cairn).data();
        ServerState state = folder.state();
        pid = pid(state);
        checkState(state, folder, diagnosis);
        if (usable) {
          checkClients(config, state, patience, diagnosis);
          checkDisk(folder, ProcessSettings.diskRoomMin(config), diagnosis);
        }
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

  private static List<String> review(SiteConfig config) {
    List<String> warnings = ProcessSettings.review(config);
    CoprocessorCheck.check(config, Clock.SYSTEM);
    return warnings;
  }

  private static void checkCluster(SiteConfig config, Patience patience, Diagnosis diagnosis) {
    new ClusterCheck(
            ClientConfiguration.of(config.texts()),
            ProcessSettings.masterInfoPort(config),
            config.get(ClockKeys.REFUSE_MILLIS),
            patience,
            Failures::reason)
        .run(diagnosis);
  }

  private void checkState(ServerState state, DataFolder folder, Diagnosis diagnosis) {
    ServerCheck check = new ServerCheck(folder.path());
    if (state instanceof ServerState.Serving serving) {
      check.serving(serving.status().process().pid(), diagnosis);
    } else if (state instanceof ServerState.Starting starting) {
      check.starting(starting.process().pid(), diagnosis);
    } else if (state instanceof ServerState.Died died) {
      check.died(died.process().pid(), diagnosis);
    } else {
      check.stopped(diagnosis);
      ServerControl.of(cairn)
          .lastFailure()
          .ifPresent(failure -> check.startFailed(failure.reason(), failure.log(), diagnosis));
    }
  }

  private void checkClients(
      SiteConfig config, ServerState state, Patience patience, Diagnosis diagnosis) {
    Optional<AdvertisedHosts> hosts = hosts(config, state, diagnosis);
    hosts.ifPresent(advertised -> advertised.report(diagnosis));
    RunningServer.find(cairn)
        .ifPresent(
            server ->
                new ClientCheck(server.configuration(), patience, Failures::reason).run(diagnosis));
    hosts.ifPresent(
        advertised ->
            new OtherHostsCheck(HostNames.system(), patience)
                .run(advertised.listeners(), diagnosis));
  }

  private Optional<AdvertisedHosts> hosts(
      SiteConfig config, ServerState state, Diagnosis diagnosis) {
    try {
      BindAddresses listening = BindAddresses.of(config);
      Bound bound = new Bound(listening.master(), listening.regionServer(), listening.zooKeeper());
      if (state instanceof ServerState.Serving serving) {
        Addresses addresses = serving.status().addresses();
        return Optional.of(
            AdvertisedHosts.ofServer(
                bound,
                addresses.master(),
                addresses.regionServer(),
                addresses.zooKeeper(),
                addresses.web()));
      }
      return Optional.of(AdvertisedHosts.expected(bound, config));
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
