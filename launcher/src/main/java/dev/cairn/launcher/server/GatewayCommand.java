package dev.cairn.launcher.server;

import dev.cairn.launcher.control.Role;
import dev.cairn.launcher.control.RoleControl;
import dev.cairn.launcher.control.RoleFiles;
import dev.cairn.launcher.run.GatewayProcess;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.launcher.site.Installation;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * {@code cairn rest}, {@code cairn thrift} and {@code cairn thrift2}. Passes unknown options to
 * Apache's command.
 */
public abstract class GatewayCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;
  @Mixin private RoleOptions.Settings settings;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The name of a gateway in the background, unique on this machine.")
  private String name;

  @Parameters(
      paramLabel = "[start|stop|status] [ARGUMENT...]",
      hideParamSyntax = true,
      description = {
        "start runs the gateway in the background, and returns when its port answers. Without"
            + " start, stop or status, the gateway runs in the foreground.",
        "Other arguments go to Apache's command, such as -p PORT."
      })
  private List<String> words = new ArrayList<>();

  private final Role role;

  private GatewayCommand(Role role) {
    this.role = role;
  }

  /** Adds the three commands to {@code commandLine}. */
  public static void addTo(CommandLine commandLine) {
    Map<String, GatewayCommand> commands = new TreeMap<>();
    for (GatewayCommand command : List.of(new Rest(), new Thrift(), new Thrift2())) {
      commands.put(command.role.toString(), command);
    }
    commands.forEach(
        (name, command) ->
            commandLine.addSubcommand(
                name, new CommandLine(command).setUnmatchedOptionsArePositionalParams(true)));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    String action = words.isEmpty() ? "" : words.get(0);
    List<String> arguments = words.isEmpty() ? words : words.subList(1, words.size());
    PrintWriter out = spec.commandLine().getOut();
    switch (action) {
      case "start" -> {
        RoleControl control = control();
        StartCommand.print(control, control.start(settings.texts(), arguments, out::println), out);
        return 0;
      }
      case "stop" -> {
        StopCommand.stop(control(), PATIENCE, out);
        return 0;
      }
      case "status" -> {
        return RoleText.print(control(), new HealthQuery(PATIENCE), out);
      }
      default -> {
        return new GatewayProcess(cairn, role, settings.texts(), words, out).run();
      }
    }
  }

  private RoleControl control() {
    Installation installation = cairn.installation();
    return new RoleControl(
        installation,
        role,
        RoleFiles.of(role, Optional.ofNullable(name), installation, cairn.environment()));
  }

  @Command(
      name = "rest",
      description = "Runs Apache's REST gateway: HTTP with JSON, XML and protobuf.")
  private static final class Rest extends GatewayCommand {
    Rest() {
      super(Role.REST);
    }
  }

  @Command(
      name = "thrift",
      description = "Runs Apache's Thrift gateway with the older API, which happybase uses.")
  private static final class Thrift extends GatewayCommand {
    Thrift() {
      super(Role.THRIFT);
    }
  }

  @Command(
      name = "thrift2",
      description = "Runs Apache's Thrift gateway with the API of HBase's Java client.")
  private static final class Thrift2 extends GatewayCommand {
    Thrift2() {
      super(Role.THRIFT2);
    }
  }
}
