package dev.cairn.launcher.site;

import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.config.SiteConfigLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The installation, the settings and the log of a command. The command {@code cairn} is one; its
 * sub-commands get it as their parent.
 */
public class CommandContext {
  /** The option that names the configuration folder. */
  public static final String CONFIG = "--config";

  @Option(
      names = CONFIG,
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "Folder with hbase-site.xml (default: HBASE_CONF_DIR, else conf/ beside bin/).")
  private Path configOption;

  private final Database database;
  private final Properties properties;
  private final Map<String, String> environment;
  private Optional<SiteConfig> siteConfig = Optional.empty();

  /**
   * Creates a context.
   *
   * @param database what starts the server
   * @param properties system properties; {@code cairn.home} is the folder above {@code bin}, {@code
   *     cairn.terminal} tells whether standard error is a terminal
   * @param environment the variables of the process
   */
  public CommandContext(Database database, Properties properties, Map<String, String> environment) {
    this.database = database;
    this.properties = properties;
    this.environment = environment;
  }

  /** Sets the configuration folder, as the option {@code --config} does. */
  protected final void useConfig(Optional<Path> config) {
    configOption = config.orElse(null);
  }

  /** Returns the folder of the settings, if there is one. */
  public Optional<Path> configFolder() {
    return installation().configFolder();
  }

  /** Returns the environment variables of the process. */
  public Map<String, String> environment() {
    return environment;
  }

  /** Returns what starts a server in this process. */
  public Database database() {
    return database;
  }

  /** Returns the folders of this installation. */
  public Installation installation() {
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
  public SiteConfig readSiteConfig() {
    return installation()
        .siteConfig(
            new SiteConfigLoader(
                this::property, name -> Optional.ofNullable(environment.get(name))));
  }

  /** Lets this process log as configured. */
  public void logAsConfigured() {
    installation()
        .loggingFile()
        .ifPresentOrElse(
            file -> Logging.configure(file, properties), () -> Logging.byDefault(properties));
  }

  /** Returns this process's log file if {@code cairn start} set one. */
  public Optional<Path> logFile() {
    return Optional.ofNullable(environment.get(LogFiles.LOG_VARIABLE)).map(Path::of);
  }

  /** Lets this process log only errors, because the command reports to its user. */
  public void logErrorsOnly() {
    Logging.quiet(properties);
  }

  /** Lets this process log nothing: a shell tells its user all errors, and must start quickly. */
  public void logNothing() {
    Logging.none(properties);
  }

  /** Tells whether a person looks at standard error. */
  public boolean terminal() {
    return property("cairn.terminal").map(Boolean::parseBoolean).orElse(false);
  }

  private Optional<String> property(String name) {
    return Optional.ofNullable(properties.getProperty(name));
  }
}
