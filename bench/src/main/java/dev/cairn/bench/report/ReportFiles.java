package dev.cairn.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of a run for people: {@code report.md} with its tables, and plots beside it. */
public final class ReportFiles {
  private static final String TABLES = "report.md";

  private ReportFiles() {}

  /**
   * Writes the files into {@code folder}, which is made if need be; those of the same names are
   * replaced.
   *
   * @return the file with the tables
   */
  public static Path write(Run run, Tables tables, Path folder) throws IOException {
    Files.createDirectories(folder);
    new Plots(run).write(folder);
    return Files.writeString(folder.resolve(TABLES), tables.all());
  }
}
