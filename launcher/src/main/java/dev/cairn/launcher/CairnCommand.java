package dev.cairn.launcher;

import dev.cairn.launcher.backup.BackupCommand;
import dev.cairn.launcher.backup.ChangesCommand;
import dev.cairn.launcher.backup.HBaseBackupCommands;
import dev.cairn.launcher.cluster.ClusterCommand;
import dev.cairn.launcher.demo.DemoCommand;
import dev.cairn.launcher.inspect.AdviseCommand;
import dev.cairn.launcher.inspect.ConfigCommand;
import dev.cairn.launcher.inspect.DoctorCommand;
import dev.cairn.launcher.inspect.ExplainCommand;
import dev.cairn.launcher.inspect.HFileCommand;
import dev.cairn.launcher.inspect.ImportCheckCommand;
import dev.cairn.launcher.inspect.ReportCommand;
import dev.cairn.launcher.inspect.TopCommand;
import dev.cairn.launcher.inspect.VerifyCommand;
import dev.cairn.launcher.inspect.WalCommand;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.regions.RegionSplitterCommand;
import dev.cairn.launcher.rolling.RollingRestartCommand;
import dev.cairn.launcher.run.CairnDatabase;
import dev.cairn.launcher.run.Standalone;
import dev.cairn.launcher.server.ForegroundCommand;
import dev.cairn.launcher.server.GatewayCommand;
import dev.cairn.launcher.server.StartCommand;
import dev.cairn.launcher.server.StatusCommand;
import dev.cairn.launcher.server.StopCommand;
import dev.cairn.launcher.shell.ShellCommand;
import dev.cairn.launcher.shell.ShellStart;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.launcher.site.Database;
import dev.cairn.launcher.sqlline.SqllineCommand;
import dev.cairn.launcher.table.CompareCommand;
import dev.cairn.launcher.table.CopyCommand;
import dev.cairn.launcher.table.CountCommand;
import dev.cairn.launcher.table.ExportCommand;
import dev.cairn.launcher.table.ImportCommand;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code cairn}: the common part of all sub-commands, and the reporting of failures.
 *
 * <p>Exit status: 0 done; 1 failed, with one line on standard error; 2 not understood, with the
 * usage on standard error; {@code status} has its own.
 */
@Command(
    name = "cairn",
    description = "A wide-column database that is a drop-in for Apache HBase.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "%nThese have a help of their own: bin/cairn mapreduce runs the MapReduce jobs of Apache"
          + " HBase. In a checkout of Cairn's sources, bin/cairn bench measures Cairn, and others"
          + " beside it, and bin/cairn torture looks for lost writes."
    })
public final class CairnCommand extends CommandContext implements Runnable {
  private static final List<Class<?>> COMMANDS =
      List.of(
          StartCommand.class,
          StopCommand.class,
          StatusCommand.class,
          ReportCommand.class,
          ForegroundCommand.OfStandalone.class,
          ForegroundCommand.OfMaster.class,
          ForegroundCommand.OfRegionServer.class,
          ForegroundCommand.OfZooKeeper.class,
          ClusterCommand.class,
          RollingRestartCommand.class,
          ShellCommand.class,
          SqllineCommand.class,
          DemoCommand.class,
          ExplainCommand.class,
          TopCommand.class,
          AdviseCommand.class,
          ExportCommand.class,
          ImportCommand.class,
          CopyCommand.class,
          CountCommand.class,
          CompareCommand.class,
          ChangesCommand.class,
          BackupCommand.class,
          HBaseBackupCommands.Restore.class,
          RegionSplitterCommand.class,
          HFileCommand.class,
          WalCommand.class,
          VerifyCommand.class,
          ConfigCommand.class,
          DoctorCommand.class,
          ImportCheckCommand.class,
          VersionCommand.class,
          ClasspathCommand.class,
          WarmUpCommand.class,
          CommandLine.HelpCommand.class);

  @Spec private CommandLine.Model.CommandSpec spec;

