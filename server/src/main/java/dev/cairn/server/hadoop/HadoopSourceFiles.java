package dev.cairn.server.hadoop;

import dev.cairn.server.bulkload.SourceFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of all file systems that Hadoop has a driver for.
 *
 * @param root the root directory, as a URL
 * @param settings the settings of Hadoop's client
 */
public record HadoopSourceFiles(String root, Configuration settings) implements SourceFiles {
  private static final Logger LOG = LoggerFactory.getLogger(HadoopSourceFiles.class);

  @Override
  public Transfer take(String source, String target, Mode mode) throws IOException {
    FileSystem home = new Path(root).getFileSystem(settings);
    Path from = new Path(source);
    FileSystem files = from.toUri().getScheme() == null ? home : from.getFileSystem(settings);
    Path to = new Path(target);
    try {
      if (!files.getFileStatus(from).isFile()) {
        throw new NoSuchFileException(source);
      }
    } catch (FileNotFoundException e) {
      throw new NoSuchFileException(source);
    }
    home.mkdirs(to.getParent());
    String inside = home.makeQualified(new Path(root)) + Path.SEPARATOR;
    boolean isInRoot =
        files.equals(home) && files.makeQualified(from).toString().startsWith(inside);
    if (mode == Mode.MOVE && files.equals(home) && !isInRoot && move(home, from, to)) {
      return Transfer.MOVED;
    }
    Path beside = to.suffix(".copying");
    try (FSDataInputStream in = files.open(from);
        FSDataOutputStream out = SyncedBlocks.replace(home, beside)) {
      in.transferTo(out);
      out.hsync();
    }
    if (!home.rename(beside, to)) {
      throw new IOException("Cannot rename " + beside + " to " + to);
    }
    return Transfer.COPIED;
  }

  /**
   * Moves a file; returns false if it cannot be moved. Files of other users are often read-only.
   */
  private static boolean move(FileSystem files, Path from, Path to) throws IOException {
    try {
      return files.rename(from, to);
    } catch (AccessControlException e) {
      LOG.info("Copying {}, because it cannot be moved: {}", from, Reason.of(e));
      return false;
    }
  }

  @Override
  public void giveBack(String target, String source) throws IOException {
    FileSystem home = new Path(root).getFileSystem(settings);
    Path to = new Path(source);
    home.mkdirs(to.getParent());
    if (home.exists(to) || !home.rename(new Path(target), to)) {
      throw new IOException("Cannot move " + target + " back to " + source);
    }
  }

  @Override
  public void delete(String target) throws IOException {
    new Path(root).getFileSystem(settings).delete(new Path(target), false);
  }
}
