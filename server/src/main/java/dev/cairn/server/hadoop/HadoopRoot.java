package dev.cairn.server.hadoop;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Opens a root directory on HDFS for a server: waits until the NameNode answers and has left safe
 * mode. Changes nothing there.
 *
 * @param directory the root directory
 * @param settings the settings of Hadoop's client
 * @param logs how log files are written there
 * @param logThreads runs the calls that a log file waits for; must never refuse or delay a task
 * @param notice gets a line for each thing that a long start waits for; called on the opening
 *     thread
 */
public record HadoopRoot(
    URI directory,
    Configuration settings,
    HdfsLogSettings logs,
    Clock clock,
    Executor logThreads,
    Consumer<String> notice) {
  private static final long NOTICE_MILLIS = 1_000;
  private static final long POLL_NANOS = 500_000_000;

  /** The maximum start time of a NameNode that starts together with the servers that need it. */
  private static final long START_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * Opens the directory. Blocks while the NameNode is in safe mode. Retries a NameNode that refuses
   * connections for a minute, and longer if Hadoop's settings say so.
   *
   * @throws IOException if it cannot be used for a server; the message is one line with the cause
   */
  public HadoopStorage open() throws IOException {
    FileSystem files = connect();
    try {
      if (!(files instanceof DistributedFileSystem hdfs)) {
        throw new IOException(
            directory
                + " cannot hold a server's data: its file system cannot make the end of a file that"
                + " is being written durable (hflush), so acknowledged writes would be lost,"
                + " and hbase.unsafe.stream.capability.enforce=false does not change that. Set"
                + " hbase.rootdir to a folder on HDFS");
      }
      awaitWritable(hdfs);
      ShortCircuitReads.log(settings);
      return new HadoopStorage(files, new Path(directory), logs, clock, logThreads);
    } catch (IOException | RuntimeException e) {
      files.close();
      throw e;
    }
  }

  private FileSystem connect() throws IOException {
    try {
      return FileSystem.newInstance(directory, settings);
    } catch (UnsupportedFileSystemException e) {
      throw withoutDriver(e);
    } catch (IllegalArgumentException e) {
      if (e.getCause() instanceof UnknownHostException) {
        throw new IOException(
            directory
                + " cannot be used: "
                + directory.getHost()
                + " is neither a known host nor a name service of hdfs-site.xml",
            e);
      }
      throw new IOException(directory + " cannot be used: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      if (e.getCause() instanceof ClassNotFoundException) {
        throw withoutDriver(e);
      }
      throw e;
    }
  }

  private IOException withoutDriver(Exception cause) {
    return new IOException(
        directory
            + " cannot be used: there is no driver for <"
            + directory.getScheme()
            + ">. Set hbase.rootdir to a folder on HDFS, or to a local folder",
        cause);
  }

  /** Waits until the NameNode accepts changes. */
  private void awaitWritable(DistributedFileSystem hdfs) throws IOException {
    if (!awaitAnswer(hdfs)) {
      return;
    }
    notice.accept("Waiting for the NameNode of " + directory + " to leave safe mode");
    while (isInSafeMode(hdfs)) {
      pause();
    }
  }

  private void pause() throws IOException {
    clock.park(POLL_NANOS);
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("Interrupted while waiting for the NameNode");
    }
  }

  /** Tells whether the NameNode is in safe mode. Gives notice if it does not answer soon. */
  private boolean awaitAnswer(DistributedFileSystem hdfs) throws IOException {
    long begin = clock.nanoTime();
    try {
      return firstAnswer(hdfs);
    } catch (IOException e) {
      throwUnlessStarting(e, begin);
    }
    notice.accept("Waiting for the NameNode of " + directory + " to start");
    while (true) {
      pause();
      try {
        return isInSafeMode(hdfs);
      } catch (IOException e) {
        throwUnlessStarting(e, begin);
      }
    }
  }

  private void throwUnlessStarting(IOException failure, long begin) throws IOException {
    if (!(rootCause(failure) instanceof ConnectException)
        || clock.nanoTime() - begin >= START_NANOS) {
      throw failure;
    }
  }

  private boolean firstAnswer(DistributedFileSystem hdfs) throws IOException {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    CompletableFuture.runAsync(
        () -> {
          try {
            answer.complete(isInSafeMode(hdfs));
          } catch (IOException | RuntimeException e) {
            answer.completeExceptionally(e);
          }
        });
    try {
      try {
        return answer.get(NOTICE_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        notice.accept("Waiting for the NameNode of " + directory);
        return answer.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while waiting for the NameNode");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException(directory + " cannot be used: " + e.getCause(), e.getCause());
    }
  }

  private boolean isInSafeMode(DistributedFileSystem hdfs) throws IOException {
    try {
      return Uninterrupted.call(hdfs::isInSafeMode);
    } catch (IOException e) {
      throw new IOException(
          "The NameNode of " + directory + " does not answer (hbase.rootdir): " + reason(e), e);
    }
  }

  /** Returns the message of the first cause: Hadoop wraps it into a longer one with links. */
  private static String reason(IOException failure) {
    return Reason.of(rootCause(failure));
  }

  private static Throwable rootCause(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
