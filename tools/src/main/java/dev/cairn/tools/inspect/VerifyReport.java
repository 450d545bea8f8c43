package dev.cairn.tools.inspect;

import dev.cairn.engine.storage.Finding;
import dev.cairn.server.verify.FolderVerifier.VerifyListener;
import dev.cairn.server.verify.VerifySummary;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows the progress of a check and its findings: findings and the summary on standard output, a
 * bar that moves on a terminal, and lines for each quarter elsewhere. One thread.
 */
final class VerifyReport implements VerifyListener, AutoCloseable {
  private static final long MEBIBYTE = 1 << 20;

  private final FileLocation location;
  private final PrintWriter out;
  private final PrintWriter err;
  private final Optional<PrintStream> terminal;
  private Optional<ProgressBar> bar = Optional.empty();
  private long total;
  private long done;

  /**
   * Creates a report.
   *
   * @param terminal where the bar moves; empty if there is no terminal
   */
  VerifyReport(
      FileLocation location, PrintWriter out, PrintWriter err, Optional<PrintStream> terminal) {
    this.location = location;
    this.out = out;
    this.err = err;
    this.terminal = terminal;
  }

  @Override
  public void begun(long files, long bytes) {
    total = bytes;
    err.println(
        "Checking "
            + count(files, "file")
            + ", "
            + mebibytes(bytes)
            + ", below "
            + location.name());
    err.flush();
    bar = terminal.map(stream -> bar(stream, bytes));
  }

  private static ProgressBar bar(PrintStream terminal, long bytes) {
    return new ProgressBarBuilder()
        .setTaskName("verify")
        .setInitialMax(bytes)
        .setUnit(" MiB", MEBIBYTE)
        .setStyle(ProgressBarStyle.ASCII)
        .setConsumer(new ConsoleProgressBarConsumer(terminal))
        .showSpeed()
        .build();
  }

  @Override
  public void checked(String path, long bytes) {
    long before = done;
    done += bytes;
    if (bar.isPresent()) {
      bar.get().stepBy(bytes);
    } else if (total > 0 && done * 4 / total > before * 4 / total) {
      err.println("verify: " + done * 100 / total + " %");
      err.flush();
    }
  }

  @Override
  public void found(Finding finding) {
    out.println(
        "DAMAGED  "
            + location.nameOf(finding.path())
            + ", byte "
            + finding.offset()
            + ": "
            + finding.what());
    out.flush();
  }

  @Override
  public void failed(String path, String reason) {
    out.println("UNCHECKED  " + location.nameOf(path) + ": " + reason);
    out.flush();
  }

  @Override
  public void noted(String path, String what) {
    out.println("NOTE  " + location.nameOf(path) + " " + what);
    out.flush();
  }

  /** Prints the summary. */
  void end(VerifySummary summary) {
    close();
    if (summary.isEmpty()) {
      out.println("Nothing to check: no store files and no logs below " + location.name() + ".");
      out.flush();
      return;
    }
    out.println(
        "Checked "
            + count(summary.storeFiles(), "store file")
            + ", "
            + count(summary.logs(), "log")
            + ", "
            + summary.pointers()
            + " references and links, "
            + count(summary.descriptions(), "description")
            + ", "
            + mebibytes(summary.bytes())
            + ".");
    if (summary.vanished() > 0) {
      out.println(count(summary.vanished(), "file") + " gone when their turn came.");
    }
    if (summary.failures() > 0) {
      out.println(count(summary.failures(), "file") + " could not be checked.");
    }
    out.println(
        summary.findings() == 0
            ? "No damage."
            : "Damage at "
                + count(summary.findings(), "place")
                + " of "
                + count(summary.damagedFiles(), "file")
                + ".");
    out.flush();
  }

  /** Takes the bar away. */
  @Override
  public void close() {
    bar.ifPresent(ProgressBar::close);
    bar = Optional.empty();
  }

  private static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MiB", bytes / (double) MEBIBYTE);
  }
}
