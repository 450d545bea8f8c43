package dev.cairn.launcher;

import dev.cairn.tools.bulk.JournalPlace;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Option;

/** The options for the progress file of a command that writes into a table. */
final class JournalOptions {
  @Option(
      names = "--progress-dir",
      paramLabel = "DIR",
      defaultValue = "",
      description =
          "The folder of the file TABLE_….progress, which a stopped command needs to continue"
              + " (default: the working folder).")
  private String folder;

  JournalPlace place(CairnCommand cairn, BulkOptions options) throws IOException {
    Path here = BulkOptions.path(folder);
    return new JournalPlace(options.fileSystem(cairn, here), here);
  }
}
