package dev.cairn.bench;

import dev.cairn.bench.balance.BalanceCommand;
import dev.cairn.bench.bulk.BulkCommand;
import dev.cairn.bench.compare.CompareCommand;
import dev.cairn.bench.engine.EngineCommand;
import dev.cairn.bench.engine.RegionOpenCommand;
import dev.cairn.bench.failover.FailoverCommand;
import dev.cairn.bench.failover.MovesCommand;
import dev.cairn.bench.index.IndexCommand;
import dev.cairn.bench.isolation.IsolationCommand;
import dev.cairn.bench.limit.LimitCommand;
import dev.cairn.bench.memory.MemoryCommand;
import dev.cairn.bench.parts.JmhCommand;
import dev.cairn.bench.regions.RegionsCommand;
import dev.cairn.bench.replicas.ReplicasCommand;
import dev.cairn.bench.report.PageCommand;
import dev.cairn.bench.report.ReportCommand;
import dev.cairn.bench.scale.ScaleCommand;
import dev.cairn.bench.study.StudyCommand;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The command {@code cairn bench}: its sub-commands, and the reporting of failures.
 *
 * <p>Exit status: 0 measured; 1 failed, with one line on standard error; 2 not understood, with the
 * usage on standard error.
 */
@Command(
    name = "cairn bench",
    description = "Measures Cairn, and others beside it, on this machine.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      CompareCommand.class,
      LimitCommand.class,
      MemoryCommand.class,
      IsolationCommand.class,
      FailoverCommand.class,
      MovesCommand.class,
      BalanceCommand.class,
      RegionsCommand.class,
      ScaleCommand.class,
      ReplicasCommand.class,
      BulkCommand.class,
      StudyCommand.class,
      IndexCommand.class,
      EngineCommand.class,
      RegionOpenCommand.class,
      JmhCommand.class,
      ReportCommand.class,
      PageCommand.class
    })
public final class BenchCommand implements Runnable {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help and exit.")
  private boolean help;

  @Spec private CommandSpec spec;

  /** Runs the command line. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** Returns the command line, ready to execute. */
  public static CommandLine commandLine() {
    return new CommandLine(new BenchCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (failure, commandLine, parsed) -> {
              if (failure instanceof IOException && failure.getMessage() != null) {
                commandLine.getErr().println("cairn bench: " + failure.getMessage());
              } else {
                failure.printStackTrace(commandLine.getErr());
              }
              commandLine.getErr().flush();
              return 1;
            });
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
