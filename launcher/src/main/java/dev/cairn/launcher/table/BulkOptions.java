package dev.cairn.launcher.table;

import dev.cairn.launcher.client.ClientOptions;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.tools.bulk.JournalPlace;
import dev.cairn.tools.bulk.Meter;
import dev.cairn.tools.bulk.TableSource;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import picocli.CommandLine.Option;

/** The options that all commands on whole tables share. */
final class BulkOptions extends ClientOptions {
  private static final int THREADS_LEAST = 4;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Number of regions or files at a time (default: one per processor, at least 4).")
  private int threads = Math.max(THREADS_LEAST, Runtime.getRuntime().availableProcessors());

  int threads() {
    if (threads < 1) {
      throw new LauncherException("--threads must be at least 1, not " + threads);
    }
    return threads;
  }

  /** Returns a table whose name a user wrote. */
  static TableSource table(Connection connection, String name) {
    try {
      return new TableSource(connection, TableName.valueOf(name));
    } catch (IllegalArgumentException e) {
      throw new LauncherException("table " + name + ": " + Failures.reason(e), e);
    }
  }

  /** Returns a meter, which shows a bar if the output is a terminal. */
  static Meter meter(CommandContext cairn) {
    return new Meter(cairn.terminal() ? Optional.of(System.err) : Optional.empty());
  }

  /** Tells the user how to continue if the process is interrupted before this is closed. */
  static final class Interruption implements AutoCloseable {
    private final Thread hook =
        new Thread(
            () -> System.err.println("\ncairn: stopped. Run the same command again to continue"));

    Interruption() {
      Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // the process ends: the hook runs
      }
    }
  }

  /** The option for the progress file of a command that writes into a table. */
  static final class Progress {
    @Option(
        names = "--progress-dir",
        paramLabel = "DIR",
        defaultValue = "",
        description =
            "The folder of the file TABLE_….progress, which a stopped command needs to continue"
                + " (default: the working folder).")
    private String folder;

    JournalPlace place(CommandContext cairn, BulkOptions options) throws IOException {
      Path here = path(folder);
      return new JournalPlace(options.fileSystem(cairn, here), here);
    }
  }
}
