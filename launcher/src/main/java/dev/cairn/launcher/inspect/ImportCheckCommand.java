package dev.cairn.launcher.inspect;

import dev.cairn.engine.time.Clock;
import dev.cairn.launcher.folder.SiteFolders;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.server.exchange.ImportReport;
import dev.cairn.server.process.ImportCheck;
import dev.cairn.tools.inspect.FileLocation;
import dev.cairn.tools.inspect.ImportReportJson;
import dev.cairn.tools.inspect.ImportReportText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn import-check}: reports the changes that a server would make to a data folder. */
@Command(
    name = "import-check",
    description = {
      "Lists the contents of a data folder that HBase wrote, and the changes when Cairn opens"
          + " it. Writes nothing.",
      "The settings count, too: give the --config that the server will have."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:everything is carried over",
      "1:something is not carried over",
      "2:the folder could not be read"
    })
public final class ImportCheckCommand implements Callable<Integer> {
  private static final int EVERYTHING = 0;
  private static final int NOT_EVERYTHING = 1;
  private static final int UNREADABLE = 2;

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DIR",
      description = "The data folder: a local path, a file: or hdfs: URL.")
  private String folder;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    cairn.logErrorsOnly();
    PrintWriter out = spec.commandLine().getOut();
    try {
      ImportReport report = inspect();
      if (json) {
        ImportReportJson.print(report, out);
      } else {
        new ImportReportText(report, out).print();
      }
      out.flush();
      return report.carriesEverything() ? EVERYTHING : NOT_EVERYTHING;
    } catch (IOException | LauncherException e) {
      tell(Failures.reason(e));
      return UNREADABLE;
    }
  }

  private void tell(String message) {
    spec.commandLine().getErr().println(Failures.ERROR_PREFIX + message);
  }

  private ImportReport inspect() throws IOException {
    Optional<String> logs = new SiteFolders(cairn).logs(folder, this::tell);
    try (FileLocation location =
        FileLocation.dataFolder(folder, logs, cairn.installation().configFolder())) {
      return ImportCheck.inspect(cairn.siteConfig(), location.storage(), Clock.SYSTEM);
    }
  }
}
