package dev.cairn.launcher.regions;

import dev.cairn.launcher.client.RunningServer;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.shell.split.SplitAlgorithm;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn regionsplitter}. */
@Command(
    name = "regionsplitter",
    description = {
      "Creates a table with regions (-c), or splits every region of a table in two (-r).",
      "SPLITALGORITHM names the form of the rows: HexStringSplit (hexadecimal numbers in"
          + " ASCII), DecimalStringSplit (decimal numbers) or UniformSplit (any bytes).",
      "An interrupted rolling split continues when the same command runs again in the same"
          + " folder: TABLE_balancedSplit lists the remaining splits."
    })
public final class RegionSplitterCommand implements Callable<Integer> {
  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String tableName;

  @Parameters(
      index = "1",
      paramLabel = "SPLITALGORITHM",
      description = "HexStringSplit, DecimalStringSplit or UniformSplit.")
  private String algorithm;

  @Option(
      names = "-c",
      paramLabel = "REGIONS",
      description = "Create the table, with this number of regions.")
  private Optional<Integer> create;

  @Option(
      names = "-f",
      paramLabel = "FAMILY:FAMILY:…",
      split = ":",
      description = "The column families of the new table; required with -c.")
  private List<String> families = List.of();

  @Option(names = "-r", description = "Split every region of the table.")
  private boolean rolling;

  @Option(
      names = "-o",
      paramLabel = "COUNT",
      defaultValue = "2",
      description =
          "Maximum split regions that wait for the compactions of their daughters (default:"
              + " ${DEFAULT-VALUE}).")
  private int outstanding;

  @Option(
      names = "--firstrow",
      paramLabel = "ROW",
      defaultValue = "",
      description = "The table's first row, for the algorithm.")
  private String firstRow;

  @Option(
      names = "--lastrow",
      paramLabel = "ROW",
      defaultValue = "",
      description = "The table's last row, for the algorithm.")
  private String lastRow;

  @Option(
      names = "--risky",
      description = "Do not compact the daughters and do not wait for compactions.")
  private boolean risky;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "A setting of the client, as in hbase-site.xml.")
  private Map<String, String> settings = Map.of();

  @Option(names = "-h", usageHelp = true, description = "Show this help and exit.")
  private boolean help;

  @Override
  public Integer call() throws IOException {
    cairn.logErrorsOnly();
    check();
    TableName table;
    SplitAlgorithm chosen;
    try {
      table = TableName.valueOf(tableName);
      chosen = SplitAlgorithm.of(algorithm, firstRow, lastRow);
    } catch (IllegalArgumentException e) {
      throw misused(e.getMessage());
    }
    PrintWriter out = spec.commandLine().getOut();
    Configuration configuration = RunningServer.configuration(cairn, settings);
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      RegionSplitter splitter = new RegionSplitter(admin, table, chosen, line -> print(out, line));
      if (create.isPresent()) {
        splitter.create(families, create.get());
      } else {
        splitter.split(outstanding, !risky, Path.of(""));
      }
    } catch (IllegalArgumentException e) {
      throw new LauncherException(e.getMessage(), e);
    }
    return 0;
  }

  private void check() {
    if (create.isPresent() == rolling) {
      throw misused("Either -c, to create a table, or -r, to split the regions of a table");
    }
    if (create.isPresent() && create.get() < 2) {
      throw misused("-c: Split count must be > 1");
    }
    if (create.isPresent() && families.isEmpty()) {
      throw misused("-f: Must specify at least one column family");
    }
    if (outstanding < 1) {
      throw misused("-o must be 1 or more");
    }
  }

  private static void print(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }

  private ParameterException misused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
