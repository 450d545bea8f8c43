package dev.cairn.tools.inspect;

import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.verify.FolderVerifier;
import dev.cairn.server.verify.VerifySummary;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Checks the store files and logs below paths that a user names, with several threads, and prints
 * progress and findings. Writes nothing.
 */
public final class Verification implements Closeable {
  /** The result of a check, in the order of severity. */
  public enum Verdict {
    /** All files are undamaged. */
    CLEAN,
    /** No damage was found, but some files could not be checked. */
    UNCHECKED,
    /** Damage was found. */
    DAMAGED;

    /** Returns the more severe of two verdicts. */
    public Verdict worse(Verdict other) {
      return compareTo(other) >= 0 ? this : other;
    }
  }

  /**
   * The output of a check.
   *
   * @param out receives findings and the summary
   * @param err receives the start and, without a terminal, the progress
   * @param terminal shows a progress bar; empty if there is no terminal
   */
  public record Output(PrintWriter out, PrintWriter err, Optional<PrintStream> terminal) {}

  private final Optional<Path> configFolder;
  private final StoreFileTracking.Kind tracker;
  private final Output output;
  private final ExecutorService threads;

  /**
   * Creates a verification.
   *
   * @param configFolder the folder with the settings of Hadoop's file systems
   * @param tracker the store file tracker of families whose descriptors name none
   * @param threads the number of files checked at a time
   */
  public Verification(
      Optional<Path> configFolder, StoreFileTracking.Kind tracker, int threads, Output output) {
    this.configFolder = configFolder;
    this.tracker = tracker;
    this.output = output;
    this.threads = Executors.newFixedThreadPool(threads);
  }

  /**
   * Checks the files at and below {@code path}. A path without store files and logs is {@link
   * Verdict#UNCHECKED}.
   */
  public Verdict verify(String path) throws IOException, InterruptedException {
    return verify(path, Verdict.UNCHECKED);
  }

  /**
   * Checks a folder that holds the logs of a data folder. A folder without logs is {@link
   * Verdict#CLEAN}: an orderly stop leaves none.
   */
  public Verdict verifyLogs(String path) throws IOException, InterruptedException {
    return verify(path, Verdict.CLEAN);
  }

  private Verdict verify(String path, Verdict ofNothing) throws IOException, InterruptedException {
    try (FileLocation location = FileLocation.fromRoot(path, configFolder);
        VerifyReport report = new VerifyReport(location, output.out, output.err, output.terminal)) {
      VerifySummary summary =
          new FolderVerifier(location.storage(), threads, report, tracker).verify(location.path());
      report.end(summary);
      if (summary.findings() > 0) {
        return Verdict.DAMAGED;
      }
      if (summary.failures() > 0) {
        return Verdict.UNCHECKED;
      }
      return summary.isEmpty() ? ofNothing : Verdict.CLEAN;
    }
  }

  /** Cancels checks that still run. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
