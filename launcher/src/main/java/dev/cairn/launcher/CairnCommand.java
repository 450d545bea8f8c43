package dev.cairn.launcher;

import dev.cairn.launcher.cluster.ClusterException;
import dev.cairn.launcher.demo.DemoException;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.FolderKeys;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.config.SiteConfigLoader;
import dev.cairn.server.process.keys.ProcessSettings;
import dev.cairn.tools.explain.ExplainException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
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
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "%nbin/cairn mapreduce runs the MapReduce jobs of Apache HBase, and bin/cairn bench measures"
          + " Cairn, and others beside it; both have a help of their own."
    })
public final class CairnCommand implements Runnable {
  static final String CONFIG = "--config";

  private static final List<Class<?>> COMMANDS =
      List.of(
          StartCommand.class,
          StopCommand.class,
          StatusCommand.class,
          ReportCommand.class,
          StandaloneCommand.class,
          MasterCommand.class,
          RegionServerCommand.class,
          ZooKeeperCommand.class,
          ClusterCommand.class,
          ShellCommand.class,
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
          TortureCommand.class,
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

  @Option(
      names = CONFIG,
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "Folder with hbase-site.xml (default: HBASE_CONF_DIR, else conf/ beside bin/).")
  private Path configOption;

  @Spec private CommandLine.Model.CommandSpec spec;

  private final Database database;
  private final Properties properties;
  private final Map<String, String> environment;
  private Optional<SiteConfig> siteConfig = Optional.empty();

  /**
   * Creates the command.
   *
   * @param database what starts the server
   * @param properties system properties; {@code cairn.home} is the folder above {@code bin}, {@code
   *     cairn.terminal} tells whether standard error is a terminal
   * @param environment the variables of the process
   */
  public CairnCommand(Database database, Properties properties, Map<String, String> environment) {
    this.database = database;
    this.properties = properties;
    this.environment = environment;
  }

  /** Returns the command with the properties and variables of this process. */
  public static CairnCommand ofProcess() {
    return new CairnCommand(new CairnDatabase(), System.getProperties(), System.getenv());
  }

  /** Sets the configuration folder, as the option {@code --config} does, and returns this. */
  public CairnCommand at(Optional<Path> config) {
    configOption = config.orElse(null);
    return this;
  }

  /** Runs the shell, which reads its arguments itself, and returns the exit status. */
  int shell(List<String> arguments) {
    PrintWriter err = new PrintWriter(System.err, true);
    try {
      return ShellStart.run(this, arguments);
    } catch (IllegalArgumentException e) {
      err.println(DetachedServer.ERROR_PREFIX + Failures.reason(e));
      return 2;
    } catch (Exception | Error e) {
      report(e, err);
      return 1;
    }
  }

  /** Runs the server until it is stopped, and returns the exit status. */
  int standalone(Optional<Path> config) {
    configOption = config.orElse(null);
    PrintWriter err = new PrintWriter(System.err, true);
    try {
      return new Standalone(this, new PrintWriter(System.out, true), err).run();
    } catch (Exception e) {
      report(e, err);
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
      report(failure, commandLine.getErr());
      return 1;
    }
  }

  /** Tells the user in one line why a command failed. Adds the stack trace of an internal error. */
  public static void report(Throwable thrown, PrintWriter err) {
    Throwable failure = thrown instanceof UncheckedIOException ? thrown.getCause() : thrown;
    boolean expected =
        failure instanceof ConfigException
            || failure instanceof LauncherException
            || failure instanceof ClusterException
            || failure instanceof DemoException
            || failure instanceof ExplainException
            || failure instanceof IOException;
    if (!expected) {
      failure.printStackTrace(err);
    }
    err.println(DetachedServer.ERROR_PREFIX + Failures.reason(failure));
    err.flush();
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }

  /**
   * Returns the configuration of a client of the server that {@code settings} or the site's
   * settings name.
   *
   * @param settings keys of {@code hbase-site.xml} that replace those of the site
   * @throws LauncherException if it should run on this machine, but does not
   */
  public Configuration clientConfiguration(Map<String, String> settings) {
    return RunningServer.configuration(this, settings);
  }

  /** Returns the folder of the settings, if there is one. */
  public Optional<Path> configFolder() {
    return installation().configFolder();
  }

  /** Runs a process of a cluster until it is stopped, and returns the exit status. */
  int run(Role role, Map<String, String> settings, CommandLine commandLine)
      throws IOException, InterruptedException {
    return new RoleProcess(
            this,
            role,
            settings,
            RoleFiles.ofEnvironment(environment),
            commandLine.getOut(),
            commandLine.getErr())
        .run();
  }

  /** Returns the environment variables of the process. */
  Map<String, String> environment() {
    return environment;
  }

  /** Returns what starts a server in this process. */
  Database database() {
    return database;
  }

  /** Returns the folders of this installation. */
  Installation installation() {
    Optional<Path> home = property("cairn.home").map(Path::of);
    return Installation.find(home, Optional.ofNullable(configOption), environment);
  }

  /** Returns the settings as of the first call. Thread-safe. */
  public synchronized SiteConfig siteConfig() {
    if (siteConfig.isEmpty()) {
      siteConfig = Optional.of(readSiteConfig());
    }
    return siteConfig.get();
  }

  /** Reads the present settings. Thread-safe. */
  SiteConfig readSiteConfig() {
    return installation()
        .siteConfig(
            new SiteConfigLoader(
                this::property, name -> Optional.ofNullable(environment.get(name))));
  }

  /** Returns the folder that the settings name. */
  DataFolder dataFolder() {
    boolean elsewhere =
        siteConfig().find(FolderKeys.ROOT_DIR).filter(LocalPaths::isForeign).isPresent();
    if (elsewhere && ProcessSettings.usesOtherZooKeeper(siteConfig())) {
      throw new ConfigException(
          "These settings are for a cluster (hbase.cluster.distributed). Start and stop its servers"
              + " by role, such as bin/cairn start master");
    }
    return DataFolder.of(siteConfig(), installation().home());
  }

  /** Returns the folder that the settings name: a path, or a URL of another file system. */
  public String rootFolder() {
    SiteConfig settings = siteConfig();
    return settings
        .find(FolderKeys.ROOT_DIR)
        .map(String::trim)
        .filter(LocalPaths::isForeign)
        .orElseGet(() -> DataFolder.of(settings, installation().home()).path().toString());
  }

  /**
   * Returns the folder that holds the logs of a data folder, as a path or URL like {@link
   * #rootFolder}. Empty if the logs lie in the data folder itself.
   *
   * @param dataFolder a path or a URL
   * @param notice told if the logs are not where the settings say
   * @throws LauncherException if the data folder names a folder that does not have them
   */
  Optional<String> walFolder(String dataFolder, Consumer<String> notice) throws IOException {
    Optional<String> configured = configuredWalFolder(dataFolder);
    if (LocalPaths.isForeign(dataFolder) || configured.filter(LocalPaths::isForeign).isPresent()) {
      return configured; // Ids exist on local file systems only.
    }
    Path data = Path.of(LocalPaths.plain(dataFolder));
    if (!Files.isDirectory(data)) {
      return configured;
    }
    WalFolder expected = new WalFolder(data, configured.map(Path::of).orElse(data));
    WalFolder located = expected.located();
    if (!located.equals(expected)) {
      notice.accept(
          "the logs of "
              + data
              + " are in "
              + located.path()
              + ", as its file "
              + WalFolder.DIR_FILE
              + " says. A server needs that folder in "
              + FolderKeys.WAL_DIR.name());
    }
    return Optional.of(located).filter(WalFolder::isApart).map(wals -> wals.path().toString());
  }

  /**
   * Returns the folder of the logs according to the settings. If they name {@code hbase.rootdir},
   * their {@code hbase.wal.dir} applies to that folder alone.
   */
  private Optional<String> configuredWalFolder(String dataFolder) {
    SiteConfig settings = siteConfig();
    Optional<String> text =
        settings.find(FolderKeys.WAL_DIR).map(String::trim).filter(value -> !value.isEmpty());
    boolean named = settings.find(FolderKeys.ROOT_DIR).filter(root -> !root.isBlank()).isPresent();
    if (text.isEmpty()
        || named && !LocalPaths.plain(dataFolder).equals(LocalPaths.plain(rootFolder()))) {
      return Optional.empty();
    }
    return text.map(
            logs ->
                LocalPaths.isForeign(logs)
                    ? logs
                    : LocalPaths.absolute(FolderKeys.WAL_DIR, logs, installation().home())
                        .toString())
        .filter(logs -> !LocalPaths.plain(logs).equals(LocalPaths.plain(dataFolder)));
  }

  /** Lets this process log as configured. */
  void logAsConfigured() {
    installation()
        .loggingFile()
        .ifPresentOrElse(
            file -> Logging.configure(file, properties), () -> Logging.byDefault(properties));
  }

  /** Returns this process's log file if {@code cairn start} set one. */
  Optional<Path> logFile() {
    return Optional.ofNullable(environment.get(LogFiles.LOG_VARIABLE)).map(Path::of);
  }

  /** Lets this process log only errors, because the command reports to its user. */
  public void logErrorsOnly() {
    Logging.quiet(properties);
  }

  /** Lets this process log nothing: a shell tells its user all errors, and must start quickly. */
  void logNothing() {
    Logging.none(properties);
  }

  /** Tells whether a person looks at standard error. */
  public boolean terminal() {
    return property("cairn.terminal").map(Boolean::parseBoolean).orElse(false);
  }

  /** Returns the server that runs, or can be run, with the settings, in a process of its own. */
  public ServerControl serverControl() {
    return new ServerControl(installation(), dataFolder());
  }

  private Optional<String> property(String name) {
    return Optional.ofNullable(properties.getProperty(name));
  }
}
