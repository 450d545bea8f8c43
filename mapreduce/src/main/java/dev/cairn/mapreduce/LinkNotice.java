package dev.cairn.mapreduce;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.HFileLink;

/**
 * Reports files that {@code completebulkload} skips: links to store files of other tables. Regions
 * of cloned and restored snapshots have them. Stateless.
 */
final class LinkNotice {
  /** The options of Hadoop's tools whose value is a separate word. */
  private static final List<String> WITH_VALUE = List.of("-D", "-conf", "-fs", "-jt", "-files");

  private LinkNotice() {}

  /**
   * Returns the notice; empty if there are no links, or if the folder cannot be read.
   *
   * @param arguments of the job
   * @param configuration names the default file system
   */
  static Optional<String> of(List<String> arguments, Configuration configuration) {
    Optional<String> folder = folder(arguments);
    if (folder.isEmpty()) {
      return Optional.empty();
    }
    long links;
    try {
      Path path = new Path(folder.get());
      links = links(path.getFileSystem(configuration), path);
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty(); // The job reports it.
    }
    if (links == 0) {
      return Optional.empty();
    }
    return Optional.of(
        (links == 1 ? "1 file of " : links + " files of ")
            + folder.get()
            + (links == 1 ? " is a link (HFileLink)" : " are links (HFileLinks)")
            + " to store files of another table. The job skips links. Write the cells of that table"
            + " into files first: bin/cairn export TABLE FOLDER --format hfile");
  }

  private static Optional<String> folder(List<String> arguments) {
    for (int i = 0; i < arguments.size(); i++) {
      if (WITH_VALUE.contains(arguments.get(i))) {
        i++;
      } else if (!arguments.get(i).startsWith("-")) {
        return Optional.of(arguments.get(i));
      }
    }
    return Optional.empty();
  }

  /** Returns the number of links in the folders of families. */
  private static long links(FileSystem files, Path folder) throws IOException {
    long links = 0;
    for (FileStatus family : files.listStatus(folder)) {
      if (family.isDirectory()) {
        for (FileStatus file : files.listStatus(family.getPath())) {
          links += HFileLink.isHFileLink(file.getPath().getName()) ? 1 : 0;
        }
      }
    }
    return links;
  }
}
