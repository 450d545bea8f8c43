package dev.cairn.launcher.inspect;

import dev.cairn.launcher.client.RunningServer;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.server.filter.FilterLanguage;
import dev.cairn.tools.explain.ExplainJsonPrinter;
import dev.cairn.tools.explain.ExplainQuestion;
import dev.cairn.tools.explain.ExplainTextPrinter;
import dev.cairn.tools.explain.Explainer;
import dev.cairn.tools.explain.RegionsTextPrinter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn explain}. */
@Command(
    name = "explain",
    description = {
      "Explains why a read of a row, or a scan, returns or omits each cell: with the delete"
          + " markers, versions, times to live and filters that decide, and the files that were"
          + " read. Asks the server that hbase-site.xml names, and changes nothing.",
      "Rows, columns and values are written as in the HBase shell: \\x00 for a byte that is"
          + " no character."
    },
    mixinStandardHelpOptions = true)
public final class ExplainCommand implements Callable<Integer> {
  private static final int RETRIES = 3;

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String tableName;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "ROW",
      description = "The row that is read; without it, the table is scanned.")
  private Optional<String> row;

  @Parameters(
      index = "2..*",
      paramLabel = "COLUMN",
      description = "The requested family (f) or column (f:q); without any, all.")
  private List<String> columns = List.of();

  @Option(names = "--start", paramLabel = "ROW", description = "Where a scan begins, included.")
  private Optional<String> start;

  @Option(names = "--stop", paramLabel = "ROW", description = "Where a scan ends, not included.")
  private Optional<String> stop;

  @Option(names = "--prefix", paramLabel = "TEXT", description = "Scan rows that begin so.")
  private Optional<String> prefix;

  @Option(
      names = "--column",
      paramLabel = "COLUMN",
      description = "As COLUMN above, for scans; may be given several times.")
  private List<String> moreColumns = List.of();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "10",
      description = "End a scan after N returned rows; 0 for all (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--versions",
      paramLabel = "N",
      defaultValue = "1",
      description = "Maximum versions of a column; 0 for all (default: 1).")
  private int versions;

  @Option(
      names = "--time-range",
      paramLabel = "FROM,TO",
      description = "Timestamps from FROM to before TO; either may be left out.")
  private Optional<String> timeRange;

  @Option(
      names = "--filter",
      paramLabel = "FILTER",
      description = "A filter in the shell's language, such as \"PrefixFilter('a')\".")
  private Optional<String> filter;

  @Option(names = "--reversed", description = "Scan backwards: from --start down to --stop.")
  private boolean reversed;

  @Option(
      names = "--raw",
      description = "Return delete markers and the cells that they hide," + " too.")
  private boolean raw;

  @Option(
      names = "--cells-per-family",
      paramLabel = "N",
      description = "Maximum cells of a row and family.")
  private Optional<Integer> cellsPerFamily;

  @Option(
      names = "--offset-per-family",
      paramLabel = "N",
      description = "Number of cells of a row and family to skip first.")
  private Optional<Integer> offsetPerFamily;

  @Option(
      names = "--max-cells",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Print N cells of a row at most (default: ${DEFAULT-VALUE}).")
  private int maxCells;

  @Option(
      names = "--regions",
      description =
          "Explain no rows, but count the regions and files that secondary indexes let a scan skip,"
              + " by the reason.")
  private boolean regions;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    cairn.logErrorsOnly();
    ExplainQuestion question = question();
    PrintWriter out = spec.commandLine().getOut();
    Explainer.Listener printer =
        json
            ? new ExplainJsonPrinter(out)
            : regions ? new RegionsTextPrinter(out) : new ExplainTextPrinter(out);
    try (Connection connection = ConnectionFactory.createConnection(configuration())) {
      new Explainer(connection).explain(question, printer);
    }
    return 0;
  }

  private Configuration configuration() {
    Configuration configuration = RunningServer.configuration(cairn, Map.of());
    configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, RETRIES);
    return configuration;
  }

  private ExplainQuestion question() {
    TableName table;
    try {
      table = TableName.valueOf(tableName);
    } catch (IllegalArgumentException e) {
      throw misused("TABLE: " + e.getMessage());
    }
    if (row.isPresent() && (start.isPresent() || stop.isPresent() || prefix.isPresent())) {
      throw misused("ROW reads one row; --start, --stop and --prefix are for scans without ROW");
    }
    if (prefix.isPresent() && (start.isPresent() || stop.isPresent())) {
      throw misused("--prefix says where the scan begins and ends; leave out --start and --stop");
    }
    if (row.isPresent() && regions) {
      throw misused("ROW reads one row; --regions is for scans without ROW");
    }
    if (row.isPresent() && row.get().isEmpty()) {
      throw misused("ROW must not be empty");
    }
    if (limit < 0 || versions < 0 || maxCells < 1) {
      throw misused("--limit and --versions must be 0 or more, --max-cells 1 or more");
    }
    return new ExplainQuestion(
        table,
        row.map(Bytes::toBytesBinary),
        scan(),
        regions ? 0 : row.isPresent() || limit == 0 ? Integer.MAX_VALUE : limit,
        maxCells,
        filter);
  }

  private Scan scan() {
    Scan scan = new Scan();
    try {
      scan.setReversed(reversed).setRaw(raw);
      rows(scan);
      for (List<String> list : List.of(columns, moreColumns)) {
        list.forEach(column -> addColumn(scan, column));
      }
      scan.readVersions(versions == 0 ? Integer.MAX_VALUE : versions);
      timeRange(scan);
      cellsPerFamily.ifPresent(scan::setMaxResultsPerColumnFamily);
      offsetPerFamily.ifPresent(scan::setRowOffsetPerColumnFamily);
      if (filter.isPresent()) {
        scan.setFilter(FilterLanguage.parse(filter.get()));
      }
    } catch (IllegalArgumentException e) {
      throw misused(Failures.reason(e));
    } catch (IOException e) {
      throw misused("--time-range: " + Failures.reason(e));
    }
    if (raw && scan.getFamilyMap().values().stream().anyMatch(q -> q != null && !q.isEmpty())) {
      throw misused("--raw takes families, not single columns");
    }
    return scan;
  }

  private void rows(Scan scan) {
    if (row.isPresent()) {
      byte[] bytes = Bytes.toBytesBinary(row.get());
      scan.withStartRow(bytes, true).withStopRow(bytes, true);
    } else if (prefix.isPresent()) {
      byte[] bytes = Bytes.toBytesBinary(prefix.get());
      Scan forwards = new Scan().setStartStopRowForPrefixScan(bytes);
      if (reversed) {
        // From the first row after the prefix, not included, down to the prefix itself.
        scan.withStartRow(forwards.getStopRow(), forwards.getStopRow().length == 0);
        scan.withStopRow(forwards.getStartRow(), true);
      } else {
        scan.withStartRow(forwards.getStartRow()).withStopRow(forwards.getStopRow());
      }
    } else {
      start.ifPresent(text -> scan.withStartRow(Bytes.toBytesBinary(text)));
      stop.ifPresent(text -> scan.withStopRow(Bytes.toBytesBinary(text)));
    }
  }

  private void timeRange(Scan scan) throws IOException {
    if (timeRange.isEmpty()) {
      return;
    }
    String[] ends = timeRange.get().split(",", -1);
    if (ends.length != 2) {
      throw misused("--time-range must be FROM,TO, not " + timeRange.get());
    }
    try {
      scan.setTimeRange(
          ends[0].isBlank() ? 0 : Long.parseLong(ends[0].trim()),
          ends[1].isBlank() ? Long.MAX_VALUE : Long.parseLong(ends[1].trim()));
    } catch (NumberFormatException e) {
      throw misused("--time-range must be two numbers of milliseconds, not " + timeRange.get());
    }
  }

  private static void addColumn(Scan scan, String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      scan.addFamily(Bytes.toBytesBinary(text));
    } else {
      scan.addColumn(
          Bytes.toBytesBinary(text.substring(0, colon)),
          Bytes.toBytesBinary(text.substring(colon + 1)));
    }
  }

  private ParameterException misused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
