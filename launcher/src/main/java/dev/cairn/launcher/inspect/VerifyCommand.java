package dev.cairn.launcher.inspect;

import dev.cairn.launcher.folder.SiteFolders;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.server.process.keys.ProcessSettings;
import dev.cairn.tools.inspect.Verification;
import dev.cairn.tools.inspect.Verification.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn verify}: checks store files and logs. */
@Command(
    name = "verify",
    description = {
      "Checks store files and logs, without writing: checksums, the order of cells, index, Bloom"
          + " filters, counts, the targets of references and links, and the existence of the files"
          + " in a store's list.",
      "It may run beside a server; files that vanish meanwhile are not missed."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:all is well", "1:damage was found", "2:something could not be checked"})
public final class VerifyCommand implements Callable<Integer> {
  private static final int CLEAN = 0;
  private static final int DAMAGED = 1;
  private static final int UNCHECKED = 2;

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "PATH",
      description =
          "A file, or the folder of a family, region, table, or all data: a local path, a file: or"
              + " hdfs: URL (default: hbase.rootdir). Includes the folder of its logs if PATH is a data folder.")
  private Optional<String> path;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of files checked at a time (default: one per processor).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Override
  public Integer call() throws InterruptedException {
    cairn.logErrorsOnly();
    if (threads < 1) {
      throw new ParameterException(
          spec.commandLine(), "--threads must be at least 1, not " + threads);
    }
    String target = path.orElseGet(new SiteFolders(cairn)::root);
    try (Verification verification = verification()) {
      Verdict verdict = verification.verify(target);
      return status(verdict.worse(verifyLogsApart(target, verification)));
    } catch (IOException e) {
      tell(Failures.reason(e));
      return UNCHECKED;
    }
  }

  private Verification verification() {
    PrintStream terminal = System.err;
    return new Verification(
        cairn.installation().configFolder(),
        ProcessSettings.fileTracker(cairn.siteConfig()),
        threads,
        new Verification.Output(
            spec.commandLine().getOut(),
            spec.commandLine().getErr(),
            cairn.terminal() ? Optional.of(terminal) : Optional.empty()));
  }

  /** Checks the logs of a data folder that lie in a folder of their own. */
  private Verdict verifyLogsApart(String dataFolder, Verification verification)
      throws IOException, InterruptedException {
    Optional<String> logs;
    try {
      logs = new SiteFolders(cairn).logs(dataFolder, this::tell);
    } catch (LauncherException e) {
      PrintWriter out = spec.commandLine().getOut();
      out.println("UNCHECKED  the logs: " + e.getMessage());
      out.flush();
      return Verdict.UNCHECKED;
    }
    return logs.isEmpty() ? Verdict.CLEAN : verification.verifyLogs(logs.get());
  }

  private void tell(String message) {
    spec.commandLine().getErr().println(Failures.ERROR_PREFIX + message);
  }

  private static int status(Verdict verdict) {
    return switch (verdict) {
      case CLEAN -> CLEAN;
      case DAMAGED -> DAMAGED;
      case UNCHECKED -> UNCHECKED;
    };
  }
}