  /**
   * Creates the command.
   *
   * @param database what starts the server
   * @param properties system properties; {@code cairn.home} is the folder above {@code bin}, {@code
   *     cairn.terminal} tells whether standard error is a terminal
   * @param environment the variables of the process
   */
  public CairnCommand(Database database, Properties properties, Map<String, String> environment) {
    super(database, properties, environment);
  }

  /** Returns the command with the properties and variables of this process. */
  public static CairnCommand ofProcess() {
    return new CairnCommand(new CairnDatabase(), System.getProperties(), System.getenv());
  }

  /** Sets the configuration folder, as the option {@code --config} does, and returns this. */
  public CairnCommand at(Optional<Path> config) {
    useConfig(config);
    return this;
  }

  /** Runs the shell, which reads its arguments itself, and returns the exit status. */
  int shell(List<String> arguments) {
    PrintWriter err = new PrintWriter(System.err, true);
    try {
      return ShellStart.run(this, arguments);
    } catch (IllegalArgumentException e) {
      err.println(Failures.ERROR_PREFIX + Failures.reason(e));
      return 2;
    } catch (Exception | Error e) {
      Failures.report(e, err);
      return 1;
    }
  }

  /** Runs the server until it is stopped, and returns the exit status. */
  int standalone(Optional<Path> config) {
    useConfig(config);
    PrintWriter err = new PrintWriter(System.err, true);
    try {
      return new Standalone(this, new PrintWriter(System.out, true), err).run();
    } catch (Exception e) {
      Failures.report(e, err);
      return 1;
    }
  }

  /** Returns the command line with all sub-commands, ready to execute. */
  public CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(this);
    COMMANDS.forEach(commandLine::addSubcommand);
    GatewayCommand.addTo(commandLine);
    return configured(commandLine);
  }

  /**
   * Returns a command line for {@code arguments}, which parses them as {@link #commandLine()} does.
   * If they name a sub-command, only that one is set up, because setting up all of them takes a
   * third of a short command's processor time.
   */
  public CommandLine commandLine(List<String> arguments) {
    int config = configWords(arguments);
    if (config > 0 && !isPlainPath(configFolder(arguments))) {
      return commandLine();
    }
    String name = arguments.stream().skip(config).findFirst().orElse("");
    boolean backup = name.equals(HBaseBackupCommands.RESTORE); // runs `backup restore`
    List<Class<?>> named =
        COMMANDS.stream()
            .filter(command -> command != CommandLine.HelpCommand.class)
            .filter(
                command ->
                    command.getAnnotation(Command.class).name().equals(name)
                        || backup && command == BackupCommand.class)
            .toList();
    if (named.isEmpty()) {
      return commandLine();
    }
    CommandLine commandLine = new CommandLine(this);
    named.forEach(commandLine::addSubcommand);
    return configured(commandLine);
  }

  /** Tells whether a word is certainly no option, no file of arguments, and no sub-command. */
  private static boolean isPlainPath(String word) {
    return word.startsWith("/") || word.startsWith(".");
  }

  /** Returns the configuration folder that the first arguments name. */
  static String configFolder(List<String> arguments) {
    String first = arguments.get(0);
    if (!first.equals(CONFIG)) {
      return first.substring(CONFIG.length() + 1);
    }
    return arguments.size() > 1 ? arguments.get(1) : "";
  }

  /** Returns how many of the first arguments name the configuration folder. */
  static int configWords(List<String> arguments) {
    if (arguments.isEmpty()) {
      return 0;
    }
    String first = arguments.get(0);
    return first.equals(CONFIG) ? 2 : first.startsWith(CONFIG + "=") ? 1 : 0;
  }

  /** Sets what holds for the command line and for the sub-commands that it has. */
  private static CommandLine configured(CommandLine commandLine) {
    return commandLine
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(new Reporter());
  }

  /** A class with a name, since Java's archive of classes takes no lambda of so old a library's. */
  private static final class Reporter implements CommandLine.IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(
        Exception failure, CommandLine commandLine, CommandLine.ParseResult parsed) {
      Failures.report(failure, commandLine.getErr());
      return 1;
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
