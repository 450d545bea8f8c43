package dev.cairn.launcher;

import dev.cairn.shell.ShellArguments;
import dev.cairn.shell.ShellProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** {@code cairn shell}. */
@Command(
    name = "shell",
    description = "Runs commands of the HBase shell, of a script or of a person; -h tells more.")
final class ShellCommand implements Callable<Integer> {
  static final String NAME = "shell";

  /** Set by bin/cairn if standard input and output are a terminal. */
  private static final String CONSOLE = "cairn.console";

  /** As HBase's shell: a person waits. */
  private static final int RETRIES = 7;

  @ParentCommand private CairnCommand cairn;
  @Spec private CommandSpec spec;
  @Unmatched private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    try {
      return run(cairn, arguments);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /**
   * Runs the shell with the process's streams, and returns its exit status.
   *
   * @throws IllegalArgumentException if the arguments make no sense
   */
  static int run(CairnCommand cairn, List<String> arguments) throws IOException {
    ShellArguments parsed = ShellArguments.parse(arguments);
    cairn.logErrorsOnly();
    return new ShellProgram(parsed, () -> connect(cairn, parsed), System.in, System.out, System.err)
        .run(
            new ShellProgram.Terminals(
                Boolean.getBoolean(CONSOLE), cairn.terminal(), historyFile()));
  }

  private static Path historyFile() {
    return Path.of(System.getProperty("user.home"), ".cairn_shell_history");
  }

  private static Connection connect(CairnCommand cairn, ShellArguments arguments)
      throws IOException {
    Configuration configuration =
        RunningServer.find(cairn)
            .orElseThrow(
                () ->
                    new LauncherException(
                        "no server runs with these settings; bin/cairn start starts one"))
            .configuration();
    if (!cairn.siteConfig().texts().containsKey(HConstants.HBASE_CLIENT_RETRIES_NUMBER)) {
      configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, RETRIES);
    }
    arguments.settings().forEach(configuration::set);
    return ConnectionFactory.createConnection(configuration);
  }
}
