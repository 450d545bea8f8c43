package dev.cairn.server.hadoop;

import dev.cairn.engine.storage.ReadableFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;

/**
 * A file of a Hadoop file system, read at any position by any number of threads. A thread that is
 * interrupted in a read reads again and stays interrupted. Of other file systems than HDFS, the
 * interrupt may have closed the stream under all threads; then it is opened again, by name.
 */
final class HadoopReadableFile implements ReadableFile {
  /**
   * The maximum number of times a read is repeated after failures that another thread may have
   * caused.
   */
  private static final int RETRIES_MAX = 100;

  private final String path;
  private final FileSystem files;
  private final Path file;
  private final Optional<Path> archived;
  private final long length;
  private volatile FSDataInputStream in;
  private final ReadTotals totals;
  private final LostBlocks lost;
  private volatile boolean closed;

  /**
   * Opens a file.
   *
   * @param archived the path that the file gets if it is archived, for readers that do not own it
   * @param totals counts the bytes that are read, if the file is on HDFS
   * @param lost distinguishes and remembers lost blocks
   */
  HadoopReadableFile(
      String path,
      FileSystem files,
      FileStatus status,
      Optional<Path> archived,
      ReadTotals totals,
      LostBlocks lost)
      throws IOException {
    this.archived = archived;
    this.lost = lost;
    this.path = path;
    this.totals = totals;
    this.files = files;
    this.file = status.getPath();
    this.in = files.open(file);
    // The length in the directory of a file that is being written lacks its last block.
    this.length =
        in instanceof HdfsDataInputStream hdfs ? hdfs.getVisibleLength() : status.getLen();
    if (in instanceof HdfsDataInputStream hdfs) {
      totals.opened(hdfs.getReadStatistics());
    }
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void requireBlocks() throws IOException {
    if (length > 0 && in instanceof HdfsDataInputStream hdfs) {
      Uninterrupted.run(() -> LostBlocks.check(path, hdfs));
      OptionalLong position = lost.position(path);
      if (position.isPresent()) {
        read(position.getAsLong(), new byte[1], 0, 1);
        lost.found(path);
      }
    }
  }

  @Override
  public int read(long position, byte[] target, int offset, int wanted) throws IOException {
    if (position < 0) {
      throw new IOException("Cannot read " + path + " at position " + position);
    }
    if (position >= length && !closed) {
      return -1;
    }
    int limit = (int) Math.min(wanted, length - position);
    boolean interrupted = Thread.interrupted();
    try {
      for (int failures = 0; ; ) {
        FSDataInputStream current = in;
        if (closed) {
          throw new IOException(path + " is closed");
        }
        try {
          return readOnce(current, position, target, offset, limit);
        } catch (FileNotFoundException e) {
          // HDFS looks up blocks by path, and the file's owner may have archived the file.
          if (archived.isEmpty() || failures++ > 0 || !reopenArchived(current)) {
            throw lost.readFailed(path, position, e);
          }
          continue;
        } catch (IOException e) {
          boolean hit = Thread.interrupted();
          interrupted |= hit;
          failures += hit ? 0 : 1;
          boolean innocent = hit || in != current || isByInterrupt(e);
          if (!innocent || failures > RETRIES_MAX) {
            throw lost.readFailed(path, position, e);
          }
        }
        if (!(current instanceof HdfsDataInputStream)) {
          reopen(current);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Reads from a stream that another thread may have closed.
   *
   * @throws IOException if the read failed, whatever Hadoop throws
   */
  static int readOnce(FSDataInputStream in, long position, byte[] target, int offset, int length)
      throws IOException {
    try {
      return in.read(position, target, offset, length);
    } catch (NullPointerException e) {
      // The message of a closed buffered stream.
      throw new IOException("The stream was closed", e);
    } catch (FSError e) {
      // The message of a failed read in Hadoop's local file system.
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
    }
  }

  private static boolean isByInterrupt(IOException failure) {
    return failure instanceof ClosedChannelException
        || failure instanceof InterruptedIOException
            && !(failure instanceof SocketTimeoutException);
  }

  /** Goes on in the archive; returns false if the file is not there. */
  private synchronized boolean reopenArchived(FSDataInputStream broken) throws IOException {
    if (closed) {
      throw new IOException(path + " was closed while it was read");
    }
    if (in != broken) {
      return true;
    }
    FSDataInputStream opened;
    try {
      opened = files.open(archived.orElseThrow());
    } catch (FileNotFoundException e) {
      return false;
    }
    if (broken instanceof HdfsDataInputStream hdfs) {
      totals.closed(hdfs.getReadStatistics());
    }
    if (opened instanceof HdfsDataInputStream hdfs) {
      totals.opened(hdfs.getReadStatistics());
    }
    in = opened;
    broken.close();
    return true;
  }

  private synchronized void reopen(FSDataInputStream broken) throws IOException {
    if (closed) {
      throw new IOException(path + " was closed while it was read");
    }
    if (in == broken) {
      in = files.open(file);
      broken.close();
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      if (in instanceof HdfsDataInputStream hdfs) {
        totals.closed(hdfs.getReadStatistics());
      }
      in.close();
    }
  }
}
