package dev.cairn.launcher.sqlline;

import dev.cairn.launcher.client.RunningServer;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hbase.thirdparty.io.netty.util.internal.logging.InternalLoggerFactory;
import org.apache.hbase.thirdparty.io.netty.util.internal.logging.Slf4JLoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;
import sqlline.SqlLine;

/** {@code cairn sqlline}: runs sqlline with Phoenix's JDBC driver. Exits with sqlline's status. */
@Command(
    name = SqllineCommand.NAME,
    customSynopsis = {
      "cairn sqlline [--config=DIR] [CLUSTER] [FILE] [OPTION...]",
    },
    description = {
      "Runs the SQL prompt of Apache Phoenix, whose jars HBASE_CLASSPATH names.",
      "CLUSTER is HOST,HOST:PORT:/ZNODE of a ZooKeeper, or a JDBC URL; without it, the server of"
          + " hbase-site.xml. FILE, or -f FILE, is a script of SQL statements. The other options"
          + " are those of sqlline, such as -e STATEMENT, --outputformat=csv or --force=true."
    })
public final class SqllineCommand implements Callable<Integer> {
  static final String NAME = "sqlline";
  static final String DRIVER = "org.apache.phoenix.jdbc.PhoenixDriver";

  /** Set by bin/cairn if standard input and output are a terminal. */
  private static final String CONSOLE = "cairn.console";

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  @Unmatched private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    SqllineArguments parsed;
    try {
      parsed = SqllineArguments.parse(arguments);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    requireDriver();
    for (String script : parsed.script().stream().toList()) {
      if (!Files.isReadable(Path.of(script))) { // sqlline would connect first
        throw new LauncherException("cannot read " + script);
      }
    }
    cairn.logNothing(); // sqlline prints the errors
    InternalLoggerFactory.setDefaultFactory(
        Slf4JLoggerFactory.INSTANCE); // Netty prefers Phoenix's log4j
    String url =
        parsed.url().orElseGet(() -> PhoenixUrl.of(RunningServer.configuration(cairn, Map.of())));
    boolean console = Boolean.getBoolean(CONSOLE);
    return new SqlLine().begin(parsed.forSqlline(url, console), null, console).ordinal();
  }

  private static void requireDriver() {
    try {
      Class.forName(DRIVER, false, SqllineCommand.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new LauncherException(
          "Apache Phoenix is not on the class path: set HBASE_CLASSPATH to its jars, here and for"
              + " the server; docs/PHOENIX.md tells how to get them",
          e);
    }
  }
}
