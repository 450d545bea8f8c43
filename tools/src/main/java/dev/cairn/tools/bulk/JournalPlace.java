package dev.cairn.tools.bulk;

import dev.cairn.tools.bulk.durable.DurableFiles;
import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The folder for the journals of jobs that have no folder of their own.
 *
 * @param files its file system
 */
public record JournalPlace(FileSystem files, Path folder) {
  /**
   * Opens the journal of a job. Different jobs have different files.
   *
   * @param kind of job
   * @param table that is written
   * @param job one line that tells this job from others
   */
  Journal open(String kind, String table, String job) throws IOException {
    String name =
        String.format(
            Locale.ROOT, "%s_%s_%08x.progress", table.replace(':', '.'), kind, job.hashCode());
    new DurableFiles(files).createDirectories(folder);
    return Journal.open(files, folder, name, job);
  }
}
