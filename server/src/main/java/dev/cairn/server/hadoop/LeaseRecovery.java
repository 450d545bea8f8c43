package dev.cairn.server.hadoop;

import dev.cairn.engine.time.Clock;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a file that is being written away from its writer: recovers the lease until the NameNode
 * has closed the file. From then on no DataNode and no NameNode accepts anything from the writer.
 *
 * <p>The NameNode closes a file at once if its last block is complete. Otherwise it orders one of
 * the block's DataNodes, in the answer to its next heartbeat, to agree with the others on the
 * length. If that fails, for example because that DataNode is dead, nothing happens until the
 * recovery is requested again. The NameNode ignores requests within 30 heartbeats after the
 * previous one; after that, it chooses another DataNode.
 *
 * <p>Stateless.
 */
final class LeaseRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseRecovery.class);
  private static final long FIRST_LOOK_NANOS = Duration.ofMillis(10).toNanos();

  /** A closed file is noticed late by at most this part of the time that the recovery takes. */
  private static final int LATE_PART = 16;

  private final DistributedFileSystem files;
  private final Clock clock;
  private final LeaseTimes times;

  LeaseRecovery(DistributedFileSystem files, Clock clock, LeaseTimes times) {
    this.files = files;
    this.clock = clock;
    this.times = times;
  }

  /**
   * Recovers the lease; returns when the file is closed.
   *
   * @throws FileNotFoundException if there is no such file
   * @throws IOException naming the file and what the recovery waits for, if it takes too long
   */
  void recover(Path file) throws IOException {
    long start = clock.nanoTime();
    if (isClosed(file)) {
      return;
    }
    for (int request = 0; ; request++) {
      if (Uninterrupted.call(() -> files.recoverLease(file)) || isClosed(file)) {
        tell(file, start, request);
        return;
      }
      if (awaitClosed(file, start, clock.nanoTime() + times.requestPause().toNanos())) {
        tell(file, start, request);
        return;
      }
      LOG.warn(
          "{} is not closed {} ms after its lease recovery began; {}. Asking again",
          file,
          millisSince(start),
          awaited(file));
    }
  }

  /** Returns whether the file was closed before {@code end}. */
  private boolean awaitClosed(Path file, long start, long end) throws IOException {
    long last = start + times.timeout().toNanos();
    while (true) {
      long now = clock.nanoTime();
      if (now - last >= 0) {
        throw new IOException(
            "The lease of "
                + file
                + " was not recovered within "
                + times.timeout().toMillis()
                + " ms (hbase.lease.recovery.timeout); "
                + awaited(file));
      }
      if (now - end >= 0) {
        return false;
      }
      long pause = Math.max(FIRST_LOOK_NANOS, (now - start) / LATE_PART);
      clock.park(
          Math.min(Math.min(pause, times.lookPause().toNanos()), Math.min(last - now, end - now)));
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException(
            "Interrupted while the lease of " + file + " is recovered");
      }
      if (isClosed(file)) {
        return true;
      }
    }
  }

  private boolean isClosed(Path file) throws IOException {
    return Uninterrupted.call(() -> files.isFileClosed(file));
  }

  private void tell(Path file, long start, int requests) {
    LOG.info(
        "Recovered the lease of {} in {} ms, with {} requests",
        file,
        millisSince(start),
        requests + 1);
  }

  private long millisSince(long start) {
    return Duration.ofNanos(clock.nanoTime() - start).toMillis();
  }

  /** Describes the block that the NameNode recovers, and the DataNodes that have it. */
  private String awaited(Path file) {
    try {
      String path = file.toUri().getPath();
      LocatedBlock last =
          Uninterrupted.call(() -> files.getClient().getLocatedBlocks(path, Long.MAX_VALUE))
              .getLastLocatedBlock();
      if (last == null) {
        return "the NameNode has not closed it";
      }
      return "waiting for the recovery of block "
          + last.getBlock().getBlockName()
          + " by its DataNodes "
          + Arrays.stream((DatanodeInfo[]) last.getLocations())
              .map(DatanodeInfo::getXferAddr)
              .collect(Collectors.joining(", ", "[", "]"));
    } catch (IOException e) {
      return "the NameNode does not state its reason: " + e.getMessage();
    }
  }
}
