package dev.cairn.launcher.shell;

import dev.cairn.launcher.site.CommandContext;
import dev.cairn.shell.ShellArguments;
import dev.cairn.shell.ShellProgram;
import dev.cairn.shell.console.Console;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hbase.thirdparty.io.netty.util.internal.logging.InternalLoggerFactory;
import org.apache.hbase.thirdparty.io.netty.util.internal.logging.Slf4JLoggerFactory;

/**
 * Starts the shell in this process. Does not use picocli, because Java's class archive lacks its
 * classes: loading them from the jars would take a tenth of the start.
 */
public final class ShellStart {
  /** The name of the command. */
  public static final String NAME = "shell";

  /** Set by bin/cairn if standard input and output are a terminal. */
  private static final String CONSOLE = "cairn.console";

  private ShellStart() {}

  /**
   * Runs the shell with the process's streams, and returns its exit status.
   *
   * @throws IllegalArgumentException if the arguments are invalid
   */
  public static int run(CommandContext cairn, List<String> arguments) throws IOException {
    Optional<Console.Opener> console =
        Boolean.getBoolean(CONSOLE) ? Optional.of(Console::systemTerminal) : Optional.empty();
    return run(
        cairn, arguments, new ShellProgram.Terminals(console, cairn.terminal(), historyFile()));
  }

  /**
   * Runs the shell at a terminal, or with the process's streams, and returns its exit status.
   *
   * @throws IllegalArgumentException if the arguments are invalid
   */
  public static int run(
      CommandContext cairn, List<String> arguments, ShellProgram.Terminals terminals)
      throws IOException {
    ShellArguments parsed = ShellArguments.parse(arguments);
    PrintStream err = System.err;
    if (parsed.debugs()) {
      cairn.logErrorsOnly();
    } else {
      cairn.logNothing();
      InternalLoggerFactory.setDefaultFactory(Slf4JLoggerFactory.INSTANCE); // saves a long search
      // HBase's client prints stack traces itself, in addition to its log.
      System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    }
    try (ShellConnector connector = new ShellConnector(cairn, parsed.settings())) {
      return new ShellProgram(parsed, connector, System.in, System.out, err).run(terminals);
    }
  }

  private static Path historyFile() {
    return Path.of(System.getProperty("user.home"), ".cairn_shell_history");
  }
}
