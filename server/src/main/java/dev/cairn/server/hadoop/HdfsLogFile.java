package dev.cairn.server.hadoop;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log file on HDFS whose writer never waits long for a DataNode. Hadoop's client waits a minute
 * or more for a DataNode that does not answer, so its calls run on another thread. If a call takes
 * too long ({@link SyncPatience}), this file has failed, and its writer can go on in another file,
 * on other DataNodes ({@link LogPlacement}). The failed file is closed once the late call ends.
 */
final class HdfsLogFile implements AppendFile {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsLogFile.class);
  private static final int BUFFER_SIZE = 64 << 10;
  private static final int BUFFER_SIZE_MAX = 2 << 20;

  private final HadoopAppendFile file; // used by one call at a time
  private final Path place;
  private final FSDataOutputStream out;
  private final LogPlacement placement;
  private final SyncPatience patience;
  private final Clock clock;
  private final Executor threads;

  private byte[] buffer = new byte[BUFFER_SIZE]; // owned by the call while one runs
  private int buffered;
  private long position;
  private Optional<CompletableFuture<Void>> unanswered = Optional.empty();
  private boolean closed;
  private volatile int copies = Integer.MAX_VALUE;

  HdfsLogFile(
      HadoopAppendFile file,
      Path place,
      FSDataOutputStream out,
      LogPlacement placement,
      SyncPatience patience,
      Clock clock,
      Executor threads) {
    this.file = file;
    this.place = place;
    this.out = out;
    this.placement = placement;
    this.patience = patience;
    this.clock = clock;
    this.threads = threads;
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public int copies() {
    return copies;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    checkUsable();
    int done = 0;
    while (done < length) {
      if (buffered == BUFFER_SIZE_MAX) {
        call("write to", () -> {});
      }
      int count = Math.min(length - done, BUFFER_SIZE_MAX - buffered);
      reserve(buffered + count);
      System.arraycopy(bytes, offset + done, buffer, buffered, count);
      buffered += count;
      done += count;
    }
    position += length;
  }

  private void reserve(int size) {
    if (size > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.min(BUFFER_SIZE_MAX, Math.max(size, 2 * buffer.length)));
    }
  }

  @Override
  public void flush() throws IOException {
    checkUsable();
    call("flush", () -> counted(file::flush));
  }

  @Override
  public void sync() throws IOException {
    checkUsable();
    call("sync", () -> counted(file::sync));
  }

  /** Closes the file. If a call is not answered yet, closes it after that call. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    if (unanswered.isPresent()) {
      unanswered.get().whenComplete((done, failure) -> closeLate());
    } else {
      call("close", file::close);
    }
  }

  private void closeLate() {
    try {
      file.close();
    } catch (IOException e) {
      LOG.info("Could not close {} after a DataNode did not answer: {}", path(), e.getMessage());
    }
  }

  /** Writes the buffer and runs {@code then} on another thread; waits for that, but not long. */
  private void call(String what, Uninterrupted.Action then) throws IOException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    int length = buffered;
    threads.execute(
        () -> {
          try {
            if (length > 0) {
              file.write(buffer, 0, length);
            }
            then.run();
            done.complete(null);
          } catch (IOException | RuntimeException | Error e) {
            done.completeExceptionally(e);
          }
        });
    await(what, done);
    buffered = 0;
  }

  private void counted(Uninterrupted.Action sync) throws IOException {
    sync.run();
    if (out instanceof HdfsDataOutputStream hdfs) {
      copies = hdfs.getCurrentBlockReplication();
    }
  }

  private void await(String what, CompletableFuture<Void> done) throws IOException {
    Thread waiting = Thread.currentThread();
    done.whenComplete((nothing, failure) -> LockSupport.unpark(waiting));
    long limit = patience.nanos();
    long start = clock.nanoTime();
    boolean interrupted = false;
    boolean probed = false;
    while (!done.isDone()) {
      long left = limit - (clock.nanoTime() - start);
      if (!probed && left <= limit / 2) {
        probed = true;
        placement.probe(out, Duration.ofNanos(left * 3 / 4)); // answered before the next file
      }
      if (left <= 0) {
        unanswered = Optional.of(done);
        patience.exceeded();
        break;
      }
      clock.park(probed ? left : left - limit / 2);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      waiting.interrupt();
    }
    if (unanswered.isPresent()) {
      placement.failed(place);
      throw new IOException(
          "Could not "
              + what
              + " "
              + path()
              + " within "
              + TimeUnit.NANOSECONDS.toMillis(limit)
              + " ms (hbase.regionserver.wal.roll.on.sync.ms): a DataNode does not answer");
    }
    answer(done);
    patience.met();
  }

  private void answer(CompletableFuture<Void> done) throws IOException {
    try {
      done.join();
    } catch (CompletionException e) {
      placement.failed(place);
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw e;
    }
  }

  private void checkUsable() throws IOException {
    if (closed) {
      throw new IOException(path() + " is closed");
    }
    if (unanswered.isPresent()) {
      throw new IOException(path() + " is in an unknown state since a DataNode did not answer");
    }
  }
}
