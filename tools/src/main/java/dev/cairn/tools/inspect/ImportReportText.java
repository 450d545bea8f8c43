package dev.cairn.tools.inspect;

import dev.cairn.server.exchange.ImportReport;
import dev.cairn.server.exchange.ImportReport.Finding;
import dev.cairn.server.exchange.ImportReport.Log;
import dev.cairn.server.exchange.ImportReport.Severity;
import dev.cairn.server.exchange.ImportReport.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints a report on a foreign data folder for people. */
public final class ImportReportText {
  private final ImportReport report;
  private final PrintWriter out;

  /** Creates a printer. */
  public ImportReportText(ImportReport report, PrintWriter out) {
    this.report = report;
    this.out = out;
  }

  /** Prints everything, the verdict last. */
  public void print() {
    fact("layout version", report.layoutVersion().orElse("none (no hbase.version)"));
    fact("cluster id", report.clusterId().orElse("none (no hbase.id)"));
    fact("namespaces", join(report.namespaces()));
    printTables();
    printLogs();
    if (!report.snapshots().isEmpty()) {
      out.println();
      out.println("Snapshots:");
      report
          .snapshots()
          .forEach(
              snapshot ->
                  out.println(
                      "  "
                          + snapshot.name()
                          + snapshot.table().map(table -> " of " + table).orElse("")));
    }
    if (!report.procedures().isEmpty()) {
      out.println();
      out.println("Unfinished procedures of the master:");
      report
          .procedures()
          .forEach(
              procedure ->
                  out.println(
                      "  "
                          + procedure.id()
                          + " "
                          + procedure.kind()
                          + " ("
                          + procedure.state()
                          + ")"));
    }
    printFindings();
    out.println();
    out.println(verdict());
  }

  private void printTables() {
    out.println();
    if (report.tables().isEmpty()) {
      out.println("No tables.");
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of("table", "state", "regions", "files", "size", "HFile", "compression", "encoding"));
    for (Table table : report.tables()) {
      rows.add(
          List.of(
              table.name().toString(),
              table.state().map(state -> state.name().toLowerCase(Locale.ROOT)).orElse("unknown"),
              table.regions() + more(table.splitParents(), "split"),
              table.storeFiles()
                  + more(table.references(), "references")
                  + more(table.links(), "links")
                  + more(table.recoveredEdits(), "recovered edits"),
              size(table.storeFileBytes()),
              join(table.fileVersions().keySet()),
              join(table.compressions()),
              join(table.encodings())));
    }
    table(rows);
  }

  private void printLogs() {
    out.println();
    if (report.logs().isEmpty()) {
      out.println("No logs to replay.");
      return;
    }
    long bytes = report.logs().stream().mapToLong(Log::bytes).sum();
    out.println("Logs to replay: " + report.logs().size() + ", " + size(bytes));
    List<List<String>> rows = new ArrayList<>();
    for (Log log : report.logs()) {
      rows.add(
          List.of(
              log.path(),
              log.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '),
              size(log.bytes()),
              (log.compressed() ? "compressed " : "") + (log.encrypted() ? "encrypted" : "")));
    }
    table(rows);
  }

  private void printFindings() {
    for (Severity severity : Severity.values()) {
      List<Finding> findings =
          report.findings().stream().filter(finding -> finding.severity() == severity).toList();
      if (findings.isEmpty()) {
        continue;
      }
      out.println();
      out.println(title(severity));
      for (Finding finding : findings) {
        out.println(
            "  "
                + (finding.where().isEmpty() ? "the folder" : finding.where())
                + ": "
                + finding.what());
        out.println("    " + finding.consequence());
      }
    }
  }

  private static String title(Severity severity) {
    return switch (severity) {
      case FOLDER_REFUSED -> "Prevents Cairn from opening the folder:";
      case TABLE_REFUSED -> "Not carried over (these tables stay as they are, others work):";
      case DIFFERENT -> "Works, but differs from HBase:";
      case NOTE -> "Worth knowing:";
    };
  }

  private String verdict() {
    if (!report.opens()) {
      return "Cairn will not open this folder.";
    }
    return report.carriesEverything()
        ? "Cairn will open this folder and carry everything over."
        : "Cairn will open this folder, but not carry everything over.";
  }

  private void fact(String name, String value) {
    out.printf("%-16s %s%n", name, value);
  }

  /** Prints columns as wide as their widest cell. */
  private void table(List<List<String>> rows) {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder("  ");
      for (int i = 0; i < columns; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private static String more(int count, String what) {
    return count == 0 ? "" : " (" + count + " " + what + ")";
  }

  private static String join(Collection<String> words) {
    return words.isEmpty() ? "-" : words.stream().collect(Collectors.joining(", "));
  }

  private static String size(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double size = bytes;
    int unit = -1;
    while (size >= 1024 && unit < 3) {
      size /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %ciB", size, "KMGT".charAt(unit));
  }
}
